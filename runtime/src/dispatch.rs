//! Tool calls as agents make them, `{"name": …, "arguments": {…}}`, to actions of a vocabulary.

use crate::action::Action;
use chrono::NaiveDate;
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::input;
use intentgate_engine::json::{self, Node};
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::span::Source;

const KEYS: &[&str] = &["name", "arguments", "id", "type"];

/// The action of a tool call. `arguments` may be an object, or an object written as a JSON text, as
/// some interfaces send it. Types, unknown and missing arguments are checked for declared actions;
/// the arguments of others are passed on as they are. `today` is what relative dates count from.
///
/// # Errors
/// Located in the call: what can't be read, is unknown, missing, or of the wrong type.
pub fn tool_call(
    vocabulary: &Vocabulary,
    call: &Source,
    today: Option<NaiveDate>,
    limits: &Limits,
) -> Result<Action, Problems> {
    let node = json::parse(call, limits)?;
    read(vocabulary, &node, today, limits)
        .map_err(|(diagnostic, inner)| Problems::one(inner.unwrap_or_else(|| call.clone()), diagnostic))
}

/// The source is another one where the arguments are a text of their own.
type Located = (Diagnostic, Option<Source>);

fn read(
    vocabulary: &Vocabulary,
    node: &Node,
    today: Option<NaiveDate>,
    limits: &Limits,
) -> Result<Action, Located> {
    let here = |diagnostic| (diagnostic, None);
    let members = node.object("a tool call").map_err(here)?;
    if let Some(member) = members.iter().find(|member| !KEYS.contains(&member.key.as_str())) {
        return Err(here(member.unknown(KEYS)));
    }
    let Some(name) = node.get("name") else {
        return Err(here(Diagnostic::new(Code::NamelessAction, node.span, "the tool call has no `name`")));
    };
    let text = name.string("`name`").map_err(here)?;
    let builder = Action::named(vocabulary, text);
    match node.get("arguments") {
        Some(written) if written.as_str().is_some() => {
            let source = Source::new("arguments", written.as_str().unwrap_or(""));
            let inner = json::parse(&source, limits).map_err(|problems| {
                let first = problems.items().first().cloned();
                let fallback = Diagnostic::new(Code::JsonSyntax, written.span, "the arguments are no JSON");
                (first.unwrap_or(fallback), Some(source.clone()))
            })?;
            let builder = arguments(builder, &inner, today, limits)
                .map_err(|diagnostic| (diagnostic, Some(source.clone())))?;
            finish(builder, node, name)
        }
        Some(written) => {
            let builder = arguments(builder, written, today, limits).map_err(here)?;
            finish(builder, node, name)
        }
        None => finish(builder, node, name),
    }
}

fn finish(builder: crate::action::ActionBuilder<'_>, node: &Node, name: &Node) -> Result<Action, Located> {
    if let Some(missing) = builder.missing() {
        let message = format!("the argument `{missing}` is missing");
        let fault = Fault::new(Code::MissingArgument, message)
            .help("give it, or declare it `\"optional\": true` if it may be left out");
        return Err((fault.at(node.span), None));
    }
    builder.build().map_err(|fault| (fault.at(name.span), None))
}

/// The arguments of an object, added to an action.
pub(crate) fn arguments<'v>(
    mut builder: crate::action::ActionBuilder<'v>,
    node: &Node,
    today: Option<NaiveDate>,
    limits: &Limits,
) -> Result<crate::action::ActionBuilder<'v>, Diagnostic> {
    for member in node.object("`arguments`")? {
        let mut wrong: Option<Diagnostic> = None;
        builder = builder.json_argument(&member.key, member.value.to_value(), |name, kind| {
            input::json_value(&member.value, name, kind, today, limits).inspect_err(|fault| {
                wrong = Some(fault.clone().at(member.value.span));
            })
        });
        if let Some(diagnostic) = wrong {
            return Err(diagnostic);
        }
        // What the builder itself refuses is about the key.
        builder = match builder.take_fault() {
            (builder, None) => builder,
            (_, Some(fault)) => return Err(fault.at(member.key_span)),
        };
    }
    Ok(builder)
}
