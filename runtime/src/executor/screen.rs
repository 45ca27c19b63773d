//! A screen and its elements, as a device shows them.
//!
//! Knows trees of elements, and the formats in which tools write them. Must never know devices, models,
//! sessions, or what a screen is for. All texts on a screen are foreign: what is made of them for a prompt
//! or a report is quoted, escaped and cut ([`outline`]).

mod droidbot;
mod geometry;
mod json;
mod key;
pub mod outline;
mod selector;
mod tagged;
#[cfg(feature = "images")]
pub mod tags;
mod uiautomator;
mod uid;

pub use geometry::{Bounds, Point, Size};
pub use key::ScreenKey;
pub use selector::{Candidate, Selector, SelectorError};
pub use tagged::{NEAR, Tags};

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// An element of a screen: its place in [`Screen::elements`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ElementId(u32);

impl ElementId {
    /// Its number, from 0, in the order of the screen.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    fn new(index: usize) -> ElementId {
        ElementId(u32::try_from(index).unwrap_or(u32::MAX))
    }
}

/// What can be done with an element, and how it is. In JSON, what is left out is false, but for `enabled`
/// and `visible`, which are true then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Flags {
    /// It takes taps.
    #[serde(skip_serializing_if = "is_false")]
    pub clickable: bool,
    /// It takes long presses.
    #[serde(skip_serializing_if = "is_false")]
    pub long_clickable: bool,
    /// It takes text.
    #[serde(skip_serializing_if = "is_false")]
    pub editable: bool,
    /// It can be scrolled.
    #[serde(skip_serializing_if = "is_false")]
    pub scrollable: bool,
    /// It can be checked.
    #[serde(skip_serializing_if = "is_false")]
    pub checkable: bool,
    /// It is checked.
    #[serde(skip_serializing_if = "is_false")]
    pub checked: bool,
    /// It can have the focus.
    #[serde(skip_serializing_if = "is_false")]
    pub focusable: bool,
    /// It has the focus.
    #[serde(skip_serializing_if = "is_false")]
    pub focused: bool,
    /// It takes a password: its text is never kept.
    #[serde(skip_serializing_if = "is_false")]
    pub password: bool,
    /// It is selected.
    #[serde(skip_serializing_if = "is_false")]
    pub selected: bool,
    /// It reacts.
    #[serde(skip_serializing_if = "is_true")]
    pub enabled: bool,
    /// The device says that it can be seen.
    #[serde(skip_serializing_if = "is_true")]
    pub visible: bool,
}

impl Default for Flags {
    fn default() -> Flags {
        Flags {
            clickable: false,
            long_clickable: false,
            editable: false,
            scrollable: false,
            checkable: false,
            checked: false,
            focusable: false,
            focused: false,
            password: false,
            selected: false,
            enabled: true,
            visible: true,
        }
    }
}

fn is_false(flag: &bool) -> bool {
    !*flag
}

fn is_true(flag: &bool) -> bool {
    *flag
}

/// What stands for the text of a password field that is not empty. It tells nothing of its length.
pub const CONCEALED: &str = "••••";

/// An element: a view, a widget, a node.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Element {
    /// The element in which it stands; it comes before this one. None for a root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<ElementId>,
    /// What kind of element it is, `android.widget.Button`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub class: String,
    /// Its name in the program, `com.app:id/send`; empty if it has none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub resource_id: String,
    /// The text that it shows.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What it says to those who can't see it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Its place among its parent's children, where the device tells it: hidden children count too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u32>,
    /// Where it is, if the device tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// What can be done with it, and how it is.
    pub flags: Flags,
}

impl Element {
    /// An element of a class.
    pub fn new(class: impl Into<String>) -> Element {
        Element { class: class.into(), ..Element::default() }
    }

    /// Its class without the package, `Button`.
    pub fn kind(&self) -> &str {
        self.class.rsplit(['.', '$']).next().unwrap_or(&self.class)
    }

    /// Its text, or for a password field [`CONCEALED`] or nothing.
    pub fn shown_text(&self) -> &str {
        if self.flags.password && !self.text.is_empty() { CONCEALED } else { &self.text }
    }

