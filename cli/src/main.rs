//! The command `intentgate`.
//!
//! Reads files and arguments, calls the library, prints. Must never decide anything by itself.
#![forbid(unsafe_code)]

mod ablation;
mod args;
mod check;
mod describe;
mod encode;
mod exec;
mod explain;
mod explore;
mod files;
mod format;
mod grammar;
mod graph;
mod model;
mod models;
mod plan;
mod progress;
mod report;
mod run;
mod solver;
mod test;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::io::Write;
use std::process::ExitCode;

/// Nothing was blocked, nothing is wrong.
const FINE: u8 = 0;
/// Something was blocked, or a specification has errors.
const REFUSED: u8 = 1;
/// The input could not be used.
const UNUSABLE: u8 = 2;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let ended = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Replay(args) => run::replay(&args),
        Command::Check(args) => check::check(&args),
        Command::Fmt(args) => format::format(&args),
        Command::Explain(args) => explain::roadmap(&args),
        Command::Describe(args) => describe::describe(&args),
        Command::Grammar(args) => grammar::grammar(&args),
        Command::ExplainCode(args) => explain::code(&args),
        Command::Analyze(args) => solver::analyze(&args),
        Command::GenTests(args) => solver::gen_tests(&args),
        Command::Encode(args) => encode::encode(&args),
        Command::Plan(args) => plan::plan(&args),
        Command::Exec(args) => exec::exec(&args),
        Command::Ablation(args) => ablation::ablation(&args),
        Command::Graph(args) => graph::graph(&args),
        Command::Import(args) => models::import(&args),
        Command::Export(args) => models::export(&args),
        Command::Explore(args) => explore::explore(&args),
        Command::Test(args) => test::test(&args),
        Command::Completions(args) => {
            let mut script = Vec::new();
            clap_complete::generate(args.shell, &mut Cli::command(), "intentgate", &mut script);
            // Who reads may stop early.
            std::io::stdout().write_all(&script).map(|()| FINE).map_err(files::Unusable::Output)
        }
    };
    match ended {
        Ok(status) => ExitCode::from(status),
        Err(unusable) => {
            unusable.print();
            ExitCode::from(UNUSABLE)
        }
    }
}
