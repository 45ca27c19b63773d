//! Mechanical mends of a draft: slips that can be put right in exactly one way, so that no call is spent on them.
//!
//! A mend never changes what a draft says: it is tried only where the draft can't be read or checked as it stands,
//! it touches no text in quotes, and where two mends are possible there is none. What may be another word, another
//! operator, or a rule, is no slip. Each is noted with what and where.
//! What a rule for `Done` would have to say is no slip: a draft without one goes back. Knows the language and a
//! vocabulary, nothing of models and sentences.

mod answer;
mod balance;
mod characters;
mod dates;
mod literals;
mod names;
mod slips;
mod tokens;
mod words;

use intentgate_engine::check::{self, Checked};
use intentgate_engine::diagnostic::Problems;
use intentgate_engine::input::on_one_line;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::{Source, Span};
use intentgate_engine::syntax;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What kind of slip it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Slip {
    /// Thoughts before the answer.
    Thoughts,
    /// A code fence around the answer.
    Fence,
    /// Sentences before or behind the rules.
    Prose,
    /// Bullets, numbers, bold type or backticks of Markdown.
    Markup,
    /// Other quotes than `"`.
    Quotes,
    /// A full-width character, or one that can't be seen, outside of texts.
    Character,
    /// An operator or arrow in another spelling.
    Operator,
    /// A word of the language in other letters.
    Word,
    /// `,`, `;` or `and` in the place of one another.
    Separator,
    /// A comment of another language.
    Comment,
    /// A parenthesis too many or too few.
    Parenthesis,
    /// A text without its other quote.
    TextEnd,
    /// A literal in another spelling.
    Literal,
    /// A misspelt name, or one in other letters.
    Name,
    /// A label that stands twice.
    Label,
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Slip::Thoughts => "thoughts before the answer",
            Slip::Fence => "code fence around the answer",
            Slip::Prose => "prose around the rules",
            Slip::Markup => "Markdown",
            Slip::Quotes => "other quotes",
            Slip::Character => "full-width or invisible character",
            Slip::Operator => "other spelling of an operator",
            Slip::Word => "other spelling of a word",
            Slip::Separator => "wrong separator",
            Slip::Comment => "comment of another language",
            Slip::Parenthesis => "unbalanced parentheses",
            Slip::TextEnd => "unbalanced quotes",
            Slip::Literal => "other spelling of a value",
            Slip::Name => "misspelt name",
            Slip::Label => "label that stands twice",
        })
    }
}

/// What was mended, and where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mend {
    /// What kind of slip it was.
    pub slip: Slip,
    /// What stood there.
    pub from: String,
    /// What stands there now; nothing if it was taken out.
    pub to: String,
    /// The line, from 1, in the text as it was before this mend; of names in the JSON form, in its text form.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
}

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |text: &str| {
            let cut: String = text.chars().take(60).collect();
            let more = if cut.len() < text.len() { "…" } else { "" };
            format!("`{}{more}`", on_one_line(&cut.replace('\n', "⏎")))
        };
        write!(f, "{}:{}: {}: ", self.line, self.column, self.slip)?;
        match (self.from.is_empty(), self.to.is_empty()) {
            (true, _) => write!(f, "{} put in", shown(&self.to)),
            (_, true) => write!(f, "{} taken out", shown(&self.from)),
            _ => write!(f, "{} for {}", shown(&self.to), shown(&self.from)),
        }
    }
}

/// A draft after the mends that it needed.
#[derive(Debug)]
pub struct Mended {
    /// The text.
    pub text: String,
    /// What was mended, in the order in which it was.
    pub mends: Vec<Mend>,
    /// What the checker says of the text.
    pub checked: Result<Checked, Problems>,
}

/// A change of a text, still to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Edit {
    span: Span,
    with: String,
    slip: Slip,
}

impl Edit {
    fn new(start: usize, end: usize, with: impl Into<String>, slip: Slip) -> Edit {
        Edit { span: Span::new(start, end), with: with.into(), slip }
    }
}

/// The name under which a draft is shown.
const NAME: &str = "draft";
/// How many mends by the checker's word one draft gets.
const MOST_NAMES: usize = 40;
/// Rules longer than this, in bytes, are not mended but checked as they are: no specification of a sentence is that
/// long.
const LONGEST: usize = 10_000;
/// More slips of one kind than this are none.
const MOST_EDITS: usize = 300;

