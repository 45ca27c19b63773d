//! `intentgate plan` and `intentgate graph`, as a user sees them.

use intentgate_tests::command::run;
use intentgate_tests::root;
use std::fmt::Write;

/// Every run with its output and its status.
fn shown(runs: &[&[&str]]) -> String {
    let model = root().join("examples/camera/model.json");
    let mut shown = String::new();
    for arguments in runs {
        let (command, rest) = arguments.split_first().unwrap();
        let mut all = vec![*command, "--model", model.to_str().unwrap()];
        all.extend(rest);
        let ended = run(&all, b"");
        let _ = write!(shown, "$ {}\n{}{}({})\n\n", arguments.join(" "), ended.out, ended.err, ended.status);
    }
    shown
}

#[test]
fn plans() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--to", "Gallery"],
        &["plan", "--to", "Camera"],
        &["plan", "--from", "Gallery", "--to", "Settings", "--guide", "--hops", "2"],
        &["plan", "--to", "Gallery", "--to", "Settings", "--all"],
        &["plan", "--condition", "front = true, flash = off"],
        &["plan", "--condition", "zoom = 3"],
        &["plan", "--function", "take_photo", "--function", "record_video(duration=10, front=true)"],
        &["plan", "--set", "video=true", "--function", "take_photo"],
        &["plan", "--from", "Gallery", "--to", "Settings", "--format", "json"],
    ]));
}

#[test]
fn pictures() {
    insta::assert_snapshot!(shown(&[
        &["graph", "--from", "Gallery", "--to", "Settings"],
        &["graph", "--as", "mermaid", "--to", "Gallery"],
    ]));
}

#[test]
fn what_can_not_be_planned() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--to", "Galery"],
        &["plan", "--function", "record_video"],
        &["plan", "--function", "record_video(duration=ten, front=true)"],
        &["plan", "--function", "record_video(length=10)"],
        &["plan", "--function", "record_video(duration=10"],
        &["plan", "--function", "take_foto"],
        &["plan", "--condition", "frnt = true"],
        &["plan", "--set", "front=perhaps", "--to", "Gallery"],
        &["plan", "--set", "frnt=true", "--to", "Gallery"],
    ]));
}

#[test]
fn tasks_in_a_sentence() {
    insta::assert_snapshot!(shown(&[
        &["plan", "--task", "take a photo"],
        &["plan", "--task", "Take a photo, then open the gallery"],
        &["plan", "--task", "record a 10 second video with the front camera and take a photo"],
        &["plan", "--task", "open the camera"],
        &["plan", "--task", "open the gallery", "--format", "json"],
        &["plan", "--task", "record a video"],
        &["plan", "--task", "record a video for 2 minutes with the front camera"],
        &["plan", "--task", "take a photo if it is sunny"],
        &["plan", "--task", "order a pizza"],
        &["plan", "--task", "take a photo", "--today", "soon"],
        &["plan", "--task", "take a photo", "--to", "Gallery"],
    ]));
}
