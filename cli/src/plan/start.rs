//! The model of a plan, and where it starts.

use crate::args::ModelArgs;
use crate::files::{self, Unusable};
use intentgate::Session;
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::input;
use intentgate::engine::limits::Limits;
use intentgate::engine::span::Source;
use intentgate::engine::suggest;
use intentgate::planner::{Model, PageId, Start};

/// A model, the text that it was read from, and where somebody is in it.
pub(crate) struct Place {
    pub(crate) model: Model,
    pub(crate) source: Source,
    pub(crate) start: Start,
}

/// Says what is odd about what a model's transitions are to the gate.
///
/// # Errors
/// What they say doesn't fit the vocabulary.
pub(crate) fn linked(model: &Model, source: &Source, session: &Session) -> Result<(), Unusable> {
    // A name that was meant to be another is why its arguments don't fit: it is said first.
    files::print_problems(&model.review_actions(source, session.vocabulary()));
    let problems = model.review_links(source, session);
    if problems.has_errors() {
        return Err(problems.into());
    }
    files::print_problems(&problems);
    files::print_problems(&model.review_arguments(source, session));
    Ok(())
}

impl Place {
    /// Reads it, and says what is odd about the model.
    pub(crate) fn read(args: &ModelArgs) -> Result<Place, Unusable> {
        let limits = Limits::default();
        let source = files::read(&args.model, &limits)?;
        let model = Model::from_json(&source, &limits)?;
        files::print_problems(&model.review(&source));
        let mut start = Start::default();
        if let Some(name) = &args.from {
            start.page = Some(page(&model, name)?);
        }
        for text in &args.set {
            let (name, value) = text
                .split_once('=')
                .ok_or_else(|| wrong(format!("`{}` is no NAME=VALUE", input::shortened(text))))?;
            let id = model
                .find_variable(name.trim())
                .ok_or_else(|| wrong(format!("there is no variable `{}`", input::shortened(name))))?;
            let kind = model.vocabulary().variable(id).variable_type();
            let value = input::spelled(value.trim(), kind, None).ok_or_else(|| {
                wrong(format!("`{}` is no {} for `{name}`", input::shortened(value.trim()), kind.kind()))
            })?;
            start.values.insert(id, Some(value));
        }
        Ok(Place { model, source, start })
    }
}

/// An argument that can't be used.
pub(super) fn wrong(what: String) -> Fault {
    Fault::new(Code::UnknownFunction, what)
}

pub(crate) fn page(model: &Model, name: &str) -> Result<PageId, Fault> {
    model.find_page(name).ok_or_else(|| {
        let known: Vec<&str> = model.pages().map(|(_, page)| page.name()).collect();
        Fault::new(Code::UnknownPage, format!("there is no page `{}`", input::shortened(name)))
            .help(suggest::known(name, "pages", known))
    })
}
