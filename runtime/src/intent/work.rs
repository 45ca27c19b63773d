//! The loop: draft, mend and check, put back into words, compare, analyse.

use super::account::{Account, Answer, Attempt, Call, Outcome, Purpose};
use super::describe::Description;
use super::experience::{Example, narrowed};
use super::mend::{Mended, mended};
use super::prompt::{self, Task};
use super::verdict::Verdict;
use super::{Decoding, Encoded, Encoder, NotEncoded, Sentence, Why, reading, sound};
use crate::language_model::ask::{AskError, TRIES, ask};
use crate::language_model::{LanguageModel, Message, ModelError, Request, Role};
use chrono::NaiveDate;
use intentgate_engine::check::Checked;
use intentgate_engine::compile::bind::{BindError, Bindings, Given};
use intentgate_engine::diagnostic::{Code, Fault, Problems, Severity};
use intentgate_engine::ir::{Kind, Specification};
use intentgate_engine::schema::StateId;
use intentgate_engine::span::Source;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A day for what has none: values are bound on some day.
const A_DAY: Option<NaiveDate> = NaiveDate::from_ymd_opt(2000, 1, 1);

pub(super) async fn encode(encoder: &Encoder<'_>, sentence: Sentence) -> Result<Encoded, NotEncoded> {
    let account = Account { sentence: sentence.to_string(), ..Account::default() };
    let mut work = Work { encoder, sentence: &sentence, account };
    match work.run().await {
        Ok(held) => Ok(Encoded {
            specification: held.specification,
            policies: encoder.policies.clone(),
            values: sentence.values().to_vec(),
            today: encoder.today,
            reading: held.reading,
            description: held.description,
            analysis: held.analysis,
            warnings: held.warnings,
            account: work.account,
        }),
        Err(why) => Err(NotEncoded::new(why, work.account)),
    }
}

struct Work<'e> {
    encoder: &'e Encoder<'e>,
    sentence: &'e Sentence,
    account: Account,
}

/// A draft that held up.
struct Held {
    specification: Arc<Specification>,
    reading: String,
    description: Description,
    analysis: sound::Soundness,
    warnings: Problems,
}

/// What a draft came to: it held up, or this goes back.
enum Judged {
    Held(Box<Held>),
    Back(Outcome, String),
}

/// What was said.
enum Said<T> {
    Taken(T),
    /// The answer, and what is wrong with it.
    Unusable(String, String),
}

