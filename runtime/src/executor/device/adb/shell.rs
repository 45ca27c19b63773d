//! What is written on the device's command line, and what its tools answer.
//!
//! Knows Android's shell, `input`, `am`, `wm` and `dumpsys`. Must never know how a command gets there.
//! Nothing foreign stands on a command line without quotes.

use crate::executor::screen::{Size, activity_name};

/// Characters that are typed at once.
const AT_ONCE: usize = 100;

/// An argument in single quotes, in which the shell reads nothing but their end.
pub(super) fn quoted(argument: &str) -> String {
    format!("'{}'", argument.replace('\'', r"'\''"))
}

/// The arguments for `input text`, one for each call: none lost, none read as something else.
///
/// `input` knows printable ASCII alone and reads `%s` as a space, so that spaces are written so, and a `%`
/// that stands before an `s` is typed by a call of its own.
///
/// # Errors
/// The first character that can't be typed so.
pub(super) fn typed(text: &str) -> Result<Vec<String>, char> {
    let mut calls: Vec<String> = Vec::new();
    let mut length = 0;
    for c in text.chars() {
        if !matches!(c, ' '..='~') {
            return Err(c);
        }
        let percent = c == 's' && calls.last().is_some_and(|call| call.ends_with('%'));
        if calls.is_empty() || length == AT_ONCE || percent {
            calls.push(String::new());
            length = 0;
        }
        length += 1;
        if let Some(call) = calls.last_mut() {
            match c {
                ' ' => call.push_str("%s"),
                c => call.push(c),
            }
        }
    }
    Ok(calls)
}

/// Whether a text is the name of a package or an activity.
pub(super) fn is_name(text: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '$');
    !text.is_empty() && text.len() <= 255 && text.chars().all(letter)
}

/// The size of the display from `wm size`: the one that was set, else its own.
pub(super) fn display_size(text: &str) -> Option<Size> {
    let named = |name: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(name))?;
        let (width, height) = line.trim().split_once('x')?;
        let size = Size { width: width.parse().ok()?, height: height.parse().ok()? };
        Some(size).filter(|size| size.width > 0 && size.height > 0)
    };
    named("Override size:").or_else(|| named("Physical size:"))
}

/// The lines that tell what is in front, best first. Versions of Android differ in them.
pub(super) const IN_FRONT: [&str; 5] =
    ["topResumedActivity", "mResumedActivity", "ResumedActivity", "mCurrentFocus", "mFocusedApp"];

/// Package and activity in front, from `dumpsys activity activities` and `dumpsys window`.
pub(super) fn in_front(text: &str) -> Option<(String, String)> {
    IN_FRONT.iter().find_map(|name| {
        text.lines().map(str::trim).filter(|line| line.starts_with(name)).find_map(component)
    })
}

/// The component that a line names: `… u0 com.app/.Main t12}`.
fn component(line: &str) -> Option<(String, String)> {
    let (_, braces) = line.split_once('{')?;
    let word = braces.split([' ', '}']).find(|word| word.contains('/'))?;
    let (package, activity) = word.split_once('/')?;
    let activity = activity_name(package, activity);
    (is_name(package) && is_name(&activity)).then(|| (package.to_owned(), activity))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_escapes_its_quotes() {
        assert_eq!(quoted("a"), "'a'");
        assert_eq!(quoted("it's $(x) `y` \"z\" \\"), r#"'it'\''s $(x) `y` "z" \'"#);
    }

    #[test]
    fn all_is_typed() {
        assert_eq!(typed("").unwrap(), Vec::<String>::new());
        assert_eq!(typed("a b").unwrap(), ["a%sb"]);
        assert_eq!(typed("100%sure").unwrap(), ["100%", "sure"]);
        assert_eq!(typed("100% sure").unwrap(), ["100%%ssure"]);
        assert_eq!(typed("%%s").unwrap(), ["%%", "s"]);
        assert_eq!(
            typed(&"x".repeat(250)).unwrap().iter().map(String::len).collect::<Vec<_>>(),
            [100, 100, 50]
        );
        assert_eq!(typed("né"), Err('é'));
        assert_eq!(typed("a\nb"), Err('\n'));
    }

    #[test]
    fn versions_of_android_say_it_differently() {
        let main = Some(("com.app".to_owned(), "com.app.Main".to_owned()));
        for text in [
            "  mResumedActivity: ActivityRecord{1a2b3c4 u0 com.app/.Main t12}",
            "    topResumedActivity=ActivityRecord{e4 u0 com.app/com.app.Main t8}\n  mCurrentFocus=null",
            "  ResumedActivity: ActivityRecord{e4 u0 com.app/.Main t8 d0}",
            "  mCurrentFocus=Window{3f u0 com.app/com.app.Main}\n",
            "  mCurrentFocus=Window{3f u0 StatusBar}\n  mFocusedApp=ActivityRecord{9 u0 com.app/.Main t3}",
            "mResumedActivity: null\n mFocusedApp=AppWindowToken{9 token=Token{1 ActivityRecord{2 u0 com.app/.Main t3}}}",
        ] {
            assert_eq!(in_front(text), main, "{text}");
        }
        for text in
            ["", "mCurrentFocus=null", "mCurrentFocus=Window{3f u0 NotificationShade}", "x com.app/.Main"]
        {
            assert_eq!(in_front(text), None, "{text}");
        }
        let size = |width, height| Some(Size { width, height });
        assert_eq!(display_size("Physical size: 1080x2280\n"), size(1080, 2280));
        assert_eq!(display_size("Physical size: 1080x2280\nOverride size: 720x1520\n"), size(720, 1520));
        assert_eq!(display_size("Physical size: 0x0"), None);
        assert_eq!(display_size("sh: wm: not found"), None);
    }
}
