//! `intentgate test`: test files.

use crate::args::{Format, TestArgs};
use crate::files::{self, Unusable};
use crate::{FINE, REFUSED};
use intentgate::engine::limits::Limits;
use intentgate::testing::{CaseResult, Suite, SuiteError};
use std::io::Write;

pub(crate) fn test(args: &TestArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let mut results: Vec<(String, Vec<CaseResult>)> = Vec::new();
    let loaded = files::Loaded::read(&args.session, &limits)?;
    for path in &args.files {
        let suite = Suite::read(&files::read(path, &limits)?, &limits)?;
        results.push((suite.name().to_owned(), suite.play(|| loaded.builder())?));
    }
    let failed = results.iter().flat_map(|(_, cases)| cases).filter(|case| !case.failures.is_empty()).count();
    let all = results.iter().map(|(_, cases)| cases.len()).sum::<usize>();
    let mut out = anstream::stdout();
    match args.format.format {
        Format::Json => {
            let files = results.iter().map(|(name, cases)| serde_json::json!({"file": name, "cases": cases}));
            let files: Vec<serde_json::Value> = files.collect();
            writeln!(out, "{}", serde_json::json!({"files": files, "cases": all, "failed": failed}))?;
        }
        Format::Text => {
            for (name, cases) in &results {
                for case in cases.iter().filter(|case| !case.failures.is_empty()) {
                    writeln!(out, "{name}:{}: {} fails", case.line, case.case)?;
                    for failure in &case.failures {
                        failure.to_string().lines().try_for_each(|line| writeln!(out, "  {line}"))?;
                    }
                }
            }
            let cases = if all == 1 { "case" } else { "cases" };
            match failed {
                0 => writeln!(out, "{all} {cases}, all as expected")?,
                _ => writeln!(out, "{all} {cases}, {failed} not as expected")?,
            }
        }
    }
    Ok(if failed == 0 { FINE } else { REFUSED })
}

impl From<SuiteError> for Unusable {
    fn from(error: SuiteError) -> Unusable {
        match error {
            SuiteError::Problems(problems) => problems.into(),
            SuiteError::Start(case, error) => match error.parts() {
                Ok(problems) => problems.clone().into(),
                Err(fault) => {
                    let mut fault = fault.clone();
                    fault.message = format!("{case}: {}", fault.message);
                    fault.into()
                }
            },
        }
    }
}
