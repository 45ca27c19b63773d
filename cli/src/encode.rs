//! `intentgate encode`: a sentence into a specification.

use crate::args::{Constrained, EncodeArgs, Format};
use crate::files::{self, Unusable};
use crate::{FINE, REFUSED};
use chrono::{NaiveDate, Utc};
use intentgate::engine::diagnostic::{Code, Fault, Problems, Severity};
use intentgate::engine::input::on_one_line;
use intentgate::engine::ir::Kind;
use intentgate::engine::ir::Specification;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::intent::grammar::{Grammar, Options, milestone_names};
use intentgate::intent::{
    Account, Budget, Encoded, Encoder, Experience, Majority, NotEncoded, Sentence, Soundness, Votes, Why,
};
use intentgate::language_model::{LanguageModel, Recording, Replay};
use intentgate::session::replay;
use serde_json::json;
use std::fs::File;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many past successes are offered.
const EXAMPLES: usize = 3;
/// How many milestones a grammar offers.
const MILESTONES: usize = 2;

pub(crate) fn encode(args: &EncodeArgs) -> Result<u8, Unusable> {
    let limits = Limits::default();
    let inputs = std::iter::once(&args.app).chain(&args.policy).chain(&args.replay);
    // What is confirmed is kept in the file that it was read from.
    let (read, kept) =
        if args.confirm { (None, &args.experience) } else { (args.experience.as_ref(), &None) };
    let outputs = [("--record", args.record.as_deref()), ("--experience", kept.as_deref())];
    files::no_streams(&outputs, "has the specification already")?;
    files::separate(&outputs)?;
    files::apart(outputs.iter().filter_map(|(_, path)| *path), inputs.chain(read).map(PathBuf::as_path))?;
    let vocabulary = files::vocabulary(&args.app, &limits)?;
    let sentence = sentence(args)?;
    let policies = policies(args, &vocabulary, &limits)?;
    let today = match &args.today {
        Some(day) => replay::day(day)?,
        None => Utc::now().with_timezone(&files::machine_zone()).date_naive(),
    };
    let mut experience = args.experience.as_deref().map(|path| read_experience(path, &limits)).transpose()?;
    if !cfg!(feature = "z3") && !args.without_analysis {
        let message =
            "nothing is accepted without the analysis, and this command was built without the solver Z3";
        return Err(Fault::new(Code::NoSolver, message)
            .help("build it with `--features openai,z3`")
            .help("`--without-analysis` accepts without, and says so")
            .into());
    }
    if args.confirm && !args.yes && !std::io::stdin().is_terminal() {
        return Err(nobody_to_ask().into());
    }
    let model = model(args, &limits)?;
    let encoder = encoder(args, &*model, &vocabulary, policies, today, experience.as_ref())?;
    let sampled = ask(args, &encoder, sentence);
    let ended = match sampled {
        Ok(ended) => ended,
        // What can't be asked for is no answer to a sentence.
        Err(failed) if matches!(failed.why(), Why::Fault(_)) => return Err(failed.fault().into()),
        Err(failed) => {
            refused(args, &failed)?;
            return Ok(REFUSED);
        }
    };
    accepted(args, &ended)?;
    if let (true, Some(path), Some(experience)) = (args.confirm, &args.experience, &mut experience)
        && (args.yes || is_meant())
    {
        experience.confirmed_by_user(&ended.encoded);
        crate::format::replace(path, &experience.to_text())?;
    }
    Ok(FINE)
}

fn nobody_to_ask() -> Fault {
    let message = "standard input is no terminal, so nobody can be asked whether it is what is meant";
    Fault::new(Code::NotConfirmed, message).help("`--yes` keeps it without asking")
}

/// Asks whether what was shown is what is meant. Anything but a yes is a no.
fn is_meant() -> bool {
    files::print("Is this what is meant? It is kept as confirmed by you. [y/N] ");
    let mut answer = String::new();
    // Who can't be heard has not said yes.
    let heard = std::io::stdin().lock().take(1_000).read_line(&mut answer).is_ok();
    let meant = heard && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    files::print(if meant { "Kept.\n" } else { "Not kept.\n" });
    meant
}

