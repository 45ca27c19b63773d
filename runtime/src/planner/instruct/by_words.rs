//! Sentences by their words: no model, the same reading everywhere, and a refusal where it would be a guess.

use super::fill::Filling;
use super::tokens::{Token, joints, parts, quantifier, relation, text, tokens, trimmed};
use super::{Aim, AppStep, Fallback, Misunderstood, ParseError, Parsed, Parser, Parsing, What};
use crate::planner::select::{Candidate, Lexical, Refusal};
use crate::planner::{Model, Page, PageId};
use chrono::NaiveDate;
use intentgate_engine::diagnostic::{Code, Fault};
use intentgate_engine::input::shortened;
use intentgate_engine::schema::{ActionId, VariableType};

/// Reads plain sentences: what follows each other is split at `then`, ends of sentences, and at `and` and commas
/// where both halves ask for something; each part is matched to a function by name and description, and its
/// parameters are filled by type: quoted texts, numbers, dates and times, enumerators, words for true and false.
///
/// In an app without functions, and in a part that starts with `open`, `go` or `show`, pages are matched, too.
/// Conditions, negations, repetitions, alternatives and other orders are refused by their words, as is a value that
/// no parameter takes and a parameter that no value fits: nothing is filled in, and nothing that is said is left out.
#[derive(Debug, Default)]
pub struct ByWords {
    lexical: Lexical,
    today: Option<NaiveDate>,
}

/// How many joints of a part are tried, and how often a part is split, so that a sentence of commas costs no more
/// than one of words. What is not split is refused for what is left over.
const JOINTS: usize = 8;
/// See [`JOINTS`].
const SPLITS: usize = 16;

/// A part that asks for a page.
const NAVIGATION: &[&str] = &["open", "go", "show", "view", "navigate", "see", "visit", "display"];

/// What a candidate stands for.
#[derive(Clone, Copy)]
enum Target {
    Function(ActionId),
    Page(PageId),
}

impl ByWords {
    /// With the usual words and thresholds. Without a day, `today` and `tomorrow` are no dates.
    pub fn new() -> ByWords {
        ByWords::default()
    }

    /// With other words or thresholds.
    #[must_use]
    pub fn lexical(mut self, lexical: Lexical) -> ByWords {
        self.lexical = lexical;
        self
    }

    /// With the day that `today` is.
    #[must_use]
    pub fn today(mut self, today: NaiveDate) -> ByWords {
        self.today = Some(today);
        self
    }

    /// The reading, at once. Takes time in proportion to the words of the sentence times those of the models,
    /// more often where it may be split: at most 256 times a part.
    ///
    /// # Errors
    /// Everything that is missing or ambiguous, in the order of the sentence.
    pub fn read(&self, sentence: &str, models: &[&Model]) -> Result<Parsed, Misunderstood> {
        let misunderstood = |faults: Vec<Fault>, apps: Vec<String>| Misunderstood {
            faults,
            fallback: Fallback { sentence: sentence.to_owned(), apps },
            transcript: None,
        };
        let tokens = tokens(sentence).map_err(|fault| misunderstood(vec![fault], Vec::new()))?;
        let apps = || {
            let named = self.named(&tokens, models);
            named.into_iter().filter_map(|at| models.get(at)).map(|model| model.app().to_owned()).collect()
        };
        if let Some(word) = relation(&tokens) {
            return Err(misunderstood(vec![beyond(word)], apps()));
        }
        let mut parsed = Parsed { steps: Vec::new(), inferred: Vec::new(), transcript: None };
        let mut faults = Vec::new();
        let parts: Vec<&[Token]> =
            parts(&tokens).into_iter().flat_map(|part| self.split(part, models)).collect();
        if parts.is_empty() {
            faults.push(Fault::new(Code::NothingFits, "the sentence asks for nothing"));
        }
        let mut last = None;
        for part in parts {
            match self.aim(part, models, last) {
                Ok((at, aim)) => {
                    last = Some(at);
                    add(&mut parsed.steps, at, models, aim);
                }
                Err(mut wrong) => faults.append(&mut wrong),
            }
        }
        if faults.is_empty() { Ok(parsed) } else { Err(misunderstood(faults, apps())) }
    }

