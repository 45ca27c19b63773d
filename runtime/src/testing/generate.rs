//! Writes tests that come from logic: as a test file, and as Rust.
//!
//! What is written has been played: what the gate says to it is what logic expects.

use super::suite::Suite;
use crate::session::{StartError, spelled, spelled_value};
use crate::{Session, SessionBuilder};
use intentgate_engine::analysis::{Case, Cases, Missing, Situation};
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::ir::Specification;
use intentgate_engine::json::number_value;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::solve::Setting;
use intentgate_engine::span::Source;
use intentgate_engine::value::number_text;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
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
        let results = suite.play(|| session(specification, policies, setting));
        let results = results.map_err(|error| disagree(error.to_string()))?;
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
            let mut head = Map::new();
            head.insert("case".to_owned(), json!(case.name));
            head.insert("today".to_owned(), json!(case.today.to_string()));
            let parameters = self.parameters(case);
            if !parameters.is_empty() {
                let parameters = parameters.into_iter().map(|(name, value)| (name, Value::String(value)));
                head.insert("parameters".to_owned(), Value::Object(parameters.collect()));
            }
            let _ = writeln!(text, "{}", Value::Object(head));
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

/// Something that happens, and what is expected then.
struct Written {
    happens: Option<Value>,
    expected: Option<Value>,
}

impl Written {
    /// A line of a test file: what happens first.
    fn line(&self) -> String {
        let happens = self.happens.as_ref().map(ToString::to_string);
        let expected = self.expected.as_ref().map(|expected| json!({"expect": expected}).to_string());
        let open = happens.as_deref().and_then(|happens| happens.strip_suffix('}'));
        match (open, expected.as_deref().and_then(|expected| expected.strip_prefix('{'))) {
            (Some(open), Some(rest)) => format!("{open},{rest}"),
            _ => happens.or(expected).unwrap_or_default(),
        }
    }

    fn verdict(&self) -> Option<&str> {
        self.expected.as_ref()?.as_str()
    }
}

/// What happens in a case.
fn events(case: &Case, vocabulary: &Vocabulary) -> Vec<Written> {
    let mut events = Vec::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    for step in &case.before {
        events.extend(observation(&step.situation, vocabulary, &mut known));
        if step.critical {
            events.push(proposal(&step.situation, &step.achieves, "done", true));
        }
    }
    events.extend(observation(&case.situation, vocabulary, &mut known));
    if case.critical {
        // Nothing is achieved by it.
        events.push(proposal(&case.situation, &case.concludes, "failure", case.expected));
    } else {
        let key = if case.expected { "achieved" } else { "open" };
        let expected = match case.concludes.as_str() {
            "Done" => json!({"done": case.expected}),
            name => json!({key: [name]}),
        };
        events.push(Written { happens: None, expected: Some(expected) });
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
    let mut states: Map<String, Value> = Map::new();
    let all =
        values.iter().map(|(path, value)| (path, written(value))).chain(gone.map(|path| (path, Value::Null)));
    for (path, value) in all {
        let Some((state, variable)) = path.split_once('.') else { continue };
        let state = states.entry(state.to_owned()).or_insert_with(|| json!({}));
        if let Some(state) = state.as_object_mut() {
            state.insert(variable.to_owned(), value);
        }
    }
    *known = values.iter().map(|(path, _)| path.clone()).collect();
    (!states.is_empty()).then(|| Written { happens: Some(json!({"observe": states})), expected: None })
}

/// A value in a trace, exactly.
fn written(value: &intentgate_engine::value::Value) -> Value {
    match value {
        intentgate_engine::value::Value::Number(number) => number_value(&number_text(*number)),
        other => json!(other),
    }
}

fn proposal(situation: &Situation, action: &str, outcome: &str, allowed: bool) -> Written {
    let prefix = format!("{action}.");
    let arguments = situation
        .values
        .iter()
        .filter_map(|(path, value)| Some((path.strip_prefix(&prefix)?.to_owned(), written(value))));
    let arguments: Map<String, Value> = arguments.collect();
    let mut proposal = json!({"action": action});
    if let Some(object) = proposal.as_object_mut() {
        if !arguments.is_empty() {
            object.insert("arguments".to_owned(), Value::Object(arguments));
        }
        if outcome != "done" {
            object.insert("outcome".to_owned(), json!(outcome));
        }
    }
    let verdict = if allowed { "allow" } else { "block" };
    Written { happens: Some(json!({"propose": proposal})), expected: Some(json!(verdict)) }
}
