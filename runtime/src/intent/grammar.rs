//! The language of specifications, narrowed to one vocabulary, for constrained decoding.
//!
//! A decoder that follows a [`Grammar`] can write nothing that names an unknown state, variable or
//! enumerator, compares what does not compare, or lacks an end. Three forms: [`Grammar::gbnf`] for
//! llama.cpp and what understands its grammars, [`Grammar::lark`] for decoders that read Lark,
//! [`Grammar::json_schema`] for the JSON form of specifications. They follow the canonical spelling, one
//! rule a line. [`Grammar::remaining`] says which errors of the checker are left: those that
//! no grammar of a usable size can exclude. Legal is not meant: what was decoded is checked, described and
//! compared with the sentence all the same.
//!
//! Narrower than the language, on purpose: enumerators of a list stand in the order of their declaration,
//! each once; dates are of the years 1000 to 9999; numbers have up to 15 digits before the point and 9
//! behind it; times have no fractions of a second. Knows the vocabulary and the syntax; must never know
//! what a specification means.

mod expression;
mod gbnf;
mod lark;
mod literals;
mod objectives;
mod ordered;
mod predicates;
mod schema;

use expression::Production;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::ir::Kind;
use intentgate_engine::schema::{VariableType, Vocabulary};
use intentgate_engine::text::{lookalike, normal};
use intentgate_engine::value::is_name;

/// What a grammar lets be written.
#[derive(Debug, Clone)]
pub struct Options {
    /// A task, a standing guard, or a policy.
    pub kind: Kind,
    /// The names of milestones that may be concluded, in this order; none means no milestones.
    pub milestones: Vec<String>,
    /// Whether rules may have labels; in JSON every rule has one then.
    pub labels: bool,
    /// Which parameters may be used.
    pub parameters: Parameters,
}

impl Default for Options {
    /// A task without milestones, labels and parameters.
    fn default() -> Options {
        Options { kind: Kind::Intent, milestones: Vec::new(), labels: false, parameters: Parameters::None }
    }
}

/// The parameters of a grammar. A parameter has one type, so that its name has to say which.
#[derive(Debug, Clone, Default)]
pub enum Parameters {
    /// None.
    #[default]
    None,
    /// Names that start with their type: `$text_to`, `$number_budget`, `$date_day`, `$enum1_size`, where
    /// the enumerations are counted in the order of the vocabulary.
    ByType,
    /// These, with their types.
    Named(Vec<(String, VariableType)>),
}

/// A form of export.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// GBNF or Lark.
    Text,
    /// JSON Schema.
    Json,
}

/// The language over one vocabulary.
#[derive(Debug, Clone)]
pub struct Grammar<'v> {
    vocabulary: &'v Vocabulary,
    options: Options,
}

/// How many milestones a grammar may have.
pub const MOST_MILESTONES: usize = 64;

