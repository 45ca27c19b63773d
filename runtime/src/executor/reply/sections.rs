//! The parts of a reply: labels at the start of a line, with any Markdown around them.

use super::bounded;
use super::call::{self, AgentAction, Offer};
use super::problem::{ReplyProblem, Section};
use std::collections::BTreeMap;

/// The parts of a reply, each at most once.
#[derive(Debug, Default)]
pub(super) struct Sections {
    texts: BTreeMap<Section, String>,
    pub(super) action: Option<AgentAction>,
}

impl Sections {
    /// Reads the parts. With an offer, what follows `Action:` is read as a call, so that a label inside of
    /// its quoted text is text; without one, it is a text as the others are.
    pub(super) fn read(text: &str, offer: Option<&Offer>) -> Result<Sections, ReplyProblem> {
        bounded(text)?;
        let mut sections = Sections::default();
        let mut rest = text;
        let mut current: Option<(Section, String)> = None;
        while !rest.is_empty() {
            let (line, after) = match rest.find('\n') {
                Some(end) => rest.split_at(end + 1),
                None => (rest, ""),
            };
            let Some((section, content)) = label(line) else {
                if let Some((_, text)) = &mut current {
                    text.push_str(line);
                }
                rest = after;
                continue;
            };
            sections.put(current.take())?;
            match offer.filter(|_| section == Section::Action) {
                None => {
                    current = Some((section, content.to_owned()));
                    rest = after;
                }
                Some(offer) => {
                    if sections.action.is_some() {
                        return Err(ReplyProblem::Repeated { section });
                    }
                    let from = rest.get(line.len() - content.len()..).unwrap_or("");
                    let (action, left) = call::read(from, offer)?;
                    sections.action = Some(action);
                    rest = left;
                }
            }
        }
        sections.put(current)?;
        Ok(sections)
    }

    fn put(&mut self, section: Option<(Section, String)>) -> Result<(), ReplyProblem> {
        let Some((section, text)) = section else { return Ok(()) };
        let text = text.trim().trim_end_matches(['*', '`']).trim();
        if self.texts.insert(section, text.to_owned()).is_some() {
            return Err(ReplyProblem::Repeated { section });
        }
        Ok(())
    }

    /// The text of a part, if it says anything.
    pub(super) fn take(&mut self, section: Section) -> Option<String> {
        self.texts.remove(&section).filter(|text| !text.is_empty())
    }

    /// The text of a part.
    pub(super) fn need(&mut self, section: Section) -> Result<String, ReplyProblem> {
        self.take(section).ok_or(ReplyProblem::Missing { section })
    }
}

/// The label at the start of a line, and the rest of the line: `Action: …`, `**Action:** …`, `## Action`,
/// `1. Action: …`. Case does not matter.
pub(super) fn label(line: &str) -> Option<(Section, &str)> {
    let start = line.trim_start().trim_start_matches(['#', '*', '_', '-', '>', '`', ' ']);
    let start = match start.split_once(['.', ')']) {
        Some((number, rest)) if number.len() < 3 && number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start_matches(['*', '_', ' '])
        }
        _ => start,
    };
    let found = |section: &Section| {
        let name = section.name();
        start.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    let section = Section::ALL.into_iter().find(found)?;
    let after = start.get(section.name().len()..)?.trim_start_matches(['*', '_', '`', ' ']);
    let heading = line.trim_start().starts_with('#') && after.trim().is_empty();
    match after.strip_prefix([':', '：']) {
        Some(content) => {
            let bold = content.trim_start_matches(['*', '_']);
            Some((section, bold))
        }
        None => heading.then_some((section, after)),
    }
}
