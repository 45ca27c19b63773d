//! The command as a process: built once, beside the tests that run it.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

/// What came of a process.
#[derive(Debug)]
pub struct Ended {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

/// Runs the command with an input to its end.
///
/// # Panics
/// If there is no such process, or its output is not text.
#[expect(clippy::unwrap_used, reason = "a helper of tests")]
pub fn run<A: AsRef<OsStr>>(arguments: &[A], input: &[u8]) -> Ended {
    let mut child = start(arguments).spawn().unwrap();
    // A command that stops reading early closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Ended {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// The command, with pipes on all sides.
pub fn start<A: AsRef<OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(binary());
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The command, built once.
///
/// # Panics
/// If it can't be built.
#[expect(clippy::unwrap_used, reason = "a helper of tests")]
pub fn binary() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let tests = std::env::current_exe().unwrap();
        let target = tests.ancestors().nth(3).unwrap();
        let built = Command::new(env!("CARGO"))
            .args(["build", "--quiet", "--package", "intentgate-cli", "--target-dir"])
            .arg(target)
            .args(if cfg!(feature = "openai") { &["--features", "openai"][..] } else { &[] })
            .current_dir(crate::root())
            .status()
            .unwrap();
        assert!(built.success());
        target.join("debug").join("intentgate").with_extension(std::env::consts::EXE_EXTENSION)
    })
}