    /// Whether anything can be done with it.
    pub fn is_interactive(&self) -> bool {
        let flags = &self.flags;
        flags.clickable
            || flags.long_clickable
            || flags.editable
            || flags.scrollable
            || flags.checkable
            || flags.focusable
    }
}

/// The text of a password field is not shown.
impl fmt::Debug for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Element")
            .field("parent", &self.parent)
            .field("class", &self.class)
            .field("resource_id", &self.resource_id)
            .field("text", &self.shown_text())
            .field("description", &self.description)
            .field("index", &self.index)
            .field("bounds", &self.bounds)
            .field("flags", &self.flags)
            .finish()
    }
}

/// What is wrong with a list of elements.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// A parent that does not come before its child.
    #[error("element {child} has the parent {parent}, which does not come before it")]
    Parent {
        /// The element.
        child: usize,
        /// Its parent.
        parent: usize,
    },
    /// Deeper than can be handled.
    #[error("element {child} is nested deeper than {limit} levels")]
    Deep {
        /// The element.
        child: usize,
        /// The limit.
        limit: usize,
    },
    /// More elements than can be handled.
    #[error("there are more than {limit} elements")]
    Many {
        /// The limit.
        limit: usize,
    },
}

/// How many levels a screen may have, whatever the limits say.
const DEEPEST: usize = 1_000;

/// How many elements a screen may have, whatever the limits say.
const MOST: usize = 1_000_000;

/// A screen at one moment.
///
/// Its elements are in document order, parents before children, which is the order in which they are drawn.
/// Password fields hold no text here, whoever made the screen: where there is one, [`CONCEALED`] stands.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Screen {
    /// The program that shows it, `com.app`.
    pub package: Option<String>,
    /// The activity that shows it, in full, `com.app.MainActivity`.
    pub activity: Option<String>,
    /// How large it is, in the unit of the bounds; nothing if that is not known.
    pub size: Option<Size>,
    /// By how many quarters it is turned, 0 to 3.
    pub rotation: u8,
    /// A picture of it, PNG. Its size may be another one.
    pub screenshot: Option<Arc<[u8]>>,
    elements: Vec<Element>,
    children: Vec<Vec<ElementId>>,
    /// Of each element, how many it stands in, and its place among its siblings.
    places: Vec<(u32, u32)>,
}

impl Screen {
    /// A screen with these elements. Costs their number.
    ///
    /// # Errors
    /// A parent that does not come before its child; more than a million elements or a thousand levels.
    pub fn new(mut elements: Vec<Element>) -> Result<Screen, TreeError> {
        if elements.len() > MOST {
            return Err(TreeError::Many { limit: MOST });
        }
        let mut children: Vec<Vec<ElementId>> = vec![Vec::new(); elements.len()];
        let mut places: Vec<(u32, u32)> = Vec::with_capacity(elements.len());
        let mut roots = 0..;
        for (child, element) in elements.iter_mut().enumerate() {
            if element.flags.password && !element.text.is_empty() {
                CONCEALED.clone_into(&mut element.text);
            }
            let Some(parent) = element.parent.map(ElementId::index) else {
                places.push((0, roots.next().unwrap_or(u32::MAX)));
                continue;
            };
            let (depth, _) = places.get(parent).ok_or(TreeError::Parent { child, parent })?;
            let depth = depth + 1;
            if depth as usize >= DEEPEST {
                return Err(TreeError::Deep { child, limit: DEEPEST });
            }
            let siblings = children.get_mut(parent).ok_or(TreeError::Parent { child, parent })?;
            places.push((depth, u32::try_from(siblings.len()).unwrap_or(u32::MAX)));
            siblings.push(ElementId::new(child));
        }
        Ok(Screen { elements, children, places, ..Screen::default() })
    }

    /// Its elements, in document order.
    pub fn elements(&self) -> impl DoubleEndedIterator<Item = (ElementId, &Element)> + ExactSizeIterator {
        self.elements.iter().enumerate().map(|(index, element)| (ElementId::new(index), element))
    }