    /// The models whose name stands in the words: `in the Camera app`.
    fn named(&self, part: &[Token], models: &[&Model]) -> Vec<usize> {
        let splitter = self.lexical.splitter();
        let said: Vec<String> = part
            .iter()
            .filter(|token| !token.quoted)
            .flat_map(|token| splitter.of_name(&token.text))
            .collect();
        let is_named = |model: &&Model| {
            let name = splitter.of_name(model.app());
            !name.is_empty() && name.iter().all(|stem| said.contains(stem))
        };
        models.iter().enumerate().filter(|(_, model)| is_named(model)).map(|(at, _)| at).collect()
    }

    /// Without `in the Camera app`: where something is done says nothing about what.
    fn without_app(&self, part: &[Token], models: &[&Model]) -> Vec<Token> {
        let splitter = self.lexical.splitter();
        for (start, _) in
            part.iter().enumerate().filter(|(_, one)| one.is_one_of(&["in", "on", "using", "via"]))
        {
            let rest = part.get(start + 1..).unwrap_or_default();
            let article = usize::from(rest.first().is_some_and(|one| one.is_one_of(&["the", "my"])));
            for model in models {
                let name = splitter.of_name(model.app());
                let there = rest.get(article..article + name.len()).unwrap_or_default();
                let said: Vec<String> = there.iter().flat_map(|one| splitter.of_name(&one.text)).collect();
                if name.is_empty() || said != name || there.iter().any(|one| one.quoted) {
                    continue;
                }
                let behind = rest.get(article + name.len()..).unwrap_or_default();
                let word = usize::from(behind.first().is_some_and(|one| one.is("app")));
                let before = part.get(..start).unwrap_or_default();
                let left: Vec<Token> =
                    before.iter().chain(behind.get(word..).unwrap_or_default()).cloned().collect();
                // Nothing but the app: it may be what is meant.
                return if left.is_empty() { part.to_vec() } else { left };
            }
        }
        part.to_vec()
    }

    /// Whether the first word, but for those that name an app, asks to go somewhere: `in the Camera app open …`.
    fn navigates(&self, part: &[Token], models: &[&Model]) -> bool {
        const BEFORE: &[&str] = &["in", "on", "the", "my", "app", "of"];
        let splitter = self.lexical.splitter();
        let names: Vec<String> = models.iter().flat_map(|model| splitter.of_name(model.app())).collect();
        let of_app = |token: &Token| splitter.of_name(&token.text).iter().any(|stem| names.contains(stem));
        let first = part.iter().find(|token| !token.is_one_of(BEFORE) && !of_app(token));
        first.is_some_and(|token| token.is_one_of(NAVIGATION))
    }

    /// What can be meant by a part.
    fn targets(&self, part: &[Token], models: &[&Model], scope: &[usize]) -> Vec<(usize, Target, Candidate)> {
        let navigates = self.navigates(part, models);
        let mut targets = Vec::new();
        for at in scope {
            let Some(model) = models.get(*at) else { continue };
            let functions = model.vocabulary().actions();
            targets.extend(functions.map(|(id, _)| (*at, Target::Function(id), function(model, id))));
            if navigates || model.vocabulary().actions().next().is_none() {
                let pages = model.pages();
                let page = |page: &Page| Candidate::new(page.name(), page.description());
                targets.extend(pages.map(|(id, one)| (*at, Target::Page(id), page(one))));
            }
        }
        targets
    }

