//! What variables, parameters and states are to the solver, and claims about what they are.
//!
//! Knows types, and which values read well; must never know rules.

use super::{Claim, Problem, disjunction};
use crate::compile::bind::Given;
use crate::ir::{Objective, Operator, ParameterId};
use crate::schema::{Enumeration, StateId, VariableId, VariableType};
use crate::solve::classes::Member;
use crate::solve::terms::{self, DAY, DAYS, Members, Term};
use crate::solve::texts::{TextSort, candidates};
use crate::text::normal;
use crate::value::{Text, Value};
use chrono::NaiveDate;
use std::sync::Arc;
use z3::ast::{Bool, Int, Real};

/// A variable: whether it is known, and its value if it is.
#[derive(Debug, Clone)]
pub(in crate::solve) struct Slot {
    pub(in crate::solve) known: Bool,
    pub(in crate::solve) value: Term,
    pub(in crate::solve) text: Option<TextSort>,
}

/// A parameter, or what stands for it.
#[derive(Debug, Clone)]
pub(in crate::solve) struct Parameter {
    pub(in crate::solve) kind: VariableType,
    pub(in crate::solve) value: Term,
    pub(in crate::solve) text: Option<TextSort>,
}

impl Problem {
    /// A variable has a value.
    pub fn is(&mut self, id: VariableId, value: &Value) -> Claim {
        let slot = self.slot(id);
        let vocabulary = Arc::clone(&self.vocabulary);
        let kind = vocabulary.variable(id).variable_type();
        let equal = self.table(&slot.value, slot.text.as_ref(), kind, Operator::Equal, value, false);
        Claim(slot.known & equal.holds)
    }

    /// Today and the parameters are these.
    pub fn bound(&mut self, today: NaiveDate, parameters: &[(String, Value)]) -> Vec<Claim> {
        let mut claims = vec![Claim(self.today.eq(terms::days(today)))];
        for (name, value) in parameters {
            if let Some(parameter) = self.parameters.get(&Text::new(name)).cloned() {
                let Parameter { kind, value: term, text } = &parameter;
                let equal = self.table(term, text.as_ref(), kind, Operator::Equal, value, false);
                claims.push(Claim(equal.holds));
            }
        }
        claims
    }

    /// A variable is known.
    pub fn known(&mut self, id: VariableId) -> Claim {
        Claim(self.slot(id).known)
    }

    /// A variable of the state has been observed.
    pub fn was_observed(&mut self, state: StateId) -> Claim {
        Claim(self.observed(state))
    }

    /// The arguments that something committed speaks of.
    pub fn committed(&self) -> Vec<VariableId> {
        self.committed.keys().copied().collect()
    }

    /// An argument was given when its action was performed: this, or nothing.
    pub fn was_given(&mut self, id: VariableId, value: Option<&Value>) -> Claim {
        self.seeing(true, |problem| match value {
            Some(value) => problem.is(id, value),
            None => problem.known(id).negate(),
        })
    }

    /// An argument is what it was when its action was performed.
    pub fn as_committed(&mut self, id: VariableId) -> Claim {
        let now = self.slot(id);
        let then = self.seeing(true, |problem| problem.slot(id));
        let same = now.value.equal(&then.value);
        Claim(now.known.iff(&then.known) & now.known.implies(&same))
    }

    /// Whether a variable is an argument, of which there are two sights.
    pub(in crate::solve) fn is_argument(&self, id: VariableId) -> bool {
        let state = self.vocabulary.variable(id).state();
        self.vocabulary.state(state).arguments_of().is_some()
    }

    fn observed(&mut self, state: StateId) -> Bool {
        if let Some(observed) = self.observed.get(&state) {
            return observed.clone();
        }
        let observed = Bool::new_const(format!("observed {}", state.index()));
        self.observed.insert(state, observed.clone());
        let known: Vec<Bool> = self
            .slots
            .iter()
            .filter(|(id, _)| self.vocabulary.variable(**id).state() == state)
            .map(|(_, slot)| slot.known.clone())
            .collect();
        known.into_iter().for_each(|known| self.solver.assert(known.implies(&observed)));
        observed
    }

    /// What comes of `encode`, which sees arguments as they were performed, or as they are.
    pub(super) fn seeing<R>(&mut self, committed: bool, encode: impl FnOnce(&mut Problem) -> R) -> R {
        self.sees_committed = committed;
        let encoded = encode(self);
        self.sees_committed = false;
        encoded
    }

