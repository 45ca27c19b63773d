//! `intentgate grammar`.

use crate::FINE;
use crate::args::{GrammarArgs, GrammarForm, GrammarKind};
use crate::files::{self, Unusable};
use intentgate::engine::ir::Kind;
use intentgate::engine::limits::Limits;
use intentgate::intent::grammar::{Grammar, MOST_MILESTONES, Options, Parameters, milestone_names};
use std::io::Write;

pub(crate) fn grammar(args: &GrammarArgs) -> Result<u8, Unusable> {
    let vocabulary = files::vocabulary(&args.app, &Limits::default())?;
    let milestones = if args.milestone.is_empty() {
        // One more than the limit is enough to be told of it.
        milestone_names(&vocabulary, args.milestones.min(MOST_MILESTONES + 1))
    } else {
        args.milestone.clone()
    };
    let options = Options {
        kind: match args.kind {
            GrammarKind::Task => Kind::Intent,
            GrammarKind::Standing => Kind::Standing,
            GrammarKind::Policy => Kind::Policy,
        },
        milestones,
        labels: args.labels,
        parameters: if args.params { Parameters::ByType } else { Parameters::None },
    };
    let grammar = Grammar::new(&vocabulary, options)?;
    let text = match args.form {
        GrammarForm::Gbnf => grammar.gbnf(),
        GrammarForm::Lark => grammar.lark(),
        GrammarForm::JsonSchema => format!("{}\n", grammar.json_schema()),
    };
    anstream::stdout().write_all(text.as_bytes())?;
    Ok(FINE)
}
