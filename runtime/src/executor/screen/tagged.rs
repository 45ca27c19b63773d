//! Numeric tags for the elements with which something can be done (AppAgent, section 3.1).

use super::{ElementId, Flags, Point, Screen};
use std::collections::HashMap;

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
    /// The tags of this screen. Costs the number of its elements.
    pub fn tagged(&self) -> Tags {
        let passes: [fn(&Flags) -> bool; 3] = [
            |flags| flags.clickable,
            |flags| flags.focusable,
            |flags| flags.long_clickable || flags.editable || flags.scrollable || flags.checkable,
        ];
        let mut tagged = Vec::new();
        let mut centers = Centers::default();
        for pass in passes {
            for (id, _) in self.elements().filter(|(_, element)| pass(&element.flags)) {
                let Some(center) = self.visible_bounds(id).map(super::Bounds::center) else { continue };
                if centers.add(center) {
                    tagged.push(id);
                }
            }
        }
        Tags(tagged)
    }
}

/// Points, none of them near another, by squares as large as what is near.
#[derive(Debug, Default)]
struct Centers(HashMap<(i64, i64), Vec<Point>>);

impl Centers {
    /// Adds a point, unless there is one near it.
    fn add(&mut self, point: Point) -> bool {
        let square = |at: i32| i64::from(at).div_euclid(i64::from(NEAR));
        let (column, row) = (square(point.x), square(point.y));
        let around = (column - 1..=column + 1).flat_map(|x| (row - 1..=row + 1).map(move |y| (x, y)));
        let near = i64::from(NEAR).pow(2);
        let taken = around
            .filter_map(|square| self.0.get(&square))
            .flatten()
            .any(|other| point.distance_squared(*other) <= near);
        if !taken {
            self.0.entry((column, row)).or_default().push(point);
        }
        !taken
    }
}
