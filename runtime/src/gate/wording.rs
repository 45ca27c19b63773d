//! The words of feedback. They can be replaced: implement [`Wording`] over the same data.
//!
//! Text that comes from the app's data or from the agent is quoted, escaped and cut, so that it can't
//! pose as the gate's own words (THREATS 14).

use super::feedback::{ConstraintReport, Feedback, FeedbackKind, PredicateReport, RuleReport, UnknownReason};
use intentgate_engine::diagnostic::Code;
use intentgate_engine::text::lookalike;
use intentgate_engine::truth::Truth;
use intentgate_engine::value::quoted;
use std::fmt;

/// Makes words of feedback.
pub trait Wording {
    /// The words for one feedback.
    fn feedback(&self, feedback: &Feedback) -> String;
    /// The words for one rule of a roadmap.
    fn roadmap(&self, rule: &RuleReport) -> String;
}

/// The built-in English wording.
#[derive(Debug, Clone, Copy, Default)]
pub struct English;

/// How many characters of foreign text are shown.
const FOREIGN: usize = 80;
/// How many characters of a description are shown.
const DESCRIPTION: usize = 200;

/// A foreign text: quoted, escaped, cut.
pub(crate) fn foreign(text: &str) -> String {
    quoted(&cut(text, FOREIGN))
}

/// A value in the spelling of the language, which quotes and escapes already: cut.
fn value(text: &str) -> String {
    let shown = cut(text, FOREIGN);
    if shown.len() < text.len() && text.starts_with('"') { format!("{shown}\"") } else { shown }
}

/// The app developer's words: on one line, nothing hidden, cut.
pub(crate) fn description(text: &str) -> String {
    let line: String = text.chars().filter(|c| !lookalike::is_hidden(*c)).collect();
    cut(&line.split_whitespace().collect::<Vec<_>>().join(" "), DESCRIPTION)
}

fn cut(text: &str, length: usize) -> String {
    if text.chars().count() > length {
        text.chars().take(length).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

impl Wording for English {
    fn feedback(&self, feedback: &Feedback) -> String {
        let mut lines: Vec<String> = Vec::new();
        let action = feedback.action.as_deref().map(foreign).unwrap_or_default();
        for code in &feedback.codes {
            let besides = !lines.is_empty() && *code == Code::Prohibited;
            lines.extend(if besides {
                Some("Besides, it is prohibited as things are.".to_owned())
            } else {
                reason(*code, &action, feedback.action.is_some())
            });
        }
        lines.extend(feedback.notes.iter().map(|note| cut(note, 400)));
        if feedback.codes.contains(&Code::Suspect) {
            lines.extend(feedback.alternatives.iter().flat_map(|rule| contradicted(rule, feedback.kind)));
        } else {
            for (index, rule) in feedback.alternatives.iter().enumerate() {
                let nearest = if index == 0 && feedback.alternatives.len() > 1 { " (nearest)" } else { "" };
                lines.push(format!("By {}{nearest}:", rule_name(rule)));
                lines.extend(rule.predicates.iter().flat_map(|predicate| unmet(predicate, "  ")));
            }
        }
        for rule in &feedback.prohibitions {
            let state = if rule.truth.is_true() { "is true" } else { "can't be ruled out" };
            lines.push(format!("The prohibition {} {state}:", rule_name(rule)));
            let attempted = feedback.action.as_deref();
            lines.extend(rule.predicates.iter().flat_map(|predicate| standing(predicate, attempted)));
        }
        lines.join("\n")
    }

    fn roadmap(&self, rule: &RuleReport) -> String {
        let purpose = match rule.head.as_str() {
            "Done" => "To complete the task,".to_owned(),
            "Never" => {
                let named = names(rule, |predicate| predicate.objective);
                let what = match named.as_slice() {
                    [] => "any critical action".to_owned(),
                    [one] => one.clone(),
                    several => format!("{} in one task", several.join(" and ")),
                };
                let only = named.len() == rule.predicates.len();
                format!("Never perform {what}{}", if only { "." } else { " while all of this may hold:" })
            }
            name if rule.critical => format!("To perform {name},"),
            name => format!("To reach {name},"),
        };
        let prohibition = rule.head == "Never";
        let steps: Vec<&PredicateReport> =
            rule.predicates.iter().filter(|predicate| !(prohibition && predicate.objective)).collect();
        let mut text = purpose;
        for (index, predicate) in steps.iter().enumerate() {
            text.push_str(&format!(" {}. {}", index + 1, wanted(predicate, prohibition)));
            text.push(if index + 1 == steps.len() { '.' } else { ';' });
        }
        let achieved: Vec<String> = steps
            .iter()
            .enumerate()
            .filter(|(_, predicate)| predicate.truth.is_true())
            .map(|(index, _)| (index + 1).to_string())
            .collect();
        if !prohibition && let Some((last, before)) = achieved.split_last() {
            let steps = if before.is_empty() {
                format!("step {last}")
            } else {
                format!("steps {} and {last}", before.join(", "))
            };
            text.push_str(&format!(" So far, you have achieved {steps}."));
        }
        text
    }
}

impl fmt::Display for Feedback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&English.feedback(self))
    }
}

