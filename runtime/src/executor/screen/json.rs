//! Screens in our own JSON form: `{"package", "activity", "size": [w, h], "rotation", "elements": [..],
//! "screenshot": "<PNG, base64>"}`, elements in document order, each with the number of its parent.

use super::{Element, Screen, Size, TreeError, geometry};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;
use std::sync::Arc;

#[derive(Serialize, Deserialize)]
#[serde(rename = "Screen", deny_unknown_fields)]
struct Parts<'a> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    package: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    activity: Option<Cow<'a, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<Size>,
    #[serde(default, skip_serializing_if = "is_upright")]
    rotation: u8,
    elements: Cow<'a, [Element]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    screenshot: Option<String>,
}

fn is_upright(rotation: &u8) -> bool {
    *rotation == 0
}

impl Serialize for Screen {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = Parts {
            package: self.package.as_deref().map(Cow::Borrowed),
            activity: self.activity.as_deref().map(Cow::Borrowed),
            size: self.size,
            rotation: self.rotation,
            elements: Cow::Borrowed(&self.elements),
            screenshot: self.screenshot.as_deref().map(|png| STANDARD.encode(png)),
        };
        parts.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Screen {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Screen, D::Error> {
        let parts = Parts::deserialize(deserializer)?;
        let screen = Screen::new(parts.elements.into_owned());
        let mut screen = screen.map_err(|error: TreeError| de::Error::custom(error))?;
        if parts.rotation > 3 {
            return Err(de::Error::custom("`rotation` counts quarters, from 0 to 3"));
        }
        screen.package = parts.package.map(Cow::into_owned);
        screen.activity = parts.activity.map(Cow::into_owned);
        screen.size = parts.size;
        screen.rotation = parts.rotation;
        if let Some(text) = parts.screenshot {
            let png = STANDARD.decode(text).map_err(|_| de::Error::custom("`screenshot` is not base64"))?;
            geometry::png_size(&png).ok_or_else(|| de::Error::custom("`screenshot` is not a PNG"))?;
            screen.screenshot = Some(Arc::from(png));
        }
        Ok(screen)
    }
}
