//! What a checker says of a specification that was put back into words (VeriSafe Agent, section 5.1.1).

use crate::language_model::fence;
use intentgate_engine::json::{self, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;
use serde::Serialize;

/// How what a specification says compares with the sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Verdict {
    /// Whether both ask for the same.
    pub same: bool,
    /// What differs, in the checker's words; none if both ask for the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<String>,
}

/// How many differences are read.
const MOST: usize = 20;

impl Verdict {
    /// Reads an answer: the verdict is all of it, but for thoughts before it and a fence around it. What is said in
    /// prose besides may take the verdict back.
    ///
    /// # Errors
    /// What is wrong with it, for the model. A verdict that contradicts itself is none.
    pub(super) fn read(answer: &str) -> Result<Verdict, String> {
        let node = object(answer)?;
        let members = node.as_object().unwrap_or_default();
        if let Some(unknown) =
            members.iter().find(|member| !matches!(member.key.as_str(), "same" | "differences"))
        {
            return Err(format!("unknown key {}", fence::quoted(&unknown.key, 60)));
        }
        let same = match node.get("same").map(|same| same.to_value()) {
            Some(serde_json::Value::Bool(same)) => same,
            _ => return Err("`same` has to be true or false".to_owned()),
        };
        let differences = match node.get("differences") {
            Some(list) => list.array("`differences`").map_err(|wrong| wrong.fault.message.clone())?,
            None => return Err("`differences` is missing".to_owned()),
        };
        if differences.len() > MOST {
            return Err(format!("more than {MOST} differences; give the most important ones"));
        }
        let differences: Option<Vec<String>> =
            differences.iter().map(|one| one.as_str().map(|text| text.trim().to_owned())).collect();
        let differences = differences.ok_or("`differences` has to be a list of texts")?;
        match (same, differences.iter().all(|text| !text.is_empty()), differences.is_empty()) {
            (_, false, _) => Err("a difference is empty".to_owned()),
            (true, _, false) => Err("`same` is true, and there are differences".to_owned()),
            (false, _, true) => Err("`same` is false, and there is no difference".to_owned()),
            _ => Ok(Verdict { same, differences }),
        }
    }
}

/// The object that an answer is.
fn object(answer: &str) -> Result<Node, String> {
    let answer = answer.trim();
    let spoken = match answer.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        Some((_, spoken)) => spoken.trim(),
        None => answer,
    };
    let alone = fenced(spoken).unwrap_or(spoken).trim();
    if !alone.starts_with('{') || !alone.ends_with('}') {
        return Err("answer with the JSON object and with nothing else".to_owned());
    }
    json::parse(&Source::new("answer", alone), &Limits::default()).map_err(|problems| {
        let said = problems.items().iter().map(|item| item.fault.message.clone());
        format!("the answer can't be read as one JSON object: {}", said.collect::<Vec<_>>().join("; "))
    })
}

/// What stands in a fence around all of an answer.
fn fenced(answer: &str) -> Option<&str> {
    let (language, inside) = answer.strip_prefix("```")?.strip_suffix("```")?.split_once('\n')?;
    language.trim().chars().all(char::is_alphanumeric).then_some(inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_whole_answer_says_that_both_are_the_same() {
        let same = r#"{"same": true, "differences": []}"#;
        for (answer, taken) in [
            (same.to_owned(), true),
            (format!("\n{same}\n"), true),
            (format!("```json\n{same}\n```"), true),
            (format!("```\n{same}\n```\n"), true),
            (format!("<think>Perhaps not.</think>\n{same}"), true),
            (format!("It is NOT {same}"), false),
            (format!("I could say {same} but no"), false),
            (format!("<thinking>{same}</thinking> it is not the same"), false),
            (format!("<think>{same}</think> it is not the same"), false),
            (format!("<think>{same}"), false),
            (format!("```json\n{same}\n```\nNo: they differ."), false),
            (format!("They differ.\n```json\n{same}\n```"), false),
            (format!("```json\n{same}\n```\n```json\n{same}\n```"), false),
            (format!("{same}{same}"), false),
            (format!("{same} {{\"same\": false, \"differences\": [\"x\"]}}"), false),
            (format!("[{same}]"), false),
            (r#"{"same": true}"#.to_owned(), false),
            (r#"{"differences": []}"#.to_owned(), false),
            (r#"{"same": true, "same": false, "differences": []}"#.to_owned(), false),
            (r#"{"same": false, "differences": [], "same": true}"#.to_owned(), false),
            (r#"{"same": true, "differences": ["x"]}"#.to_owned(), false),
            (r#"{"same": true, "differences": [], "but": "no"}"#.to_owned(), false),
            (r#"{"same": "true", "differences": []}"#.to_owned(), false),
            (r#"{"same": true, "differences": null}"#.to_owned(), false),
            (String::new(), false),
            ("```".to_owned(), false),
        ] {
            assert_eq!(Verdict::read(&answer).is_ok_and(|verdict| verdict.same), taken, "{answer}");
        }
    }
}
