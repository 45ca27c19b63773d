//! Numbers, telephone numbers, ordinals, money and units.

use super::tokens::{Item, Token, Word, tight, token};

/// The one spelling of a number whose separators leave no doubt, or none.
///
/// "1,000" may be a thousand or one, and stays as it is; "1,234,567" and
/// "1,234.56" can be read in one way only.
pub(super) fn canonical(raw: &str) -> Option<String> {
    grouped(raw, ',', '.').or_else(|| grouped(raw, '.', ',').filter(|_| raw.contains(',')))
}

fn grouped(raw: &str, group: char, point: char) -> Option<String> {
    let (whole, fraction) = match raw.split_once(point) {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (raw, None),
    };
    let mut groups = whole.split(group);
    let first = groups.next().unwrap_or_default();
    let rest: Vec<&str> = groups.collect();
    let certain = rest.len() >= 2 || (rest.len() == 1 && fraction.is_some());
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !certain
        || !digits(first)
        || first.len() > 3
        || first.starts_with('0')
        || rest.iter().any(|part| part.len() != 3 || !digits(part))
        || fraction.is_some_and(|part| !digits(part))
    {
        return None;
    }
    let whole = format!("{first}{}", rest.concat());
    Some(match fraction {
        Some(fraction) => format!("{whole}.{fraction}"),
        None => whole,
    })
}

/// Joins telephone numbers: international ones at the end of the text, and
/// numbers of three, three and four digits anywhere.
pub(super) fn join_phones(items: Vec<Item>) -> Vec<Item> {
    join(items, |items, at| {
        let free = at
            .checked_sub(1)
            .and_then(|before| token(items, before))
            .is_none_or(|before| matches!(before, Token::Word(_) | Token::Soft(_)));
        if !free {
            return None;
        }
        let plus = token(items, at) == Some(&Token::Symbol('+')) && tight(items, at + 1);
        let (groups, used) = digit_groups(items, at + usize::from(plus));
        let used = used + usize::from(plus);
        let digits = groups.concat();
        let ends = items.iter().skip(at + used).all(|item| matches!(item.token, Token::Soft(_)));
        let lengths: Vec<usize> = groups.iter().map(String::len).collect();
        // A group too long or too short is another number beside the telephone's.
        let (last, inner) = lengths.split_last()?;
        let grouped = inner.is_empty() || (*last >= 2 && inner.iter().all(|group| *group <= 5));
        let complete = match digits.strip_prefix('1') {
            Some(rest) => rest.len() == 10,
            None => (8..=15).contains(&digits.len()),
        };
        if plus && ends && grouped && complete {
            Some((Token::Phone(format!("+{digits}")), used))
        } else if !plus && lengths == [3, 3, 4] {
            Some((Token::Phone(digits), used))
        } else {
            None
        }
    })
}

/// The groups of digits from `start`, and how many items they span; groups are
/// separated by a space, a point or a hyphen, and may stand in parentheses.
fn digit_groups(items: &[Item], start: usize) -> (Vec<String>, usize) {
    let mut groups = Vec::new();
    let mut at = start;
    let mut end = start;
    // No number has more groups; the bound keeps a long row of numbers cheap.
    while groups.len() <= 8 {
        if !groups.is_empty() && token(items, at) == Some(&Token::Symbol('-')) {
            if !tight(items, at) || !tight(items, at + 1) {
                break;
            }
            at += 1;
        }
        let open = token(items, at) == Some(&Token::Symbol('('));
        at += usize::from(open);
        let Some(Token::Number(raw)) = token(items, at) else {
            break;
        };
        if raw.contains(',') {
            break;
        }
        at += 1;
        if open {
            if token(items, at) != Some(&Token::Symbol(')')) {
                break;
            }
            at += 1;
        }
        groups.extend(raw.split('.').map(str::to_owned));
        end = at;
    }
    (groups, end - start)
}

/// Joins "2nd" to the ordinal it is, if the ending is the right one.
pub(super) fn join_ordinals(items: Vec<Item>) -> Vec<Item> {
    join(items, |items, at| {
        let digits = token(items, at)?.digits()?;
        let ending = token(items, at + 1)?.word()?;
        let value: u32 = digits.parse().ok()?;
        let right = match (value % 10, value % 100) {
            (_, 11..=13) => "th",
            (1, _) => "st",
            (2, _) => "nd",
            (3, _) => "rd",
            _ => "th",
        };
        let whole = tight(items, at + 1) && !digits.starts_with('0') && ending == right;
        whole.then_some((Token::Ordinal(value), 2))
    })
}

