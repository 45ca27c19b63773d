//! Numbered tags drawn on a screenshot, for models that look at pictures (AppAgent, section 3.1).
//!
//! Knows PNG and pixels. Each tagged element gets a frame and its number on a plate at its centre.

use super::{Bounds, Point, Screen, Size, Tags, geometry};
use font8x8::legacy::BASIC_LEGACY;
use image::codecs::png::PngDecoder;
use image::{ColorType, DynamicImage, ImageDecoder, ImageEncoder, Limits, Rgba, RgbaImage, imageops};
use std::io::Cursor;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The screen came without a screenshot.
    #[error("the screen has no screenshot")]
    NoScreenshot,
    /// The size of the screen is not known, so that its elements have no place on the picture.
    #[error("the size of the screen is not known")]
    NoSize,
    /// The screenshot is no PNG, damaged, or larger than 16,384 pixels on a side.
    #[error("the screenshot can't be read: {0}")]
    Unreadable(image::ImageError),
    /// The picture could not be written.
    #[error("the picture can't be written: {0}")]
    Unwritable(image::ImageError),
}

/// Pixels on a side of a picture that is read.
const LONGEST: u32 = 16_384;

/// Bytes of a picture that is read.
const LARGEST: u64 = 1 << 30;

/// Colours of frames and plates: neighbours in the list have different ones.
const COLOURS: [Rgba<u8>; 6] = [
    Rgba([214, 40, 40, 255]),
    Rgba([0, 98, 186, 255]),
    Rgba([0, 120, 60, 255]),
    Rgba([150, 40, 160, 255]),
    Rgba([176, 88, 0, 255]),
    Rgba([60, 60, 60, 255]),
];

const WHITE: Rgba<u8> = Rgba([255, 255, 255, 255]);

impl Screen {
    /// Its screenshot with its tags ([`Screen::tagged`]), as PNG.
    ///
    /// # Errors
    /// There is no screenshot, or it can't be read.
    pub fn tagged_picture(&self) -> Result<Vec<u8>, PictureError> {
        written(&drawn(self, &self.tagged())?)
    }

    /// The tagged screenshots of this screen and of `after` side by side, for reflection on what an action
    /// did; both with the tags of their own screens.
    ///
    /// # Errors
    /// One of them has no screenshot, or it can't be read.
    pub fn before_and_after(&self, after: &Screen) -> Result<Vec<u8>, PictureError> {
        let (left, right) = (drawn(self, &self.tagged())?, drawn(after, &after.tagged())?);
        let gap = (left.width() / 40).max(8);
        let width = left.width().saturating_add(gap).saturating_add(right.width());
        let mut both = RgbaImage::from_pixel(width, left.height().max(right.height()), WHITE);
        imageops::replace(&mut both, &left, 0, 0);
        imageops::replace(&mut both, &right, i64::from(left.width() + gap), 0);
        written(&both)
    }
}

fn drawn(screen: &Screen, tags: &Tags) -> Result<RgbaImage, PictureError> {
    let png = screen.screenshot.as_deref().ok_or(PictureError::NoScreenshot)?;
    let mut picture = read(png).map_err(PictureError::Unreadable)?;
    let to = Size { width: picture.width(), height: picture.height() };
    let from = screen.size.ok_or(PictureError::NoSize)?;
    // Digits that can be read on a phone's picture, and fit on a small one.
    let scale = (to.width.min(to.height) / 270).clamp(1, 8);
    let placed =
        tags.iter().filter_map(|(tag, id)| Some((tag, on_picture(screen.visible_bounds(id)?, from, to)?)));
    let placed: Vec<(u32, Bounds)> = placed.collect();
    // Small frames on top of large ones.
    let mut frames: Vec<(Bounds, Rgba<u8>)> =
        placed.iter().zip(COLOURS.iter().cycle()).map(|((_, bounds), colour)| (*bounds, *colour)).collect();
    frames.sort_by_key(|(bounds, _)| std::cmp::Reverse(bounds.width().saturating_mul(bounds.height())));
    frames.into_iter().for_each(|(bounds, colour)| frame(&mut picture, bounds, scale, colour));
    // Plates on top of all frames: no number is crossed out by a frame.
    for ((tag, bounds), colour) in placed.iter().zip(COLOURS.iter().cycle()) {
        plate(&mut picture, *tag, bounds.center(), scale, *colour);
    }
    Ok(picture)
}