    /// An element of this screen.
    pub fn get(&self, id: ElementId) -> Option<&Element> {
        self.elements.get(id.index())
    }

    /// The elements that stand in one, in order.
    pub fn children(&self, id: ElementId) -> &[ElementId] {
        self.children.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// How many elements an element stands in.
    pub fn depth(&self, id: ElementId) -> usize {
        self.places.get(id.index()).map_or(0, |(depth, _)| *depth as usize)
    }

    /// Its place among its parent's children: as the device tells it, else as they stand here.
    pub fn index_of(&self, id: ElementId) -> u32 {
        self.get(id).and_then(|element| element.index).unwrap_or_else(|| self.place(id))
    }

    /// Its place among its siblings as they stand here.
    fn place(&self, id: ElementId) -> u32 {
        self.places.get(id.index()).map_or(0, |(_, place)| *place)
    }

    /// The part of an element that is on the screen; nothing if it has no place, or none there.
    pub fn visible_bounds(&self, id: ElementId) -> Option<Bounds> {
        let element = self.get(id).filter(|element| element.flags.visible)?;
        let bounds = element.bounds?;
        let bounds = self.size.map_or(bounds, |size| bounds.within(size));
        (!bounds.is_empty()).then_some(bounds)
    }

    /// Whether an element can be seen, as far as that is known: one without a place can, if the device
    /// doesn't say otherwise.
    pub fn is_shown(&self, id: ElementId) -> bool {
        self.get(id).is_some_and(|element| match element.bounds {
            None => element.flags.visible,
            Some(_) => self.visible_bounds(id).is_some(),
        })
    }

    /// The size of the screenshot in pixels, as its PNG header says.
    pub fn picture_size(&self) -> Option<Size> {
        geometry::png_size(self.screenshot.as_deref()?)
    }

    /// The point of the screen that a pixel of its screenshot shows; nothing if a size is not known or the
    /// pixel is not on the picture.
    pub fn from_pixel(&self, pixel: Point) -> Option<Point> {
        pixel.scaled(self.picture_size()?, self.size?)
    }

    /// Where the size is not known otherwise: as large as its roots.
    fn measured(mut self) -> Screen {
        let roots = self.elements.iter().filter(|element| element.parent.is_none());
        let whole = roots.filter_map(|root| root.bounds).filter(|bounds| !bounds.is_empty());
        let corner = whole
            .fold((0, 0), |(right, bottom), bounds| (bounds.right.max(right), bounds.bottom.max(bottom)));
        if let (Ok(width @ 1..), Ok(height @ 1..)) = (u32::try_from(corner.0), u32::try_from(corner.1)) {
            self.size = Some(Size { width, height });
        }
        self
    }

    /// Whether an element, what stands in it, and what stands beside it read the same as on another screen:
    /// classes, resource ids, texts and descriptions.
    pub fn reads_like(&self, id: ElementId, other: &Screen, other_id: ElementId) -> bool {
        self.surroundings(id) == other.surroundings(other_id)
    }

    /// What stands in an element's parent, in document order.
    fn surroundings(&self, id: ElementId) -> Vec<[&str; 4]> {
        let mut all = Vec::new();
        let mut open = vec![self.get(id).and_then(|element| element.parent).unwrap_or(id)];
        while let Some(id) = open.pop() {
            all.extend(self.get(id).map(|element| {
                [&element.class, &element.resource_id, &element.text, &element.description]
                    .map(String::as_str)
            }));
            open.extend(self.children(id).iter().rev());
        }
        all
    }
}

/// The picture is told by its length.
impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Screen")
            .field("package", &self.package)
            .field("activity", &self.activity)
            .field("size", &self.size)
            .field("rotation", &self.rotation)
            .field("screenshot", &self.screenshot.as_ref().map(|png| png.len()))
            .field("elements", &self.elements)
            .finish()
    }
}

/// An activity's name in full: a name that starts with a dot is one of the package.
pub fn activity_name(package: &str, activity: &str) -> String {
    if activity.starts_with('.') { format!("{package}{activity}") } else { activity.to_owned() }
}
