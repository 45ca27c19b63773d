//! Points, sizes and rectangles of a screen.
//!
//! Knows numbers. What a tool writes is kept as it is, odd rectangles included.

use serde::{Deserialize, Serialize};

/// A point: from the left, from the top. In JSON `[x, y]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(from = "[i32; 2]", into = "[i32; 2]")]
pub struct Point {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

impl From<[i32; 2]> for Point {
    fn from([x, y]: [i32; 2]) -> Point {
        Point { x, y }
    }
}

impl From<Point> for [i32; 2] {
    fn from(point: Point) -> [i32; 2] {
        [point.x, point.y]
    }
}

impl Point {
    /// The square of the distance to another point.
    pub fn distance_squared(self, other: Point) -> i64 {
        let along = |one: i32, other: i32| i64::from(one).abs_diff(i64::from(other)).pow(2);
        let sum = along(self.x, other.x).saturating_add(along(self.y, other.y));
        i64::try_from(sum).unwrap_or(i64::MAX)
    }

    /// The same point on a picture of another size; nothing if it is not on the first.
    pub fn scaled(self, from: Size, to: Size) -> Option<Point> {
        from.contains(self).then_some(())?;
        let along = |at: i32, from: u32, to: u32| {
            let scaled = i64::from(at) * i64::from(to) / i64::from(from.max(1));
            i32::try_from(scaled).ok()
        };
        Some(Point { x: along(self.x, from.width, to.width)?, y: along(self.y, from.height, to.height)? })
    }
}

/// A width and a height. In JSON `[width, height]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[u32; 2]", into = "[u32; 2]")]
pub struct Size {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

impl From<[u32; 2]> for Size {
    fn from([width, height]: [u32; 2]) -> Size {
        Size { width, height }
    }
}

impl From<Size> for [u32; 2] {
    fn from(size: Size) -> [u32; 2] {
        [size.width, size.height]
    }
}

impl Size {
    /// Whether a point is on it.
    pub fn contains(self, point: Point) -> bool {
        let along = |at: i32, length: u32| u32::try_from(at).is_ok_and(|at| at < length);
        along(point.x, self.width) && along(point.y, self.height)
    }

    /// The nearest point that is on it; the origin if it is empty.
    pub fn clamped(self, point: Point) -> Point {
        let along =
            |at: i32, length: u32| at.clamp(0, i32::try_from(length.saturating_sub(1)).unwrap_or(i32::MAX));
        Point { x: along(point.x, self.width), y: along(point.y, self.height) }
    }
}

/// A rectangle, without its right and bottom edges. In JSON `[left, top, right, bottom]`.
///
/// It may be empty or inverted: tools write such for what is scrolled away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "[i32; 4]", into = "[i32; 4]")]
pub struct Bounds {
    /// The left edge.
    pub left: i32,
    /// The top edge.
    pub top: i32,
    /// One past the right edge.
    pub right: i32,
    /// One past the bottom edge.
    pub bottom: i32,
}

impl From<[i32; 4]> for Bounds {
    fn from([left, top, right, bottom]: [i32; 4]) -> Bounds {
        Bounds { left, top, right, bottom }
    }
}

impl From<Bounds> for [i32; 4] {
    fn from(bounds: Bounds) -> [i32; 4] {
        [bounds.left, bounds.top, bounds.right, bounds.bottom]
    }
}

impl Bounds {
    /// As uiautomator writes it: `[left,top][right,bottom]`.
    pub fn parse(text: &str) -> Option<Bounds> {
        let inner = text.trim().strip_prefix('[')?.strip_suffix(']')?;
        let (from, to) = inner.split_once("][")?;
        let pair = |text: &str| {
            let (first, second) = text.split_once(',')?;
            Some((first.trim().parse().ok()?, second.trim().parse().ok()?))
        };
        let ((left, top), (right, bottom)) = (pair(from)?, pair(to)?);
        Some(Bounds { left, top, right, bottom })
    }

    /// Whether it holds no point.
    pub fn is_empty(self) -> bool {
        self.right <= self.left || self.bottom <= self.top
    }

    /// From left to right; negative if it is inverted.
    pub fn width(self) -> i64 {
        i64::from(self.right) - i64::from(self.left)
    }

    /// From top to bottom; negative if it is inverted.
    pub fn height(self) -> i64 {
        i64::from(self.bottom) - i64::from(self.top)
    }

    /// Its middle, rounded down.
    pub fn center(self) -> Point {
        let middle = |from: i32, to: i32| {
            i32::try_from((i64::from(from) + i64::from(to)).div_euclid(2)).unwrap_or(from)
        };
        Point { x: middle(self.left, self.right), y: middle(self.top, self.bottom) }
    }

    /// The part of it that is on a screen of that size.
    #[must_use]
    pub fn within(self, size: Size) -> Bounds {
        let edge = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        Bounds {
            left: self.left.max(0),
            top: self.top.max(0),
            right: self.right.min(edge(size.width)),
            bottom: self.bottom.min(edge(size.height)),
        }
    }
}

/// The size in the header of a PNG.
pub(super) fn png_size(png: &[u8]) -> Option<Size> {
    let rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    let number = |at: usize| {
        let bytes: [u8; 4] = rest.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_be_bytes(bytes)).filter(|number| (1..=1_000_000).contains(number))
    };
    (rest.get(4..8)? == b"IHDR").then_some(())?;
    Some(Size { width: number(8)?, height: number(12)? })
}