    pub(in crate::solve) fn slot(&mut self, id: VariableId) -> Slot {
        let committed = self.sees_committed && self.is_argument(id);
        let slots = if committed { &self.committed } else { &self.slots };
        if let Some(slot) = slots.get(&id) {
            return slot.clone();
        }
        let sight = if committed { "committed " } else { "" };
        let vocabulary = Arc::clone(&self.vocabulary);
        let variable = vocabulary.variable(id);
        // A name has one sort in a context.
        let name = format!("{sight}value {} {}", id.index(), self.setting.closed);
        let (value, text) = self.fresh(&name, variable.variable_type(), Member::Variable(id));
        let known = Bool::new_const(format!("{sight}known {}", id.index()));
        if let Some(observed) = self.observed.get(&variable.state()) {
            self.solver.assert(known.implies(observed));
        }
        // Arguments are committed when their action is performed.
        if let (true, Some(action)) = (committed, vocabulary.state(variable.state()).arguments_of()) {
            let performed = self.achieved(0, Objective::Action(action)).0;
            self.solver.assert(known.implies(&performed));
        }
        let slot = Slot { known, value, text };
        let slots = if committed { &mut self.committed } else { &mut self.slots };
        slots.insert(id, slot.clone());
        slot
    }

    /// A term of a type, within the bounds of its type.
    fn fresh(&mut self, name: &str, kind: &VariableType, member: Member) -> (Term, Option<TextSort>) {
        let members = match kind {
            VariableType::Enum(enumeration) => Some(self.enumeration(enumeration)),
            _ => None,
        };
        let text = matches!(kind, VariableType::Text).then(|| self.text_sort(&member));
        let term = terms::term(name, kind, members.as_ref(), text.as_ref());
        match &term {
            Term::Date(days) => {
                self.solver.assert(days.ge(DAYS.0));
                self.solver.assert(days.le(DAYS.1));
            }
            Term::Time(time) => {
                self.solver.assert(time.ge(0));
                self.solver.assert(time.lt(DAY));
                // Whole minutes read better.
                let minutes = Int::new_const(format!("{name} minutes"));
                self.wishes.push(time.eq(minutes * 60_000_000_000_i64));
            }
            Term::Number(number) => {
                let whole = Int::new_const(format!("{name} whole"));
                self.wishes.push(number.eq(whole.to_real()));
                self.wishes.push(number.ge(Real::from_rational(0, 1)));
            }
            Term::Text(text) => {
                let candidates = candidates(&self.classes.constants(&member));
                let wish: Vec<Bool> = candidates.iter().map(|word| text.eq(word.as_str())).collect();
                self.wishes.push(disjunction(&wish));
                self.candidates.insert(text.clone(), candidates);
            }
            // What was written reads better than what was made of it.
            Term::Member(term) => {
                if let Some(TextSort::Finite { members, .. }) = &text {
                    let written = members.members.iter().take(self.classes.constants(&member).len());
                    let wish: Vec<Bool> = written.map(|constant| term.eq(constant)).collect();
                    if !wish.is_empty() {
                        self.wishes.push(disjunction(&wish));
                    }
                }
            }
            Term::Boolean(_) => {}
        }
        (term, text)
    }

    pub(in crate::solve) fn enumeration(&mut self, enumeration: &Arc<Enumeration>) -> Members {
        if let Some((_, members)) = self.enumerations.iter().find(|(known, _)| known == enumeration) {
            return members.clone();
        }
        let name = format!("enumeration {} {}", self.enumerations.len(), self.setting.closed);
        let members = Members::new(&name, enumeration.names().len());
        self.enumerations.push((Arc::clone(enumeration), members.clone()));
        members
    }

    fn text_sort(&mut self, member: &Member) -> TextSort {
        let class = self.classes.find(member);
        if let Some(sort) = self.texts.get(&class) {
            return sort.clone();
        }
        let closed = self.setting.closed;
        let name = format!("texts {class} {closed}");
        let sort = self.classes.class(class).sort(&name, self.setting.measure.as_ref(), closed);
        self.texts.insert(class, sort.clone());
        sort
    }

    pub(in crate::solve) fn parameter(&mut self, set: usize, id: ParameterId) -> Option<Parameter> {
        let specification = self.sets.get(set)?.clone();
        let declared = specification.parameters().get(id.index())?;
        let name = Text::new(declared.name());
        if let Some(parameter) = self.parameters.get(&name) {
            return Some(parameter.clone());
        }
        let kind = declared.variable_type().clone();
        let (value, text) = self.fresh(
            &format!("parameter {} {}", declared.name(), self.setting.closed),
            &kind,
            Member::Parameter(name.clone()),
        );
        let given = self.setting.parameters.iter().find(|(given, _)| normal::nfc(given) == name.as_str());
        let given = given.and_then(|(_, given)| match given {
            Given::Value(value) => Some(value.clone()),
            Given::Spelled(text) => crate::input::spelled(text, &kind, self.setting.today),
        });
        let parameter = Parameter { kind: kind.clone(), value, text };
        if let Some(given) = given {
            let equal =
                self.table(&parameter.value, parameter.text.as_ref(), &kind, Operator::Equal, &given, false);
            self.solver.assert(equal.holds);
        }
        self.parameters.insert(name, parameter.clone());
        Some(parameter)
    }
}
