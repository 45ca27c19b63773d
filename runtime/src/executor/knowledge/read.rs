//! Knowledge from its text.

use super::{FORMAT, Knowledge, VERSION};
use crate::planner::Model;
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::json::{self, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::{Source, Span};

const HELP: &str = "it is kept; mend it, or start with an empty one";

pub(super) fn knowledge(source: &Source, limits: &Limits) -> Result<Knowledge, Problems> {
    let damaged = |span: Span, what: String| {
        let diagnostic = Diagnostic::new(Code::DamagedKnowledge, span, what).help(HELP);
        Problems::one(source.clone(), diagnostic)
    };
    let document = json::parse(source, limits).map_err(|problems| {
        let first = problems.items().first();
        let span = first.map_or_else(Span::default, |first| first.primary.span);
        let why = first.map_or(String::new(), |first| format!(": {}", first.fault.message));
        damaged(span, format!("the knowledge is cut or damaged{why}"))
    })?;
    if document.get("format").and_then(Node::as_str) != Some(FORMAT) {
        return Err(damaged(document.span, format!("`format` is not \"{FORMAT}\"")));
    }
    version(source, &document)?;
    let apps = document.get("apps").ok_or_else(|| damaged(document.span, "`apps` is missing".to_owned()))?;
    let apps_value = apps.to_value();
    let apps_read = serde_json::from_value(apps_value)
        .map_err(|wrong| damaged(apps.span, format!("the knowledge is damaged: {wrong}")))?;
    let knowledge = Knowledge { apps: apps_read };
    for (name, app) in knowledge.apps().filter(|(_, app)| !app.model.is_null()) {
        let model = Source::new(name, app.model.to_string());
        Model::from_json(&model, limits).map_err(|problems| {
            let place = apps.get(name).and_then(|app| app.get("model")).map_or(apps.span, |node| node.span);
            let why = problems.items().first().map_or(String::new(), |first| first.fault.message.clone());
            damaged(place, format!("the machine of `{name}` is damaged: {why}"))
        })?;
    }
    Ok(knowledge)
}

fn version(source: &Source, document: &Node) -> Result<(), Problems> {
    let said = document.get("version");
    let found = said.and_then(|node| node.to_value().as_u64());
    if found == Some(VERSION) {
        return Ok(());
    }
    let what = match found {
        Some(found) => format!("this knowledge is of version {found}; this program reads version {VERSION}"),
        None => format!("this knowledge says no version; this program reads version {VERSION}"),
    };
    let help = match found {
        Some(found) if found > VERSION => "use the newer program that wrote it",
        _ => "it is none that was ever published; start with an empty one",
    };
    let span = said.map_or(document.span, |node| node.span);
    let diagnostic = Diagnostic::new(Code::KnowledgeVersion, span, what).help(help);
    Err(Problems::one(source.clone(), diagnostic))
}
