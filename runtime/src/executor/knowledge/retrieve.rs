//! What helps with a task: from tasks like it, on this app or, as a hint, on others.

use super::{AppKnowledge, Knowledge};
use crate::executor::driver::Options;
use crate::executor::locate::Locator;
use crate::executor::reply::Documents;
use crate::executor::screen::outline::foreign;
use crate::planner::select::{Candidate, Lexical};
use crate::planner::{Model, Origin};
use intentgate_engine::diagnostic::Problems;
use serde::Serialize;

/// How near a sentence has to be.
const NEAR: f64 = 0.3;
/// How near a sentence of another app has to be.
const NEAR_ELSEWHERE: f64 = 0.4;
/// The most cues for a task.
const MOST: usize = 5;
/// Characters of a text in a cue.
const LONGEST: usize = 200;
/// Steps of a sequence in a cue.
const STEPS: usize = 20;

/// Where a cue is from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CueOrigin {
    /// It was so on this app.
    SameApp,
    /// It was so on another app: a hint, and nothing that a model or a plan rests on.
    OtherApp(String),
}

/// Something that helped with a task like this one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cue {
    /// What it says; texts of apps and users in it are quoted and cut.
    pub text: String,
    /// Where it is from.
    pub origin: CueOrigin,
    /// How much the tasks are alike, from 0 to 1.
    pub likeness: f64,
}

/// What a run starts with.
#[derive(Debug, Clone)]
pub struct Warm {
    /// The host's model with what was seen: pages, plain transitions, counts.
    pub model: Model,
    /// The screens that are known.
    pub locator: Locator,
    /// What elements do.
    pub documents: Documents,
    /// What helped with tasks like this one.
    pub cues: Vec<Cue>,
}

impl Warm {
    /// Options with documents and cues; the rest stays as it is.
    #[must_use]
    pub fn options<'a>(&self, options: Options<'a>) -> Options<'a> {
        let cues = self.cues.iter().map(|cue| cue.text.clone()).collect();
        Options { documents: self.documents.clone(), cues, ..options }
    }
}

impl Knowledge {
    /// What helped with tasks like a sentence, the most alike first, at most five: of the app itself, then hints
    /// of others. Costs the number of sentences that are known.
    pub fn cues_for(&self, sentence: &str, app: &str) -> Vec<Cue> {
        let mut cues = Vec::new();
        for (name, known) in self.apps() {
            let same = name == app;
            let least = if same { NEAR } else { NEAR_ELSEWHERE };
            for (likeness, text) in
                known.like(sentence).into_iter().filter(|(likeness, _)| *likeness >= least)
            {
                let (origin, text) = match same {
                    true => (CueOrigin::SameApp, text),
                    false => {
                        let of = foreign(name, LONGEST);
                        let text = format!("A hint from another app, {of}, which may not hold here: {text}");
                        (CueOrigin::OtherApp(name.to_owned()), text)
                    }
                };
                cues.push(Cue { text, origin, likeness });
            }
        }
        let elsewhere = |cue: &Cue| cue.origin != CueOrigin::SameApp;
        cues.sort_by(|one, other| {
            let by_app = elsewhere(one).cmp(&elsewhere(other));
            by_app.then(other.likeness.total_cmp(&one.likeness)).then_with(|| one.text.cmp(&other.text))
        });
        cues.truncate(MOST);
        cues
    }

    /// What a run on the app of a model starts with, for a task. The host's model says what actions are to the
    /// gate; of what is known it takes pages, transitions that were seen, and counts. Nothing of other apps but
    /// cues.
    ///
    /// # Errors
    /// The machine that is known can't be read.
    pub fn warm(&self, model: &Model, sentence: &str) -> Result<Warm, Problems> {
        let app = model.app();
        let mut grown = model.clone();
        if let Some(known) = self.model(app)? {
            // A page of several apps comes with the transition that leads to it, so that it is its app's.
            for (_, page) in known.pages().filter(|_| grown_alone(model)) {
                grown.add_page(page.name());
            }
            for (_, one) in known.transitions().filter(|(_, one)| one.origin() == Origin::Observed) {
                let Some(from) = grown.find_page(known.page_name(one.from())) else { continue };
                grown.observe_often(from, one.event(), known.page_name(one.to()), one.count());
            }
        }
        let known = self.app(app);
        Ok(Warm {
            model: grown,
            locator: known.map(|app| app.locator.clone()).unwrap_or_default(),
            documents: known.map(|app| app.documents.clone()).unwrap_or_default(),
            cues: self.cues_for(sentence, app),
        })
    }
}

impl AppKnowledge {
    /// Everything that is like a sentence.
    fn like(&self, sentence: &str) -> Vec<(f64, String)> {
        let mut candidates = Vec::new();
        let mut texts = Vec::new();
        for sequence in &self.sequences {
            let text = told(sequence);
            for known in sequence.sentences.keys() {
                candidates.push(Candidate::new(known.as_str(), ""));
                texts.push(format!("For the task {} this worked: {text}", foreign(known, LONGEST)));
            }
        }
        for (advice, known) in &self.cues {
            candidates.push(Candidate::new(known.as_str(), ""));
            texts.push(format!("For tasks like {}: {}", foreign(known, LONGEST), foreign(advice, LONGEST)));
        }
        let ranked = Lexical::new().rank(sentence, &candidates).ranked.into_iter();
        ranked.filter_map(|one| Some((one.confidence, texts.get(one.index)?.clone()))).collect()
    }
}

fn grown_alone(model: &Model) -> bool {
    model.apps().len() == 1
}

/// A sequence in words.
fn told(sequence: &super::Sequence) -> String {
    let steps = sequence.steps.iter().take(STEPS);
    let steps: Vec<String> = steps
        .map(|step| format!("on {} {}", foreign(&step.from, LONGEST), foreign(&step.event, LONGEST)))
        .collect();
    let more = if sequence.steps.len() > STEPS { ", …" } else { "" };
    format!("{}{more} ({} times, at best in {} actions)", steps.join(", "), sequence.times(), sequence.cost)
}
