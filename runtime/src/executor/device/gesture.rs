//! Gestures as data, and where on a screen they go.

use super::DeviceError;
use crate::executor::screen::{Bounds, ElementId, Point, Screen, Selector, Size};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Something that a user does.
///
/// In JSON `{"tap": {"tag": 5}}`, `{"long_press": {"element": {"text": "Send"}}}`,
/// `{"swipe": {"target": {"point": [540, 900]}, "direction": "up", "distance": "medium"}}`,
/// `{"text": "Hello"}`, `"back"`, `"home"`, `{"launch": {"package": "com.app"}}`, `{"wait": 500}` (milliseconds),
/// `{"event": "tap the gear"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Gesture {
    /// Touches the target.
    Tap(Target),
    /// Touches the target for a second.
    LongPress(Target),
    /// Draws a finger from the target in a direction.
    Swipe {
        /// Where it starts.
        target: Target,
        /// Where it goes.
        direction: Direction,
        /// How far.
        distance: Distance,
    },
    /// Types a text into what has the focus.
    Text(String),
    /// Goes back.
    Back,
    /// Goes to the home screen.
    Home,
    /// Starts an app.
    Launch {
        /// The program, `com.app`.
        package: String,
        /// One of its activities; without it the one with which it starts.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        activity: Option<String>,
    },
    /// Lets some time pass.
    Wait(#[serde(with = "milliseconds")] Duration),
    /// An event of the app's model, by its name, for devices that know the model.
    Event(String),
}

/// What a gesture touches.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// The element that fits; exactly one has to.
    Element(Selector),
    /// The element with that tag on the screen that was observed last.
    Tag(u32),
    /// A point of the screen.
    Point(Point),
    /// A pixel of the screenshot that was observed last, which may have another size than the screen.
    Pixel(Point),
}

/// The direction in which a finger moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// To the top.
    Up,
    /// To the bottom.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Direction {
    /// All of them.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }

    /// Whether it goes up or down.
    pub fn is_vertical(self) -> bool {
        matches!(self, Direction::Up | Direction::Down)
    }

    /// Where a swipe from a point ends: on the screen, at its edge where it would go beyond.
    pub fn swiped(self, from: Point, distance: Distance, size: Size) -> Point {
        let tenths = match distance {
            Distance::Short => 1,
            Distance::Medium => 2,
            Distance::Long => 3,
        };
        let unit = i32::try_from(size.width / 10).unwrap_or(0).saturating_mul(tenths);
        let (x, y) = match self {
            Direction::Up => (0, -2 * i64::from(unit)),
            Direction::Down => (0, 2 * i64::from(unit)),
            Direction::Left => (-i64::from(unit), 0),
            Direction::Right => (i64::from(unit), 0),
        };
        let moved = |at: i32, by: i64| i32::try_from(i64::from(at) + by).unwrap_or(at);
        size.clamped(Point { x: moved(from.x, x), y: moved(from.y, y) })
    }
}

/// How far a finger moves: one, two or three tenths of the screen's width, twice as far up and down
/// (AppAgent).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Distance {
    /// A tenth.
    Short,
    /// Two tenths.
    Medium,
    /// Three tenths.
    Long,
}

impl Distance {
    /// All of them.
    pub const ALL: [Distance; 3] = [Distance::Short, Distance::Medium, Distance::Long];

    /// As it is written.
    pub fn name(self) -> &'static str {
        match self {
            Distance::Short => "short",
            Distance::Medium => "medium",
            Distance::Long => "long",
        }
    }
}

mod milliseconds {
    use serde::{Deserialize, Deserializer, Serializer};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

impl Gesture {
    /// What it touches, if it touches anything.
    pub fn target(&self) -> Option<&Target> {
        match self {
            Gesture::Tap(target) | Gesture::LongPress(target) | Gesture::Swipe { target, .. } => Some(target),
            _ => None,
        }
    }

