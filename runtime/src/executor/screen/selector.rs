//! What tells an element from the others, and finding it by that: exactly one, or an error.

use super::outline::{Outline, line};
use super::{Bounds, Element, ElementId, Screen};
use intentgate_engine::text::normal;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an element has to be: everything that is given must fit. Only elements that are shown count.
///
/// In JSON an object with the keys that are given: `{"resource_id": "com.app:id/send"}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Selector {
    /// Its resource id, letter by letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<String>,
    /// Its description, after NFC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its text, after NFC. Fits no password field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The text or the description of something that stands in it, after NFC: what tells the rows of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contains: Option<String>,
    /// Its class, letter by letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// The published name, see [`Screen::uid`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
    /// The way to it: places among children, from the roots on, hidden ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Vec<u32>>,
}

/// An element that fits a selector as others do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The element.
    pub element: ElementId,
    /// What it is, in words; foreign texts are quoted.
    pub summary: String,
    /// Where it is.
    pub bounds: Option<Bounds>,
}

/// How many candidates are listed.
const LISTED: usize = 8;

/// Why a selector finds nothing that could be used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SelectorError {
    /// It says nothing: every element would fit.
    Empty,
    /// No element that is shown fits.
    NotFound {
        /// The selector.
        selector: Box<Selector>,
    },
    /// Several fit.
    Ambiguous {
        /// The selector.
        selector: Box<Selector>,
        /// The first of them, in document order; at most eight.
        candidates: Vec<Candidate>,
        /// How many there are.
        count: usize,
    },
}

impl fmt::Display for SelectorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SelectorError::Empty => f.write_str("the selector says nothing of the element"),
            SelectorError::NotFound { selector } => write!(f, "no element on the screen has {selector}"),
            SelectorError::Ambiguous { selector, candidates, count } => {
                write!(f, "{count} elements on the screen have {selector}:")?;
                for Candidate { summary, bounds, .. } in candidates {
                    write!(f, " {summary}")?;
                    if let Some(Bounds { left, top, right, bottom }) = bounds {
                        write!(f, " at [{left},{top}][{right},{bottom}]")?;
                    }
                    f.write_str(";")?;
                }
                f.write_str(" say which of them")
            }
        }
    }
}

impl std::error::Error for SelectorError {}

/// In words, foreign texts quoted and cut.
impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("the resource id", &self.resource_id),
            ("the description", &self.description),
            ("the text", &self.text),
            ("something in it that says", &self.contains),
            ("the class", &self.class),
            ("the name", &self.uid),
        ];
        let mut said = false;
        for (what, value) in parts {
            let Some(value) = value else { continue };
            let and = if said { " and " } else { "" };
            write!(f, "{and}{what} {}", super::outline::foreign(value, 80))?;
            said = true;
        }
        if let Some(path) = &self.path {
            write!(f, "{}the path {path:?}", if said { " and " } else { "" })?;
        }
        Ok(())
    }
}

impl Selector {
    /// By resource id.
    pub fn resource_id(id: impl Into<String>) -> Selector {
        Selector { resource_id: Some(id.into()), ..Selector::default() }
    }

    /// By text.
    pub fn text(text: impl Into<String>) -> Selector {
        Selector { text: Some(text.into()), ..Selector::default() }
    }

    /// By description.
    pub fn description(description: impl Into<String>) -> Selector {
        Selector { description: Some(description.into()), ..Selector::default() }
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Selector::default()
    }

    /// Whether it knows only a class or a place in the tree. Such a selector is good for one screen: on
    /// another one, or when a list has a new first row, it may fit something else.
    pub fn is_weak(&self) -> bool {
        self.resource_id.is_none()
            && self.description.is_none()
            && self.text.is_none()
            && self.contains.is_none()
    }

    /// The same with these parts alone; nothing if one of them says nothing, unless all are asked for.
    fn with_parts(&self, parts: [bool; 5]) -> Option<Selector> {
        let [resource_id, description, text, contains, class] = parts;
        let all = [&self.resource_id, &self.description, &self.text, &self.contains, &self.class];
        let missing = parts.iter().zip(all).any(|(wanted, part)| *wanted && part.is_none());
        let part = |wanted: bool, part: &Option<String>| part.clone().filter(|_| wanted);
        (!missing || parts.iter().all(|wanted| *wanted)).then(|| Selector {
            resource_id: part(resource_id, &self.resource_id),
            description: part(description, &self.description),
            text: part(text, &self.text),
            contains: part(contains, &self.contains),
            class: part(class, &self.class),
            ..Selector::default()
        })
    }

    fn fits(&self, screen: &Screen, id: ElementId, element: &Element) -> bool {
        let same =
            |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|wanted| wanted == found);
        let reads = |wanted: &Option<String>, found: &str| {
            wanted.as_deref().is_none_or(|wanted| normal::nfc(wanted) == normal::nfc(found))
        };
        same(&self.resource_id, &element.resource_id)
            && same(&self.class, &element.class)
            && reads(&self.description, &element.description)
            && (self.text.is_none() || !element.flags.password)
            && reads(&self.text, &element.text)
            && self.contains.as_deref().is_none_or(|text| screen.says_inside(id, text))
            && self.uid.as_deref().is_none_or(|uid| uid == screen.uid(id))
            && self.path.as_deref().is_none_or(|path| path == screen.path(id))
    }
}