fn sentence(args: &EncodeArgs) -> Result<Sentence, Fault> {
    if let Some(template) = &args.template {
        return Sentence::template(template)?.of(&args.sentence);
    }
    if args.parameters.is_empty() {
        return Ok(Sentence::new(args.sentence.as_str()));
    }
    let template = Sentence::template(&args.sentence)?;
    args.parameters.iter().try_fold(template, |sentence, parameter| {
        let (name, value) = replay::parameter(parameter)?;
        sentence.with(&name, &value)
    })
}

fn policies(
    args: &EncodeArgs,
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
) -> Result<Vec<Arc<Specification>>, Unusable> {
    let (mut policies, mut wrong) = (Vec::new(), Vec::new());
    for path in &args.policy {
        match files::rules(path, vocabulary, true, limits)? {
            Ok(checked) => policies.push(Arc::new(checked.specification)),
            Err(problems) => wrong.push(problems),
        }
    }
    if wrong.is_empty() { Ok(policies) } else { Err(Unusable::Problems(wrong)) }
}

/// What a file holds; one that is not there yet holds nothing.
fn read_experience(path: &Path, limits: &Limits) -> Result<Experience, Unusable> {
    if path.as_os_str() != "-" && !path.exists() {
        return Ok(Experience::new());
    }
    let (experience, problems) = Experience::read(&files::read(path, limits)?);
    files::print_problems(&problems);
    Ok(experience)
}

/// The recorded conversation, or the model that the environment names, written down if that is asked for.
fn model(args: &EncodeArgs, limits: &Limits) -> Result<Box<dyn LanguageModel>, Unusable> {
    if let Some(path) = &args.replay {
        return Ok(Box::new(Replay::from_lines(&files::read(path, limits)?)?));
    }
    let model = model_from_environment()?;
    let Some(path) = &args.record else { return Ok(model) };
    let file = File::create(path).map_err(|error| {
        let message = format!("`{}` can't be written: {error}", path.display());
        Problems::unreadable(&path.display().to_string(), Fault::new(Code::Unreadable, message))
    })?;
    Ok(Box::new(Recording::new(model, file)))
}

/// The language model that the environment names.
fn model_from_environment() -> Result<Box<dyn LanguageModel>, Unusable> {
    crate::model::configured()?.ok_or_else(|| {
        let fault = Fault::new(Code::NoLanguageModel, "no language model is configured");
        let built =
            if cfg!(feature = "openai") { "" } else { ", in a build with the features `openai` and `z3`" };
        let help = format!("set `INTENTGATE_MODEL_URL` and `INTENTGATE_MODEL`{built}");
        fault.help(help).help("`--replay FILE` answers from a recorded conversation").into()
    })
}

fn encoder<'a>(
    args: &EncodeArgs,
    model: &'a dyn LanguageModel,
    vocabulary: &Arc<Vocabulary>,
    policies: Vec<Arc<Specification>>,
    today: NaiveDate,
    experience: Option<&'a Experience>,
) -> Result<Encoder<'a>, Fault> {
    let budget = Budget { drafts: args.drafts, calls: args.calls, tokens: args.tokens };
    let mut encoder = Encoder::new(model, vocabulary).today(today).budget(budget).standing(args.standing);
    if args.without_analysis {
        encoder = encoder.without_analysis();
    }
    for policy in policies {
        encoder = encoder.policy(policy);
    }
    if let Some(experience) = experience {
        encoder = encoder.experience(experience, EXAMPLES);
    }
    let Some(form) = args.constrained else { return Ok(encoder) };
    let options = Options {
        kind: if args.standing { Kind::Standing } else { Kind::Intent },
        milestones: milestone_names(vocabulary, MILESTONES),
        ..Options::default()
    };
    let grammar = Grammar::new(vocabulary, options)?;
    Ok(match form {
        Constrained::Gbnf => encoder.grammar(grammar.gbnf()),
        Constrained::JsonSchema => {
            // What was written a moment ago can be read.
            let schema = serde_json::from_str(&grammar.json_schema()).unwrap_or_default();
            encoder.schema("specification", schema)
        }
    })
}

