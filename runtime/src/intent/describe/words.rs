//! From the data of a description to English.
//!
//! Says everything that the data holds: two descriptions that differ have different words. Texts are in
//! quotes with escapes, names stand bare, so that no text of an app or a user poses as a sentence of this
//! page.

use super::{
    Case, Compared, Concluded, Constant, Constraint, Declared, Description, Kind, Named, Operand, Parameter,
    Part, Prohibition, State, Variable, collect,
};
use intentgate_engine::ir::Operator;
use intentgate_engine::value::quoted;
use std::fmt::{self, Display, Formatter};

impl Display for Description {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut page = Page::default();
        self.opening(&mut page);
        self.enforced(&mut page);
        if !self.parameters.is_empty() {
            page.section("Values that are set when the session starts");
            self.parameters.iter().for_each(|one| page.line(0, format!("- {}", parameter(one))));
        }
        if !self.states.is_empty() {
            page.section("What the names stand for");
            self.states.iter().for_each(|state| page.state(state));
        }
        self.reading(&mut page);
        f.write_str(&page.text)
    }
}

impl Description {
    /// What is allowed, reached, complete and forbidden, case by case, without what names stand for and how it is
    /// meant in general.
    pub fn rules(&self) -> String {
        let mut page = Page::default();
        self.enforced(&mut page);
        page.text.trim_start().to_owned()
    }

    fn enforced(&self, page: &mut Page) {
        for action in &self.actions {
            let name = &action.objective.name;
            page.section(&objective(&action.objective));
            page.cases(&action.cases, &format!("{name} is allowed"));
            let while_open = match action.cases.len() {
                1 => "any of this is",
                _ => "each of these cases has a point that is",
            };
            page.line(0, format!("As long as {while_open} false or not known, {name} is blocked."));
        }
        for milestone in &self.milestones {
            let name = &milestone.objective.name;
            page.section(&format!("The milestone {name}{}", misleading(name)));
            page.milestone(milestone);
        }
        self.completed(page);
        if !self.prohibitions.is_empty() {
            let policy = self.kind == Kind::Policy;
            page.section(if policy { "Forbidden" } else { "Forbidden, whatever is allowed above" });
            self.prohibitions.iter().for_each(|prohibition| page.prohibition(prohibition));
        }
        self.blocked(page);
    }

    fn opening(&self, page: &mut Page) {
        let what = match self.kind {
            Kind::Task => "A task",
            Kind::Standing => "A guard without an end",
            Kind::Policy => "A policy",
        };
        let app =
            if self.app.is_empty() { String::new() } else { format!(" in the app {}", quoted(&self.app)) };
        let mut line = format!("{what}{app}, from {}", quoted(&self.source));
        let policies: Vec<String> = self.policies.iter().map(|policy| quoted(policy)).collect();
        match policies.as_slice() {
            [] => {}
            [one] => line.push_str(&format!(", under the policy {one}")),
            several => line.push_str(&format!(", under the policies {}", listed(several, "and"))),
        }
        page.line(0, format!("{line}."));
        if let Some(today) = &self.today {
            page.line(0, format!("Today is {today}."));
        }
    }

    fn completed(&self, page: &mut Page) {
        if self.kind == Kind::Task {
            page.section("The end of the task");
            page.cases(&self.completion, "The task is complete");
            page.line(0, "From then on every critical action is blocked.");
        }
    }

    fn blocked(&self, page: &mut Page) {
        if !self.never_allowed.is_empty() {
            page.section("Always blocked, because nothing here allows it");
            self.never_allowed.iter().for_each(|action| page.line(0, format!("- {}", objective(action))));
        }
    }