/// A way to mend what can't be read.
type Way = fn(&str) -> Vec<Edit>;

/// In the order in which they are tried; the next only if the text still can't be read.
const WAYS: &[Way] = &[
    answer::markup,
    characters::quotes,
    characters::characters,
    words::comments,
    words::words,
    literals::literals,
    balance::texts,
    balance::parentheses,
];

/// Reads and checks what a model answered, mended where that is mechanical. The text is as it was answered, without
/// what stands around it, if the mends did not lead to one that can be used. Rules of more than 10,000 bytes are not mended;
/// below that it reads the text at most some 60 times.
pub fn mended(answer: &str, vocabulary: &Arc<Vocabulary>, limits: &Limits) -> Mended {
    let mut text = Text { text: answer.to_owned(), mends: Vec::new() };
    text.make(answer::around(&text.text));
    if text.text.len() > LONGEST {
        return text.checked(vocabulary, limits);
    }
    text.make(answer::around_object(&text.text));
    if text.text.trim_start().starts_with('{') {
        return text.json(vocabulary, limits);
    }
    if !reads(&text.text, limits) {
        text.read(limits);
    }
    let as_read = text.checked(vocabulary, limits);
    match &as_read.checked {
        Ok(_) => as_read,
        Err(problems) if !reads(&as_read.text, limits) || !problems.has_errors() => as_read,
        Err(_) => names::mended(&as_read, vocabulary, limits).unwrap_or(as_read),
    }
}

/// A text on its way.
#[derive(Debug, Clone)]
struct Text {
    text: String,
    mends: Vec<Mend>,
}

impl Text {
    fn make(&mut self, edits: Vec<Edit>) {
        let mends = make(&mut self.text, edits);
        self.mends.extend(mends);
    }

    /// Mends until it can be read; as it was if that does not come about.
    fn read(&mut self, limits: &Limits) {
        let before = self.clone();
        self.make(answer::prose(&self.text));
        // What one way mends may be what another one stumbled over.
        for way in WAYS.iter().chain(WAYS) {
            if reads(&self.text, limits) {
                return;
            }
            self.make(way(&self.text));
        }
        if !reads(&self.text, limits) {
            *self = before;
        }
    }

    /// The JSON form: its names are mended in the text form, which then takes its place.
    fn json(self, vocabulary: &Arc<Vocabulary>, limits: &Limits) -> Mended {
        let as_read = self.clone().checked(vocabulary, limits);
        if as_read.checked.is_ok() {
            return as_read;
        }
        let source = Source::new(NAME, self.text.as_str());
        let Ok(tree) = syntax::json::parse(&source, limits) else { return as_read };
        let spelled = Text { text: tree.print(syntax::Spelling::Ascii), mends: self.mends };
        names::mended(&spelled.checked(vocabulary, limits), vocabulary, limits).unwrap_or(as_read)
    }

    fn checked(self, vocabulary: &Arc<Vocabulary>, limits: &Limits) -> Mended {
        let source = Source::new(NAME, self.text.as_str());
        let checked = check::specification(&source, vocabulary, limits);
        Mended { text: self.text, mends: self.mends, checked }
    }
}

fn reads(text: &str, limits: &Limits) -> bool {
    !syntax::parse(&Source::new(NAME, text), limits).problems.has_errors()
}

/// Makes changes that don't overlap; of two that do the earlier one.
fn make(text: &mut String, mut edits: Vec<Edit>) -> Vec<Mend> {
    if edits.len() > MOST_EDITS {
        return Vec::new();
    }
    edits.sort_by_key(|edit| edit.span);
    let before = Source::new(NAME, text.as_str());
    let (mut made, mut after, mut at) = (Vec::new(), String::with_capacity(text.len()), 0);
    for edit in edits {
        let Some(kept) = before.text().get(at..edit.span.start()) else { continue };
        after.push_str(kept);
        after.push_str(&edit.with);
        at = edit.span.end();
        let position = before.position(edit.span.start());
        made.push(Mend {
            slip: edit.slip,
            from: before.slice(edit.span).to_owned(),
            to: edit.with,
            line: position.line,
            column: position.column,
        });
    }
    after.push_str(before.text().get(at..).unwrap_or_default());
    *text = after;
    made
}
