//! What models are asked: to draft, to decode, to compare.
//!
//! Every foreign word (names, descriptions, values, sentences, examples, policies, diagnostics) stands in a fence or in
//! quotes; what stands outside depends on how many there are and of which type, never on what they say.

use super::data;
use super::experience::Example;
use super::template::Sentence;
use super::verdict::Verdict;
use crate::language_model::{Request, fence};
use chrono::NaiveDate;
use intentgate_engine::ir::{PredicateKind, Specification};
use intentgate_engine::schema::{StateId, StateSchema, VariableType, Vocabulary};
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// The language, for models.
const LANGUAGE: &str = include_str!("language.md");

/// How much of a description, or of an example of a value, is shown. Names are shown whole.
const WORD: usize = 300;
/// How long a sentence may be, and what a model says a draft asks for, in characters: longer ones are refused. Nothing
/// that is judged is cut.
pub(super) const SENTENCE: usize = 4_000;
/// Where nothing is cut.
const WHOLE: usize = usize::MAX;
/// How many states and actions are named that are not shown.
const NAMED: usize = 200;

/// What a draft is asked of.
pub(super) struct Task<'a> {
    pub(super) sentence: &'a Sentence,
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) policies: &'a [Arc<Specification>],
    pub(super) examples: &'a [Example<'a>],
    pub(super) today: Option<NaiveDate>,
    pub(super) standing: bool,
}

impl Task<'_> {
    /// The first request for a draft: with these states alone, if some are given.
    pub(super) fn draft(&self, narrowed: Option<&BTreeSet<StateId>>) -> Request {
        let standing = match self.standing {
            true => {
                "\nIf the instruction has no end and only says what may be done, the first line is `standing` alone, \
                 and no rule concludes Done.\n"
            }
            false => "",
        };
        let system = format!(
            "You translate a user's instruction for an app into a specification, against which a gate checks an \
             agent's actions before they run.\n\n{LANGUAGE}{standing}\n{}",
            fence::RULE
        );
        let mut user = declared(self.vocabulary, narrowed);
        if !self.policies.is_empty() {
            user.push_str("\nThese prohibitions hold besides; don't repeat them, and ask for nothing that they forbid:\n");
            for policy in self.policies {
                let _ = writeln!(user, "{}", data::specification("policy", &canonical(policy)));
            }
        }
        if !self.examples.is_empty() {
            user.push_str(
                "\nEarlier instructions for this app, with specifications that turned out right:\n",
            );
            for example in self.examples {
                let sentence = fence::Fenced::new("instruction", example.sentence(), WHOLE);
                let _ =
                    writeln!(user, "{sentence}\n{}", data::specification("specification", example.text()));
            }
        }
        if let Some(today) = self.today {
            let _ = writeln!(user, "\nToday is {}.", today.format("%Y-%m-%d, a %A"));
        }
        let _ = writeln!(user, "\nThe instruction:\n{}", instruction(self.sentence));
        self.places(&mut user);
        user.push_str("\nAnswer with the specification only.");
        Request::new().system(system).user(user)
    }

    fn places(&self, user: &mut String) {
        let places = self.sentence.places();
        if places.is_empty() {
            return;
        }
        user.push_str(
            "\nThe words in braces are places for values. Write the parameter there, $ and the name:\n",
        );
        for place in places {
            let value = self.sentence.values().iter().find(|(name, _)| name == place);
            let example = value.map(|(_, value)| format!(", for example {}", fence::quoted(value, WORD)));
            let _ = writeln!(user, "{}{}", fence::quoted(place, WHOLE), example.unwrap_or_default());
        }
    }
}

fn instruction(sentence: &Sentence) -> fence::Fenced {
    fence::Fenced::new("instruction", &sentence.to_string(), WHOLE)
}

/// A checked specification in its canonical spelling.
pub(super) fn canonical(specification: &Specification) -> String {
    use intentgate_engine::{limits::Limits, syntax};
    let limits = Limits::default();
    let source = specification.source();
    let tree = match source.text().trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        true => syntax::json::parse(source, &limits).unwrap_or_default(),
        false => syntax::parse(source, &limits).specification,
    };
    tree.to_string()
}