    /// What is the same for every rule.
    fn reading(&self, page: &mut Page) {
        page.section("How this is meant");
        page.line(
            0,
            "- Not known is what was not observed or given yet, what is too old, was reset, or does not count \
             because of where it comes from, and a text that differs and only looks the same. It allows \
             nothing, reaches nothing, completes nothing, and lifts no prohibition.",
        );
        if self.kind != Kind::Policy {
            page.line(
                0,
                "- A critical action that was performed is blocked until something that its case looks at has \
                 changed. It is also blocked while it is not known how its last attempt ended.",
            );
            page.line(
                0,
                if self.closed {
                    "- An action that the app does not declare is blocked. Other steps are not blocked; one \
                     that contradicts every open case that speaks of what it changes is questioned first."
                } else {
                    "- Steps that are not critical are not blocked; one that contradicts every open case that \
                     speaks of what it changes is questioned first."
                },
            );
        }
        let constraints: Vec<&Constraint> = self.constraints().collect();
        let uses = |operators: &[Operator]| {
            constraints
                .iter()
                .any(|c| operators.contains(&c.operator) && !matches!(c.operand, Operand::List(_)))
        };
        if uses(&[Operator::Similar]) {
            page.line(
                0,
                "- Similar texts may differ in case, spacing, punctuation, the format of a date, time or amount, \
                 and by a slip in a long word; never by a digit, a negation, an opposite or a name.",
            );
        }
        if uses(&[Operator::In, Operator::NotIn, Operator::Contains, Operator::NotContains]) {
            page.line(
                0,
                "- A text occurs in another as whole words: no letter or digit may touch it on either side.",
            );
        }
        if self.today.is_none() && self.speaks_of_today() {
            page.line(0, "- Today is the date on which the session starts.");
        }
    }

    fn every_case(&self) -> impl Iterator<Item = &Case> {
        let concluded = self.actions.iter().chain(&self.milestones).flat_map(|concluded| &concluded.cases);
        concluded.chain(&self.completion).chain(self.prohibitions.iter().map(|prohibition| &prohibition.case))
    }

    fn constraints(&self) -> impl Iterator<Item = &Constraint> {
        self.every_case().flat_map(|case| &case.parts).flat_map(|part| match part {
            Part::Holds { constraints, .. } => constraints.as_slice(),
            _ => &[],
        })
    }

    fn speaks_of_today(&self) -> bool {
        let relative = |constant: &Constant| matches!(constant, Constant::Today { .. });
        self.constraints().any(|constraint| match &constraint.operand {
            Operand::Constant(constant) => relative(constant),
            Operand::List(constants) => constants.iter().any(relative),
            Operand::Variable(_) => false,
        })
    }
}

/// The page as it grows.
#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, depth: usize, line: impl AsRef<str>) {
        self.text.push_str(&"  ".repeat(depth));
        self.text.push_str(line.as_ref());
        self.text.push('\n');
    }

    fn section(&mut self, title: &str) {
        self.line(0, "");
        self.line(0, format!("## {title}"));
    }

    /// Cases of which one is enough, or the one there is.
    fn cases(&mut self, cases: &[Case], claim: &str) {
        match cases {
            [only] => {
                self.line(0, format!("{claim} when all of this is known to be true, by {}:", rule(only)));
                self.case(only, 1, false);
            }
            several => {
                let count = several.len();
                self.line(
                    0,
                    format!("{claim} in any one of these {count} cases, when all points of that case are known to be true:"),
                );
                for (index, case) in several.iter().enumerate() {
                    self.line(1, format!("Case {}, by {}:", index + 1, rule(case)));
                    self.case(case, 2, false);
                }
            }
        }
    }

    fn milestone(&mut self, milestone: &Concluded) {
        let name = &milestone.objective.name;
        self.cases(&milestone.cases, &format!("{name} is reached"));
        self.line(0, format!("{name} then stays reached, even when this is no longer true."));
    }

    fn prohibition(&mut self, prohibition: &Prohibition) {
        let what = match prohibition.concerns.as_slice() {
            [] => "every critical action is".to_owned(),
            [one] => format!("{one} is"),
            several => format!("{} are", listed(several, "and")),
        };
        self.line(
            0,
            format!(
                "- By {} of {}, {what} blocked while all of this is true, or can't be ruled out because something is not known:",
                rule(&prohibition.case),
                quoted(&prohibition.source)
            ),
        );
        self.case(&prohibition.case, 1, true);
    }

    fn case(&mut self, case: &Case, depth: usize, prohibition: bool) {
        for (index, part) in case.parts.iter().enumerate() {
            let number = index + 1;
            match part {
                Part::Holds { state, constraints } => match constraints.as_slice() {
                    [one] => self.line(depth, format!("{number}. {}", constraint(one))),
                    several => {
                        self.line(depth, format!("{number}. all of this, of {state}:"));
                        several.iter().for_each(|one| self.line(depth + 1, format!("- {}", constraint(one))));
                    }
                },
                Part::Performed(action) if prohibition => self.line(
                    depth,
                    format!("{number}. {action} is the action that is attempted, or was performed before"),
                ),
                Part::Performed(action) => self.line(depth, format!("{number}. {action} was performed")),
                Part::Reached(milestone) => {
                    self.line(depth, format!("{number}. the milestone {milestone} was reached"));
                }
                Part::Observed(state) => {
                    self.line(depth, format!("{number}. something of {state} was observed, whatever it is"));
                }
                Part::Given(action) => {
                    self.line(depth, format!("{number}. an argument of {action} is given, whatever it is"));
                }
            }
        }
        match case.free_arguments.as_slice() {
            [] => {}
            [one] => self.line(depth, format!("Any value passes for its argument {one}.")),
            several => {
                self.line(depth, format!("Any value passes for its arguments {}.", listed(several, "and")))
            }
        }
    }

    fn state(&mut self, state: &State) {
        let arguments = if state.arguments { "the arguments of " } else { "" };
        let colon = if state.variables.is_empty() { "" } else { ":" };
        self.line(0, format!("- {arguments}{}{colon}", objective(&state.named)));
        for variable in &state.variables {
            self.line(1, format!("- {}", declared(variable)));
        }
    }
}

