//! Numeric tags for the elements with which something can be done (AppAgent, section 3.1).

use super::{ElementId, Flags, Point, Screen};

/// Centres that are not farther apart than this share a tag, in pixels (AppAgent, `MIN_DIST`).
pub const NEAR: u32 = 30;

/// Which tag stands for which element: numbers from 1, without gaps.
///
/// Order: first what is clickable, in document order; then what can have the focus; then what can only be
/// pressed long, typed into, scrolled or checked. The first two are the published order. Within each of the
/// three, and against all before it, an element whose centre is at most [`NEAR`] from that of a tagged one
/// gets no tag: of containers around one button the outermost that is clickable has it. What can't be seen,
/// and what has no place on the screen, has no tag.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<ElementId>);

impl Tags {
    /// How many there are: the highest tag.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The element of a tag.
    pub fn get(&self, tag: u32) -> Option<ElementId> {
        self.0.get((tag as usize).checked_sub(1)?).copied()
    }

    /// The tag of an element.
    pub fn of(&self, element: ElementId) -> Option<u32> {
        self.iter().find(|(_, tagged)| *tagged == element).map(|(tag, _)| tag)
    }

    /// All tags with their elements, from 1.
    pub fn iter(&self) -> impl Iterator<Item = (u32, ElementId)> {
        (1..).zip(self.0.iter().copied())
    }
}

impl Screen {
    /// The tags of this screen. Costs the square of their number.
    pub fn tagged(&self) -> Tags {
        let passes: [fn(&Flags) -> bool; 3] = [
            |flags| flags.clickable,
            |flags| flags.focusable,
            |flags| flags.long_clickable || flags.editable || flags.scrollable || flags.checkable,
        ];
        let near = i64::from(NEAR).pow(2);
        let mut tagged: Vec<(ElementId, Point)> = Vec::new();
        for pass in passes {
            for (id, _) in self.elements().filter(|(_, element)| pass(&element.flags)) {
                let Some(center) = self.visible_bounds(id).map(super::Bounds::center) else { continue };
                if tagged.iter().all(|(_, other)| center.distance_squared(*other) > near) {
                    tagged.push((id, center));
                }
            }
        }
        Tags(tagged.into_iter().map(|(id, _)| id).collect())
    }
}