fn ask(args: &EncodeArgs, encoder: &Encoder<'_>, sentence: Sentence) -> Result<Ended, NotEncoded> {
    if args.samples.get() == 1 {
        let encoded = pollster::block_on(encoder.encode(sentence))?;
        let accounts = vec![encoded.account().clone()];
        return Ok(Ended { encoded, votes: None, accounts });
    }
    let Majority { encoded, votes, accounts } = pollster::block_on(encoder.majority(sentence, args.samples))?;
    Ok(Ended { encoded, votes: Some(votes), accounts })
}

/// What came out.
struct Ended {
    encoded: Encoded,
    votes: Option<Votes>,
    accounts: Vec<Account>,
}

fn accepted(args: &EncodeArgs, ended: &Ended) -> Result<(), Unusable> {
    let Ended { encoded, votes, accounts } = ended;
    let warnings = encoded.warnings().at_least(Severity::Warning);
    let mut out = anstream::stdout();
    if args.format.format == Format::Json {
        let values: serde_json::Map<String, serde_json::Value> =
            encoded.values().iter().map(|(name, value)| (name.clone(), json!(value))).collect();
        let mut shown = json!({
            "accepted": true,
            "sentence": encoded.account().sentence,
            "specification": encoded.text(),
            "reading": encoded.reading(),
            "description": encoded.description(),
            "analysis": encoded.analysis(),
            "values": values,
            "warnings": warnings.to_json(),
            "usage": encoded.account().usage(),
        });
        add(&mut shown, args, votes.as_ref(), accounts);
        writeln!(out, "{shown}")?;
        return Ok(());
    }
    transcript(args, accounts);
    let mut said = String::new();
    said.push_str(&votes.as_ref().map(ToString::to_string).unwrap_or_default());
    // What a model said was compared with the sentence; what no model said is shown to be confirmed.
    said.push_str(&encoded.description().to_string());
    said.push('\n');
    match encoded.analysis() {
        Soundness::Sound { notes } => {
            said.push_str(&format!("Accepted; {}.\n", encoded.analysis()));
            let lines = notes.iter().flat_map(|note| note.lines());
            lines.for_each(|line| said.push_str(&format!("note: {}\n", on_one_line(line))));
        }
        Soundness::LeftOut => said.push_str(&format!("Accepted, NOT ANALYSED: {}.\n", encoded.analysis())),
    }
    for (name, value) in encoded.values() {
        said.push_str(&format!("${name} is {}\n", intentgate::engine::value::quoted(value)));
    }
    files::print(&said);
    files::print_problems(&warnings);
    for line in encoded.account().sentence.lines() {
        writeln!(out, "# {}", on_one_line(line))?;
    }
    out.write_all(encoded.text().as_bytes())?;
    Ok(())
}

fn refused(args: &EncodeArgs, failed: &NotEncoded) -> Result<(), Unusable> {
    if args.format.format == Format::Json {
        let mut shown = json!({"accepted": false, "fault": failed.fault()});
        add(&mut shown, args, failed.votes(), failed.accounts());
        writeln!(anstream::stdout(), "{shown}")?;
        return Ok(());
    }
    transcript(args, failed.accounts());
    files::print(&failed.votes().map(ToString::to_string).unwrap_or_default());
    Unusable::Fault(failed.fault()).print();
    Ok(())
}

/// Votes and, if they are asked for, the accounts.
fn add(shown: &mut serde_json::Value, args: &EncodeArgs, votes: Option<&Votes>, accounts: &[Account]) {
    let Some(members) = shown.as_object_mut() else { return };
    if let Some(votes) = votes {
        members.insert("votes".to_owned(), json!(votes));
    }
    if args.transcript {
        members.insert("transcript".to_owned(), json!(accounts));
    }
}

fn transcript(args: &EncodeArgs, accounts: &[Account]) {
    if args.transcript {
        accounts.iter().for_each(|account| files::print(&account.to_string()));
    }
}
