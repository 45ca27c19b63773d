//! Programs that are started, and end with all that they have started.
//!
//! Knows processes. Must never know what a program is for. Elsewhere than on Unix a program ends alone.

use std::io;
use std::process::{Child, Command, ExitStatus};

/// Starts in a group of its own, to which what it starts belongs, too.
pub(crate) fn in_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

#[cfg(unix)]
fn number(child: &Child) -> io::Result<rustix::process::Pid> {
    let number = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw);
    number.ok_or_else(|| io::Error::other("it has no number"))
}

/// Whether a program has ended. It is not waited for: until then nobody else gets its number.
#[cfg(unix)]
pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(number(child)?), options)?.is_some())
}

#[cfg(not(unix))]
pub(crate) fn has_ended(child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Ends a program that nobody has waited for, if it has not ended, and its group: the number is still its own.
pub(crate) fn end(child: &mut Child) -> io::Result<ExitStatus> {
    #[cfg(unix)]
    if let Ok(group) = number(child) {
        // There may be nobody left in it.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    child.wait()
}
