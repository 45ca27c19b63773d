//! Selection: a corpus of sentences with the accuracy counted, and what models and embeddings say.

use intentgate::language_model::{ModelError, Scripted};
use intentgate::planner::select::{
    Asked, Candidate, Combined, Embedded, Embedder, Embedding, Lexical, Refusal, SelectError, Selection,
    Selector, Thresholds,
};
use pollster::block_on;
use proptest::prelude::*;
use std::fmt::Write;

/// What is asked of an app's pages, and the pages that will do; none where a careful reader would ask back.
struct Question {
    app: String,
    sentence: String,
    wanted: Vec<String>,
    may_refuse: bool,
}

fn corpus() -> (Vec<(String, Vec<Candidate>)>, Vec<Question>) {
    let (mut apps, mut questions): (Vec<(String, Vec<Candidate>)>, Vec<Question>) = Default::default();
    for line in include_str!("../corpus/select/pages.txt").lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
        } else if let Some(app) = line.strip_prefix("== ") {
            apps.push((app.to_owned(), Vec::new()));
        } else if let Some(question) = line.strip_prefix("? ") {
            let (sentence, wanted) = question.rsplit_once(" => ").unwrap();
            let (app, pages) = apps.last().unwrap();
            let wanted: Vec<String> = wanted.split('|').map(str::to_owned).collect();
            let may_refuse = wanted.iter().any(|name| name == "-");
            let wanted: Vec<String> = wanted.into_iter().filter(|name| name != "-").collect();
            assert!(wanted.iter().all(|name| pages.iter().any(|page| page.name == *name)), "{question}");
            questions.push(Question { app: app.clone(), sentence: sentence.to_owned(), wanted, may_refuse });
        } else {
            let (name, description) = line.split_once(": ").unwrap_or((line, ""));
            apps.last_mut().unwrap().1.push(Candidate::new(name, description));
        }
    }
    (apps, questions)
}

/// What a selector makes of the corpus, with the accuracy counted.
fn counted(selector: &dyn Selector) -> String {
    let (apps, questions) = corpus();
    let mut shown = String::new();
    let (mut first, mut third, mut of) = (0, 0, 0);
    let (mut right, mut wrong, mut refused, mut rightly) = (0, 0, 0, 0);
    for Question { app, sentence, wanted, may_refuse } in &questions {
        let candidates = &apps.iter().find(|(name, _)| name == app).unwrap().1;
        let selection = block_on(selector.select(sentence, candidates)).unwrap();
        let ranks = |most: usize| selection.ranked.iter().take(most).any(|one| wanted.contains(&one.name));
        if !wanted.is_empty() {
            of += 1;
            first += usize::from(ranks(1));
            third += usize::from(ranks(3));
        }
        let verdict = match selection.best() {
            Ok(best) if wanted.contains(&best.name) => {
                right += 1;
                format!("{} ({:.3})", best.name, best.confidence)
            }
            Ok(best) => {
                wrong += 1;
                format!("WRONG: {} ({:.3})", best.name, best.confidence)
            }
            Err(refusal) if *may_refuse => {
                rightly += 1;
                format!("refused, rightly: {refusal}")
            }
            Err(refusal) => {
                refused += 1;
                format!("refused: {refusal}")
            }
        };
        let _ = writeln!(shown, "{app}: {sentence}\n    {verdict}");
    }
    format!(
        "{} sentences: {right} right, {wrong} wrong, {refused} refused, {rightly} rightly refused\n\
         of {of} with an answer: {first} ranked first, {third} among the first three\n\n{shown}",
        questions.len()
    )
}

#[test]
fn the_corpus_by_words() {
    insta::assert_snapshot!(counted(&Lexical::new()));
}
