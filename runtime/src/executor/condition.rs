//! Pre- and post-conditions: constraints of the language over the app's states and the screen.
//!
//! The screen is one more state, [`SCREEN`]: `Screen(page = "Booking", text contains "Reserved")`. Only what is
//! true holds; what is unknown does not.

use super::device::Observation;
use crate::Session;
use intentgate_engine::check;
use intentgate_engine::compile::bind::Bindings;
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::eval::semantics::{self, View};
use intentgate_engine::eval::{Fact, ValueSource};
use intentgate_engine::ir::{Objective, Specification};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::{StateId, VariableId, Vocabulary, declare};
use intentgate_engine::span::Source;
use intentgate_engine::text::Similarity;
use intentgate_engine::truth::Truth;
use intentgate_engine::value::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The state that stands for the screen: `page`, `activity`, `package` and `text`, all that is visible.
pub const SCREEN: &str = "Screen";

/// What conditions are about.
#[derive(Debug, Clone)]
pub struct Conditions {
    vocabulary: Arc<Vocabulary>,
}

/// A condition that was checked.
#[derive(Debug, Clone)]
pub struct Condition {
    specification: Arc<Specification>,
    text: String,
}

impl Condition {
    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl Conditions {
    /// Over a vocabulary and the screen. A vocabulary with a state [`SCREEN`] of its own keeps it.
    ///
    /// # Errors
    /// The vocabulary and the screen don't go together.
    pub fn new(vocabulary: &Vocabulary) -> Result<Conditions, Problems> {
        let mut declaration = vocabulary.declaration();
        if !declaration.states.iter().any(|state| state.name == SCREEN) {
            let variable = |name: &str| declare::Variable::new(name, "Text");
            declaration.states.push(declare::State {
                name: SCREEN.to_owned(),
                description: "what the device shows".to_owned(),
                variables: ["page", "activity", "package", "text"].map(variable).to_vec(),
            });
        }
        let text = serde_json::to_string(&declaration).unwrap_or_default();
        let vocabulary =
            Vocabulary::from_json(&Source::new("vocabulary and screen", text), &Limits::default())?;
        Ok(Conditions { vocabulary: Arc::new(vocabulary) })
    }

    /// Reads a condition: predicates over states, joined by `and`.
    ///
    /// # Errors
    /// What can't be used, located in the condition.
    pub fn read(&self, text: &str) -> Result<Condition, Problems> {
        let source = Source::new("condition", format!("{text} -> Done\n"));
        let checked = check::specification(&source, &self.vocabulary, &Limits::default())?;
        Ok(Condition { specification: Arc::new(checked.specification), text: text.to_owned() })
    }

    /// Whether a condition holds for what a session knows and a device shows.
    pub fn holds(
        &self,
        condition: &Condition,
        session: &Session,
        page: Option<&str>,
        shown: &Observation,
    ) -> Truth {
        let specification = &condition.specification;
        let Ok(bindings) = Bindings::new(specification, session.today(), &[]) else { return Truth::Unknown };
        let mut values = BTreeMap::new();
        for (id, _) in self.vocabulary.variables() {
            let path = self.vocabulary.path(id);
            let value = match path.strip_prefix("Screen.") {
                Some(name) => on_screen(name, page, shown),
                None => session.vocabulary().find_path(&path).and_then(|own| {
                    let fact = session.fact(own);
                    fact.value.filter(|_| fact.counts)
                }),
            };
            values.extend(value.map(|value| (id, value)));
        }
        let seen = Seen { vocabulary: &self.vocabulary, values, measure: session.evaluator.measure() };
        let mut rules = specification.rules().iter();
        Truth::any(rules.by_ref().map(|rule| semantics::body(&seen, specification, &bindings, rule)))
    }
}

fn on_screen(name: &str, page: Option<&str>, shown: &Observation) -> Option<Value> {
    let screen = shown.screen.as_ref();
    match name {
        "page" => page.map(Value::text),
        "activity" => screen?.activity.as_deref().map(Value::text),
        "package" => screen?.package.as_deref().map(Value::text),
        "text" => {
            let screen = screen?;
            let shown = screen.elements().filter(|(id, _)| screen.is_shown(*id));
            let texts = shown.flat_map(|(_, element)| [element.shown_text(), element.description.as_str()]);
            let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
            Some(Value::text(&texts.join("\n")))
        }
        _ => None,
    }
}

struct Seen<'a> {
    vocabulary: &'a Vocabulary,
    values: BTreeMap<VariableId, Value>,
    measure: &'a dyn Similarity,
}

impl View for Seen<'_> {
    fn vocabulary(&self) -> &Vocabulary {
        self.vocabulary
    }

    fn fact(&self, id: VariableId) -> Fact {
        Fact { value: self.values.get(&id).cloned(), source: ValueSource::App, counts: true }
    }

    fn observed(&self, state: StateId) -> bool {
        self.values.keys().any(|id| self.vocabulary.variable(*id).state() == state)
    }

    fn objective(&self, _: Objective) -> Truth {
        Truth::Unknown
    }

    fn measure(&self) -> &dyn Similarity {
        self.measure
    }
}
