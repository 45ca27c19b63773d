//! The account of a run as a page to read: one self-contained HTML file.
//!
//! Knows accounts and models. Must never know a device, an agent or a gate: it tells what was kept, and adds
//! nothing. Everything in it may come from an app, a model or an agent: it is escaped, characters that change
//! the direction of what follows are spelled out, and the page runs no script and loads nothing.

mod text;

use super::account::{Account, Comparison, Done, Entry, Outcome};
use super::machine::{Counters, Phase, Signal};
use super::task::Status;
use crate::gate::feedback::RuleReport;
use crate::planner::draw::Marks;
use crate::planner::{Model, Path, Step};
use intentgate_engine::truth::Truth;
use std::fmt::Write;
use text::{escaped, spelled_out};

/// What a report tells that its account doesn't have.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// What the run was made with, and what is known of it: names and values, such as a seed.
    pub settings: Vec<(String, String)>,
    /// The rules as they are at the end: [`crate::Session::roadmap`].
    pub rules: Vec<RuleReport>,
}

/// What a run did, as one HTML file: how it ended and on which evidence, what it was made with, the rules with what
/// holds of them at the end, the parts of the task, the steps with what came of them, the counters, the model with
/// the way that was taken, and everything that happened in order. Steps that came out otherwise than expected, and
/// those that the model doesn't have, are not in the picture. Takes time in proportion to the account, the rules and
/// the model.
pub fn html(account: &Account, model: &Model, beside: &Beside) -> String {
    let mut page = String::new();
    let title = escaped(&account.sentence);
    let _ = write!(page, "{HEAD}<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n");
    head(&mut page, account);
    settings(&mut page, &beside.settings);
    rules(&mut page, account, &beside.rules);
    parts(&mut page, account);
    steps(&mut page, account);
    counters(&mut page, &account.counters);
    graph(&mut page, account, model);
    timeline(&mut page, account);
    page.push_str("</main>\n</body>\n</html>\n");
    spelled_out(&page)
}

// Nothing is loaded, and nothing runs, whatever gets onto the page.
const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
     <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
     <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";

const STYLE: &str = include_str!("report/style.css");

/// The task, how it ended, and on which evidence.
fn head(page: &mut String, account: &Account) {
    let (class, word) = match &account.outcome {
        Outcome::Success | Outcome::HeldBefore => ("good", "reached"),
        Outcome::Unclear { .. } => ("bad", "unclear"),
        Outcome::Claimed | Outcome::UnderWay => ("open", "not known to be reached"),
        Outcome::Forbidden { .. } | Outcome::GaveUp { .. } | Outcome::Spent { .. } => ("bad", "not reached"),
    };
    let _ = write!(
        page,
        "<h1><bdi>{}</bdi></h1>\n<p class=\"r-outcome r-{class}\"><strong>{word}</strong> <bdi>{}</bdi></p>\n",
        escaped(&account.sentence),
        escaped(&account.outcome.ending())
    );
    if let Some(because) = account.outcome.because() {
        let _ = writeln!(page, "<pre>{}</pre>", escaped(because));
    }
    if account.evidence.is_empty() {
        page.push_str("<p class=\"r-dim\">There is no evidence: nothing was achieved.</p>\n");
        return;
    }
    page.push_str("<h2>Evidence</h2>\n<table>\n<tr><th>achieved</th><th>by the rule</th><th>on</th></tr>\n");
    for evidence in &account.evidence {
        let values = evidence.values.iter().map(|(path, value)| format!("{path} = {value}"));
        let values = values.collect::<Vec<_>>().join("\n");
        row(page, &[&evidence.objective, &evidence.rule, &values]);
    }
    page.push_str("</table>\n");
}

/// What the run was made with.
fn settings(page: &mut String, settings: &[(String, String)]) {
    if settings.is_empty() {
        return;
    }
    page.push_str("<h2>Made with</h2>\n<table>\n");
    settings.iter().for_each(|(name, value)| row(page, &[name, value]));
    page.push_str("</table>\n");
}

