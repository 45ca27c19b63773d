//! What a checker says of a specification that was put back into words (VeriSafe Agent, section 5.1.1).

use crate::language_model::{fence, json};
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
    /// Reads an answer.
    ///
    /// # Errors
    /// What is wrong with it, for the model. A verdict that contradicts itself is none.
    pub(super) fn read(answer: &str) -> Result<Verdict, String> {
        let node = json(answer)?;
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
            None => &[],
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
