//! Models from foreign forms: what analyses of programs, explorers and planners write.
//!
//! A reader takes texts and gives a declaration, together with a report of what it kept and what it left out:
//! nothing is lost without being counted. Foreign files are taken as they are, damaged ones included. Knows the
//! declaration and the places in the texts; must never know the checked model, files, sessions and devices.

mod classes;
mod collect;
mod droidbot;
mod event;
mod iccbot;
mod pddl;
mod sexpr;
mod utg;

use super::declare;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::{Source, Span};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// The forms that can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// The component transition graph of ICCBot, `CTG.xml`.
    Iccbot,
    /// The files of a DroidBot run: `states/*.json`, `events/*.json`.
    Droidbot,
    /// The transition graph of a DroidBot run, `utg.js`.
    Utg,
    /// A planning problem in PDDL, with or without its domain (Agent+P, Listings 1 and 2).
    Pddl,
}

impl Form {
    /// All of them.
    pub const ALL: [Form; 4] = [Form::Iccbot, Form::Droidbot, Form::Utg, Form::Pddl];

    /// As arguments spell it.
    pub fn name(self) -> &'static str {
        match self {
            Form::Iccbot => "iccbot",
            Form::Droidbot => "droidbot",
            Form::Utg => "utg",
            Form::Pddl => "pddl",
        }
    }

    /// What a text looks like, by its beginning.
    pub fn of(text: &str) -> Option<Form> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
        let assigned = |rest: &str| rest.trim_start().starts_with("utg");
        match text.chars().next()? {
            '<' => Some(Form::Iccbot),
            '(' | ';' => Some(Form::Pddl),
            '{' if text.contains("\"nodes\"") && text.contains("\"edges\"") => Some(Form::Utg),
            '{' => Some(Form::Droidbot),
            _ => {
                let words = ["var ", "let ", "const ", "window."];
                let rest = words.iter().find_map(|word| text.strip_prefix(word));
                assigned(rest.unwrap_or(text)).then_some(Form::Utg)
            }
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What counts as a page of a run that was observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pages {
    /// An activity, as published (Agent+P, section 4.1).
    #[default]
    Activity,
    /// What is visible, without texts: screens of one activity with other elements are other pages.
    State,
}

/// How a foreign form is read.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// How much is read.
    pub limits: Limits,
    /// What counts as a page; for the forms of DroidBot.
    pub pages: Pages,
    /// The app's name, where the form doesn't say it or says another one.
    pub app: Option<String>,
    /// The page on which the app starts, where the form doesn't say it or says another one. A class name, short
    /// or full, or the name of a page.
    pub start: Option<String>,
}

/// Why something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// A transition from or to something that the form doesn't hold.
    Dangling,
    /// A page or a transition with an empty name, or none.
    Nameless,
    /// A component that shows nothing: a service, a receiver, a provider; and the transitions at it.
    NoScreen,
    /// A file that can't be read, or a part of one.
    Unreadable,
    /// What stands there already: the first counts.
    Twice,
    /// What has no place in a model.
    NotInModels,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Dangling => "from or to something that is not there",
            Reason::Nameless => "without a name",
            Reason::NoScreen => "of services, receivers or providers, which show nothing",
            Reason::Unreadable => "that can't be read",
            Reason::Twice => "of a name that stands there already",
            Reason::NotInModels => "for which a model has no place",
        })
    }
}

/// What is left out, in kinds: a count per kind and reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// A page, or what would have become one.
    Page,
    /// A transition, or what would have become one.
    Transition,
    /// A file.
    File,
    /// A detail of something that was kept: an attribute, a fact.
    Detail,
}

impl What {
    fn plural(self, count: usize) -> &'static str {
        match (self, count) {
            (What::Page, 1) => "page",
            (What::Page, _) => "pages",
            (What::Transition, 1) => "transition",
            (What::Transition, _) => "transitions",
            (What::File, 1) => "file",
            (What::File, _) => "files",
            (What::Detail, 1) => "detail",
            (What::Detail, _) => "details",
        }
    }
}

/// How many were left out, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// Of what.
    pub what: What,
    /// Why.
    pub reason: Reason,
    /// How many.
    pub count: usize,
}