/// Joins a number and the currency sign beside it; a sign between two numbers
/// belongs to the one it touches, and to none if it touches both or neither.
pub(super) fn join_money(items: Vec<Item>) -> Vec<Item> {
    join(items, |items, at| {
        if let Some(sign) = token(items, at).and_then(currency) {
            let Some(Token::Number(raw)) = token(items, at + 1) else {
                return None;
            };
            let second = at.checked_sub(1).is_some_and(|before| is_number(items, before));
            let contested = second && !leans(items, at + 1, at);
            return (!contested).then(|| (money(sign, raw), 2));
        }
        let Some(Token::Number(raw)) = token(items, at) else {
            return None;
        };
        let sign = token(items, at + 1).and_then(currency)?;
        let contested = is_number(items, at + 2) && !leans(items, at + 1, at + 2);
        (!contested).then(|| (money(sign, raw), 2))
    })
}

/// Whether there is white space before the item at `gap`, and none before the
/// one at `touch`.
fn leans(items: &[Item], touch: usize, gap: usize) -> bool {
    tight(items, touch) && !tight(items, gap)
}

fn is_number(items: &[Item], at: usize) -> bool {
    matches!(token(items, at), Some(Token::Number(_)))
}

fn currency(token: &Token) -> Option<char> {
    match token {
        Token::Symbol(sign @ ('$' | '€' | '£' | '¥' | '₹' | '₩' | '₽' | '₺' | '₫' | '฿')) => {
            Some(*sign)
        }
        Token::Word(word) if matches!(word.text.as_str(), "eur" | "euro" | "euros") => Some('€'),
        _ => None,
    }
}

/// Two zeros behind a point or comma can only be cents.
fn money(sign: char, raw: &str) -> Token {
    let amount = raw.strip_suffix(".00").or_else(|| raw.strip_suffix(",00")).unwrap_or(raw);
    Token::Money { sign, amount: amount.to_owned() }
}

/// Gives a unit behind a number its one name, and keeps its case where "m" and
/// "M" differ.
pub(super) fn settle_units(mut items: Vec<Item>) -> Vec<Item> {
    for at in 1..items.len() {
        let measured = matches!(token(&items, at - 1), Some(Token::Number(_) | Token::Money { .. }));
        if let Some(item) = items.get_mut(at)
            && measured
        {
            settle_unit(&mut item.token);
        }
    }
    items
}

fn settle_unit(token: &mut Token) {
    let Token::Word(Word { text, written, .. }) = token else {
        return;
    };
    let name = match text.as_str() {
        "percent" => {
            *token = Token::Symbol('%');
            return;
        }
        "m" | "k" | "g" | "t" | "c" | "f" | "mb" | "kb" | "gb" | "tb" | "pb" | "mw" | "ma" | "mg" | "mj"
        | "mv" | "pa" | "mpa" | "mhz" | "mbps" | "kbps" | "gbps" | "mbit" => written,
        "min" | "mins" | "minute" | "minutes" => "minutes",
        "hr" | "hrs" | "hour" | "hours" => "hours",
        "sec" | "secs" | "second" | "seconds" => "seconds",
        "kgs" | "kilogram" | "kilograms" => "kg",
        "kms" | "kilometer" | "kilometers" => "km",
        "centimeter" | "centimeters" => "cm",
        "lbs" => "lb",
        _ => return,
    };
    *text = name.to_owned();
}

/// Replaces every run of items that `read` recognises by one token; `read`
/// tells the token and how many items it spans.
pub(super) fn join(items: Vec<Item>, read: impl Fn(&[Item], usize) -> Option<(Token, usize)>) -> Vec<Item> {
    let mut joined = Vec::with_capacity(items.len());
    let mut at = 0;
    while let Some(item) = items.get(at) {
        match read(&items, at) {
            Some((token, used)) if used > 0 => {
                joined.push(Item { token, spaced: item.spaced });
                at += used;
            }
            _ => {
                joined.push(item.clone());
                at += 1;
            }
        }
    }
    joined
}
