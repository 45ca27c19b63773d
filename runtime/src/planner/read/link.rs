//! What transitions are to the gate: actions, arguments, updates, observations.

use super::{Reader, Scope};
use crate::planner::model::{Link, Linked, Model, Stated};
use intentgate_engine::diagnostic::{Code, Diagnostic};
use intentgate_engine::json::{Member, Node};
use intentgate_engine::suggest;
use std::sync::Arc;

const WAYS: &[&str] = &["choose", "expect", "variable"];

impl Reader<'_> {
    /// What a transition says of actions and states of a vocabulary; nothing if it doesn't.
    pub(super) fn link(&mut self, node: &Node, scope: &Scope<'_>) -> Option<Arc<Link>> {
        let action = node.get("action").map(|action| action.string("`action`").map(str::to_owned));
        let action = action.and_then(|action| self.keep(action));
        let mut arguments = Vec::new();
        for member in self.members(node, "arguments") {
            arguments.extend(self.linked(member, member.key.clone(), scope));
        }
        let (causes, observes) = (self.states(node, "causes", scope), self.states(node, "observes", scope));
        let link = Link { action, arguments, causes, observes };
        let says = link.action.is_some()
            || ![&link.arguments, &link.causes, &link.observes].into_iter().all(Vec::is_empty);
        says.then(|| Arc::new(link))
    }

    fn members<'n>(&mut self, node: &'n Node, key: &str) -> &'n [Member] {
        let members = node.get(key).map(|value| value.object(&format!("`{key}`")));
        members.and_then(|members| self.keep(members)).unwrap_or(&[])
    }

    fn states(&mut self, node: &Node, key: &str, scope: &Scope<'_>) -> Vec<Linked> {
        let mut linked = Vec::new();
        for state in self.members(node, key) {
            let variables = self.keep(state.value.object(&format!("`{key}.{}`", state.key)));
            for member in variables.unwrap_or(&[]) {
                linked.extend(self.linked(member, format!("{}.{}", state.key, member.key), scope));
            }
        }
        linked
    }

    fn linked(&mut self, member: &Member, name: String, scope: &Scope<'_>) -> Option<Linked> {
        let (value, span) = (&member.value, member.value.span);
        let stated = match value.as_object() {
            None => Stated::Value(value.clone()),
            Some([one]) if one.key == "choose" => Stated::Choose(self.values(&one.value)?),
            Some([one]) if one.key == "expect" => Stated::Expect(self.values(&one.value)?),
            Some([one]) if one.key == "variable" => self.variable(&one.value, scope)?,
            Some(members) => {
                let message = "a value, or an object with one of `choose`, `expect`, `variable`";
                let known = members.iter().find(|member| !WAYS.contains(&member.key.as_str()));
                self.push(match known {
                    Some(member) => member.unknown(WAYS),
                    None => Diagnostic::new(Code::JsonType, span, message),
                });
                return None;
            }
        };
        Some(Linked { name, stated, span })
    }

    /// `"any"`, or a list that is not empty.
    fn values(&mut self, node: &Node) -> Option<Option<Vec<Node>>> {
        if node.as_str() == Some("any") {
            return Some(None);
        }
        let values = self.keep(node.array("what there is to choose from").map(<[_]>::to_vec))?;
        if values.is_empty() {
            let message = "there is nothing to choose from";
            self.push(Diagnostic::new(Code::JsonType, node.span, message).help("name values, or \"any\""));
            return None;
        }
        Some(Some(values))
    }

    fn variable(&mut self, node: &Node, scope: &Scope<'_>) -> Option<Stated> {
        let name = self.keep(node.string("`variable`").map(str::to_owned))?;
        // Of the app that the transition stands under, or with its app's name.
        let state = scope.prefix.strip_suffix('.').unwrap_or(Model::STATE);
        let (state, own) = name.split_once('.').unwrap_or((state, &name));
        let state = scope.vocabulary.find_state(state);
        let found = state.and_then(|state| scope.vocabulary.find_variable(state, own));
        if found.is_none() {
            let message =
                format!("the model has no variable `{}`", intentgate_engine::input::shortened(&name));
            self.unknown(Code::UnknownVariable, node.span, message, || {
                let variables = scope.vocabulary.variables().map(|(_, variable)| variable.name());
                suggest::known(&name, "variables", variables.collect::<Vec<_>>())
            });
        }
        found.map(Stated::Variable)
    }
}