/// What each rule asks for, and what holds of it at the end.
fn rules(page: &mut String, account: &Account, rules: &[RuleReport]) {
    if rules.is_empty() {
        return;
    }
    page.push_str(
        "<h2>Rules, as they are at the end</h2>\n\
         <table>\n<tr><th>rule</th><th>what it asks for</th><th>at the end</th><th>what doesn't hold</th></tr>\n",
    );
    for rule in rules {
        let never = rule.head == "Never";
        let reached = account.evidence.iter().any(|one| one.objective == rule.head && one.rule == rule.rule);
        let state = match rule.truth {
            Truth::True if never => "in the way",
            Truth::Unknown if never => "may be in the way",
            Truth::False if never => "not in the way",
            _ if reached => "achieved by it",
            Truth::True => "holds",
            Truth::Unknown => "unknown",
            Truth::False => "does not hold",
        };
        let unmet = if never { String::new() } else { rule.unmet().join("\n") };
        let name = format!("{}\n{}", rule.rule, rule.source);
        row(page, &[&name, &rule.to_string(), state, &unmet]);
    }
    page.push_str("</table>\n");
}

/// The sub-tasks, where there are several.
fn parts(page: &mut String, account: &Account) {
    if account.sub_tasks.len() < 2 {
        return;
    }
    page.push_str("<h2>Parts of the task</h2>\n<table>\n<tr><th>part</th><th>why</th><th></th></tr>\n");
    for part in &account.sub_tasks {
        let status = match part.status {
            Status::Open => "not begun",
            Status::UnderWay => "not reached",
            Status::HeldBefore => "held before anything was done",
            Status::Done => "done",
            Status::Claimed => "done, says the agent",
        };
        row(page, &[&part.sentence, &part.rationale, status]);
    }
    page.push_str("</table>\n");
}

fn steps(page: &mut String, account: &Account) {
    page.push_str("<h2>Steps</h2>\n");
    if account.steps.is_empty() {
        page.push_str("<p class=\"r-dim\">Nothing was done.</p>\n");
        return;
    }
    page.push_str(
        "<table>\n<tr><th></th><th>what was done</th><th>from</th><th>to</th><th>what came of it</th></tr>\n",
    );
    for (number, step) in account.steps.iter().enumerate() {
        let class = match step.comparison {
            Comparison::Success => "good",
            Comparison::NoChange => "open",
            Comparison::Fail => "bad",
        };
        let mut came = format!("<span class=\"r-{class}\">{}</span>", step.comparison);
        if let Some(because) = &step.because {
            let _ = write!(came, ": <bdi>{}</bdi>", escaped(because));
        }
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td><bdi>{}</bdi></td><td><bdi>{}</bdi></td><td>{came}</td></tr>",
            number + 1,
            done(step),
            escaped(&step.from),
            escaped(step.to.as_deref().unwrap_or_default()),
        );
    }
    page.push_str("</table>\n");
}

/// What was done, and what it is.
fn done(step: &Done) -> String {
    let mut text = format!("<bdi>{}</bdi>", escaped(&step.event));
    if step.critical {
        let _ = write!(text, " <span class=\"r-mark\">critical: <bdi>{}</bdi></span>", escaped(&step.action));
    }
    if step.recovery {
        text.push_str(" <span class=\"r-dim\">(getting back)</span>");
    }
    if !step.why.is_empty() {
        let _ = write!(text, "<br/><span class=\"r-dim\"><bdi>{}</bdi></span>", escaped(&step.why));
    }
    text
}

fn counters(page: &mut String, counters: &Counters) {
    let Counters { steps, failures, recovered, replans, advised, blocks, .. } = *counters;
    let all = [
        ("actions", steps),
        ("failures", failures),
        ("recovered", recovered),
        ("new plans", replans),
        ("advised against", advised),
        ("blocked", blocks),
    ];
    page.push_str("<h2>Counters</h2>\n<dl class=\"r-counters\">\n");
    for (name, count) in all {
        let _ = writeln!(page, "<div><dt>{name}</dt><dd>{count}</dd></div>");
    }
    page.push_str("</dl>\n");
}

/// The model as it is after the run, with the way that was taken.
fn graph(page: &mut String, account: &Account, model: &Model) {
    let (numbers, steps): (Vec<usize>, Vec<Step>) = numbered(account, model).unzip();
    let last = account.steps.iter().rev().find_map(|step| step.to.as_deref());
    let current = last.and_then(|name| model.find_page(name));
    let way = Path { cost: cost(&steps, model), steps };
    let marks = Marks { current, plan: Some(&way), taken: Some(&numbers) };
    let _ = write!(
        page,
        "<h2>The model, with the way that was taken</h2>\n<p class=\"r-dim\">Numbers are those of the steps above. Steps \
         that came out otherwise than expected are not drawn.</p>\n<figure class=\"r-graph\">\n{}</figure>\n",
        model.to_svg(&marks)
    );
}

