//! Random vocabularies are not needed, random specifications and events are: small domains, so that
//! things meet, and every feature of the language in reach.

/// A small, fast, seeded generator (SplitMix64): the same seed gives the same case for ever.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// A generator for one case.
    pub fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.bits() % (bound.max(1) as u64)) as usize
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of them.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        let at = self.below(from.len());
        from.get(at).copied().unwrap_or_else(|| from[0])
    }
}

/// The vocabulary of random cases: every type and every attribute that matters to the gate.
pub const APP: &str = r#"{
  "app": "Random",
  "states": [
    {"name": "A", "description": "", "variables": [
      {"t": "Text"}, {"n": "Number"}, {"b": "Boolean"}, {"d": "Date"}, {"h": "Time"},
      {"name": "e", "type": "Enum", "values": ["x", "y", "z"], "ordered": true}]},
    {"name": "B", "description": "", "variables": [
      {"name": "t", "type": "Text", "ignore_case": true},
      {"name": "n", "type": "Number", "source": "app"},
      {"name": "m", "type": "Number", "max_age": 3}]},
    {"name": "C", "description": "", "variables": [
      {"u": "Text"}, {"w": "Number"},
      {"name": "v", "type": "Number", "reset_by": ["A.n", "C.u"]},
      {"name": "x", "type": "Boolean", "reset_by": ["C.v"]}]}
  ],
  "actions": [
    {"name": "Go", "description": ""},
    {"name": "Pay", "description": "", "arguments": [{"amount": "Number"}, {"to": "Text"}]}
  ]
}"#;

/// Every variable with its type's letter: Text, Number, Boolean, Date, Time (h), Enum.
pub const VARIABLES: &[(&str, &str, char)] = &[
    ("A", "t", 't'),
    ("A", "n", 'n'),
    ("A", "b", 'b'),
    ("A", "d", 'd'),
    ("A", "h", 'h'),
    ("A", "e", 'e'),
    ("B", "t", 't'),
    ("B", "n", 'n'),
    ("B", "m", 'n'),
    ("C", "u", 't'),
    ("C", "w", 'n'),
    ("C", "v", 'n'),
    ("C", "x", 'b'),
];

const TEXTS: &[&str] = &[
    "\"R\"",
    "\"S\"",
    "\"r \"",
    "\"Room 5\"",
    "\"the room 5 hall\"",
    "\"Room 5 or R\"",
    "\"p\\u{430}ypal\"",
    "\"paypal\"",
    "\"restaurant\"",
    "\"resturant\"",
    "\"R&D Bistro\"",
    "\"RD bistro\"",
    "\"\"",
];
const NUMBERS: &[&str] = &["-1", "0", "1", "1.50", "2", "1e2"];
const DATES: &[&str] = &["today", "tomorrow", "yesterday", "2026-11-21", "2026-11-22", "today + 2"];
const TIMES: &[&str] = &["18:59:59", "19:00", "7 pm", "00:00"];
const ENUMERATORS: &[&str] = &["x", "y", "z"];

/// A literal for a type.
pub fn literal(dice: &mut Dice, kind: char) -> String {
    dice.pick(match kind {
        't' => TEXTS,
        'n' => NUMBERS,
        'b' => &["true", "false"],
        'd' => DATES,
        'h' => TIMES,
        _ => ENUMERATORS,
    })
    .to_owned()
}

fn constraint(dice: &mut Dice, variable: &str, kind: char) -> String {
    if dice.chance(12) {
        let same: Vec<String> = VARIABLES
            .iter()
            .filter(|(_, _, other)| *other == kind && kind != 'e')
            .map(|(state, name, _)| format!("{state}.{name}"))
            .collect();
        if !same.is_empty() {
            let operator = dice.pick(&["=", "!="]);
            return format!("{variable} {operator} {}", same[dice.below(same.len())]);
        }
    }
    if dice.chance(12) {
        let first = literal(dice, kind);
        let second = literal(dice, kind);
        // 7 pm and 19:00 are the same element, and so are today and the date of today.
        let twice = first == second || kind == 'h' || kind == 'd';
        let list = if twice { first } else { format!("{first}, {second}") };
        return format!("{variable} {} [{list}]", dice.pick(&["in", "not in"]));
    }
    let operators: &[&str] = match kind {
        't' => &["=", "=", "!=", "~", "in", "not in", "contains", "not contains"],
        'b' => &["=", "!="],
        _ => &["=", "!=", "<", "<=", ">", ">="],
    };
    format!("{variable} {} {}", dice.pick(operators), literal(dice, kind))
}

fn state(dice: &mut Dice, arguments: bool) -> String {
    if arguments && dice.chance(25) {
        let (name, kind) = if dice.chance(50) { ("amount", 'n') } else { ("to", 't') };
        return format!("Pay({})", constraint(dice, name, kind));
    }
    let (state, _, _) = VARIABLES[dice.below(VARIABLES.len())];
    let own: Vec<_> = VARIABLES.iter().filter(|(of, _, _)| *of == state).collect();
    let count = dice.below(3);
    let constraints: Vec<String> = (0..count)
        .map(|_| {
            let (_, name, kind) = own[dice.below(own.len())];
            constraint(dice, name, *kind)
        })
        .collect();
    format!("{state}({})", constraints.join(", "))
}

/// A random specification: well-formed, without cycles, with `Done` unless it is standing.
pub fn specification(dice: &mut Dice) -> String {
    // A body names only objectives further left, so that nothing needs itself.
    const HEADS: &[&str] = &["M1", "M2", "Go", "M3", "Pay", "M4", "Done"];
    let standing = dice.chance(10);
    let mut heads: Vec<usize> = (0..1 + dice.below(5)).map(|_| dice.below(HEADS.len() - 1)).collect();
    if !standing {
        heads.push(HEADS.len() - 1);
    }
    let mut text = if standing { "standing\n".to_owned() } else { String::new() };
    let known = heads.clone();
    for head in heads {
        let mut parts: Vec<String> = (0..1 + dice.below(3)).map(|_| state(dice, true)).collect();
        for other in &known {
            if *other < head && dice.chance(25) {
                parts.push(HEADS[*other].to_owned());
            }
        }
        text.push_str(&format!("{} -> {}\n", parts.join(" and "), HEADS[head]));
    }
    if dice.chance(30) {
        let named: Vec<&str> = known.iter().map(|head| HEADS[*head]).collect();
        text.push_str(&prohibition(dice, &named));
    }
    text
}

fn prohibition(dice: &mut Dice, named: &[&str]) -> String {
    let mut parts: Vec<String> = (0..dice.below(3)).map(|_| state(dice, true)).collect();
    for name in ["Go", "Pay"].iter().chain(named) {
        if *name != "Done" && dice.chance(25) {
            parts.push((*name).to_owned());
        }
    }
    if parts.is_empty() {
        parts.push(state(dice, true));
    }
    format!("{} -> Never\n", parts.join(" and "))
}

/// A random policy.
pub fn policy(dice: &mut Dice) -> String {
    (0..1 + dice.below(2)).map(|_| prohibition(dice, &[])).collect()
}
