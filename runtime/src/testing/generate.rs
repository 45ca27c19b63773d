//! Writes tests that come from logic: as a test file, and as Rust.
//!
//! What is written has been played: what the gate says to it is what logic expects.

use super::suite::{Suite, SuiteError};
use crate::session::{StartError, spelled, spelled_value};
use crate::{Session, SessionBuilder};
use intentgate_engine::analysis::{Case, Cases, Missing, Situation};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::ir::Specification;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::solve::Setting;
use intentgate_engine::span::Source;
use intentgate_engine::text::lookalike::is_hidden;
use intentgate_engine::value::Value;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Tests of a specification, each of which has passed.
#[derive(Debug, Clone)]
pub struct Generated {
    vocabulary: Arc<Vocabulary>,
    /// The parameters that the setting has values for.
    given: Vec<(String, String)>,
    cases: Vec<Case>,
    /// What there is no test for.
    pub missing: Vec<Missing>,
}

/// The files of a test in Rust: their paths, as seen from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RustFiles<'a> {
    /// The vocabulary.
    pub app: &'a str,
    /// The specification.
    pub spec: &'a str,
    /// The policies.
    pub policies: &'a [&'a str],
}

impl Generated {
    /// Asks the solver for tests of a specification with its policies, and plays them.
    ///
    /// # Errors
    /// A libz3 that is too old, parameters that can't be bound; solver and gate disagree, which is a bug.
    pub fn of(
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
    ) -> Result<Generated, StartError> {
        let Cases { cases, mut missing } = Cases::of(specification, policies, setting)?;
        let (played, left): (Vec<Case>, Vec<Case>) = cases
            .into_iter()
            .partition(|case| case.situations().all(|situation| situation.observed.is_empty()));
        missing.extend(left.into_iter().map(|case| Missing {
            name: case.name,
            why: "it needs a state of which something was observed that is unknown again".to_owned(),
        }));
        let vocabulary = Arc::clone(specification.vocabulary());
        let given = setting.parameters.iter().map(|(name, given)| (name.clone(), spelled(given))).collect();
        let generated = Generated { vocabulary, given, cases: played, missing };
        generated.check(specification, policies, setting)?;
        Ok(generated)
    }

    /// Plays the tests.
    fn check(
        &self,
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
    ) -> Result<(), StartError> {
        if self.cases.is_empty() {
            return Ok(());
        }
        let disagree = |what: String| {
            let fault = Fault::new(Code::SolverDisagrees, format!("a test from logic fails: {what}"));
            StartError::from(fault)
        };
        let limits = Limits { line: usize::MAX, ..Limits::default() };
        let suite = Suite::read(&Source::new("tests", self.to_trace()), &limits);
        let suite = suite.map_err(|problems| disagree(problems.to_string()))?;
        let results = match suite.play(|| session(specification, policies, setting)) {
            Ok(results) => results,
            // Parameters that can't be bound are nobody's bug.
            Err(SuiteError::Start(_, error)) => return Err(error),
            Err(SuiteError::Problems(problems)) => return Err(disagree(problems.to_string())),
        };
        match results.iter().find_map(|result| Some((&result.case, result.failures.first()?))) {
            Some((case, failure)) => Err(disagree(format!("{case}: {failure}"))),
            None => Ok(()),
        }
    }

    /// The parameters of a case, as they are spelled.
    fn parameters(&self, case: &Case) -> Vec<(String, String)> {
        let bound = case.parameters.iter().map(|(name, value)| (name.clone(), spelled_value(value)));
        bound.chain(self.given.iter().cloned()).collect()
    }

    /// How many tests there are.
    pub fn len(&self) -> usize {
        self.cases.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.cases.is_empty()
    }

    /// A test file, see [`Suite`].
    pub fn to_trace(&self) -> String {
        let mut text = String::new();
        for case in &self.cases {
            let parameters = self.parameters(case).into_iter().collect();
            let head = Head { case: &case.name, today: case.today.to_string(), parameters };
            let _ = writeln!(text, "{}", escaped(&head));
            for event in events(case, &self.vocabulary) {
                let _ = writeln!(text, "{}", event.line());
            }
        }
        text
    }