    /// What a part asks for.
    fn aim(
        &self,
        part: &[Token],
        models: &[&Model],
        last: Option<usize>,
    ) -> Result<(usize, Aim), Vec<Fault>> {
        let said = text(part);
        let all: Vec<usize> = (0..models.len()).collect();
        let scope = match self.named(part, models) {
            none if none.is_empty() => all,
            named => named,
        };
        let targets = self.targets(part, models, &scope);
        let candidates: Vec<Candidate> = targets.iter().map(|(_, _, candidate)| candidate.clone()).collect();
        let selection = self.lexical.rank(&text(&self.without_app(part, models)), &candidates);
        let best = match selection.best() {
            Ok(best) => best.clone(),
            // Of the same in several apps, that of the app in which one is.
            Err(refusal) => {
                let here: Vec<_> = selection
                    .ranked
                    .iter()
                    .filter(|one| targets.get(one.index).map(|(at, ..)| *at) == last)
                    .collect();
                let first = selection.ranked.first();
                let same = |name: &str| candidates.iter().filter(|one| one.name == name).count() > 1;
                match (here.first(), first) {
                    (Some(one), Some(first))
                        if !matches!(refusal, Refusal::Opposite { .. })
                            && one.against.is_none()
                            && one.name == first.name
                            && same(&one.name)
                            && one.confidence >= selection.thresholds.least =>
                    {
                        (*one).clone()
                    }
                    _ => return Err(vec![self.refused(&refusal, &said, &targets, models)]),
                }
            }
        };
        let Some((at, target, _)) = targets.get(best.index) else {
            return Err(vec![Fault::new(Code::NothingFits, "nothing fits")]);
        };
        let Some(model) = models.get(*at) else {
            return Err(vec![Fault::new(Code::NothingFits, "nothing fits")]);
        };
        let what = match target {
            Target::Page(page) => {
                self.nothing_else(part, model, *page)?;
                What::Page(*page, model.page_name(*page).to_owned())
            }
            Target::Function(function) => {
                if let Some(word) = quantifier(part) {
                    return Err(vec![beyond(word)]);
                }
                let filling = Filling {
                    model,
                    function: *function,
                    part,
                    today: self.today,
                    splitter: self.lexical.splitter(),
                };
                What::Call(filling.call()?)
            }
        };
        Ok((*at, Aim { what, said, confidence: Some(best.confidence) }))
    }

    /// In an app with functions, what is said beside a page is something that is to be done there.
    fn nothing_else(&self, part: &[Token], model: &Model, id: PageId) -> Result<(), Vec<Fault>> {
        if model.vocabulary().actions().next().is_none() {
            return Ok(());
        }
        let splitter = self.lexical.splitter();
        let mut known = splitter.of_name(model.app());
        for (_, page) in model.pages().filter(|(other, _)| *other == id) {
            known.extend(splitter.of_name(page.name()));
            known.extend(splitter.of_name(page.description()));
        }
        let is_known = |stem: &str| known.iter().any(|other| splitter.likeness(stem, other) > 0.0);
        let idle = part.iter().filter(|token| {
            let words = splitter.of_sentence(&token.text);
            let number = token.low.starts_with(|c: char| c.is_ascii_digit());
            let says = token.quoted || number || words.iter().any(|word| word.weight >= 1.0);
            says && !token.is_one_of(NAVIGATION) && !words.iter().all(|word| is_known(&word.stem))
        });
        let idle: Vec<String> = idle.map(|token| format!("`{}`", shortened(&token.text))).collect();
        if idle.is_empty() {
            return Ok(());
        }
        let said = shortened(&text(part));
        let message = format!("no function fits `{said}`, and a page does nothing about {}", idle.join(", "));
        Err(vec![
            Fault::new(Code::NothingFits, message).help("use words of a function's name or description"),
        ])
    }

