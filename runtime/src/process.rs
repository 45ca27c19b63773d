//! Programs that are started, and end with all that they have started.
//!
//! Knows processes. Must never know what a program is for.

use std::process::{Child, Command, Stdio};

/// Starts in a group of its own, to which what it starts belongs, too. Elsewhere than on Unix it is alone.
pub(crate) fn in_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(not(unix))]
    let _ = command;
}

/// Ends a program that was started in a group, with its group, and waits for it.
pub(crate) fn end(child: &mut Child) {
    if cfg!(unix) {
        let group = format!("-{}", child.id());
        let mut kill = Command::new("kill");
        kill.args(["-KILL", "--", &group]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = kill.status();
    }
    let _ = child.kill();
    let _ = child.wait();
}