/// `R1 (rule 1)`, `rule 2`.
fn rule(case: &Case) -> String {
    match &case.label {
        Some(label) => format!("{label} (rule {})", case.rule),
        None => format!("rule {}", case.rule),
    }
}

/// A name, and what it is if that is known.
fn objective(named: &Named) -> String {
    if named.description.is_empty() {
        named.name.clone()
    } else {
        format!("{}, described as {}", named.name, quoted(&named.description))
    }
}

/// What is to be known of a name whose letters are not the ones that they look like.
fn misleading(name: &str) -> String {
    match collect::misleading(name).as_slice() {
        [] => String::new(),
        told => format!(" (it holds characters that mislead: {})", told.join(", ")),
    }
}

fn parameter(parameter: &Parameter) -> String {
    let kind = kind(&parameter.kind, &parameter.values);
    let value = match &parameter.value {
        Some(value) => format!("here {value}"),
        None => "not set yet".to_owned(),
    };
    let name = &parameter.name;
    format!("${name}{}, {kind}, {value}; in {}", misleading(name), quoted(&parameter.source))
}

fn kind(kind: &str, values: &[String]) -> String {
    match kind {
        "Enum" => format!("one of {}", listed(values, "or")),
        "Boolean" => "true or false".to_owned(),
        other => format!("a {}", other.to_lowercase()),
    }
}

fn declared(variable: &Declared) -> String {
    let mut line = format!("{}, {}", objective(&variable.named), kind(&variable.kind, &variable.values));
    if variable.app_only {
        line.push_str("; only what the app itself reports counts");
    }
    if let Some(age) = &variable.max_age {
        line.push_str(&format!("; not known when older than {age}"));
    }
    if !variable.reset_by.is_empty() {
        line.push_str(&format!("; not known again once {} changes", listed(&variable.reset_by, "or")));
    }
    line
}

/// `a, b and c`.
fn listed(parts: &[String], word: &str) -> String {
    match parts.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, before)) => format!("{} {word} {last}", before.join(", ")),
    }
}

fn variable(variable: &Variable) -> String {
    if variable.argument { format!("the argument {}", variable.path) } else { variable.path.clone() }
}

