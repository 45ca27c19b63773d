//! What a reader has kept so far: pages by name, transitions that count those that say the same.
//!
//! Knows the declaration; must never know a foreign form.

use super::{Form, Imported, Left, Options, Reason, Report, What};
use crate::planner::declare::{App, Page, Transition};
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::span::{Source, Span};
use intentgate_engine::suggest;
use std::collections::HashMap;

/// How many pages are tried as the start, where the form doesn't say it.
const CANDIDATES: usize = 64;

/// Pages and transitions that were kept.
#[derive(Debug, Default)]
pub(super) struct Collected {
    pages: Vec<Page>,
    by_name: HashMap<String, usize>,
    transitions: Vec<(usize, usize, Transition)>,
    by_label: HashMap<(usize, usize, String), usize>,
    merged: usize,
}

impl Collected {
    /// A page, once. The description is the first that isn't empty.
    pub(super) fn page(&mut self, name: &str, description: &str) -> usize {
        let place = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            self.pages.push(Page { name: name.to_owned(), ..Page::default() });
            self.pages.len() - 1
        });
        if let Some(page) = self.pages.get_mut(place)
            && page.description.is_empty()
            && description != name
        {
            description.clone_into(&mut page.description);
        }
        place
    }

    /// A transition. One that says the same as another is counted with it.
    pub(super) fn transition(&mut self, from: usize, to: usize, kept: Transition) {
        self.keyed(from, to, kept.event.clone(), kept);
    }

    /// A transition of which a key tells what it says.
    pub(super) fn keyed(&mut self, from: usize, to: usize, key: String, kept: Transition) {
        let key = (from, to, key);
        match self.by_label.get(&key) {
            Some(place) => {
                self.merged += 1;
                if let Some((_, _, known)) = self.transitions.get_mut(*place) {
                    known.count = match (known.count, kept.count) {
                        (Some(before), Some(more)) => Some(before.saturating_add(more)),
                        (before, more) => before.or(more),
                    };
                    // The cheaper of two ways that say the same.
                    known.cost = match (known.cost.unwrap_or(1), kept.cost.unwrap_or(1)) {
                        (1, _) | (_, 1) => None,
                        (one, other) => Some(one.min(other)),
                    };
                }
            }
            None => {
                self.by_label.insert(key, self.transitions.len());
                self.transitions.push((from, to, kept));
            }
        }
    }

    /// The page from which most others can be reached, among those that nothing else leads to, if there are any;
    /// of several the first.
    pub(super) fn likely_start(&self) -> Option<usize> {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.pages.len()];
        let mut led_to = vec![false; self.pages.len()];
        for (from, to, _) in self.transitions.iter().filter(|(from, to, _)| from != to) {
            if let Some(next) = next.get_mut(*from) {
                next.push(*to);
            }
            if let Some(led_to) = led_to.get_mut(*to) {
                *led_to = true;
            }
        }
        let leads = |page: &usize| next.get(*page).is_some_and(|next| !next.is_empty());
        let leading: Vec<usize> = (0..self.pages.len()).filter(leads).collect();
        let first = |page: &usize| led_to.get(*page) == Some(&false);
        let firsts: Vec<usize> = leading.iter().copied().filter(first).collect();
        let candidates = if firsts.is_empty() { leading } else { firsts };
        let reached = |page: usize| {
            let mut seen = vec![false; self.pages.len()];
            let mut open = vec![page];
            let mut count = 0usize;
            while let Some(page) = open.pop() {
                if let Some(seen) = seen.get_mut(page)
                    && !std::mem::replace(seen, true)
                {
                    count += 1;
                    open.extend(next.get(page).into_iter().flatten());
                }
            }
            count
        };
        let best = candidates.into_iter().take(CANDIDATES).map(|page| (page, reached(page)));
        let best = best.reduce(|best, one| if one.1 > best.1 { one } else { best });
        best.map(|(page, _)| page).or((!self.pages.is_empty()).then_some(0))
    }

    /// The page that the caller names as the start: by its name, or by a class name that its description is or
    /// ends with.
    fn named(&self, name: &str) -> Result<usize, Fault> {
        if let Some(place) = self.by_name.get(name) {
            return Ok(*place);
        }
        let end = format!(".{}", name.trim_start_matches('.'));
        let fits = |page: &Page| page.description == name || page.description.ends_with(&end);
        let fitting: Vec<usize> =
            (0..).zip(&self.pages).filter(|(_, page)| fits(page)).map(|(at, _)| at).collect();
        if let [one] = fitting.as_slice() {
            return Ok(*one);
        }
        let known: Vec<&str> = self.pages.iter().map(|page| page.name.as_str()).collect();
        let message = format!("there is no page `{}` to start on", shortened(name));
        Err(Fault::new(Code::UnknownPage, message).help(suggest::known(name, "pages", known)))
    }

    pub(super) fn page_name(&self, place: usize) -> &str {
        self.pages.get(place).map_or("", |page| page.name.as_str())
    }

    /// All of it as a declaration with its report. Without a start the likely one is taken, with a warning.
    pub(super) fn finish(
        mut self,
        form: Form,
        source: &Source,
        options: &Options,
        app: &str,
        start: Option<usize>,
        rest: Rest,
    ) -> Result<Imported, Problems> {
        let Rest { left, mut warnings, targets, all_targets, variables } = rest;
        if self.pages.is_empty() {
            let message = "nothing of it makes a model: it holds no page";
            let nothing = Diagnostic::new(Code::NoModel, Span::default(), message);
            // What was odd says why.
            let mut problems = warnings.into_iter().find(|problems| problems.source() == source);
            let problems = problems.get_or_insert_with(|| Problems::new(source.clone()));
            problems.push(nothing);
            return Err(problems.clone());
        }
        let start = match (&options.start, start) {
            (Some(name), _) => {
                self.named(name).map_err(|fault| Problems::one(source.clone(), fault.at(Span::default())))?
            }
            (None, Some(start)) => start,
            (None, None) => {
                let start = self.likely_start().unwrap_or(0);
                let message = format!(
                    "the start is not in the file; taken for it: `{}`, from which most pages can be reached",
                    shortened(self.page_name(start))
                );
                let guess = Diagnostic::new(Code::GuessedStart, Span::default(), message);
                let guess = guess.help("name the page on which the app starts");
                match warnings.iter_mut().find(|problems| problems.source() == source) {
                    Some(problems) => problems.push(guess),
                    None => warnings.insert(0, Problems::one(source.clone(), guess)),
                }
                start
            }
        };
        let report = Report {
            form,
            pages: self.pages.len(),
            transitions: self.transitions.len(),
            merged: self.merged,
            left_out: left.list(),
        };
        let start = self.page_name(start).to_owned();
        let app = App {
            app: options.app.clone().unwrap_or_else(|| app.to_owned()),
            start,
            pages: std::mem::take(&mut self.pages),
            variables,
            transitions: self.transitions.into_iter().map(|(_, _, transition)| transition).collect(),
            ..App::default()
        };
        warnings.retain(|problems| !problems.is_empty());
        warnings.iter_mut().for_each(Problems::sort);
        Ok(Imported { app, targets, all_targets, report, warnings })
    }
}

/// What else a reader has to say at its end.
#[derive(Debug, Default)]
pub(super) struct Rest {
    pub(super) left: Left,
    pub(super) warnings: Vec<Problems>,
    pub(super) targets: Vec<String>,
    pub(super) all_targets: bool,
    pub(super) variables: Vec<crate::planner::declare::Configured>,
}

/// Something left out, counted and said.
pub(super) fn leave(
    left: &mut Left,
    problems: &mut Problems,
    what: What,
    reason: Reason,
    diagnostic: Diagnostic,
) {
    left.out(what, reason);
    problems.push(diagnostic);
}