impl Work<'_> {
    async fn run(&mut self) -> Result<Held, Why> {
        self.usable().map_err(Why::Fault)?;
        let encoder = self.encoder;
        let examples: Vec<Example<'_>> = encoder.experience.map_or_else(Vec::new, |experience| {
            experience.similar(&self.account.sentence, &encoder.vocabulary, encoder.examples)
        });
        self.account.examples = examples.len();
        let task = Task {
            sentence: self.sentence,
            vocabulary: &encoder.vocabulary,
            policies: &encoder.policies,
            examples: &examples,
            today: encoder.today,
            standing: encoder.standing,
        };
        let few = narrowed(&self.account.sentence, &examples, &encoder.vocabulary);
        let mut talk: Vec<Message> = Vec::new();
        loop {
            if self.account.attempts.len() >= encoder.budget.drafts {
                return Err(Why::Drafts { drafts: self.account.attempts.len() });
            }
            // What a few states were not enough for gets all of them.
            let request = self.request(&task, few.as_ref().filter(|_| talk.is_empty()), &talk);
            let (answer, feedback) = match self.draft(request).await? {
                (_, Judged::Held(held)) => return Ok(*held),
                (answer, Judged::Back(outcome, feedback)) => {
                    self.close(outcome);
                    (answer, feedback)
                }
            };
            talk.push(Message::text(Role::Assistant, prompt::answered(&answer)));
            talk.push(Message::text(Role::User, feedback));
        }
    }

    /// Whether the encoder can be used as it is set up.
    fn usable(&self) -> Result<(), Fault> {
        if self.encoder.analysed && !cfg!(feature = "z3") {
            let message = "nothing is accepted without the analysis, and this program has no solver";
            return Err(Fault::new(Code::NoSolver, message)
                .help("build it with the feature `z3`")
                .help("`without_analysis` accepts without, and says so"));
        }
        for policy in &self.encoder.policies {
            if policy.kind() != Kind::Policy {
                let message = format!("`{}` is not a policy", policy.source().name());
                return Err(Fault::new(Code::PolicyConcludes, message).help("check it as a policy"));
            }
            if policy.vocabulary().identity() != self.encoder.vocabulary.identity() {
                let message = format!("`{}` was checked against another vocabulary", policy.source().name());
                return Err(Fault::new(Code::UnknownState, message).help("check it against the same one"));
            }
        }
        if self.account.sentence.trim().is_empty() {
            return Err(Fault::new(Code::EmptyInput, "the sentence is empty"));
        }
        let length = self.account.sentence.chars().count();
        if length > prompt::SENTENCE {
            let message =
                format!("the sentence has {length} characters, and the limit is {}", prompt::SENTENCE);
            return Err(Fault::new(Code::LongSentence, message)
                .help("say the task in fewer words, or split it into several tasks"));
        }
        Ok(())
    }

    fn request(&self, task: &Task<'_>, few: Option<&BTreeSet<StateId>>, talk: &[Message]) -> Request {
        let mut request = task.draft(few).temperature(self.encoder.temperature);
        request.seed = self.encoder.seed;
        request.grammar.clone_from(&self.encoder.grammar);
        request.schema.clone_from(&self.encoder.schema);
        request.messages.extend(talk.iter().cloned());
        request
    }

    /// Asks for a draft and judges it.
    async fn draft(&mut self, request: Request) -> Result<(String, Judged), Why> {
        let said =
            self.say(Purpose::Draft, self.encoder.drafter, request, |answer| Ok(answer.to_owned())).await;
        let (answer, cut) = match said? {
            Said::Taken(answer) => (answer, false),
            Said::Unusable(answer, _) => (answer, true),
        };
        let mended = match cut {
            true => None,
            false => Some(mended(&answer, &self.encoder.vocabulary, &self.encoder.limits)),
        };
        self.account.attempts.push(Attempt {
            answer: answer.clone(),
            mends: mended.as_ref().map(|mended| mended.mends.clone()).unwrap_or_default(),
            text: mended.as_ref().map(|mended| mended.text.clone()).unwrap_or_default(),
            reading: None,
            outcome: Outcome::Unfinished,
        });
        let judged = match mended {
            Some(mended) => self.judge(mended).await?,
            None => Judged::Back(Outcome::CutOff, prompt::cut_off()),
        };
        Ok((answer, judged))
    }

    /// What came of the draft at hand.
    fn close(&mut self, outcome: Outcome) {
        if let Some(attempt) = self.account.attempts.last_mut() {
            attempt.outcome = outcome;
        }
    }

    async fn judge(&mut self, mended: Mended) -> Result<Judged, Why> {
        let checked = match self.checked(mended) {
            Ok(checked) => checked,
            Err(back) => return Ok(back),
        };
        let specification = Arc::new(checked.specification);
        if let Some(attempt) = self.account.attempts.last_mut() {
            specification.source().text().clone_into(&mut attempt.text);
        }
        if let Some(back) = self.again(&specification) {
            return Ok(back);
        }
        let wrong = self.parameters(&specification);
        if !wrong.is_empty() {
            let feedback = prompt::parameters(&wrong);
            return Ok(Judged::Back(Outcome::Parameters { wrong }, feedback));
        }
        let (today, values) = (self.encoder.today, self.sentence.values());
        // A policy is no part of what was said.
        let plain = reading::description(&specification, &[], today, values).map_err(Why::Fault)?.rules();
        let reading = match self.encoder.decoding {
            Decoding::ByRules => plain.clone(),
            Decoding::ByModel => self.decode(&specification).await?,
        };
        if let Some(attempt) = self.account.attempts.last_mut() {
            attempt.reading = Some(reading.clone());
        }
        let verdict = self.compare(&reading, &plain).await?;
        if !verdict.same {
            let feedback = prompt::misread(&reading, &verdict);
            return Ok(Judged::Back(Outcome::Misread { verdict }, feedback));
        }
        let policies = &self.encoder.policies;
        let findings = match self.encoder.analysed {
            true => sound::judge(&specification, policies, today).map_err(Why::Fault)?,
            false => sound::forbidden(&specification, policies),
        };
        let analysis = match findings {
            Ok(analysis) => analysis,
            Err(findings) => {
                let feedback = prompt::unsound(&findings);
                return Ok(Judged::Back(Outcome::Unsound { findings }, feedback));
            }
        };
        let description =
            reading::description(&specification, policies, today, values).map_err(Why::Fault)?;
        self.close(Outcome::Accepted { analysis: analysis.clone() });
        Ok(Judged::Held(Box::new(Held {
            specification,
            reading,
            description,
            analysis,
            warnings: checked.warnings,
        })))
    }

    /// The draft in its canonical spelling, checked; what goes back if it doesn't pass. A comparison that can't be true,
    /// a text with hidden characters and a milestone that is nearly `Never` don't pass here, though a person's would.
    fn checked(&self, mended: Mended) -> Result<Checked, Judged> {
        let read = (!mended.mends.is_empty()).then_some(mended.text.as_str());
        let back = |problems: &Problems| {
            let diagnostics = problems.to_string();
            let codes = problems.items().iter().map(|item| item.code()).collect();
            let feedback = prompt::diagnosed(read, &diagnostics);
            Judged::Back(Outcome::Unchecked { diagnostics, codes }, feedback)
        };
        let checked =
            mended.checked.as_ref().map_err(|problems| back(&problems.at_least(Severity::Error)))?;
        let unfit =
            |code: Code| matches!(code, Code::NeverTrue | Code::HiddenCharacters | Code::NearlyReserved);
        if checked.warnings.items().iter().any(|item| unfit(item.code())) {
            return Err(back(&checked.warnings.at_least(Severity::Warning)));
        }
        let specification = &checked.specification;
        if specification.kind() == Kind::Standing && !self.encoder.standing {
            let span = intentgate_engine::span::Span::new(0, "standing".len());
            let message = "a specification for an instruction needs an end";
            let diagnostic = intentgate_engine::diagnostic::Diagnostic::new(Code::NoDone, span, message)
                .help("take out `standing`, and add a rule `… -> Done` that says when the task is complete");
            return Err(back(&Problems::one(specification.source().clone(), diagnostic)));
        }
        let canonical = Source::new("specification", prompt::canonical(specification));
        // The canonical spelling of what passes the check passes it, too.
        let vocabulary = &self.encoder.vocabulary;
        intentgate_engine::check::specification(&canonical, vocabulary, &self.encoder.limits)
            .map_err(|problems| back(&problems))
    }

    /// Whether it is an earlier draft, which has been judged.
    fn again(&self, specification: &Specification) -> Option<Judged> {
        let (_, earlier) = self.account.attempts.split_last()?;
        let place = earlier.iter().position(|attempt| attempt.text == specification.source().text())?;
        let feedback = match &earlier.get(place)?.outcome {
            Outcome::Parameters { wrong } => prompt::parameters(wrong),
            Outcome::Misread { verdict } => {
                prompt::misread(earlier.get(place)?.reading.as_deref().unwrap_or_default(), verdict)
            }
            Outcome::Unsound { findings } => prompt::unsound(findings),
            _ => return None,
        };
        Some(Judged::Back(Outcome::Again { draft: place + 1 }, prompt::again(place + 1, &feedback)))
    }

    /// What is wrong with the parameters: each place of the sentence has one, nothing else has, and the values fit.
    fn parameters(&self, specification: &Specification) -> Vec<String> {
        let places = self.sentence.places();
        let mut wrong = Vec::new();
        for parameter in specification.parameters() {
            if !places.contains(&parameter.name()) {
                let name = parameter.name();
                wrong.push(format!("`${name}`: the instruction has no place {{{name}}}; write the value"));
            }
        }
        for place in &places {
            if !specification.parameters().iter().any(|parameter| parameter.name() == *place) {
                wrong.push(format!("the place {{{place}}} of the instruction is nowhere; write `${place}` where its value belongs"));
            }
        }
        if !wrong.is_empty() || self.sentence.values().len() < places.len() {
            return wrong;
        }
        let given: Vec<(String, Given)> = self
            .sentence
            .values()
            .iter()
            .map(|(name, value)| (name.clone(), Given::Spelled(value.clone())))
            .collect();
        match Bindings::new(specification, self.encoder.today.or(A_DAY).unwrap_or_default(), &given) {
            Ok(_) => Vec::new(),
            Err(BindError::Fault(fault)) => vec![fault.message.clone()],
            Err(BindError::Problems(problems)) => {
                problems.items().iter().map(|item| item.fault.message.clone()).collect()
            }
        }
    }

    async fn decode(&mut self, specification: &Specification) -> Result<String, Why> {
        let check = |answer: &str| match answer.trim() {
            "" => Err("the answer is empty".to_owned()),
            text if text.chars().count() > prompt::SENTENCE => {
                Err("the answer is too long; say it shorter".to_owned())
            }
            text => Ok(text.to_owned()),
        };
        let request = prompt::decode(specification);
        self.insist(Purpose::Decode, self.encoder.decoder, request, check).await
    }

    async fn compare(&mut self, reading: &str, plain: &str) -> Result<Verdict, Why> {
        let request = prompt::compare(self.sentence, self.encoder.today, reading, plain);
        self.insist(Purpose::Compare, self.encoder.checker, request, Verdict::read).await
    }

    /// Asks until an answer can be used, a few times.
    async fn insist<T: Send>(
        &mut self,
        purpose: Purpose,
        model: &dyn LanguageModel,
        mut request: Request,
        check: impl Fn(&str) -> Result<T, String> + Send + Sync,
    ) -> Result<T, Why> {
        for number in 1.. {
            match self.say(purpose, model, request.clone(), &check).await? {
                Said::Taken(taken) => return Ok(taken),
                Said::Unusable(_, feedback) if number >= TRIES => {
                    return Err(Why::Unusable { purpose, feedback });
                }
                Said::Unusable(answer, feedback) => {
                    request.messages.push(Message::text(Role::Assistant, prompt::answered(&answer)));
                    let feedback =
                        format!("This answer can't be used: {feedback}\nAnswer again, in the same form.");
                    request.messages.push(Message::text(Role::User, feedback));
                }
            }
        }
        Err(Why::Unusable { purpose, feedback: String::new() })
    }

    /// One call, within the budget.
    async fn say<T: Send>(
        &mut self,
        purpose: Purpose,
        model: &dyn LanguageModel,
        request: Request,
        check: impl Fn(&str) -> Result<T, String> + Send + Sync,
    ) -> Result<Said<T>, Why> {
        self.afford()?;
        let draft = self.account.attempts.len() + usize::from(purpose == Purpose::Draft);
        let asked = ask(model, request.clone(), 1, check).await;
        let (said, answer, error) = match asked {
            Ok((taken, transcript)) => {
                let reply = transcript.exchanges.into_iter().next_back().map(|exchange| exchange.reply);
                (Some(Said::Taken(taken)), Answer::Reply(reply.unwrap_or_default()), None)
            }
            Err(AskError::Unusable { feedback, transcript, .. }) => {
                let reply = transcript.exchanges.into_iter().next_back().map(|exchange| exchange.reply);
                let reply = reply.unwrap_or_default();
                (Some(Said::Unusable(reply.text.clone(), feedback)), Answer::Reply(reply), None)
            }
            Err(AskError::Model { error, .. }) => (None, Answer::Error(error.clone()), Some(error)),
        };
        self.account.calls.push(Call { purpose, model: model.name().to_owned(), draft, request, answer });
        let unanswered = || ModelError::Malformed { why: "there is no answer".into() };
        said.ok_or_else(|| Why::Model(error.unwrap_or_else(unanswered)))
    }

    /// Whether the budget has room for a call.
    fn afford(&self) -> Result<(), Why> {
        let budget = &self.encoder.budget;
        if self.account.calls.len() >= budget.calls {
            return Err(Why::Calls { calls: budget.calls });
        }
        let usage = self.account.usage();
        let tokens =
            usage.input_tokens.unwrap_or_default().saturating_add(usage.output_tokens.unwrap_or_default());
        match budget.tokens {
            Some(limit) if tokens >= limit => Err(Why::Tokens { tokens, limit }),
            _ => Ok(()),
        }
    }
}
