//! How far something long is.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// A bar on standard error, if that is a terminal; `what` is said behind the numbers.
pub(crate) fn bar(length: u32, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(u64::from(length)), ProgressDrawTarget::stderr());
    match ProgressStyle::with_template(&format!("{{bar:30}} {{pos}}/{{len}} {what}")) {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
