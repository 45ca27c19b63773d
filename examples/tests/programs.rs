//! The programs print what a reader of them expects.

use std::process::Command;

#[test]
fn restaurant() {
    insta::assert_snapshot!(output(env!("CARGO_BIN_EXE_restaurant")));
}

#[test]
fn tool_guard() {
    insta::assert_snapshot!(output(env!("CARGO_BIN_EXE_tool_guard")));
}

#[test]
fn typed() {
    insta::assert_snapshot!(output(env!("CARGO_BIN_EXE_typed")));
}

#[expect(clippy::unwrap_used, reason = "a helper of tests")]
fn output(program: &str) -> String {
    let output = Command::new(program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