    fn refused(
        &self,
        refusal: &Refusal,
        said: &str,
        targets: &[(usize, Target, Candidate)],
        models: &[&Model],
    ) -> Fault {
        let is_page = |target: &Target| matches!(target, Target::Page(_));
        let pages_only = match refusal {
            Refusal::Opposite { nearest, .. } => {
                targets.get(nearest.index).is_some_and(|(_, target, _)| is_page(target))
            }
            Refusal::NothingFits { .. } => targets.iter().all(|(_, target, _)| is_page(target)),
            Refusal::Ambiguous { between } => {
                let mut between = between.iter().filter_map(|one| targets.get(one.index));
                between.all(|(_, target, _)| is_page(target))
            }
        };
        let fault = refusal.fault(if pages_only { "page" } else { "function" }, said);
        let Refusal::Ambiguous { between } = refusal else { return fault };
        let mut apps: Vec<&str> = between
            .iter()
            .filter_map(|one| targets.get(one.index))
            .filter_map(|(at, ..)| models.get(*at))
            .map(|model| model.app())
            .collect();
        apps.dedup();
        if apps.len() > 1 { fault.help(format!("they are of the apps {}", apps.join(", "))) } else { fault }
    }

    /// A part in two where both halves ask for something and the second starts with a word of what it asks for.
    fn split<'t>(&self, part: &'t [Token], models: &[&Model]) -> Vec<&'t [Token]> {
        let mut split = Vec::new();
        let mut rest = part;
        'more: loop {
            if split.len() >= SPLITS {
                split.push(trimmed(rest));
                return split;
            }
            for (one, other) in joints(rest).into_iter().take(JOINTS) {
                if self.asks(one, models) && self.asks(other, models) {
                    split.push(one);
                    rest = other;
                    continue 'more;
                }
            }
            split.push(trimmed(rest));
            return split;
        }
    }

    /// Whether a part by itself asks for something, and its first word says so.
    fn asks(&self, part: &[Token], models: &[&Model]) -> bool {
        let Some(first) = part.first().filter(|first| !first.quoted) else { return false };
        let all: Vec<usize> = (0..models.len()).collect();
        let targets = self.targets(part, models, &all);
        let candidates: Vec<Candidate> = targets.into_iter().map(|(_, _, candidate)| candidate).collect();
        let selection = self.lexical.rank(&text(part), &candidates);
        let splitter = self.lexical.splitter();
        let says = |name: &str| {
            let first = splitter.of_name(&first.text);
            let name = splitter.of_name(name);
            first.iter().any(|word| name.iter().any(|stem| splitter.likeness(word, stem) > 0.0))
        };
        let good = selection.ranked.iter().filter(|one| one.confidence >= selection.thresholds.least);
        first.is_one_of(NAVIGATION) && good.clone().next().is_some()
            || good.take(3).any(|one| says(&one.name))
    }
}

fn beyond(word: &Token) -> Fault {
    let message = format!("what `{}` does in a sentence is not understood by words", word.low);
    Fault::new(Code::NothingFits, message)
        .help("say what is to be done, in its order, without conditions; or let a language model read it")
}

/// A function with the words of its parameters.
fn function(model: &Model, id: ActionId) -> Candidate {
    let vocabulary = model.vocabulary();
    let function = vocabulary.action(id);
    let mut description = function.description().to_owned();
    for variable in vocabulary.state(function.arguments()).variables() {
        let variable = vocabulary.variable(variable);
        description.push_str(&format!(" {} {}", variable.name(), variable.description()));
        if let VariableType::Enum(enumeration) = variable.variable_type() {
            enumeration.names().for_each(|name| description.push_str(&format!(" {name}")));
        }
    }
    Candidate::new(function.name(), description)
}

/// Behind the others, in the app's step if that was the last.
pub(super) fn add(steps: &mut Vec<AppStep>, at: usize, models: &[&Model], aim: Aim) {
    match steps.last_mut() {
        Some(step) if step.model == at => step.aims.push(aim),
        _ => {
            let app = models.get(at).map(|model| model.app().to_owned()).unwrap_or_default();
            steps.push(AppStep { model: at, app, aims: vec![aim] });
        }
    }
}

impl Parser for ByWords {
    fn parse<'a>(&'a self, sentence: &'a str, models: &'a [&'a Model]) -> Parsing<'a> {
        Box::pin(async move {
            self.read(sentence, models).map_err(|wrong| ParseError::Misunderstood(Box::new(wrong)))
        })
    }
}
