//! JSON in what a model says.

use intentgate_engine::json::{self, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;

/// The one JSON object in an answer: alone, in a code fence, or with words around it; thoughts between `<think>`
/// and `</think>` at the beginning don't count. Read strictly, so that a key that stands twice is an error. Takes
/// time in proportion to the text.
///
/// # Errors
/// A sentence for the model: there is no object, there are several that differ, or what is wrong with it.
pub fn json(answer: &str) -> Result<Node, String> {
    let spoken = without_thoughts(answer);
    let mut objects = objects(spoken);
    objects.dedup();
    let one = match objects.as_slice() {
        [one] => *one,
        [] if spoken.contains('{') => return Err("the JSON object has no end".to_owned()),
        [] => return Err("there is no JSON object in the answer".to_owned()),
        _ => return Err(format!("there are {} JSON objects in the answer; give one", objects.len())),
    };
    json::parse(&Source::new("answer", one), &Limits::default()).map_err(|problems| {
        let said = problems.items().iter().map(|item| item.fault.message.clone());
        format!("the JSON object can't be read: {}", said.collect::<Vec<_>>().join("; "))
    })
}

fn without_thoughts(answer: &str) -> &str {
    let answer = answer.trim();
    match answer.strip_prefix("<think>").and_then(|rest| rest.split_once("</think>")) {
        Some((_, spoken)) => spoken,
        None => answer,
    }
}

/// What stands between outermost braces, texts respected.
pub(crate) fn objects(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start, mut in_text, mut escaped) = (0_usize, 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            // Quotes in the words around are none of JSON's.
            '"' if depth > 0 => in_text = !in_text,
            _ if in_text => {}
            '{' => {
                if depth == 0 {
                    start = at;
                }
                depth += 1;
            }
            '}' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    found.extend(text.get(start..=at));
                }
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_one_object() {
        for (answer, expected) in [
            ("{\"a\": 1}", Ok("{\"a\":1}")),
            ("Sure!\n```json\n{\"a\": \"}{\"}\n```\nDone.", Ok("{\"a\":\"}{\"}")),
            ("<think>maybe {\"a\": 2}</think>{\"a\": 1}", Ok("{\"a\":1}")),
            ("{\"a\": 1} that is {\"a\": 1}", Ok("{\"a\":1}")),
            ("{\"a\": 1} or {\"a\": 2}", Err("there are 2 JSON objects in the answer; give one")),
            ("I don't know", Err("there is no JSON object in the answer")),
            ("{\"a\": [1, 2", Err("the JSON object has no end")),
            ("{\"a\": \"\\\"}\"}", Ok("{\"a\":\"\\\"}\"}")),
        ] {
            let read = json(answer).map(|node| node.to_value().to_string());
            assert_eq!(read.as_deref().map_err(String::as_str), expected, "{answer}");
        }
        assert!(json("{\"a\": 1, \"a\": 2}").unwrap_err().starts_with("the JSON object can't be read: "));
        assert!(json("{a: 1}").unwrap_err().starts_with("the JSON object can't be read: "));
    }
}
