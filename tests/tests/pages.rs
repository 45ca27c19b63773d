//! The page of every code: its wrong example gives the code, its mend does not.
//!
//! A page has the headings `## Wrong` and `## Mended`; under each, fenced blocks marked `app`,
//! `intent`, `policy`, `trace`, `options` make a case. What needs files, a process or the host's code is
//! a block marked `console`, whose codes `pages_console.rs` produces.

use intentgate::engine::diagnostic::Code;
use intentgate_tests::{APP, Case};

/// The case under a heading, if it has blocks.
fn case(page: &str, heading: &str) -> Option<Case> {
    let body = page.split_once(&format!("\n## {heading}\n"))?.1;
    let body = body.split("\n## ").next().unwrap_or(body);
    let mut case = Case { app: APP.to_owned(), ..Case::default() };
    let mut found = false;
    let mut block: Option<(String, String)> = None;
    for line in body.lines() {
        match (&mut block, line.strip_prefix("```")) {
            (None, Some(kind)) if !kind.is_empty() => block = Some((kind.to_owned(), String::new())),
            (Some((kind, text)), Some(_)) => {
                let section = if kind == "intent" { "spec" } else { kind.as_str() };
                found |= ["app", "spec", "policy", "trace", "options"].contains(&section);
                case.put(section, std::mem::take(text));
                block = None;
            }
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            _ => {}
        }
    }
    // A policy alone stands beside a specification that is fine.
    if found && case.spec.is_none() && (!case.policies.is_empty() || case.trace.is_some()) {
        case.spec = Some(
            "RestaurantInfo(name = \"R\") -> Reserve\nReserve and ReserveResult(success = true) -> Done\n"
                .into(),
        );
    }
    found.then_some(case)
}

#[test]
fn every_page_shows_its_code_and_its_mend() {
    let mut wrong = Vec::new();
    for code in Code::ALL {
        let page = code.page();
        if !page.starts_with(&format!("# {code}: {}\n", code.title())) {
            wrong.push(format!("{code}: the first line is not `# {code}: {}`", code.title()));
        }
        let console = page.contains("```console");
        match (case(page, "Wrong"), case(page, "Mended")) {
            (Some(bad), Some(good)) => {
                let bad = bad.run();
                if !bad.codes.contains(code) {
                    wrong.push(format!("{code}: the wrong example gives {:?}\n{}", bad.codes, bad.text));
                }
                let good = good.run();
                if good.codes.contains(code) || good.failed {
                    wrong.push(format!("{code}: the mend gives {:?}\n{}", good.codes, good.text));
                }
            }
            _ if console => {}
            _ => wrong.push(format!("{code}: no examples")),
        }
    }
    assert!(wrong.is_empty(), "{} pages:\n{}", wrong.len(), wrong.join("\n"));
}