    /// A Rust test file: a test function for each.
    pub fn to_rust(&self, files: &RustFiles) -> String {
        let RustFiles { app, spec, policies } = files;
        let name = |path: &str| path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned();
        let file = |path: &str| format!("({:?}, include_str!({path:?}))", name(path));
        let listed: Vec<String> = policies.iter().map(|policy| file(policy)).collect();
        let mut text = format!(
            "//! Tests of {}, from its own logic.\n//!\n//! Written by `intentgate gen-tests`: write them anew \
             when it has changed.\n\nuse intentgate::testing::Files;\n\nconst FILES: Files = Files {{\n    \
             app: {},\n    spec: {},\n    policies: &[{}],\n}};\n",
            name(spec),
            file(app),
            file(spec),
            listed.join(", "),
        );
        let mut names: BTreeSet<String> = BTreeSet::new();
        for case in &self.cases {
            let function = distinct(&case.name, &mut names);
            let parameters = self.parameters(case).into_iter();
            let parameters: Vec<String> =
                parameters.map(|(name, value)| format!("({name:?}, {value:?})")).collect();
            let events = events(case, &self.vocabulary);
            write_function(case, &events, &parameters.join(", "), &function, &mut text);
        }
        text
    }
}

/// A test function.
fn write_function(case: &Case, events: &[Written], parameters: &str, function: &str, text: &mut String) {
    let trace: String =
        events.iter().filter_map(|event| Some(format!("\n{}", event.happens.as_ref()?))).collect();
    let mut fence = "#".to_owned();
    while trace.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    let verdicts: Vec<String> =
        events.iter().filter_map(|event| Some(format!("{:?}", event.verdict()?))).collect();
    let _ = write!(
        text,
        "\n/// {}\n#[test]\nfn {function}() {{\n    let trace = r{fence}\"{trace}\n\"{fence};\n    let played = \
         FILES.play(\"{}\", &[{}], trace);\n    played.assert_verdicts([{}]);\n",
        case.name,
        case.today,
        parameters,
        verdicts.join(", "),
    );
    let no = if case.expected { "" } else { "!" };
    let _ = match case.concludes.as_str() {
        _ if case.critical => Ok(()),
        "Done" => writeln!(text, "    assert!({no}played.is_done(), \"{{played}}\");"),
        name => writeln!(text, "    assert!({no}played.is_achieved({name:?}), \"{{played}}\");"),
    };
    text.push_str("}\n");
}

/// The name of a test function, unlike the others.
fn distinct(name: &str, names: &mut BTreeSet<String>) -> String {
    let words: Vec<String> = name
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    let name = format!("test_{}", words.join("_"));
    let numbered = (2..).map(|number| format!("{name}_{number}"));
    let free =
        std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}

/// A session of a specification with what is fixed by a setting.
pub(super) fn session(
    specification: &Arc<Specification>,
    policies: &[Arc<Specification>],
    setting: &Setting,
) -> SessionBuilder {
    let mut builder = Session::builder(Arc::clone(specification)).similarity(Arc::clone(&setting.measure));
    for policy in policies {
        builder = builder.policy(Arc::clone(policy));
    }
    if let Some(today) = setting.today {
        builder = builder.today(today);
    }
    for (name, given) in &setting.parameters {
        builder = builder.given(name, given.clone());
    }
    builder
}

/// Something that happens, and what is expected then: JSON.
struct Written {
    happens: Option<String>,
    expected: Option<Expected>,
}

enum Expected {
    Verdict(&'static str),
    State(String),
}

/// An object of objects of values; nothing for what is unknown. Numbers are written exactly.
type States<'a> = BTreeMap<&'a str, BTreeMap<&'a str, Option<&'a Value>>>;

#[derive(Serialize)]
struct Head<'a> {
    case: &'a str,
    today: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    parameters: BTreeMap<String, String>,
}