/// What a model is asked to say in plain words.
pub(super) fn decode(specification: &Specification) -> Request {
    let system = format!(
        "You say in plain words what a specification asks of an app's agent. Say every condition of every rule, with \
         its value: when each critical action may be performed, what must never happen, when the task is complete. Add \
         nothing, leave nothing out, and don't judge.\n\n{LANGUAGE}\n{}",
        fence::RULE
    );
    let vocabulary = specification.vocabulary();
    let user = format!(
        "{}\nThe specification:\n{}\n\nAnswer with a few plain sentences only.",
        declared(vocabulary, Some(&states(specification))),
        data::specification("specification", &canonical(specification)),
    );
    Request::new().system(system).user(user).temperature(0.0)
}

/// What a model is asked to compare.
pub(super) fn compare(sentence: &Sentence, today: Option<NaiveDate>, reading: &str, plain: &str) -> Request {
    let system = format!(
        "You compare a user's instruction with what a specification for it says. They are the same if the \
         specification lets every critical action pass exactly when the instruction wants it, and ends the task exactly \
         when the instruction is carried out or wants nothing done. Check each value, each `before` and `at most`, each \
         `if` and `otherwise`, and whether something is missing or added. Ways of putting it don't matter.\n{}",
        fence::RULE
    );
    let mut user = format!("The instruction:\n{}\n", instruction(sentence));
    if let Some(today) = today {
        let _ = writeln!(user, "\nToday is {}.", today.format("%Y-%m-%d, a %A"));
    }
    if !sentence.places().is_empty() {
        user.push_str(
            "\nWords in braces are places for values; the specification has $ and the name there.\n",
        );
    }
    let _ = write!(
        user,
        "\nThe specification in plain words:\n{}\n\nRule by rule:\n{}\n\nAnswer with JSON only, like:\n{{\"same\": true, \
         \"differences\": []}}\nor\n{{\"same\": false, \"differences\": [\"the instruction says before 7 PM, the \
         specification says until 8 PM\"]}}",
        fence::Fenced::new("reading", reading, WHOLE),
        data::report("rules", plain),
    );
    Request::new().system(system).user(user).schema("verdict", schema()).temperature(0.0)
}

fn schema() -> serde_json::Value {
    json!({
        "type": "object",
        "properties": {"same": {"type": "boolean"}, "differences": {"type": "array", "items": {"type": "string"}}},
        "required": ["same", "differences"],
        "additionalProperties": false,
    })
}

/// How much of a wrong answer, and of what is said about it, goes back.
const BACK: usize = 20_000;

/// A wrong answer, as it goes back in the talk: the beginning, if it is endless.
pub(super) fn answered(answer: &str) -> String {
    match answer.char_indices().nth(BACK) {
        Some((at, _)) => {
            let (shown, rest) = answer.split_at_checked(at).unwrap_or((answer, ""));
            format!("{shown}\n[{} more characters are left out]", rest.chars().count())
        }
        None => answer.to_owned(),
    }
}

const AGAIN: &str = "Answer with the whole specification again, corrected, and with nothing else.";

/// What goes back for a draft that doesn't pass the check.
pub(super) fn diagnosed(read: Option<&str>, diagnostics: &str) -> String {
    let read = read.map(|text| format!("It was read as:\n{}\n\n", data::report("draft", &answered(text))));
    let read = read.unwrap_or_default();
    let shown: String = diagnostics.chars().take(BACK).collect();
    format!("{read}This can't be used. The checker says:\n{}\n\n{AGAIN}", data::report("diagnostics", &shown))
}

/// What goes back for one that was cut off.
pub(super) fn cut_off() -> String {
    format!("The answer was cut off. Give a shorter one. {AGAIN}")
}

/// What goes back for one whose parameters don't fit.
pub(super) fn parameters(wrong: &[String]) -> String {
    format!("Its parameters can't be used:\n{}\n\n{AGAIN}", data::report("parameters", &wrong.join("\n")))
}

