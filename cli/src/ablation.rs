//! `intentgate ablation`: what plans, recovery and knowledge do, on simulated apps.

use crate::args::{AblationArgs, TableFormat};
use crate::files::Unusable;
use crate::{FINE, REFUSED, exec, progress};
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::executor::ablation::{Settings, Table, Unmade};
use std::io::Write;

pub(crate) fn ablation(args: &AblationArgs) -> Result<u8, Unusable> {
    let settings = Settings { tasks: args.tasks, seed: args.seed, faults: exec::faults(&args.faults)? };
    let table = measured(&settings).map_err(|unmade| Fault::new(Code::NoPlan, unmade.to_string()))?;
    let mut out = anstream::stdout();
    match args.format {
        TableFormat::Text => write!(out, "{table}")?,
        TableFormat::Markdown => write!(out, "{}", table.markdown())?,
        TableFormat::Json => writeln!(out, "{}", serde_json::json!(table))?,
    }
    Ok(if table.violations() == 0 { FINE } else { REFUSED })
}

/// Every task is one of its own: they are shared out among the processors, and the figures stay the same.
fn measured(settings: &Settings) -> Result<Table, Unmade> {
    let bar = progress::bar(settings.tasks, "tasks");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Result<Table, Unmade>> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..threads)
            .map(|thread| {
                let counted = bar.clone();
                let numbers = (0..settings.tasks).skip(thread).step_by(threads);
                let numbers = numbers.inspect(move |_| counted.inc(1));
                scope.spawn(move || pollster::block_on(settings.measure(numbers)))
            })
            .collect();
        let lost = || Err(Unmade("a part of the runs came to no end".to_owned()));
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(|_| lost())).collect()
    });
    bar.finish_and_clear();
    let mut table = Table::new(*settings);
    for part in parts {
        table.merge(&part?);
    }
    Ok(table)
}
