//! Vocabularies written as JSON, in our form alone.
//!
//! Knows vocabularies that were checked; must never know how one is read.

use crate::schema::{MaxAge, StateId, VariableId, VariableType, Vocabulary, declare};

impl Vocabulary {
    /// The vocabulary in our JSON form, canonical: the same vocabulary has the same bytes.
    pub fn to_json(&self) -> String {
        // Plain data with text keys: writing it can't fail.
        serde_json::to_string_pretty(&self.declaration()).unwrap_or_default()
    }

    /// The vocabulary as a declaration.
    pub fn declaration(&self) -> declare::App {
        let variables = |state: StateId| self.state(state).variables().map(|id| self.declared(id)).collect();
        declare::App {
            app: self.app.clone(),
            states: self
                .states()
                .filter(|(_, state)| state.action.is_none())
                .map(|(id, state)| declare::State {
                    name: state.name().to_owned(),
                    description: state.description.clone(),
                    variables: variables(id),
                })
                .collect(),
            actions: self
                .actions
                .iter()
                .map(|action| declare::Action {
                    name: action.name().to_owned(),
                    description: action.description.clone(),
                    arguments: variables(action.state),
                })
                .collect(),
            steps: self
                .steps
                .iter()
                .map(|step| declare::Action {
                    name: step.name().to_owned(),
                    description: step.description.clone(),
                    arguments: step
                        .arguments
                        .iter()
                        .map(|(name, kind, optional)| declare::Variable {
                            optional: *optional,
                            ..typed(name.as_str(), kind)
                        })
                        .collect(),
                })
                .collect(),
            closed: self.closed,
        }
    }

    fn declared(&self, id: VariableId) -> declare::Variable {
        let variable = self.variable(id);
        declare::Variable {
            description: variable.description.clone(),
            ignore_case: variable.ignore_case,
            source: variable.app_only.then(|| "app".to_owned()),
            max_age: variable.max_age.map(|age| match age {
                MaxAge::Epochs(epochs) => serde_json::json!(epochs),
                MaxAge::Time(time) => serde_json::json!(format!("{}s", time.as_secs())),
            }),
            reset_by: variable.reset_by.iter().map(|id| self.path(*id)).collect(),
            optional: variable.optional,
            ..typed(variable.name(), &variable.kind)
        }
    }
}

fn typed(name: &str, kind: &VariableType) -> declare::Variable {
    let mut variable = declare::Variable::new(name, kind.kind().to_string());
    if let VariableType::Enum(enumeration) = kind {
        variable.values = enumeration.names().map(str::to_owned).collect();
        variable.ordered = enumeration.ordered;
    }
    variable
}