/// What goes back for one that says something else.
pub(super) fn misread(reading: &str, verdict: &Verdict) -> String {
    format!(
        "In plain words, this specification says:\n{}\n\nA reader finds that it differs from the instruction:\n{}\n\n\
         Where the reader is right, correct it. {AGAIN}",
        fence::Fenced::new("reading", reading, WHOLE),
        fence::Fenced::new("differences", &verdict.differences.join("\n"), SENTENCE),
    )
}

/// What goes back for one that can't be met.
pub(super) fn unsound(findings: &[String]) -> String {
    format!(
        "This specification says what the instruction says, and it is no use. The analysis finds:\n{}\n\n{AGAIN}",
        data::report("analysis", &findings.join("\n"))
    )
}

/// What goes back for one that was given before.
pub(super) fn again(draft: usize, feedback: &str) -> String {
    format!("This is draft {draft} again. Of that one was said:\n{feedback}")
}

/// The states that a specification speaks of, arguments included.
pub(super) fn states(specification: &Specification) -> BTreeSet<StateId> {
    let mut states = BTreeSet::new();
    let vocabulary = specification.vocabulary();
    for rule in specification.rules() {
        let head = rule.head().action();
        states.extend(head.map(|action| vocabulary.action(action).arguments()));
        for predicate in specification.body(rule) {
            if let PredicateKind::State { state, .. } = predicate.kind() {
                states.insert(state);
            }
            let others = specification.constraints(predicate).iter().flat_map(|one| one.variables());
            states.extend(others.map(|id| vocabulary.variable(id).state()));
        }
    }
    states
}

/// What an app declares: all of it, or these states and actions and the names of the others.
fn declared(vocabulary: &Vocabulary, narrowed: Option<&BTreeSet<StateId>>) -> String {
    let mut text = String::from("The app");
    if !vocabulary.app().is_empty() {
        let _ = write!(text, " {}", fence::quoted(vocabulary.app(), WORD));
    }
    text.push_str(" declares (names are written without the quotes):\n");
    let shown = |id: &StateId| narrowed.is_none_or(|narrowed| narrowed.contains(id));
    let mut others = Vec::new();
    for (id, state) in vocabulary.states().filter(|(_, state)| state.arguments_of().is_none()) {
        if shown(&id) {
            let _ = writeln!(text, "state {}", described(state.name(), state.description()));
            variables(vocabulary, state, &mut text);
        } else {
            others.push(state.name());
        }
    }
    for (_, action) in vocabulary.actions() {
        if shown(&action.arguments()) {
            let _ = writeln!(text, "critical action {}", described(action.name(), action.description()));
            variables(vocabulary, vocabulary.state(action.arguments()), &mut text);
        } else {
            others.push(action.name());
        }
    }
    if !others.is_empty() {
        let names: Vec<String> = others.iter().take(NAMED).map(|name| fence::quoted(name, WORD)).collect();
        let _ = writeln!(text, "and, hardly needed: {}", names.join(", "));
    }
    text
}

fn described(name: &str, description: &str) -> String {
    let name = fence::quoted(name, WHOLE);
    match description {
        "" => name,
        description => format!("{name}: {}", fence::quoted(description, WORD)),
    }
}

fn variables(vocabulary: &Vocabulary, state: &StateSchema, text: &mut String) {
    for id in state.variables() {
        let variable = vocabulary.variable(id);
        let kind = match variable.variable_type() {
            VariableType::Enum(enumeration) => {
                let names: Vec<String> = enumeration.names().map(|name| fence::quoted(name, WHOLE)).collect();
                let order = if enumeration.is_ordered() { ", in this order" } else { "" };
                format!("Enum, one of {}{order}", names.join(", "))
            }
            other => other.kind().to_string(),
        };
        let about = match variable.description() {
            "" => String::new(),
            description => format!(": {}", fence::quoted(description, WORD)),
        };
        let _ = writeln!(text, "  {} {kind}{about}", fence::quoted(variable.name(), WHOLE));
    }
}
