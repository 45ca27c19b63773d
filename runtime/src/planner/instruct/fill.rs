//! The parameters of a function from the words of a sentence. What is not said, or said so that it could be read in
//! several ways, is a fault.

use super::literals::{Literal, literals};
use super::tokens::Token;
use crate::planner::select::words::{Splitter, spaced};
use crate::planner::{Call, Model};
use chrono::NaiveDate;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input::shortened;
use intentgate_engine::schema::{ActionId, Enumeration, Variable, VariableType};
use intentgate_engine::value::{Type, Value};

/// A function to be filled, and what with.
pub(super) struct Filling<'a> {
    pub(super) model: &'a Model,
    pub(super) function: ActionId,
    pub(super) part: &'a [Token],
    pub(super) today: Option<NaiveDate>,
    pub(super) splitter: &'a Splitter,
}

/// Words of time, with what they are a unit of. A number with one of them fits a parameter that is said to be in it.
const UNITS: &[&str] =
    &["second", "minute", "hour", "day", "week", "month", "year", "percent", "meter", "kilometer", "mile"];

/// Words for true.
const ON: &[&str] = &["on", "true", "yes", "enabled"];
/// Words for false.
const OFF: &[&str] = &["off", "false", "disabled"];

impl Filling<'_> {
    /// The call, every parameter with a value.
    pub(super) fn call(&self) -> Result<Call, Vec<Fault>> {
        let vocabulary = self.model.vocabulary();
        let function = vocabulary.action(self.function);
        let state = vocabulary.state(function.arguments());
        let parameters: Vec<&Variable> = state.variables().map(|id| vocabulary.variable(id)).collect();
        let literals = literals(self.part, self.today);
        let mut used = vec![false; literals.len()];
        let mut faults = Vec::new();
        let mut call = Call::new(function.name());
        for parameter in &parameters {
            let value = match parameter.variable_type() {
                VariableType::Boolean => self.boolean(parameter),
                VariableType::Enum(enumeration) => self.enumerator(parameter, enumeration),
                _ => self.literal(parameter, &parameters, &literals, &mut used),
            };
            match value {
                Ok(value) => call = call.with(parameter.name(), value),
                Err(fault) => faults.push(fault),
            }
        }
        // With a fault there already, what is left over is a consequence.
        if faults.is_empty() {
            faults.extend(self.left_over(&parameters, &literals, &used));
        }
        if faults.is_empty() { Ok(call) } else { Err(faults) }
    }

    /// What is said and has no meaning for the function: values, and words.
    fn left_over(&self, parameters: &[&Variable], literals: &[Literal], used: &[bool]) -> Vec<Fault> {
        let function = self.model.vocabulary().action(self.function).name();
        let fault = |message: String| {
            Fault::new(Code::UnfilledParameter, message).help("leave it out, or say what it is for")
        };
        let mut faults = Vec::new();
        let mut taken = vec![false; self.part.len()];
        for (literal, used) in literals.iter().zip(used) {
            let named = self.names_an_enumerator(literal, parameters);
            if literal.certain && !used && !named {
                faults
                    .push(fault(format!("`{function}` has nothing that {} could be", shown(&literal.value))));
            }
            if literal.certain || *used || named {
                let next = self.part.get(literal.end).filter(|_| literal.kind() == Type::Number);
                let end = literal.end + usize::from(next.is_some_and(|next| unit(next).is_some()));
                taken.iter_mut().take(end).skip(literal.start).for_each(|taken| *taken = true);
            }
        }
        let known = self.known(parameters);
        let idle = self.part.iter().zip(&taken).filter(|(token, taken)| !**taken && !token.quoted);
        let idle = idle.filter(|(token, _)| {
            let words = self.splitter.of_sentence(&token.text);
            let mut says = words.iter().filter(|word| word.weight >= 1.0);
            says.any(|word| !known.iter().any(|stem| self.splitter.likeness(&word.stem, stem) > 0.0))
        });
        let idle: Vec<String> = idle.map(|(token, _)| format!("`{}`", shortened(&token.text))).collect();
        if !idle.is_empty() {
            faults.push(fault(format!("`{function}` says nothing about {}", idle.join(", "))));
        }
        faults
    }

    /// The stems that a sentence about the function may hold.
    fn known(&self, parameters: &[&Variable]) -> Vec<String> {
        let function = self.model.vocabulary().action(self.function);
        let mut known = self.splitter.of_name(function.name());
        known.extend(self.splitter.of_name(function.description()));
        known.extend(self.splitter.of_name(self.model.app()));
        for parameter in parameters {
            known.extend(self.splitter.of_name(parameter.name()));
            known.extend(self.splitter.of_name(parameter.description()));
            match parameter.variable_type() {
                VariableType::Enum(enumeration) => {
                    known.extend(enumeration.names().flat_map(|name| self.splitter.of_name(name)));
                }
                VariableType::Boolean => {
                    let words = ON.iter().chain(OFF);
                    known.extend(words.flat_map(|word| self.splitter.of_name(word)));
                }
                _ => {}
            }
        }
        known
    }

    fn open(&self, parameter: &Variable, help: &str) -> Fault {
        let function = self.model.vocabulary().action(self.function).name();
        let message = format!("`{function}` needs a value for `{}`", parameter.name());
        Fault::new(Code::UnfilledParameter, message).help(help)
    }

    fn several(&self, parameter: &Variable, values: &[String]) -> Fault {
        let message = format!("`{}` may be {}", parameter.name(), values.join(" or "));
        Fault::new(Code::UnfilledParameter, message)
            .help(format!("write `{}` beside the one that is meant", spaced(parameter.name()).to_lowercase()))
    }

    /// A text, number, date or time.
    fn literal(
        &self,
        parameter: &Variable,
        parameters: &[&Variable],
        literals: &[Literal],
        used: &mut [bool],
    ) -> Result<Value, Fault> {
        let kind = parameter.variable_type().kind();
        let of_kind: Vec<usize> = (0..literals.len())
            .filter(|at| literals.get(*at).is_some_and(|literal| literal.kind() == kind))
            .collect();
        let certain = |at: &usize| literals.get(*at).is_some_and(|one| one.certain);
        let rivals = parameters.iter().filter(|other| other.variable_type().kind() == kind).count();
        let cued = |at: &usize| {
            literals.get(*at).is_some_and(|literal| self.is_cued(parameter, parameters, literal))
        };
        let cued: Vec<usize> = of_kind.iter().copied().filter(cued).collect();
        // A capital alone may be a name or not: it counts where nothing is sure.
        let of_kind: Vec<usize> = match of_kind.iter().any(certain) {
            true => of_kind.into_iter().filter(certain).collect(),
            false => of_kind,
        };
        let choice = match (cued.as_slice(), of_kind.as_slice()) {
            ([one], _) => *one,
            ([], [one]) if rivals == 1 => *one,
            ([], []) => return Err(self.open(parameter, how_to_say(kind))),
            (cued, all) => {
                let values = if cued.is_empty() { all } else { cued };
                let values = values.iter().filter_map(|at| literals.get(*at)).map(|one| shown(&one.value));
                return Err(match values.collect::<Vec<_>>().as_slice() {
                    [_] => self.open(parameter, how_to_say(kind)),
                    several => self.several(parameter, several),
                });
            }
        };
        let literal = literals.get(choice).ok_or_else(|| self.open(parameter, how_to_say(kind)))?;
        if used.get(choice).copied().unwrap_or_default() {
            return Err(self.open(parameter, "a value is used once; say this one, too"));
        }
        self.check_unit(parameter, literal)?;
        if let Some(used) = used.get_mut(choice) {
            *used = true;
        }
        Ok(literal.value.clone())
    }

    /// Whether a word of the parameter's name stands directly before the value, but for articles and the like, and
    /// no other parameter's word is nearer.
    fn is_cued(&self, parameter: &Variable, parameters: &[&Variable], literal: &Literal) -> bool {
        const BETWEEN: &[&str] =
            &["of", "is", "the", "a", "an", "to", "as", "at", "for", "be", "number", "date", "time"];
        let named = |token: &Token| {
            let named = parameters.iter().filter(|one| names(one).contains(&token.low));
            named.map(|one| one.name()).collect::<Vec<_>>()
        };
        let mut at = literal.start;
        for _ in 0..3 {
            let Some(token) = at.checked_sub(1).and_then(|before| self.part.get(before)) else {
                return false;
            };
            let named = named(token);
            if !named.is_empty() {
                return named == [parameter.name()];
            }
            if !token.is_one_of(BETWEEN) {
                return false;
            }
            at -= 1;
        }
        false
    }

    /// A number with a unit fits what is said to be in that unit.
    fn check_unit(&self, parameter: &Variable, literal: &Literal) -> Result<(), Fault> {
        let Some(next) = self.part.get(literal.end).filter(|_| literal.kind() == Type::Number) else {
            return Ok(());
        };
        let Some(unit) = unit(next).filter(|unit| !self.is_in(parameter, unit)) else { return Ok(()) };
        let message = format!("nothing says that `{}` is in {unit}s", parameter.name());
        Err(Fault::new(Code::UnfilledParameter, message)
            .help("give the number in the unit of the model, or say the unit in the parameter's description"))
    }

    /// Whether the parameter, or an event behind its place, is said to be in a unit.
    fn is_in(&self, parameter: &Variable, unit: &str) -> bool {
        let about = |text: &str| {
            spaced(text).to_lowercase().split(' ').any(|word| word.trim_end_matches('s') == unit)
        };
        let place = format!("{{{}}}", parameter.name());
        let events = self.model.transitions().filter(|(_, one)| one.function() == Some(self.function));
        let mut behind = events.filter_map(|(_, one)| one.event().split_once(&place).map(|(_, rest)| rest));
        about(parameter.name())
            || about(parameter.description())
            || behind.any(|rest| rest.split_whitespace().next().is_some_and(about))
    }

    /// `front` is true, `flash off` is false; what isn't mentioned is open.
    fn boolean(&self, parameter: &Variable) -> Result<Value, Fault> {
        let stems = self.splitter.of_name(parameter.name());
        let name = |token: &Token| {
            !token.quoted && self.splitter.of_name(&token.text).iter().any(|stem| stems.contains(stem))
        };
        let places: Vec<usize> =
            self.part.iter().enumerate().filter(|(_, token)| name(token)).map(|(at, _)| at).collect();
        let help = format!("write `{0} on` or `{0} off`", spaced(parameter.name()).to_lowercase());
        if places.len() < stems.len().max(1) {
            return Err(self.open(parameter, &help));
        }
        let near = |words: &[&str]| {
            let beside = |at: &usize| {
                let around =
                    self.part.get(at.saturating_sub(2)..(at + 3).min(self.part.len())).unwrap_or_default();
                around.iter().any(|token| token.is_one_of(words))
            };
            places.iter().any(beside)
        };
        match (near(ON), near(OFF)) {
            (true, true) => Err(self.open(parameter, &help)),
            (_, off) => Ok(Value::Boolean(!off)),
        }
    }

    fn enumerator(&self, parameter: &Variable, enumeration: &Enumeration) -> Result<Value, Fault> {
        let found: Vec<&str> = enumeration.names().filter(|name| self.stands(name)).collect();
        match found.as_slice() {
            [one] => enumeration
                .enumerator(one)
                .map(Value::Enum)
                .ok_or_else(|| self.open(parameter, how_to_say(Type::Enum))),
            [] => {
                let known: Vec<String> =
                    enumeration.names().take(12).map(|name| format!("`{name}`")).collect();
                Err(self.open(parameter, &format!("write one of {}", known.join(", "))))
            }
            several => {
                Err(self
                    .several(parameter, &several.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>()))
            }
        }
    }

    /// Whether the words of a name stand in the part, in a row.
    fn stands(&self, name: &str) -> bool {
        let words: Vec<String> = spaced(name).to_lowercase().split(' ').map(str::to_owned).collect();
        let of = |token: &Token| spaced(&token.low);
        self.part.windows(words.len().max(1)).any(|window| window.iter().map(of).eq(words.iter().cloned()))
            || self.part.iter().any(|token| of(token) == words.join(" "))
    }

    fn names_an_enumerator(&self, literal: &Literal, parameters: &[&Variable]) -> bool {
        let text = match &literal.value {
            Value::Text(text) => text.as_str().to_owned(),
            other => other.to_string(),
        };
        parameters.iter().any(|parameter| match parameter.variable_type() {
            VariableType::Enum(enumeration) => {
                enumeration.names().any(|name| name.eq_ignore_ascii_case(&text))
            }
            _ => false,
        })
    }
}

/// The unit that a word is, in the singular.
fn unit(token: &Token) -> Option<&'static str> {
    let is = |unit: &&&str| token.low.strip_prefix(**unit).is_some_and(|rest| matches!(rest, "" | "s"));
    UNITS.iter().find(is).copied()
}

/// The words by which a sentence names a parameter.
fn names(parameter: &Variable) -> Vec<String> {
    spaced(parameter.name()).to_lowercase().split(' ').map(str::to_owned).collect()
}

fn shown(value: &Value) -> String {
    format!("`{value}`")
}

fn how_to_say(kind: Type) -> &'static str {
    match kind {
        Type::Text => "write it in quotes",
        Type::Number => "write it in digits",
        Type::Date => "write it like 2026-11-21, or today or tomorrow where the day is known",
        Type::Time => "write it like 19:00 or 7 pm",
        Type::Boolean | Type::Enum => "write one of its values",
    }
}
