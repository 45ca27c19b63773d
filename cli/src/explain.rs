//! `intentgate explain` and `intentgate explain-code`.

use crate::args::{CodeArgs, ExplainArgs, Format};
use crate::files::{self, Unusable};
use crate::{FINE, UNUSABLE};
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::limits::Limits;
use intentgate::engine::suggest;
use std::io::Write;

pub(crate) fn roadmap(args: &ExplainArgs) -> Result<u8, Unusable> {
    let (builder, ..) = files::session(&args.session, &Limits::default())?;
    let session = builder.start()?;
    let mut out = anstream::stdout();
    let roadmap = session.roadmap();
    match args.format.format {
        Format::Json => {
            let rules: Vec<serde_json::Value> = roadmap
                .iter()
                .map(|rule| serde_json::json!({"rule": rule, "text": rule.to_string()}))
                .collect();
            writeln!(out, "{}", serde_json::Value::from(rules))?;
        }
        Format::Text => {
            for rule in &roadmap {
                writeln!(out, "{}: {rule}", rule.rule)?;
            }
        }
    }
    Ok(FINE)
}

pub(crate) fn code(args: &CodeArgs) -> Result<u8, Unusable> {
    let mut out = anstream::stdout();
    let entry = |code: &Code| serde_json::json!({"code": code, "severity": code.severity(), "title": code.title(), "page": code.page()});
    let Some(text) = &args.code else {
        match args.format.format {
            Format::Json => {
                let all: Vec<serde_json::Value> = Code::ALL.iter().map(entry).collect();
                writeln!(out, "{}", serde_json::Value::from(all))?;
            }
            Format::Text => {
                for code in Code::ALL {
                    writeln!(out, "{code}  {}", code.title())?;
                }
            }
        }
        return Ok(FINE);
    };
    let Some(code) = Code::parse(text) else {
        let known = Code::ALL.iter().map(|code| code.as_str());
        let help = match suggest::nearest(text, known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`intentgate explain-code --list` lists all codes".to_owned(),
        };
        Unusable::Fault(Fault::new(Code::UnknownKey, format!("there is no code `{text}`")).help(help))
            .print();
        return Ok(UNUSABLE);
    };
    match args.format.format {
        Format::Json => writeln!(out, "{}", entry(&code))?,
        Format::Text => out.write_all(code.page().as_bytes())?,
    }
    Ok(FINE)
}
