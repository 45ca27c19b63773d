//! Models as pictures: Graphviz DOT, Mermaid and SVG. The current page, a plan and what nobody has seen are marked.

mod svg;

use super::{Model, Origin, PageId, Path, TransitionId};
use intentgate_engine::input;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What is marked in a picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks<'a> {
    /// The page on which somebody is.
    pub current: Option<PageId>,
    /// A plan.
    pub plan: Option<&'a Path>,
    /// That the plan is a way that was taken: the numbers of its steps among everything that was done. Without it steps
    /// are numbered from 1.
    pub taken: Option<&'a [usize]>,
}

impl Marks<'_> {
    fn steps(&self) -> BTreeSet<TransitionId> {
        self.plan.iter().flat_map(|plan| &plan.steps).map(|step| step.transition).collect()
    }
}

impl Model {
    /// As Graphviz DOT. What was found by an analysis of the program and never seen is dashed.
    pub fn to_dot(&self, marks: &Marks) -> String {
        let steps = marks.steps();
        let mut dot = "digraph model {\n  rankdir=LR;\n  node [shape=box];\n".to_owned();
        for (id, page) in self.pages() {
            let style = if marks.current == Some(id) { ", style=filled, fillcolor=lightblue" } else { "" };
            let edge = if id == self.start() { ", penwidth=2" } else { "" };
            let _ = writeln!(dot, "  p{} [label={}{style}{edge}];", id.index(), quoted(page.name()));
        }
        for (id, transition) in self.transitions() {
            let mut label = transition.event().to_owned();
            if !transition.guard().is_empty() {
                let _ = write!(label, "\n[{}]", transition.guard());
            }
            let unseen = if transition.origin() == Origin::Static { ", style=dashed" } else { "" };
            let planned = if steps.contains(&id) { ", color=blue, penwidth=2" } else { "" };
            let (from, to) = (transition.from().index(), transition.to().index());
            let _ = writeln!(dot, "  p{from} -> p{to} [label={}{unseen}{planned}];", quoted(&label));
        }
        dot.push_str("}\n");
        dot
    }

    /// As a Mermaid flow chart.
    pub fn to_mermaid(&self, marks: &Marks) -> String {
        let steps = marks.steps();
        let mut text = "flowchart LR\n".to_owned();
        for (id, page) in self.pages() {
            let _ = writeln!(text, "  p{}[\"{}\"]", id.index(), entities(page.name()));
        }
        for (id, transition) in self.transitions() {
            let arrow = match (steps.contains(&id), transition.origin()) {
                (true, _) => "==>",
                (false, Origin::Static) => "-.->",
                (false, _) => "-->",
            };
            let (from, to) = (transition.from().index(), transition.to().index());
            let event = entities(transition.event());
            let label = if event.is_empty() { String::new() } else { format!("|\"{event}\"|") };
            let _ = writeln!(text, "  p{from} {arrow}{label} p{to}");
        }
        if let Some(page) = marks.current {
            let _ = writeln!(text, "  style p{} fill:lightblue", page.index());
        }
        text
    }
}

/// A text with everything escaped that can't be seen, but for line ends.
fn visible(text: &str) -> String {
    let lines: Vec<_> =
        text.split('\n').map(|line| input::on_one_line(line.trim_end_matches('\r'))).collect();
    lines.join("\n")
}

/// A DOT string: line ends become `\n`, what can't be seen is escaped.
fn quoted(text: &str) -> String {
    let text = visible(text).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}

/// A Mermaid text: what would end it becomes an entity, what can't be seen is escaped.
fn entities(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(text).chars() {
        match c {
            '"' | '#' | '<' | '>' | '&' | ';' | '`' => {
                let _ = write!(escaped, "#{};", u32::from(c));
            }
            '\n' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
