//! Selection by a language model (Agent+P, section 4.2 and Listing 3).

use super::{Candidate, Ranked, SelectError, Selecting, Selection, Selector, Thresholds};
use crate::language_model::ask::{TRIES, ask};
use crate::language_model::{LanguageModel, Request, fence, json};
use intentgate_engine::json::{Kind, Node};
use intentgate_engine::suggest;
use serde_json::{Value, json as value};

/// Asks a language model for the nodes that a goal is on, in the published form: `nodes`, the most relevant first,
/// one `confidence`, and a `reasoning`.
///
/// The confidence is the first node's; each further one gets that share of what those before it leave: with 0.8,
/// 0.16 for the second. Names and descriptions are fenced as data. A node that is none of the candidates, or
/// stands twice, goes back as feedback.
#[derive(Debug, Clone)]
pub struct Asked<M> {
    model: M,
    tries: usize,
    thresholds: Thresholds,
}

/// How many characters of a description are shown.
const DESCRIPTION: usize = 300;
/// How many characters of a sentence are shown.
const SENTENCE: usize = 2_000;
/// How many characters of a reasoning are kept.
const REASONING: usize = 500;

impl<M: LanguageModel> Asked<M> {
    /// The thresholds that it has without others: what a model says of its own confidence is taken with care.
    pub const THRESHOLDS: Thresholds = Thresholds { least: 0.6, margin: 0.2 };

    /// Asks a model.
    pub fn new(model: M) -> Asked<M> {
        Asked { model, tries: TRIES, thresholds: Self::THRESHOLDS }
    }

    /// Asks so often, at most.
    #[must_use]
    pub fn tries(mut self, tries: usize) -> Asked<M> {
        self.tries = tries;
        self
    }

    /// With other thresholds.
    #[must_use]
    pub fn thresholds(mut self, thresholds: Thresholds) -> Asked<M> {
        self.thresholds = thresholds;
        self
    }

    async fn rank(&self, sentence: &str, candidates: &[Candidate]) -> Result<Selection, SelectError> {
        if candidates.is_empty() {
            return Ok(Selection::new([], self.thresholds));
        }
        let check = |answer: &str| read(answer, candidates);
        let (ranked, transcript) = ask(&self.model, request(sentence, candidates), self.tries, check).await?;
        let selection = Selection::new(ranked, self.thresholds);
        Ok(Selection { transcript: Some(transcript), ..selection })
    }
}

fn request(sentence: &str, candidates: &[Candidate]) -> Request {
    let nodes: Vec<String> = candidates
        .iter()
        .map(|candidate| {
            let name = fence::quoted(&candidate.name, SENTENCE);
            match candidate.description.as_str() {
                "" => name,
                description => format!("{name}: {}", fence::quoted(description, DESCRIPTION)),
            }
        })
        .collect();
    let system = format!(
        "You select the nodes of an app's UI transition graph on which a user's goal is reached.\n{}",
        fence::RULE
    );
    let user = format!(
        "The user's goal:\n{}\n\nThe available nodes:\n{}\n\nSelect the most relevant nodes to achieve this goal, the \
         most relevant first, by their names as they are written; none if no node is relevant. Answer with JSON only:\n\
         {{\"nodes\": [\"node1\", …], \"confidence\": 0.8, \"reasoning\": \"brief explanation\"}}",
        fence::Fenced::new("goal", sentence, SENTENCE),
        nodes.join("\n"),
    );
    Request::new().system(system).user(user).schema("nodes", schema(candidates)).temperature(0.0)
}

fn schema(candidates: &[Candidate]) -> Value {
    let names: Vec<&str> = candidates.iter().map(|candidate| candidate.name.as_str()).collect();
    value!({
        "type": "object",
        "properties": {
            "nodes": {"type": "array", "items": {"enum": names}},
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "reasoning": {"type": "string"},
        },
        "required": ["nodes", "confidence", "reasoning"],
        "additionalProperties": false,
    })
}

/// The nodes of an answer, or what is wrong with it, for the model.
fn read(answer: &str, candidates: &[Candidate]) -> Result<Vec<Ranked>, String> {
    let node = json(answer)?;
    let nodes = node.get("nodes").ok_or("`nodes` is missing")?;
    let nodes = nodes.array("`nodes`").map_err(|wrong| wrong.fault.message.clone())?;
    let confidence = confidence(node.get("confidence").ok_or("`confidence` is missing")?)?;
    let reasoning: String =
        node.get("reasoning").and_then(Node::as_str).unwrap_or_default().chars().take(REASONING).collect();
    let mut ranked: Vec<Ranked> = Vec::new();
    let mut left = 1.0;
    for node in nodes {
        let name = node.string("a node").map_err(|wrong| wrong.fault.message.clone())?;
        let index = candidates.iter().position(|candidate| candidate.name == name).ok_or_else(|| {
            let known = candidates.iter().map(|candidate| candidate.name.as_str());
            let known = suggest::known(name, "nodes", known);
            format!("there is no node {}; {known}", fence::quoted(name, 60))
        })?;
        if ranked.iter().any(|one| one.index == index) {
            return Err(format!("`{name}` stands twice"));
        }
        let share = confidence * left;
        left -= share;
        let reasoning = reasoning.clone();
        ranked.push(Ranked { index, name: name.to_owned(), confidence: share, reasoning, against: None });
    }
    Ok(ranked)
}

/// A number from 0 to 1, or a percentage in a text.
fn confidence(node: &Node) -> Result<f64, String> {
    let number = match &node.kind {
        Kind::Number(text) => text.parse::<f64>().ok(),
        Kind::String(text) => match text.trim().strip_suffix('%') {
            Some(percent) => percent.trim().parse::<f64>().ok().map(|percent| percent / 100.0),
            None => text.trim().parse::<f64>().ok(),
        },
        _ => None,
    };
    number
        .filter(|number| (0.0..=1.0).contains(number))
        .ok_or_else(|| "`confidence` must be a number from 0 to 1".to_owned())
}

impl<M: LanguageModel> Selector for Asked<M> {
    fn select<'a>(&'a self, sentence: &'a str, candidates: &'a [Candidate]) -> Selecting<'a> {
        Box::pin(self.rank(sentence, candidates))
    }
}