/// What a reader kept and what it left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What was read.
    pub form: Form,
    /// Pages of the model.
    pub pages: usize,
    /// Transitions of the model.
    pub transitions: usize,
    /// Transitions that say the same as one that was kept, and count with it.
    pub merged: usize,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |count: usize, what: What| format!("{count} {}", what.plural(count));
        let (pages, transitions) = (count(self.pages, What::Page), count(self.transitions, What::Transition));
        write!(f, "{}: kept {pages} and {transitions}", self.form)?;
        if self.merged > 0 {
            let (say, count) = if self.merged == 1 { ("says", "counts") } else { ("say", "count") };
            write!(f, "; {} more {say} the same as one of them and {count} with it", self.merged)?;
        }
        for left in &self.left_out {
            write!(f, "\nleft out: {} {}", count(left.count, left.what), left.reason)?;
        }
        Ok(())
    }
}

/// A model that was read from a foreign form.
#[derive(Debug, Clone)]
pub struct Imported {
    /// The model, not yet checked.
    pub app: declare::App,
    /// The pages that the form names as its goal; only PDDL does.
    pub targets: Vec<String>,
    /// Whether all of them have to be visited; otherwise one of them will do.
    pub all_targets: bool,
    /// What was kept and what was left out.
    pub report: Report,
    /// What is odd, located: a set for each text that has any.
    pub warnings: Vec<Problems>,
}

/// Reads texts of one form: one text, for PDDL domain and problem in any order, for a DroidBot run the files of
/// its folders `states` and `events`. Takes time in proportion to the texts.
///
/// # Errors
/// Everything that keeps a text from being read, located; that nothing of it makes a model. A file of a run that
/// can't be read is a warning as long as others can.
pub fn read(form: Form, sources: &[Source], options: &Options) -> Result<Imported, Problems> {
    let nothing = Source::new(form.name(), "");
    let first = sources.first().unwrap_or(&nothing);
    if form != Form::Droidbot {
        for source in sources {
            entrance(source, &options.limits)?;
        }
    }
    match form {
        Form::Iccbot | Form::Utg if sources.len() > 1 => {
            let message = format!("{form} is one text, and {} were given", sources.len());
            Err(Problems::one(first.clone(), Diagnostic::new(Code::NoModel, Span::default(), message)))
        }
        Form::Iccbot => iccbot::read(first, options),
        Form::Utg => utg::read(first, options),
        Form::Droidbot => droidbot::read(sources, options),
        Form::Pddl => pddl::read(sources, options),
    }
}

/// What keeps any text out, whatever its form.
fn entrance(source: &Source, limits: &Limits) -> Result<(), Problems> {
    let text = source.text();
    let wrong = if text.len() > limits.bytes {
        let message = format!("the input has {} bytes; the limit is {}", text.len(), limits.bytes);
        Diagnostic::new(Code::TooLarge, Span::default(), message).help("split it")
    } else if is_pointer(text) {
        let message = "this is a Git-LFS pointer, not the file that it stands for";
        Diagnostic::new(Code::LfsPointer, Span::new(0, text.lines().next().map_or(0, str::len)), message)
            .help("fetch the file with `git lfs pull`")
    } else if text.trim().is_empty() {
        Diagnostic::new(Code::EmptyInput, Span::default(), "the input is empty")
    } else {
        return Ok(());
    };
    Err(Problems::one(source.clone(), wrong))
}

fn is_pointer(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    text.starts_with("version https://git-lfs.github.com/spec/")
        || text.starts_with("version https://git-lfs")
}

/// That nothing of a text makes a model.
fn nothing_kept(source: &Source, message: impl Into<String>) -> Problems {
    Problems::one(source.clone(), Diagnostic::new(Code::NoModel, Span::default(), message))
}

/// Counts of what is left out.
#[derive(Debug, Default)]
struct Left(BTreeMap<(What, Reason), usize>);

impl Left {
    fn out(&mut self, what: What, reason: Reason) {
        self.add(what, reason, 1);
    }

    fn add(&mut self, what: What, reason: Reason, count: usize) {
        if count > 0 {
            *self.0.entry((what, reason)).or_default() += count;
        }
    }

    fn list(&self) -> Vec<LeftOut> {
        self.0
            .iter()
            .map(|((what, reason), count)| LeftOut { what: *what, reason: *reason, count: *count })
            .collect()
    }
}