impl<'v> Grammar<'v> {
    /// The language over a vocabulary.
    ///
    /// # Errors
    /// `E0840` for names of milestones and parameters that can't be such, or more than
    /// [`MOST_MILESTONES`]; `E0841` where no specification of the kind can be written.
    pub fn new(vocabulary: &'v Vocabulary, mut options: Options) -> Result<Grammar<'v>, Fault> {
        if options.milestones.len() > MOST_MILESTONES {
            let message = format!("{} milestones; the limit is {MOST_MILESTONES}", options.milestones.len());
            return Err(Fault::new(Code::GrammarName, message).help("ask for fewer"));
        }
        if options.kind == Kind::Policy && !options.milestones.is_empty() {
            return Err(Fault::new(Code::GrammarName, "a policy has no milestones").help("leave them out"));
        }
        let names = options.milestones.iter_mut();
        names.for_each(|name| *name = normal::nfc(name).into_owned());
        for (index, name) in options.milestones.iter().enumerate() {
            let alike = |other: &String| lookalike::distinct(other) == lookalike::distinct(name);
            let twice = options.milestones.iter().take(index).any(alike);
            if twice || !can_be_milestone(vocabulary, name) {
                let why =
                    if twice { "stands twice, or looks like another" } else { "can't be a milestone here" };
                return Err(Fault::new(Code::GrammarName, format!("`{name}` {why}")).help(
                    "a milestone is a name that is not nearly a state or a critical action, and not `Done` or `Never`",
                ));
            }
        }
        if let Parameters::Named(named) = &mut options.parameters {
            named.iter_mut().for_each(|(name, _)| *name = normal::nfc(name).into_owned());
            for (index, (name, _)) in named.iter().enumerate() {
                let alike = |other: &str| lookalike::distinct(other) == lookalike::distinct(name);
                let twice = named.iter().take(index).any(|(other, _)| alike(other));
                if twice || !is_name(name) {
                    let why = if twice { "stands twice, or looks like another" } else { "is not a name" };
                    return Err(Fault::new(Code::GrammarName, format!("the parameter `{name}` {why}")).help(
                        "a name starts with a letter or `_` and goes on with letters, digits and `_`",
                    ));
                }
            }
        }
        let says_something = vocabulary.variables().next().is_some()
            || (options.kind == Kind::Policy && vocabulary.actions().next().is_some());
        if !says_something {
            let message = "no specification can be written: no state and no action has a variable";
            return Err(Fault::new(Code::NothingToWrite, message)
                .help("declare what can be observed as variables of states"));
        }
        Ok(Grammar { vocabulary, options })
    }

    /// The grammar in GBNF, with the start symbol `root`. Takes time in proportion to the vocabulary and
    /// to the sets of objectives that are kept track of, 64 at most.
    pub fn gbnf(&self) -> String {
        gbnf::write(&self.header(Form::Text), &self.productions())
    }

    /// The grammar in Lark, with the start symbol `start`, for parsers of any context-free language, such as Lark's own
    /// with `parser="earley"`; white space is not ignored.
    pub fn lark(&self) -> String {
        lark::write(&self.header(Form::Text), &self.productions())
    }

    /// A JSON Schema, draft 2020-12, of the JSON form. The first rule of a task is one for `Done`, by
    /// `prefixItems`: that is how a schema without `contains`, which decoders don't follow, asks for an end;
    /// a decoder that does not follow `prefixItems` either may leave it out (`E0312`). Keys stand in the
    /// order in which they are to be written. Takes time in proportion to the vocabulary, and to the square
    /// of the milestones.
    pub fn json_schema(&self) -> String {
        schema::write(self)
    }

    /// The errors of the checker that what was produced can still have, besides the readers' limits of
    /// size.
    ///
    /// A value that stands twice in one list, but for Booleans and enumerations of up to 32 members in GBNF and Lark; in
    /// JSON only texts that differ in their spelling of one character, if the decoder follows `uniqueItems`. With
    /// parameters by type: names that look alike. With labels: one that stands twice. Objectives that need
    /// each other, and ones that no rule concludes, are excluded in GBNF and Lark as long as there are few
    /// enough (`(milestones + 1) × 2^actions` up to 64): rules for one objective then stand together, and a
    /// body names only what was concluded above. With more objectives, and in JSON, they remain; but
    /// milestones only need milestones before them in any case.
    pub fn remaining(&self, form: Form) -> Vec<Code> {
        let mut remaining = Vec::new();
        if matches!(self.options.parameters, Parameters::ByType) {
            remaining.push(Code::NamesLookAlike);
        }
        if self.options.labels {
            remaining.push(Code::DuplicateLabel);
        }
        let objectives = !self.options.milestones.is_empty() || self.vocabulary.actions().next().is_some();
        let free = form == Form::Json || !objectives::tracked(self);
        if free && objectives && self.options.kind != Kind::Policy {
            remaining.extend([Code::UnknownObjective, Code::NeverConcluded, Code::Cycle]);
        }
        if self.vocabulary.variables().any(|(_, variable)| predicates::may_repeat(variable, form)) {
            remaining.push(Code::DuplicateElement);
        }
        remaining.sort_unstable();
        remaining
    }

    /// Every production, the start symbol first.
    fn productions(&self) -> Vec<Production> {
        let mut productions = objectives::productions(self);
        productions.extend(predicates::productions(self));
        productions
    }

    fn header(&self, form: Form) -> String {
        let app = intentgate_engine::value::quoted(self.vocabulary.app());
        let codes: Vec<String> = self.remaining(form).iter().map(ToString::to_string).collect();
        let codes = if codes.is_empty() { "none".to_owned() } else { codes.join(", ") };
        format!("Specifications for the app {app}. Errors that can remain, besides limits of size: {codes}.")
    }
}

/// Names for so many milestones that stand for nothing else in a vocabulary: `M1`, `M2`, …
pub fn milestone_names(vocabulary: &Vocabulary, count: usize) -> Vec<String> {
    let names = |prefix: &str| (1..=count).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>();
    let mut prefix = "M".to_owned();
    // Each longer prefix collides with fewer names, of which there are finitely many.
    loop {
        let names = names(&prefix);
        if names.iter().all(|name| can_be_milestone(vocabulary, name)) {
            return names;
        }
        prefix = if prefix == "M" { "Milestone".to_owned() } else { format!("{prefix}X") };
    }
}

/// Whether a rule may conclude a milestone of this name.
fn can_be_milestone(vocabulary: &Vocabulary, name: &str) -> bool {
    let reserved = ["Done", "Never"].iter().any(|reserved| {
        normal::bare(name) == reserved.to_lowercase()
            || lookalike::skeleton(name) == lookalike::skeleton(reserved)
    });
    is_name(name)
        && !reserved
        && !matches!(name, "and" | "not" | "standing")
        && !vocabulary
            .states()
            .any(|(_, state)| lookalike::distinct(state.name()) == lookalike::distinct(name))
        && vocabulary.near_action(name).is_none()
}
