//! What stands around the rules of an answer: thoughts, fences, prose, Markdown.

use super::tokens::{Kind, Token, tokens};
use super::{Edit, Slip};
use crate::language_model::objects;
use intentgate_engine::json;
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;

/// Arrows in all spellings, those of other languages included: a line that has one is no prose.
const ARROWS: &[&str] = &["->", "→", "=>", "⇒", "⟶", "⟹", "➔", "➜", "–>", "—>", ":-", "<-", "←", "⊢"];
/// Signs of constraints.
const SIGNS: &[char] =
    &['=', '<', '>', '~', '≤', '≥', '≠', '≃', '≈', '∧', '∈', '∉', '⊆', '⊈', '⊇', '⊉', '＝', '＜', '＞'];

/// Takes out thoughts before the answer and the fence around it. Of several fences with different contents none is
/// the answer's, and one is not all of it where rules may stand outside: nothing is dropped that could be one.
pub(super) fn around(answer: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let space = answer.len() - answer.trim_start().len();
    let rest = answer.get(space..).unwrap_or_default();
    let from = match rest.strip_prefix("<think>").and_then(|after| after.find("</think>")) {
        Some(at) => {
            let end = space + "<think>".len() + at + "</think>".len();
            edits.push(Edit::new(space, end, "", Slip::Thoughts));
            end
        }
        None => 0,
    };
    let blocks = blocks(answer, from);
    let mut contents: Vec<&str> =
        blocks.iter().filter_map(|block| answer.get(block.0..block.1)).map(str::trim).collect();
    contents.sort_unstable();
    contents.dedup();
    // An empty fence is none.
    contents.retain(|content| !content.is_empty());
    let first =
        blocks.iter().find(|block| answer.get(block.0..block.1).is_some_and(|text| !text.trim().is_empty()));
    if rules_outside(answer, from, &blocks) {
        return edits;
    }
    if let ([_], Some((start, end))) = (contents.as_slice(), first) {
        edits.push(Edit::new(from, *start, "", Slip::Fence));
        edits.push(Edit::new(*end, answer.len(), "", Slip::Fence));
    }
    edits
}

/// Takes out the words around the JSON form: the one object of the answer, if it has rules and no rule stands outside.
pub(super) fn around_object(answer: &str) -> Vec<Edit> {
    let objects = objects(answer);
    let [object] = objects.as_slice() else { return Vec::new() };
    let Some((before, behind)) = answer.split_once(object) else { return Vec::new() };
    let outside = || [before, behind].into_iter().filter(|text| !text.trim().is_empty());
    let is_form = json::parse(&Source::new("draft", *object), &Limits::default())
        .is_ok_and(|node| node.get("rules").is_some());
    let rules = outside().any(may_be_a_rule);
    if outside().next().is_none() || !is_form || rules {
        return Vec::new();
    }
    let end = before.len() + object.len();
    let edits = [Edit::new(0, before.len(), "", Slip::Prose), Edit::new(end, answer.len(), "", Slip::Prose)];
    edits.into_iter().filter(|edit| edit.span.start() < edit.span.end()).collect()
}

/// Whether what stands outside of fences may be a rule.
fn rules_outside(answer: &str, from: usize, blocks: &[(usize, usize)]) -> bool {
    let mut at = from;
    let ends = blocks.iter().copied().chain([(answer.len(), answer.len())]);
    ends.into_iter().any(|(start, end)| {
        let outside = answer.get(at..start).unwrap_or_default();
        at = end;
        may_be_a_rule(outside)
    })
}

/// Whether a text that would be dropped may say a rule, or a part of one: it has an arrow, a name with parentheses that
/// starts with a capital letter, as states do, the word `Never`, or rules in JSON.
pub(super) fn may_be_a_rule(text: &str) -> bool {
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '('))).collect();
    let names = |word: &&str| word.contains('(') && word.chars().next().is_some_and(char::is_uppercase);
    ARROWS.iter().chain(["▶", "↦", "&gt;"].iter()).any(|arrow| text.contains(arrow))
        || words.iter().any(|word| names(word) || *word == "Never")
        || text.contains("\"rules\"")
}

/// From where to where the contents of code fences go.
fn blocks(answer: &str, from: usize) -> Vec<(usize, usize)> {
    let (mut blocks, mut open, mut at) = (Vec::new(), None, 0);
    for line in answer.split_inclusive('\n') {
        let end = at + line.len();
        if at >= from && line.trim_start().starts_with("```") {
            open = match open {
                Some(start) => {
                    blocks.push((start, at));
                    None
                }
                None => Some(end),
            };
        }
        at = end;
    }
    blocks.extend(open.map(|start| (start, answer.len())));
    blocks
}