/// The roadmap of the rule.
impl fmt::Display for RuleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&English.roadmap(self))
    }
}

fn reason(code: Code, action: &str, proposed: bool) -> Option<String> {
    Some(match code {
        Code::Suspect if proposed => {
            format!("The step {action} seems to lead away from the task; nothing was changed.")
        }
        Code::Suspect => "What was observed seems to lead away from the task.".to_owned(),
        Code::Unmet => format!("The critical action {action} is blocked: its conditions don't hold."),
        Code::Prohibited => {
            format!("The critical action {action} is blocked: it is prohibited as things are.")
        }
        Code::Repeated => format!(
            "The critical action {action} is blocked: it was done before, and nothing that its rule looks at has changed."
        ),
        Code::TaskComplete => format!("The critical action {action} is blocked: the task is complete."),
        Code::Undeclared => {
            format!("The action {action} is blocked: the app declares no critical action of that name.")
        }
        Code::NearName => {
            format!("The action {action} is blocked: its name is nearly that of a critical action.")
        }
        Code::Closed => format!("The action {action} is blocked: the app declares no such action."),
        Code::Unsettled => format!(
            "The action {action} is blocked: it is not known whether it was performed before. The host has to settle that."
        ),
        Code::TriggerFailed => {
            format!("The action {action} is blocked: the app could not say what it would change.")
        }
        Code::NoRule => {
            format!("The critical action {action} is blocked: nothing in the specification allows it.")
        }
        Code::SessionBroken => format!("The action {action} is blocked: the session can't keep its record."),
        Code::AfterDone => "The task is complete; this step is not needed for it.".to_owned(),
        Code::Insisted => {
            format!("The step {action} was allowed because it was proposed again after advice.")
        }
        Code::CompleteAtStart => "The task is complete, and no action was needed for it.".to_owned(),
        _ => return None,
    })
}

fn rule_name(rule: &RuleReport) -> String {
    // Labels and file names are the author's, not foreign; they are shown on one line all the same.
    format!("{} of {}", description(&rule.rule), description(&rule.source))
}

fn names(rule: &RuleReport, which: impl Fn(&PredicateReport) -> bool) -> Vec<String> {
    rule.predicates
        .iter()
        .filter(|predicate| which(predicate))
        .map(|predicate| predicate.name.clone())
        .collect()
}

/// What contradicts one rule.
fn contradicted(rule: &RuleReport, kind: FeedbackKind) -> Vec<String> {
    let goal =
        if rule.head == "Done" { "to complete the task".to_owned() } else { format!("for {}", rule.head) };
    let is = if kind == FeedbackKind::Advice { "would be" } else { "is" };
    let parts = rule.predicates.iter().flat_map(|predicate| {
        predicate.constraints.iter().map(move |constraint| {
            let path = format!("{}.{}", predicate.name, constraint.variable);
            let found = constraint.found.as_deref().map_or("unknown".to_owned(), value);
            format!("{path} {is} {found}, and should be {}", wanted_value(constraint))
        })
    });
    parts.map(|part| format!("  {}: {part} {goal}.", rule_name(rule))).collect()
}

/// A line for a predicate in hard feedback, and one for each part that is not true.
fn unmet(predicate: &PredicateReport, indent: &str) -> Vec<String> {
    let mark = mark(predicate.truth);
    if predicate.objective {
        let state = match predicate.truth {
            Truth::True => "is achieved",
            _ if predicate.unsettled => "may have been performed: the host has to settle that first",
            _ => "has to be achieved first",
        };
        return vec![format!("{indent}{mark} {} {state}", predicate.name)];
    }
    if predicate.constraints.is_empty() {
        let state = if predicate.truth.is_true() { "was observed" } else { "has to be observed" };
        return vec![format!("{indent}{mark} {} {state}", predicate.name)];
    }
    predicate
        .constraints
        .iter()
        .map(|constraint| format!("{indent}{}", constraint_line(&predicate.name, constraint)))
        .collect()
}