impl Screen {
    /// The element that fits, if exactly one does that is shown. Costs the number of elements.
    ///
    /// # Errors
    /// None fits, or several do: a selector that says nothing finds nothing.
    pub fn find(&self, selector: &Selector) -> Result<ElementId, SelectorError> {
        if selector.is_empty() {
            return Err(SelectorError::Empty);
        }
        let fitting = self.fitting(selector);
        match fitting.as_slice() {
            [] => Err(SelectorError::NotFound { selector: Box::new(selector.clone()) }),
            [only] => Ok(*only),
            several => Err(SelectorError::Ambiguous {
                selector: Box::new(selector.clone()),
                candidates: several.iter().take(LISTED).filter_map(|id| self.candidate(*id)).collect(),
                count: several.len(),
            }),
        }
    }

    /// What tells an element from all others that are shown, best first: resource id; resource id with
    /// description, text, or what something in it says; description; text; what something in it says, with
    /// the class; all of these; the class; the published name; the path with the class. Only what fits no
    /// other element is listed; nothing is for one that is not shown.
    pub fn selectors(&self, id: ElementId) -> Vec<Selector> {
        let Some(element) = self.get(id).filter(|_| self.is_shown(id)) else { return Vec::new() };
        let known = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let whole = Selector {
            resource_id: known(&element.resource_id),
            description: known(&element.description),
            text: known(&element.text).filter(|_| !element.flags.password),
            class: known(&element.class),
            ..Selector::default()
        };
        let whole = Selector { contains: self.told_inside(id, &whole), ..whole };
        // Which parts: resource id, description, text, what something in it says, class.
        let ranked = [
            [true, false, false, false, false],
            [true, true, false, false, false],
            [true, false, true, false, false],
            [true, false, false, true, false],
            [false, true, false, false, false],
            [false, false, true, false, false],
            [false, true, false, false, true],
            [false, false, true, false, true],
            [false, false, false, true, true],
            [true, true, true, true, true],
            [false, false, false, false, true],
        ];
        let mut all: Vec<Selector> = ranked.into_iter().filter_map(|parts| whole.with_parts(parts)).collect();
        all.push(Selector { uid: Some(self.uid(id)), ..Selector::default() });
        all.push(Selector { class: whole.class, path: Some(self.path(id)), ..Selector::default() });
        all.retain(|selector| self.find(selector) == Ok(id));
        all
    }

    /// A text or description in an element that, with its class and resource id, tells it from the others;
    /// one of the first eight.
    fn told_inside(&self, id: ElementId, of: &Selector) -> Option<String> {
        let said = self.inside(id).flat_map(|element| [&element.text, &element.description]);
        let mut said = said.filter(|text| !text.is_empty()).take(8);
        let telling = said.find(|text| {
            let (resource_id, class) = (of.resource_id.clone(), of.class.clone());
            let contains = Some((*text).clone());
            self.find(&Selector { resource_id, class, contains, ..Selector::default() }) == Ok(id)
        });
        telling.cloned()
    }

    fn says_inside(&self, id: ElementId, text: &str) -> bool {
        let wanted = normal::nfc(text);
        let says = |element: &Element| {
            normal::nfc(&element.text) == wanted || normal::nfc(&element.description) == wanted
        };
        self.inside(id).any(says)
    }

    /// What stands in an element and is shown, but for passwords, in document order.
    fn inside(&self, id: ElementId) -> impl Iterator<Item = &Element> {
        let mut open: Vec<ElementId> = self.children(id).iter().rev().copied().collect();
        let ids = std::iter::from_fn(move || {
            let next = open.pop()?;
            open.extend(self.children(next).iter().rev());
            Some(next)
        });
        let shown = ids.filter(|id| self.is_shown(*id)).filter_map(|id| self.get(id));
        shown.filter(|element| !element.flags.password)
    }

    /// The way to an element: places among children, from the roots on.
    pub fn path(&self, id: ElementId) -> Vec<u32> {
        let mut path = Vec::new();
        let mut next = Some(id);
        while let Some(id) = next {
            let parent = self.get(id).and_then(|element| element.parent);
            path.push(self.place(id));
            next = parent;
        }
        path.reverse();
        path
    }

    /// The elements that are shown and fit.
    pub(in crate::executor) fn fitting(&self, selector: &Selector) -> Vec<ElementId> {
        let fitting = self.elements().filter(|(id, element)| selector.fits(self, *id, element));
        fitting.map(|(id, _)| id).filter(|id| self.is_shown(*id)).collect()
    }

    fn candidate(&self, id: ElementId) -> Option<Candidate> {
        let element = self.get(id)?;
        let summary = line(element, &Outline::default());
        Some(Candidate { element: id, summary, bounds: element.bounds })
    }
}
