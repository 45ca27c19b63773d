//! Tags on screenshots.

use super::{screen, tiny_png};
use image::{ImageFormat, Rgba, RgbaImage};
use intentgate::executor::agent::ModelAgent;
use intentgate::executor::device::{Device, DeviceError, Gesture, Observation};
use intentgate::executor::driver::{Driver, Options};
use intentgate::executor::explore::{ByModel, Change, Reflector, choose};
use intentgate::executor::screen::tags::PictureError;
use intentgate::executor::screen::{Element, Flags, Screen, Size};
use intentgate::executor::task::{Aim, Task};
use intentgate::language_model::{Part, Scripted};
use intentgate_tests::tasks::RESTAURANT;
use std::io::Cursor;

fn png(picture: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn read(png: &[u8]) -> RgbaImage {
    image::load_from_memory_with_format(png, ImageFormat::Png).unwrap().into_rgba8()
}

const GREY: Rgba<u8> = Rgba([200, 200, 200, 255]);

/// A fixture with a grey picture of a size.
fn pictured(name: &str, width: u32, height: u32) -> Screen {
    let mut screen = screen(name);
    screen.screenshot = Some(png(&RgbaImage::from_pixel(width, height, GREY)).into());
    screen
}

/// Every element with a tag has a plate at its centre, on the picture's own scale; nothing else changes.
#[test]
fn tags_stand_at_the_centres() {
    for (width, height) in [(1_080, 2_280), (540, 1_140), (2_160, 4_560), (100, 211)] {
        let screen = pictured("chat.xml", width, height);
        let tagged = read(&screen.tagged_picture().unwrap());
        assert_eq!((tagged.width(), tagged.height()), (width, height));
        for (tag, id) in screen.tagged().iter() {
            let center = screen.visible_bounds(id).unwrap().center();
            let center = center.scaled(screen.size.unwrap(), Size { width, height }).unwrap();
            let (x, y) = (center.x.try_into().unwrap(), center.y.try_into().unwrap());
            assert_ne!(*tagged.get_pixel(x, y), GREY, "{tag} at {width}");
        }
        let changed = tagged.pixels().filter(|pixel| **pixel != GREY).count();
        let all = tagged.pixels().len();
        assert!(changed > all / 1_000, "{changed} of {all}");
        // On a picture as small as a stamp plates take more.
        assert!(width < 500 || changed < all / 8, "{changed} of {all}");
    }
    if let Some(folder) = std::env::var_os("INTENTGATE_PICTURES") {
        let picture = pictured("chat.xml", 1_080, 2_280).tagged_picture().unwrap();
        std::fs::write(std::path::Path::new(&folder).join("tagged.png"), picture).unwrap();
    }
}

#[test]
fn before_and_after_stand_side_by_side() {
    let (before, after) = (pictured("chat.xml", 540, 1_140), pictured("settings.xml", 1_140, 540));
    let both = read(&before.before_and_after(&after).unwrap());
    assert_eq!((both.width(), both.height()), (540 + 13 + 1_140, 1_140));
    let left = read(&before.tagged_picture().unwrap());
    let right = read(&after.tagged_picture().unwrap());
    assert!(left.enumerate_pixels().all(|(x, y, pixel)| both.get_pixel(x, y) == pixel));
    assert!(right.enumerate_pixels().all(|(x, y, pixel)| both.get_pixel(x + 553, y) == pixel));
    if let Some(folder) = std::env::var_os("INTENTGATE_PICTURES") {
        let picture = before.before_and_after(&after).unwrap();
        std::fs::write(std::path::Path::new(&folder).join("both.png"), picture).unwrap();
    }
}

/// A model that takes pictures is given the tagged screenshot before it acts, and both when it reflects.
#[test]
fn models_are_given_pictures() {
    let (before, after) = (pictured("chat.xml", 540, 1_140), pictured("settings.xml", 540, 1_140));
    let pictures = |model: &Scripted| -> Vec<RgbaImage> {
        let requests = model.requests();
        let parts = requests.iter().flat_map(|request| &request.messages).flat_map(|message| &message.parts);
        let bytes = parts.filter_map(|part| match part {
            Part::Image { bytes, .. } => Some(read(bytes)),
            _ => None,
        });
        bytes.collect()
    };
    let look = |screen: &Screen| Observation { screen: Some(screen.clone()), ..Observation::default() };
    let (looks, tagged) = ([look(&before), look(&after)], read(&before.tagged_picture().unwrap()));
    // Reflection.
    let model = Scripted::new(["Decision: CONTINUE\nThought: so\nDocumentation: It opens another screen."]);
    let possible = choose::offered(&before, false).remove(0);
    let change = Change {
        goal: "see the settings",
        possible: &possible,
        from: "Chat",
        to: "Settings",
        before: &looks[0],
        after: &looks[1],
        foreign: false,
        known: None,
    };
    pollster::block_on(ByModel::new(&model).reflect(&change));
    let both = pictures(&model);
    assert_eq!(both, [read(&before.before_and_after(&after).unwrap())]);
    // The next step, with pictures and in words only.
    let read = RESTAURANT.read();
    for words_only in [false, true] {
        let model = Scripted::new(["Action: FINISH"]);
        let agent = ModelAgent::new(&model);
        let mut agent = if words_only { agent.words_only() } else { agent };
        let mut device = Still(look(&before));
        let task = Task::new("see the settings", Aim::Open);
        let (session, known) = (read.session(), read.model.clone());
        let mut driver =
            Driver::new(&mut device, &mut agent, session, known, task, Options::default()).unwrap();
        pollster::block_on(driver.run());
        assert_eq!(pictures(&model), if words_only { vec![] } else { vec![tagged.clone()] });
    }
}

/// Shows one screen for ever.
struct Still(Observation);

impl Device for Still {
    fn name(&self) -> &str {
        "still"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(self.0.clone())
    }

    fn perform(&mut self, _: &Gesture) -> Result<(), DeviceError> {
        Ok(())
    }
}

/// Frames at the edges and beyond, and numbers of several digits.
#[test]
fn nothing_is_drawn_beside_the_picture() {
    let flags = Flags { clickable: true, ..Flags::default() };
    let element = |bounds: [i32; 4]| Element { bounds: Some(bounds.into()), flags, ..Element::new("B") };
    let mut elements =
        vec![element([-50, -50, 20, 20]), element([80, 180, 500, 500]), element([0, 0, 1, 200])];
    elements.extend(
        (0..120).map(|at| element([at * 40 % 400, at / 10 * 40, at * 40 % 400 + 1, at / 10 * 40 + 1])),
    );
    let mut screen = Screen::new(elements).unwrap();
    screen.size = Some(Size { width: 400, height: 500 });
    screen.screenshot = Some(png(&RgbaImage::from_pixel(100, 125, GREY)).into());
    assert!(screen.tagged().len() > 100);
    assert_eq!(read(&screen.tagged_picture().unwrap()).width(), 100);
    screen.screenshot = Some(tiny_png().into());
    assert_eq!(read(&screen.tagged_picture().unwrap()).width(), 2);
}

#[test]
fn what_is_no_picture_is_an_error() {
    let mut screen = screen("chat.xml");
    assert!(matches!(screen.tagged_picture(), Err(PictureError::NoScreenshot)));
    let mut huge = tiny_png();
    huge[16..20].copy_from_slice(&100_000_u32.to_be_bytes());
    for bytes in [b"".to_vec(), b"GIF89a".to_vec(), tiny_png()[..50].to_vec(), huge] {
        screen.screenshot = Some(bytes.into());
        assert!(matches!(screen.tagged_picture(), Err(PictureError::Unreadable(_))));
    }
    screen.screenshot = Some(tiny_png().into());
    screen.size = None;
    assert!(matches!(screen.tagged_picture(), Err(PictureError::NoSize)));
}
