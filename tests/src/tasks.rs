//! Tasks of the examples, or of texts: vocabulary, specification, policies, parameters, app model.

use crate::root;
use intentgate::engine::check;
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::planner::Model;
use intentgate::{Session, SessionBuilder};
use std::sync::Arc;

/// A task: files, or texts, and parameters.
pub struct Task<'a> {
    /// A file, or its text.
    pub app: &'a str,
    /// A file, or its text.
    pub spec: &'a str,
    /// A file, or its text.
    pub policies: &'a [&'a str],
    /// A file, or its text.
    pub parameters: &'a [(&'a str, &'a str)],
    /// A file, or its text.
    pub model: &'a str,
}

/// A file of the examples, or the text itself.
pub fn source(name: &str) -> Source {
    let text = std::fs::read_to_string(root().join("examples").join(name));
    match text {
        Ok(text) => Source::new(name, text),
        Err(_) => Source::new("text", name),
    }
}

/// A task that was read.
pub struct Read {
    /// As it was read.
    pub spec: Arc<Specification>,
    /// As it was read.
    pub policies: Vec<Arc<Specification>>,
    /// As it was read.
    pub parameters: Vec<(String, String)>,
    /// As it was read.
    pub model: Model,
}

impl Task<'_> {
    /// Reads the files.
    ///
    /// # Panics
    /// If they can't be used.
    pub fn read(&self) -> Read {
        let limits = Limits::default();
        let vocabulary = Vocabulary::from_json(&source(self.app), &limits);
        let vocabulary = Arc::new(vocabulary.unwrap_or_else(|problems| panic!("{problems}")));
        let checked = |text: &str, policy: bool| {
            let check = if policy { check::policy } else { check::specification };
            let checked = check(&source(text), &vocabulary, &limits);
            Arc::new(checked.unwrap_or_else(|problems| panic!("{problems}")).specification)
        };
        let model = Model::from_json(&source(self.model), &limits);
        Read {
            spec: checked(self.spec, false),
            policies: self.policies.iter().map(|policy| checked(policy, true)).collect(),
            parameters: self.parameters.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect(),
            model: model.unwrap_or_else(|problems| panic!("{problems}")),
        }
    }
}

impl Read {
    /// A session of the task, to be started.
    pub fn builder(&self) -> SessionBuilder {
        let mut builder = Session::builder(Arc::clone(&self.spec)).today("2026-11-21".parse().unwrap());
        for policy in &self.policies {
            builder = builder.policy(Arc::clone(policy));
        }
        for (name, value) in &self.parameters {
            builder = builder.parameter(name, value);
        }
        builder
    }

    /// A new session of the task.
    ///
    /// # Panics
    /// If it can't start.
    pub fn session(&self) -> Session {
        self.builder().start().unwrap()
    }
}

/// The restaurant of the examples.
pub const RESTAURANT: Task = Task {
    app: "restaurant/app.json",
    spec: "restaurant/reserve.intent",
    policies: &[],
    parameters: &[],
    model: "restaurant/model.json",
};

/// The meeting of the examples, under the office's policy.
pub const MEETING: Task = Task {
    app: "calendar/app.json",
    spec: "calendar/meeting.intent",
    policies: &["calendar/office.intent"],
    parameters: &[("colleague", "Ada")],
    model: "calendar/model.json",
};