/// Takes out sentences before the first rule and behind the last one.
pub(super) fn prose(text: &str) -> Vec<Edit> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line));
        at += line.len();
    }
    let leaves = |(_, line): &&(usize, &str)| line.trim().is_empty() || is_prose(line);
    let first = lines.iter().take_while(leaves).count();
    let last = lines.iter().rev().take_while(leaves).count();
    if first == lines.len() {
        return Vec::new();
    }
    let mut edits = Vec::new();
    let mut take_out = |some: &[(usize, &str)]| {
        let (Some((start, _)), Some((end, line))) = (some.first(), some.last()) else { return };
        if some.iter().any(|(_, line)| !line.trim().is_empty()) {
            edits.push(Edit::new(*start, end + line.len(), "", Slip::Prose));
        }
    };
    take_out(lines.get(..first).unwrap_or_default());
    take_out(lines.get(lines.len() - last..).unwrap_or_default());
    edits
}

/// Whether a line is a sentence, and certainly no part of a rule: no arrow, no operator, no name with parentheses, and
/// an end or several words in a row.
fn is_prose(line: &str) -> bool {
    let line = line.trim();
    let says = ARROWS.iter().any(|arrow| line.contains(arrow)) || line.contains(SIGNS);
    if says || line.starts_with('#') || line == "standing" {
        return false;
    }
    let tokens = tokens(line);
    let opens = tokens.windows(2).any(|pair| match pair {
        [name, sign] => name.is_word() && sign.is("("),
        _ => false,
    });
    let words: Vec<&Token<'_>> = tokens.iter().filter(|token| token.kind != Kind::Space).collect();
    let in_a_row = words.windows(3).any(|three| three.iter().all(|token| token.is_name()));
    let goes_on = words.iter().any(|token| token.is("and") && words.len() <= 3);
    !opens && !goes_on && (in_a_row || line.ends_with(['.', ':', '!', '?']))
}

/// Takes out bullets, numbers, bold type and backticks.
pub(super) fn markup(text: &str) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut at = 0;
    // What is taken away and what is put in its place are no bullets.
    let starts = |sign: &str| text.lines().any(|line| line.trim_start().starts_with(sign));
    let changes = starts("- ") && starts("+ ");
    for line in text.split_inclusive('\n') {
        let space = line.len() - line.trim_start_matches([' ', '\t']).len();
        let rest = line.get(space..).unwrap_or_default();
        if let Some((length, with)) = bullet(rest).filter(|_| !changes) {
            edits.push(Edit::new(at + space, at + space + length, with, Slip::Markup));
        }
        at += line.len();
    }
    let signs = tokens(text);
    let signs: Vec<&Token<'_>> = signs.iter().filter(|token| token.kind == Kind::Sign).collect();
    for (number, sign) in signs.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|before| signs.get(before));
        let after = signs.get(number + 1);
        let beside = |other: Option<&&Token<'_>>| {
            other.is_some_and(|other| {
                other.text == sign.text && (other.end() == sign.start || sign.end() == other.start)
            })
        };
        let bold = sign.is("*") && (beside(before.copied().as_ref()) || beside(after.copied().as_ref()));
        // Three in a row are a fence, of which there are several, or rules outside.
        let fence = sign.is("`") && in_a_row(text, sign.start, "```");
        if (sign.is("`") && !fence) || bold {
            edits.push(Edit::new(sign.start, sign.end(), "", Slip::Markup));
        }
    }
    edits
}

/// Whether a sign is part of so many in a row.
fn in_a_row(text: &str, at: usize, signs: &str) -> bool {
    (0..signs.len()).any(|before| {
        at.checked_sub(before).and_then(|start| text.get(start..start + signs.len())) == Some(signs)
    })
}

/// What a line starts with that is none of a rule: its length, and what is to stand there.
fn bullet(line: &str) -> Option<(usize, String)> {
    for sign in ["- ", "* ", "+ ", "> ", "• ", "– "] {
        if line.starts_with(sign) {
            return Some((sign.len(), String::new()));
        }
    }
    let word = line.find(|c: char| !c.is_ascii_alphabetic())?;
    let (word, rest) = line.split_at_checked(word)?;
    let gap = rest.len() - rest.trim_start_matches(' ').len();
    let digits = rest.get(gap..)?;
    let length = digits.find(|c: char| !c.is_ascii_digit())?;
    let sign = digits.get(length..)?.chars().next()?;
    let followed = digits.get(length + sign.len_utf8()..)?.starts_with([' ', '\t']);
    if length == 0 || !followed || !matches!(sign, '.' | ')' | ':') {
        return None;
    }
    let whole = word.len() + gap + length + sign.len_utf8();
    let number = digits.get(..length)?;
    match word {
        "" => Some((whole + 1, String::new())),
        // A label, with something else behind it or a space in it.
        _ if sign != ':' || gap > 0 => Some((whole, format!("{word}{number}:"))),
        _ => None,
    }
}
