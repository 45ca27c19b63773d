//! Checks: what the values that are held are to one another, and to constants.
//!
//! Knows values; must never know what follows from a check, nor change it.

use super::Memory;
use crate::compile::{Check, Network, OperandKind, Slot, Symbol};
use crate::ir::Operator;
use crate::text;
use crate::truth::Truth;
use rust_decimal::Decimal;
use std::cmp::Ordering;

/// How many answers of text comparisons are remembered.
const CACHED: usize = 1 << 16;

/// Whether two slots hold the same value; numbers of the same spelling are seen at once.
#[inline]
pub(super) fn same(left: &Slot, right: &Slot) -> bool {
    match (left, right) {
        (Slot::Number(left), Slot::Number(right)) => order(left, right) == Ordering::Equal,
        (left, right) => left == right,
    }
}

/// The order of two numbers, quickly where they have as many digits behind the point.
#[inline]
fn order(left: &Decimal, right: &Decimal) -> Ordering {
    if left.scale() == right.scale() { left.mantissa().cmp(&right.mantissa()) } else { left.cmp(right) }
}

impl Memory {
    /// The truth of a check now. `raw` takes values that don't count at rule level as they are.
    pub(in crate::eval) fn evaluate(&mut self, network: &Network, check: u32, raw: bool) -> Truth {
        let at = check;
        let check = network.checks[check as usize];
        let left = self.effective(check.variable, raw);
        match check.kind {
            OperandKind::Constant => self.compare(&check, &left, &network.constants[check.operand as usize]),
            OperandKind::Variable => {
                let right = self.effective(check.operand, raw);
                self.compare(&check, &left, &right)
            }
            OperandKind::List => {
                let equal = Check { operator: Operator::Equal, ..check };
                let list = &network.lists[check.operand as usize];
                let found = Truth::any(list.iter().map(|right| self.compare(&equal, &left, right)));
                if check.operator == Operator::NotIn { found.negate() } else { found }
            }
            OperandKind::Observed => self.truths[at as usize],
        }
    }

    fn effective(&self, variable: u32, raw: bool) -> Slot {
        let cell = self.cells[variable as usize];
        if cell.counts || raw { cell.slot } else { Slot::Unknown }
    }

    #[inline]
    pub(super) fn compare(&mut self, check: &Check, left: &Slot, right: &Slot) -> Truth {
        let order = match (left, right) {
            (Slot::Text(left), Slot::Text(right)) => return self.compare_texts(check, *left, *right),
            (Slot::Number(left), Slot::Number(right)) => order(left, right),
            (Slot::Boolean(left), Slot::Boolean(right)) => left.cmp(right),
            (Slot::Enum(left), Slot::Enum(right)) => left.cmp(right),
            (Slot::Date(left), Slot::Date(right)) => left.cmp(right),
            (Slot::Time(left), Slot::Time(right)) => left.cmp(right),
            _ => return Truth::Unknown,
        };
        Truth::known(match check.operator {
            Operator::Equal | Operator::In => order == Ordering::Equal,
            Operator::NotEqual | Operator::NotIn => order != Ordering::Equal,
            Operator::Less => order == Ordering::Less,
            Operator::LessEqual => order != Ordering::Greater,
            Operator::Greater => order == Ordering::Greater,
            Operator::GreaterEqual => order != Ordering::Less,
            // The checker lets these through for texts alone.
            Operator::Similar | Operator::Contains | Operator::NotContains => return Truth::Unknown,
        })
    }

    fn compare_texts(&mut self, check: &Check, left: Symbol, right: Symbol) -> Truth {
        match check.operator {
            Operator::Equal => self.interner.equal(left, right, check.ignore_case),
            Operator::NotEqual => self.interner.equal(left, right, check.ignore_case).negate(),
            Operator::NotIn => self.answer(Operator::In, check.ignore_case, left, right).negate(),
            Operator::NotContains => self.answer(Operator::In, check.ignore_case, right, left).negate(),
            Operator::Contains => self.answer(Operator::In, check.ignore_case, right, left),
            operator @ (Operator::In | Operator::Similar) => {
                self.answer(operator, check.ignore_case, left, right)
            }
            Operator::Less | Operator::LessEqual | Operator::Greater | Operator::GreaterEqual => {
                Truth::Unknown
            }
        }
    }

    /// `~` and occurrence, remembered.
    fn answer(&mut self, operator: Operator, ignore_case: bool, left: Symbol, right: Symbol) -> Truth {
        let key = (operator, ignore_case, left, right);
        if let Some(truth) = self.answers.get(&key) {
            return *truth;
        }
        let (left, right) = (self.interner.text(left), self.interner.text(right));
        let truth = match operator {
            Operator::Similar => text::similar(left, right, self.measure.as_ref()),
            _ => text::within(left, right, ignore_case),
        };
        if self.answers.len() >= CACHED {
            self.answers.clear();
        }
        self.answers.insert(key, truth);
        truth
    }
}