    /// As [`Gesture::target`], to be replaced.
    pub(in crate::executor) fn target_mut(&mut self) -> Option<&mut Target> {
        match self {
            Gesture::Tap(target) | Gesture::LongPress(target) | Gesture::Swipe { target, .. } => Some(target),
            _ => None,
        }
    }

    /// The same gesture with its tag or pixel replaced by what it stands for on `screen`: the best selector
    /// of the element, or the point: for records, and for devices that know no tags. A device that does is
    /// better given the tag itself, since it can tell when the screen has become another one.
    ///
    /// # Errors
    /// The screen has no such tag, or the pixel no place on it.
    pub fn on(mut self, screen: &Screen) -> Result<Gesture, DeviceError> {
        if let Gesture::Tap(target) | Gesture::LongPress(target) | Gesture::Swipe { target, .. } = &mut self {
            *target = target.on(screen)?;
        }
        Ok(self)
    }
}

impl Target {
    /// The same target without tags and pixels, see [`Gesture::on`].
    ///
    /// # Errors
    /// The screen has no such tag, or the pixel no place on it.
    pub fn on(&self, screen: &Screen) -> Result<Target, DeviceError> {
        match self {
            Target::Tag(tag) => {
                let tags = screen.tagged();
                let missing = DeviceError::NoSuchTag { tag: *tag, tags: tags.len() };
                let id = tags.get(*tag).ok_or(missing)?;
                let best = screen.selectors(id).into_iter().next();
                best.map(Target::Element).ok_or_else(|| untouchable("nothing tells the element from others"))
            }
            Target::Pixel(pixel) => {
                let point = screen.from_pixel(*pixel);
                point.map(Target::Point).ok_or_else(|| untouchable("the pixel is not on the screenshot"))
            }
            Target::Element(_) | Target::Point(_) => Ok(self.clone()),
        }
    }

    /// The point to touch on the screen as it is now, `fresh`; `seen` is the one that was observed last.
    ///
    /// A tag is good as long as the structure of the screen is the same ([`Screen::key`]). Where only a class
    /// or a place tells the element from others ([`Selector::is_weak`]), it and what is around it has to
    /// read the same, too: a list with a new first row is another one.
    ///
    /// # Errors
    /// No such element, several, one that can't be touched, a point beside the screen, a screen that is
    /// another one now.
    pub fn locate(&self, seen: Option<&Screen>, fresh: &Screen) -> Result<Point, DeviceError> {
        let known =
            || seen.ok_or_else(|| untouchable("no screen was observed on which the target was chosen"));
        if matches!(self, Target::Tag(_)) && known()?.key() != fresh.key() {
            return Err(untouchable("the screen is another one than that of the tag"));
        }
        let target = match self {
            Target::Tag(_) | Target::Pixel(_) => self.on(known()?)?,
            Target::Element(_) | Target::Point(_) => self.clone(),
        };
        match target {
            Target::Element(selector) => {
                let found = fresh.find(&selector)?;
                if selector.is_weak() {
                    let seen = known()?;
                    let chosen = seen.find(&selector)?;
                    if !seen.reads_like(chosen, fresh, found) {
                        return Err(untouchable("what is around the element is no longer what was observed"));
                    }
                }
                touched(fresh, found)
            }
            Target::Point(point) => match fresh.size {
                Some(size) if !size.contains(point) => {
                    Err(untouchable(&format!("the point [{}, {}] is not on the screen", point.x, point.y)))
                }
                _ => Ok(point),
            },
            Target::Tag(_) | Target::Pixel(_) => Err(untouchable("it could not be placed")),
        }
    }
}

fn untouchable(reason: &str) -> DeviceError {
    DeviceError::Untouchable { reason: reason.to_owned() }
}

fn touched(screen: &Screen, id: ElementId) -> Result<Point, DeviceError> {
    if screen.get(id).is_some_and(|element| !element.flags.enabled) {
        return Err(untouchable("the element is disabled"));
    }
    let bounds = screen.visible_bounds(id);
    bounds.map(Bounds::center).ok_or_else(|| untouchable("the element has no place on the screen"))
}