/// The same for a prohibition, where true is the trouble.
fn standing(predicate: &PredicateReport, attempted: Option<&str>) -> Vec<String> {
    let name = &predicate.name;
    if predicate.objective {
        let state = match predicate.truth {
            _ if attempted == Some(name) => "is what is attempted",
            Truth::True => "is achieved",
            Truth::False => "is not achieved",
            Truth::Unknown => "may have been performed",
        };
        return vec![format!("  - {name} {state}")];
    }
    if predicate.constraints.is_empty() {
        let state = if predicate.truth.is_true() { "was observed" } else { "was not observed" };
        return vec![format!("  - {name} {state}")];
    }
    let line = |constraint: &ConstraintReport| {
        let path = format!("{name}.{}", constraint.variable);
        let found = constraint.found.as_deref().map_or("unknown".to_owned(), value);
        match constraint.truth {
            Truth::True => format!("  - {path} is {found}{}", which_is(constraint)),
            Truth::False => format!("  - {path} is {found}, not {}", wanted_value(constraint)),
            Truth::Unknown => {
                format!("  - {path} may be {}: {}", wanted_value(constraint), why_unknown(constraint))
            }
        }
    };
    predicate.constraints.iter().map(line).collect()
}

/// What was asked of a value that fits, unless the value says it.
fn which_is(constraint: &ConstraintReport) -> String {
    match (constraint.operator.as_str(), &constraint.wanted_now) {
        ("=", None) => String::new(),
        ("=", Some(now)) if Some(now) == constraint.found.as_ref() => {
            format!(" ({})", value(&constraint.wanted))
        }
        _ => format!(", {}", wanted_value(constraint)),
    }
}

fn mark(truth: Truth) -> char {
    match truth {
        Truth::True => '✓',
        Truth::False => '✗',
        Truth::Unknown => '?',
    }
}

fn constraint_line(state: &str, constraint: &ConstraintReport) -> String {
    let mark = mark(constraint.truth);
    let path = format!("{state}.{}", constraint.variable);
    let found = constraint.found.as_deref().map(value);
    match (constraint.truth, found) {
        (Truth::True, Some(found)) => format!("{mark} {path} is {found}{}", which_is(constraint)),
        (Truth::False, Some(found)) => {
            format!("{mark} {path} is {found}, and should be {}", wanted_value(constraint))
        }
        _ => format!("{mark} {path} should be {}: {}", wanted_value(constraint), why_unknown(constraint)),
    }
}

fn why_unknown(constraint: &ConstraintReport) -> String {
    let found = constraint.found.as_deref().map_or(String::new(), |found| format!("{} ", value(found)));
    match &constraint.unknown {
        Some(UnknownReason::NotObserved(path)) => format!("{path} has to be observed"),
        Some(UnknownReason::NotGiven(path)) => format!("{path} has to be given"),
        Some(UnknownReason::SourceNotAccepted(path)) => {
            format!("{path} has to be reported by the app, not by the agent")
        }
        Some(UnknownReason::BeingChanged(path)) => {
            format!("an effect that changes {path} has begun, and it is not known how it ended")
        }
        Some(UnknownReason::TooOld(path)) => format!("{path} has to be observed anew, it is too old"),
        Some(UnknownReason::LooksAlike(characters)) => {
            format!("{found}only looks alike, because of {}", characters.join(", "))
        }
        Some(UnknownReason::NotDefined) => "nothing can be said of an empty text".to_owned(),
        None => "not known".to_owned(),
    }
}

/// "less than 19:00", "equal to today (2026-11-21)".
fn wanted_value(constraint: &ConstraintReport) -> String {
    let now = constraint.wanted_now.as_deref().map_or(String::new(), |now| format!(" ({})", value(now)));
    format!("{} {}{now}", operator_words(constraint), value(&constraint.wanted))
}

fn operator_words(constraint: &ConstraintReport) -> &str {
    let list = constraint.wanted.starts_with('[');
    match constraint.operator.as_str() {
        "=" => "equal to",
        "!=" => "not equal to",
        "~" => "similar to",
        "<" => "less than",
        "<=" => "at most",
        ">" => "greater than",
        ">=" => "at least",
        "in" if list => "one of",
        "not in" if list => "none of",
        "in" => "within",
        "not in" => "not within",
        "contains" => "a text with",
        "not contains" => "a text without",
        other => other,
    }
}

/// A step of a roadmap: what should hold.
fn wanted(predicate: &PredicateReport, prohibition: bool) -> String {
    if predicate.objective {
        return format!("{} {}", if predicate.critical { "perform" } else { "reach" }, predicate.name);
    }
    let described = match description(&predicate.description) {
        text if text.is_empty() => predicate.name.clone(),
        text => format!("{}, that represents {text},", predicate.name),
    };
    if predicate.constraints.is_empty() {
        return format!("{described} {} observed", if prohibition { "was" } else { "should have been" });
    }
    let parts: Vec<String> = predicate
        .constraints
        .iter()
        .map(|constraint| format!("'{}' {}", constraint.variable, wanted_value(constraint)))
        .collect();
    let have = if prohibition { "has" } else { "should have" };
    match parts.split_last() {
        Some((last, [])) => format!("{described} {have} {last}"),
        Some((last, before)) => format!("{described} {have} {} and {last}", before.join(", ")),
        None => described,
    }
}