#[derive(Serialize)]
struct Proposal<'a> {
    action: &'a str,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    arguments: BTreeMap<&'a str, &'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'a str>,
}

impl Written {
    /// A line of a test file: what happens first.
    fn line(&self) -> String {
        let expected = self.expected.as_ref().map(|expected| match expected {
            Expected::Verdict(verdict) => format!("\"expect\":\"{verdict}\"}}"),
            Expected::State(state) => format!("\"expect\":{state}}}"),
        });
        let open = self.happens.as_deref().and_then(|happens| happens.strip_suffix('}'));
        match (open, expected) {
            (Some(open), Some(expected)) => format!("{open},{expected}"),
            (None, Some(expected)) => format!("{{{expected}"),
            (_, None) => self.happens.clone().unwrap_or_default(),
        }
    }

    fn verdict(&self) -> Option<&'static str> {
        match self.expected {
            Some(Expected::Verdict(verdict)) => Some(verdict),
            _ => None,
        }
    }
}

/// An object with one key.
fn json_text(key: &str, value: &impl Serialize) -> String {
    escaped(&BTreeMap::from([(key, value)]))
}

/// As JSON, with everything escaped that can't be seen.
fn escaped(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(c);
        }
    }
    escaped
}

/// What happens in a case.
fn events(case: &Case, vocabulary: &Vocabulary) -> Vec<Written> {
    let mut events = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for step in &case.before {
        events.extend(observation(&step.situation, vocabulary, &mut known));
        if step.critical {
            events.push(proposal(&step.situation, &step.achieves, None, true));
        }
    }
    events.extend(observation(&case.situation, vocabulary, &mut known));
    if case.critical {
        // Nothing is achieved by it.
        events.push(proposal(&case.situation, &case.concludes, Some("failure"), case.expected));
    } else {
        let key = if case.expected { "achieved" } else { "open" };
        let expected = match case.concludes.as_str() {
            "Done" => json_text("done", &case.expected),
            name => json_text(key, &[name]),
        };
        events.push(Written { happens: None, expected: Some(Expected::State(expected)) });
    }
    events
}

/// Everything becomes as a situation says: what it does not name is unknown.
fn observation(
    situation: &Situation,
    vocabulary: &Vocabulary,
    known: &mut BTreeSet<String>,
) -> Option<Written> {
    let is_argument = |path: &str| {
        let id = vocabulary.find_path(path);
        id.is_some_and(|id| vocabulary.state(vocabulary.variable(id).state()).arguments_of().is_some())
    };
    let values: Vec<_> = situation.values.iter().filter(|(path, _)| !is_argument(path)).collect();
    let gone = known.iter().filter(|path| values.iter().all(|(other, _)| other != *path));
    let all = values.iter().map(|(path, value)| (path.as_str(), Some(value)));
    let mut states = States::new();
    for (path, value) in all.chain(gone.map(|path| (path.as_str(), None))) {
        if let Some((state, variable)) = path.split_once('.') {
            states.entry(state).or_default().insert(variable, value);
        }
    }
    let happens = (!states.is_empty()).then(|| json_text("observe", &states));
    let now = values.iter().map(|(path, _)| path.clone()).collect();
    *known = now;
    happens.map(|happens| Written { happens: Some(happens), expected: None })
}

fn proposal(situation: &Situation, action: &str, outcome: Option<&str>, allowed: bool) -> Written {
    let prefix = format!("{action}.");
    let arguments = situation.values.iter();
    let arguments = arguments.filter_map(|(path, value)| Some((path.strip_prefix(&prefix)?, value)));
    let proposal = Proposal { action, arguments: arguments.collect(), outcome };
    let verdict = if allowed { "allow" } else { "block" };
    Written { happens: Some(json_text("propose", &proposal)), expected: Some(Expected::Verdict(verdict)) }
}