/// A comparison as a sentence without its end.
fn constraint(constraint: &Constraint) -> String {
    let (subject, operator) = (variable(&constraint.variable), constraint.operator);
    let operand = match &constraint.operand {
        Operand::Constant(one) => constant(one),
        Operand::Variable(other) => variable(other),
        Operand::List(elements) => listed(&elements.iter().map(constant).collect::<Vec<_>>(), "or"),
    };
    let relation = match &constraint.operand {
        // A list of one is a list, and is told from a single value.
        Operand::List(elements) if elements.len() == 1 => match operator {
            Operator::NotIn => format!("is none of these: {operand}"),
            _ => format!("is one of these: {operand}"),
        },
        Operand::List(_) if operator == Operator::NotIn => format!("is none of {operand}"),
        Operand::List(_) => format!("is one of {operand}"),
        _ => compared(&constraint.compared, operator, &operand),
    };
    let relation = match constraint.compared {
        Compared::Text { ignore_case: true } => format!("{relation}, case and spacing aside"),
        _ => relation,
    };
    format!("{subject} {relation}")
}

fn compared(compared: &Compared, operator: Operator, operand: &str) -> String {
    match (operator, compared) {
        (Operator::Equal, Compared::Text { ignore_case: false }) => format!("is exactly {operand}"),
        (Operator::Equal, _) => format!("is {operand}"),
        (Operator::NotEqual, _) => format!("is something other than {operand}"),
        (Operator::Similar, _) => format!("is similar to {operand}"),
        (Operator::In, _) => format!("occurs in {operand}"),
        (Operator::NotIn, _) => format!("does not occur in {operand}"),
        (Operator::Contains, _) => format!("contains {operand}"),
        (Operator::NotContains, _) => format!("does not contain {operand}"),
        (Operator::Less, Compared::Date | Compared::Time) => format!("is before {operand}"),
        (Operator::LessEqual, Compared::Date) => format!("is on or before {operand}"),
        (Operator::LessEqual, Compared::Time) => format!("is at or before {operand}"),
        (Operator::Greater, Compared::Date | Compared::Time) => format!("is after {operand}"),
        (Operator::GreaterEqual, Compared::Date) => format!("is on or after {operand}"),
        (Operator::GreaterEqual, Compared::Time) => format!("is at or after {operand}"),
        (_, Compared::Enum { order }) => ranked(operator, operand, order),
        (Operator::Less, _) => format!("is less than {operand}"),
        (Operator::LessEqual, _) => format!("is at most {operand}"),
        (Operator::Greater, _) => format!("is more than {operand}"),
        (Operator::GreaterEqual, _) => format!("is at least {operand}"),
    }
}

/// A comparison by the order of an enumeration: the members that fit, or the order they are in.
fn ranked(operator: Operator, operand: &str, order: &[String]) -> String {
    let relation = match operator {
        Operator::Less => format!("comes before {operand}"),
        Operator::LessEqual => format!("is {operand} or comes before it"),
        Operator::Greater => format!("comes after {operand}"),
        _ => format!("is {operand} or comes after it"),
    };
    let Some(place) = order.iter().position(|member| member == operand) else {
        return format!("{relation}, in the order {}", listed(order, "and"));
    };
    let fits = |index: usize| match operator {
        Operator::Less => index < place,
        Operator::LessEqual => index <= place,
        Operator::Greater => index > place,
        _ => index >= place,
    };
    let fitting =
        order.iter().enumerate().filter(|(index, _)| fits(*index)).map(|(_, member)| member.clone());
    let fitting: Vec<String> = fitting.collect();
    if fitting.is_empty() {
        format!("{relation}: no value does")
    } else {
        format!("{relation}: {}", listed(&fitting, "or"))
    }
}

/// A value, with what it is in this session.
fn constant(constant: &Constant) -> String {
    match constant {
        Constant::Value { text, alike } if alike.is_empty() => text.clone(),
        Constant::Value { text, alike } => {
            format!("{text} (it holds characters that mislead: {})", alike.join(", "))
        }
        Constant::Today { days, date } => {
            let said = match days {
                0 => "today".to_owned(),
                1 => "tomorrow".to_owned(),
                -1 => "yesterday".to_owned(),
                days if *days < 0 => format!("today minus {} days", days.unsigned_abs()),
                days => format!("today plus {days} days"),
            };
            date.as_ref().map_or(said.clone(), |date| format!("{said} ({date})"))
        }
        Constant::Parameter { name, value } => match value {
            Some(value) => format!("${name} (here {value})"),
            None => format!("${name}"),
        },
    }
}