/// The steps that came out as expected, as a path of the model.
pub fn taken(account: &Account, model: &Model) -> Path {
    let steps: Vec<Step> = numbered(account, model).map(|(_, step)| step).collect();
    Path { cost: cost(&steps, model), steps }
}

/// The same, each with its number among all steps, from 1.
fn numbered(account: &Account, model: &Model) -> impl Iterator<Item = (usize, Step)> {
    (1..).zip(&account.steps).filter_map(|(number, step)| Some((number, transition(step, model)?)))
}

fn cost(steps: &[Step], model: &Model) -> u64 {
    let cost = |step: &Step| model.transition(step.transition).map_or(0, |one| u64::from(one.cost()));
    steps.iter().map(cost).sum()
}

fn transition(step: &Done, model: &Model) -> Option<Step> {
    if step.comparison != Comparison::Success {
        return None;
    }
    let (from, to) = (model.find_page(&step.from)?, model.find_page(step.to.as_deref()?)?);
    let mut between = model.transitions().filter(|(_, one)| one.from() == from && one.to() == to);
    let (id, _) = between.find(|(_, one)| one.event() == step.template)?;
    Some(Step { event: step.event.clone(), ..model.step(id, None)? })
}

/// Every phase, how it ended, what the gate and the device said.
fn timeline(page: &mut String, account: &Account) {
    page.push_str(
        "<h2>Everything that happened</h2>\n<p class=\"r-dim\">In order, with the numbers of the log; it keeps no \
         times.</p>\n<ol class=\"r-log\" start=\"0\">\n",
    );
    account.log.iter().for_each(|entry| item(page, entry));
    page.push_str("</ol>\n");
}

fn item(page: &mut String, entry: &Entry) {
    let class = match entry.signal {
        Signal::Success | Signal::Reached | Signal::Allowed => "good",
        Signal::Blocked | Signal::Fail | Signal::NotPerformed | Signal::Unclear | Signal::Impossible => "bad",
        Signal::Advised | Signal::NoChange | Signal::Unusable | Signal::Unobservable => "open",
        _ => "plain",
    };
    let (phase, signal) = (name(&entry.phase), name(&entry.signal));
    let _ =
        write!(page, "<li><span class=\"r-phase\">{phase}</span> <span class=\"r-{class}\">{signal}</span>");
    if let Some(shown) = &entry.page {
        let _ = write!(page, " <span class=\"r-dim\">on <bdi>{}</bdi></span>", escaped(shown));
    }
    if let Some(verdict) = entry.verdict.as_deref().filter(|_| entry.phase == Phase::Propose) {
        let _ = write!(page, " <span class=\"r-mark\">verdict: {}</span>", escaped(verdict));
    }
    match entry.text.lines().count() {
        0 => {}
        1 => {
            let _ = write!(page, "<br/><bdi>{}</bdi>", escaped(&entry.text));
        }
        _ => {
            let _ = write!(page, "<pre>{}</pre>", escaped(&entry.text));
        }
    }
    if let Some(screen) = &entry.screen {
        let count = screen.lines().count();
        let _ = write!(
            page,
            "<details><summary>screen, {count} lines</summary><pre>{}</pre></details>",
            escaped(screen)
        );
    }
    page.push_str("</li>\n");
}

/// As the log in JSON spells it, in words.
fn name(value: &impl serde::Serialize) -> String {
    let name = serde_json::to_value(value).unwrap_or_default();
    escaped(&name.as_str().unwrap_or_default().replace('_', " "))
}

fn row(page: &mut String, cells: &[&str]) {
    page.push_str("<tr>");
    for cell in cells {
        let lines: Vec<String> = cell.lines().map(|line| format!("<bdi>{}</bdi>", escaped(line))).collect();
        let _ = write!(page, "<td>{}</td>", lines.join("<br/>"));
    }
    page.push_str("</tr>\n");
}