fn read(png: &[u8]) -> image::ImageResult<RgbaImage> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST);
    limits.max_image_height = Some(LONGEST);
    limits.max_alloc = Some(LARGEST);
    let mut decoder = PngDecoder::with_limits(Cursor::new(png), limits.clone())?;
    decoder.set_limits(limits)?;
    Ok(DynamicImage::from_decoder(decoder)?.into_rgba8())
}

fn written(picture: &RgbaImage) -> Result<Vec<u8>, PictureError> {
    let mut png = Vec::new();
    let encoder = image::codecs::png::PngEncoder::new(&mut png);
    encoder
        .write_image(picture.as_raw(), picture.width(), picture.height(), ColorType::Rgba8.into())
        .map_err(PictureError::Unwritable)?;
    debug_assert!(geometry::png_size(&png).is_some());
    Ok(png)
}

/// The place on the picture of a place on the screen.
fn on_picture(bounds: Bounds, from: Size, to: Size) -> Option<Bounds> {
    let start = Point { x: bounds.left, y: bounds.top }.scaled(from, to)?;
    let end = Point { x: bounds.right - 1, y: bounds.bottom - 1 }.scaled(from, to)?;
    Some(Bounds { left: start.x, top: start.y, right: end.x + 1, bottom: end.y + 1 })
}

fn fill(picture: &mut RgbaImage, bounds: Bounds, colour: Rgba<u8>) {
    let bounds = bounds.within(Size { width: picture.width(), height: picture.height() });
    for y in bounds.top..bounds.bottom {
        for x in bounds.left..bounds.right {
            if let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y))
                && let Some(pixel) = picture.get_pixel_mut_checked(x, y)
            {
                *pixel = colour;
            }
        }
    }
}

fn frame(picture: &mut RgbaImage, bounds: Bounds, scale: u32, colour: Rgba<u8>) {
    let line = i32::try_from(scale).unwrap_or(1);
    let Bounds { left, top, right, bottom } = bounds;
    for side in [
        Bounds { bottom: top + line, ..bounds },
        Bounds { top: bottom - line, ..bounds },
        Bounds { right: left + line, ..bounds },
        Bounds { left: right - line, ..bounds },
    ] {
        fill(picture, side, colour);
    }
}

/// A number on a plate around a point, moved so far that all of it is on the picture.
fn plate(picture: &mut RgbaImage, tag: u32, center: Point, scale: u32, colour: Rgba<u8>) {
    let digits = tag.to_string();
    let unit = i32::try_from(scale).unwrap_or(1);
    let glyph = 8 * unit;
    let width = glyph * i32::try_from(digits.len()).unwrap_or(1) + 2 * unit;
    let height = glyph + 2 * unit;
    let place = |center: i32, length: i32, whole: u32| {
        let most = i32::try_from(whole).unwrap_or(i32::MAX).saturating_sub(length).max(0);
        (center - length / 2).clamp(0, most)
    };
    let left = place(center.x, width, picture.width());
    let top = place(center.y, height, picture.height());
    let around = Bounds { left: left - 1, top: top - 1, right: left + width + 1, bottom: top + height + 1 };
    fill(picture, around, WHITE);
    fill(picture, Bounds { left, top, right: left + width, bottom: top + height }, colour);
    for (place, digit) in (0_i32..).zip(digits.bytes()) {
        let rows = BASIC_LEGACY.get(usize::from(digit)).copied().unwrap_or_default();
        for (row, bits) in (0_i32..).zip(rows) {
            for column in (0..8_i32).filter(|column| bits >> column & 1 == 1) {
                let x = left + unit + place * glyph + column * unit;
                let y = top + unit + row * unit;
                fill(picture, Bounds { left: x, top: y, right: x + unit, bottom: y + unit }, WHITE);
            }
        }
    }
}
