//! Models in our JSON form.

use super::declare::{self, Said};
use super::model::{Linked, Model, Origin, PageId, Stated, Transition};
use intentgate_engine::json::Node;
use serde::Serialize;
use std::collections::BTreeMap;

/// A model as plain data: one app, or several.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Declaration {
    /// One.
    App(declare::App),
    /// Several.
    Apps(declare::Apps),
}

impl Model {
    /// The model as a declaration: what [`Model::from_json`] reads again.
    pub fn declaration(&self) -> Declaration {
        let mut apps: Vec<declare::App> = (0..self.apps.len()).map(|app| self.app_declaration(app)).collect();
        if let [app] = apps.as_mut_slice() {
            return Declaration::App(std::mem::take(app));
        }
        let handovers =
            self.transitions.iter().filter(|one| self.app_index(one.from) != self.app_index(one.to));
        let handovers = handovers.map(|one| self.transition_declaration(one, str::to_owned)).collect();
        Declaration::Apps(declare::Apps { start: self.page_name(self.start).to_owned(), apps, handovers })
    }

    fn app_index(&self, page: PageId) -> usize {
        self.pages.get(page.index()).map_or(0, |page| page.app)
    }

    fn app_declaration(&self, app: usize) -> declare::App {
        let vocabulary = self.vocabulary.declaration();
        let state_name = Model::state_name(&self.apps, app);
        let state = self.vocabulary.find_state(state_name);
        let variables = vocabulary.states.into_iter().filter(|state| state.name == state_name);
        let of_state = |id| Some(self.vocabulary.variable(id).state()) == state;
        let initial = self.initial.iter().filter(|(id, _)| of_state(*id));
        let own = |name: &str| match self.apps.len() {
            1 => name.to_owned(),
            _ => name.split_once('.').map_or(name, |(_, own)| own).to_owned(),
        };
        let pages: Vec<_> = self.pages().filter(|(_, page)| page.app == app).collect();
        let within = |one: &&Transition| self.app_index(one.from) == app && self.app_index(one.to) == app;
        // A function belongs to the app whose transitions perform it; one that none does, to the first.
        let performs = |one: &Transition, name: &str| {
            one.function.is_some_and(|function| self.vocabulary.action(function).name() == name)
        };
        let belongs = |name: &str| {
            let performed = self.transitions.iter().find(|one| performs(one, name));
            performed.map_or(0, |one| self.app_index(one.from)) == app
        };
        declare::App {
            app: self.apps.get(app).cloned().unwrap_or_default(),
            start: self.starts.get(app).map_or(String::new(), |start| own(self.page_name(*start))),
            pages: pages
                .iter()
                .map(|(_, page)| declare::Page {
                    name: own(page.name()),
                    description: page.description.clone(),
                })
                .collect(),
            variables: variables
                .flat_map(|state| state.variables)
                .zip(initial)
                .map(|(variable, (_, initial))| declare::Configured { variable, initial: initial.clone() })
                .collect(),
            functions: vocabulary
                .actions
                .into_iter()
                .filter(|action| belongs(&action.name))
                .map(|action| declare::Function {
                    name: action.name,
                    description: action.description,
                    parameters: action.arguments,
                })
                .collect(),
            transitions: self
                .transitions
                .iter()
                .filter(within)
                .map(|transition| self.transition_declaration(transition, own))
                .collect(),
        }
    }

    fn transition_declaration(
        &self,
        transition: &Transition,
        page: impl Fn(&str) -> String,
    ) -> declare::Transition {
        let link = transition.link.as_deref();
        let states = |linked: Option<&Vec<Linked>>| {
            let mut states: BTreeMap<String, BTreeMap<String, Said>> = BTreeMap::new();
            for one in linked.into_iter().flatten() {
                if let Some((state, variable)) = one.name.split_once('.') {
                    states.entry(state.to_owned()).or_default().insert(variable.to_owned(), self.said(one));
                }
            }
            states
        };
        let arguments = link.into_iter().flat_map(|link| &link.arguments);
        declare::Transition {
            from: page(self.page_name(transition.from)),
            event: transition.event.clone(),
            function: transition.function.map(|function| self.vocabulary.action(function).name().to_owned()),
            guard: transition.guard_text.clone(),
            update: transition.update_text.clone(),
            action: link.and_then(|link| link.action.clone()),
            arguments: arguments.map(|one| (one.name.clone(), self.said(one))).collect(),
            causes: states(link.map(|link| &link.causes)),
            observes: states(link.map(|link| &link.observes)),
            to: page(self.page_name(transition.to)),
            cost: (transition.cost != 1).then_some(transition.cost),
            origin: match transition.origin {
                Origin::Declared => String::new(),
                origin => origin.name().to_owned(),
            },
            count: (transition.count > 0).then_some(transition.count),
        }
    }

    fn said(&self, linked: &Linked) -> Said {
        let values = |nodes: &Vec<Node>| nodes.iter().map(Node::to_value).collect();
        match &linked.stated {
            Stated::Value(node) => Said::Value(node.to_value()),
            Stated::Choose(None) => Said::ChooseAny,
            Stated::Choose(Some(nodes)) => Said::Choose(values(nodes)),
            Stated::Expect(None) => Said::ExpectAny,
            Stated::Expect(Some(nodes)) => Said::Expect(values(nodes)),
            Stated::Variable(id) => Said::Variable(self.variable_name(*id)),
        }
    }

    /// The model in our JSON form.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(&self.declaration()).unwrap_or_default()
    }
}
