//! Apps and tasks from a seed.
//!
//! Pages that lead to each other, a form whose values are chosen one by one, something that turns out, one or two
//! critical actions that a specification allows under conditions, another one that it never allows, and sometimes
//! a policy. Every task can be done: there is a plan that the gate lets through.

use super::Unmade;
use crate::executor::device::simulated::Dice;
use crate::planner::declare::{App, Configured, Page, Said, Transition};
use crate::planner::{Bounds, Completion, Model, Planner, Start};
use crate::session::replay::trace_clock;
use crate::session::{Session, SessionBuilder};
use intentgate_engine::check;
use intentgate_engine::ir::Specification;
use intentgate_engine::limits::Limits;
use intentgate_engine::schema::Vocabulary;
use intentgate_engine::schema::declare::Variable;
use intentgate_engine::span::Source;
use intentgate_engine::value::Value;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What can be chosen in forms.
const FIELDS: [(&str, [&str; 4]); 3] = [
    ("colour", ["red", "green", "blue", "white"]),
    ("size", ["small", "medium", "large", "huge"]),
    ("day", ["monday", "tuesday", "thursday", "friday"]),
];

/// A simulated app with a task.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The task in words.
    pub sentence: String,
    /// The whole model: what the app does.
    pub model: Model,
    /// What the specification is written in.
    pub vocabulary: Arc<Vocabulary>,
    /// When critical actions may be done, and when the task is complete.
    pub specification: Arc<Specification>,
    /// What narrows it.
    pub policies: Vec<Arc<Specification>>,
    /// The steps of the plan on the whole model, were there no faults.
    pub optimum: usize,
    seed: u64,
}

/// The task of a seed.
///
/// # Errors
/// What was made doesn't pass a check, or can't be done: a mistake of this module.
pub fn task(seed: u64) -> Result<Generated, Unmade> {
    let draft = Draft::new(seed);
    let limits = Limits::default();
    let unmade = |problems: intentgate_engine::diagnostic::Problems| Unmade(problems.to_string());
    let vocabulary = Source::new("app.json", draft.vocabulary().to_string());
    let vocabulary = Arc::new(Vocabulary::from_json(&vocabulary, &limits).map_err(unmade)?);
    let (sentence, rules) = draft.specification();
    let specification = check::specification(&Source::new("task.intent", rules), &vocabulary, &limits);
    let policies = draft.policy().into_iter().map(|text| {
        let checked = check::policy(&Source::new("shop.intent", text), &vocabulary, &limits);
        Ok(Arc::new(checked.map_err(unmade)?.specification))
    });
    let mut generated = Generated {
        sentence,
        model: draft.app().check().map_err(unmade)?,
        specification: Arc::new(specification.map_err(unmade)?.specification),
        policies: policies.collect::<Result<_, Unmade>>()?,
        vocabulary,
        optimum: 0,
        seed,
    };
    let session = generated.session().start().map_err(|error| Unmade(error.to_string()))?;
    let planned = Planner::new(&generated.model).complete(&Start::default(), &session, &Bounds::default());
    match planned.map_err(|fault| Unmade(fault.to_string()))? {
        Completion::Path(path) => generated.optimum = path.steps.len(),
        other => return Err(Unmade(format!("the task of the seed {seed} has no plan: {other:?}"))),
    }
    Ok(generated)
}

impl Generated {
    /// A session of the task, on a day that is always the same, with a clock that stands still.
    pub fn session(&self) -> SessionBuilder {
        let today = chrono::NaiveDate::from_ymd_opt(2026, 11, 21).unwrap_or_default();
        let builder = Session::builder(Arc::clone(&self.specification));
        let builder = builder.today(today).clock(trace_clock(today, chrono_tz::Tz::UTC));
        self.policies.iter().fold(builder, |builder, policy| builder.policy(Arc::clone(policy)))
    }

    /// The model without half of the ways that only lead from page to page.
    pub(super) fn half(&self) -> Model {
        let dice = std::cell::RefCell::new(Dice(self.seed ^ 0x6861_6c66));
        self.model.only(|one| !one.is_plain() || dice.borrow_mut().below(2) == 0)
    }
}

/// What is decided about an app before it is written down.
struct Draft {
    sections: usize,
    /// The section that leads to each one; none for the start page.
    parents: Vec<Option<usize>>,
    shortcuts: Vec<(usize, usize)>,
    /// Whether a section leads home instead of back.
    homeward: Vec<bool>,
    /// For each field how many options there are, and which are wanted.
    fields: Vec<(usize, Vec<usize>)>,
    /// Whether the last field is on a page of its own.
    second_form: bool,
    signs_in: bool,
    checks: bool,
    leaves_it: bool,
    notifies: bool,
    accepts_refusal: bool,
    policy: bool,
}

impl Draft {
    fn new(seed: u64) -> Draft {
        let mut dice = Dice(seed);
        let mut chance = |percent: usize| dice.below(100) < percent;
        let (second_form, signs_in, checks) = (chance(40), chance(30), chance(60));
        let (leaves_it, notifies, accepts_refusal) = (chance(70), chance(50), chance(50));
        let policy = chance(30);
        // 6 to 20 pages: start, sections, one or two forms, the receipt.
        let pages = 6 + dice.below(15);
        let sections = pages - 3 - usize::from(second_form);
        let parent = |place: usize, dice: &mut Dice| match place {
            0 => None,
            _ => Some(place - 1 - dice.below(place.min(3))).filter(|_| dice.below(8) > 0),
        };
        let parents: Vec<Option<usize>> = (0..sections).map(|place| parent(place, &mut dice)).collect();
        let shortcuts = (0..sections / 3).map(|_| (dice.below(sections), dice.below(sections)));
        let shortcuts = shortcuts.filter(|(from, to)| from != to).collect();
        let homeward = (0..sections).map(|_| dice.below(7) == 0).collect();
        let mut fields: Vec<(usize, Vec<usize>)> = Vec::new();
        for _ in 0..1 + dice.below(FIELDS.len()) {
            let options = 2 + dice.below(3);
            fields.push((options, vec![dice.below(options)]));
        }
        // A policy takes one of two away.
        if let Some((options, wanted)) = fields.first_mut().filter(|_| policy) {
            let other = wanted.first().map_or(0, |one| (one + 1) % *options);
            wanted.push(other);
        }
        Draft {
            sections,
            parents,
            shortcuts,
            homeward,
            fields,
            second_form,
            signs_in,
            checks,
            leaves_it,
            notifies,
            accepts_refusal,
            policy,
        }
    }

    /// The fields with the names of their options, and of those that are wanted.
    fn chosen(&self) -> impl Iterator<Item = (&'static str, Vec<&'static str>, Vec<&'static str>)> {
        self.fields.iter().zip(FIELDS).map(|((options, wanted), (name, all))| {
            let options: Vec<&str> = all.into_iter().take(*options).collect();
            let wanted = wanted.iter().filter_map(|place| options.get(*place).copied()).collect();
            (name, options, wanted)
        })
    }

    fn vocabulary(&self) -> serde_json::Value {
        let mut order: Vec<serde_json::Value> = self
            .chosen()
            .map(|(name, values, _)| json!({"name": name, "type": "Enum", "values": values}))
            .collect();
        let all: Vec<String> = self.chosen().map(|(name, ..)| format!("Order.{name}")).collect();
        order.push(json!({"name": "available", "type": "Boolean", "source": "app", "reset_by": all}));
        let said = |name: &str| json!({"name": name, "type": "Boolean", "source": "app"});
        json!({
            "app": "Shop",
            "states": [
                {"name": "Order", "description": "what is chosen", "variables": order},
                {"name": "Reply", "description": "what the shop says",
                 "variables": [said("accepted"), said("sent")]}
            ],
            "actions": [
                {"name": "Submit", "description": "place the order"},
                {"name": "Notify", "description": "tell somebody of it"},
                {"name": "Delete", "description": "delete the account"}
            ]
        })
    }

    /// The task in words, and its rules.
    fn specification(&self) -> (String, String) {
        let mut lines = Vec::new();
        let wanted: Vec<String> = self
            .chosen()
            .map(|(_, _, wanted)| wanted.first().copied().unwrap_or_default().to_owned())
            .collect();
        let sentence = format!("order it {}", wanted.join(", "));
        // Each wanted option of the first field has a rule.
        let first = self.chosen().next().map(|(name, _, wanted)| (name, wanted)).unwrap_or_default();
        for (number, option) in first.1.iter().enumerate() {
            let rest = self
                .chosen()
                .skip(1)
                .filter_map(|(name, _, wanted)| Some(format!("{name} = {}", wanted.first()?)));
            let mut all: Vec<String> = vec![format!("{} = {option}", first.0)];
            all.extend(rest);
            let chosen = all.join(", ");
            let available = if self.checks { ", available = true" } else { "" };
            lines.push(format!("Order{number}: Order({chosen}{available}) -> Submit"));
            if self.checks && self.leaves_it {
                lines.push(format!("Gone{number}: Order({chosen}, available = false) -> Done"));
            }
        }
        match self.notifies {
            true => {
                lines.push("Tell: Submit and Reply(accepted = true) -> Notify".to_owned());
                lines.push("Told: Submit and Notify and Reply(sent = true) -> Done".to_owned());
                lines.push("Quiet: Submit and Notify and Reply(sent = false) -> Done".to_owned());
            }
            false => lines.push("Ordered: Submit and Reply(accepted = true) -> Done".to_owned()),
        }
        if self.accepts_refusal {
            lines.push("Refused: Submit and Reply(accepted = false) -> Done".to_owned());
        }
        (sentence, lines.join("\n") + "\n")
    }

    /// What takes one of two wanted options away.
    fn policy(&self) -> Option<String> {
        let (name, _, wanted) = self.chosen().next().filter(|_| self.policy)?;
        Some(format!("No{name}: Submit and Order({name} = {}) -> Never\n", wanted.first()?))
    }

    fn section(place: Option<usize>) -> String {
        place.map_or_else(|| "Home".to_owned(), |place| format!("Section {}", place + 1))
    }

    fn app(&self) -> App {
        let mut pages = vec![Page::new("Home"), Page::new("Form"), Page::new("Receipt")];
        pages.extend((0..self.sections).map(|place| Page::new(Draft::section(Some(place)))));
        let mut transitions = self.ways();
        transitions.extend(self.form());
        let mut variables = Vec::new();
        if self.second_form {
            pages.push(Page::new("Options"));
        }
        if self.signs_in {
            let variable = Variable::new("signed_in", "Boolean");
            variables.push(Configured { variable, initial: Some(Value::Boolean(false)) });
        }
        App {
            app: "Shop".to_owned(),
            start: "Home".to_owned(),
            pages,
            variables,
            transitions,
            ..App::default()
        }
    }

    /// What only leads from page to page.
    fn ways(&self) -> Vec<Transition> {
        let mut ways = Vec::new();
        for (place, parent) in self.parents.iter().enumerate() {
            let (here, above) = (Draft::section(Some(place)), Draft::section(*parent));
            ways.push(Transition::new(above.clone(), format!("open {here}"), here.clone()));
            match self.homeward.get(place) {
                Some(true) => ways.push(Transition::new(here, "go home", "Home")),
                _ => ways.push(Transition::new(here, "go back", above)),
            }
        }
        for (from, to) in &self.shortcuts {
            let (from, to) = (Draft::section(Some(*from)), Draft::section(Some(*to)));
            ways.push(Transition::new(from, format!("jump to {to}"), to));
        }
        let last = Draft::section(self.sections.checked_sub(1));
        let guard = if self.signs_in { "signed_in = true".to_owned() } else { String::new() };
        ways.push(Transition { guard, ..Transition::new(last.clone(), "open the form", "Form") });
        ways.push(Transition::new("Form", "go back", last));
        ways.push(Transition::new("Receipt", "go home", "Home"));
        if self.second_form {
            ways.push(Transition::new("Form", "open the options", "Options"));
            ways.push(Transition::new("Options", "go back", "Form"));
        }
        ways
    }

    /// What means something to the gate.
    fn form(&self) -> Vec<Transition> {
        let mut all = Vec::new();
        let mut fields: Vec<_> = self.chosen().collect();
        let own_page = if self.second_form { fields.pop() } else { None };
        let places =
            fields.iter().map(|field| ("Form", field)).chain(own_page.iter().map(|field| ("Options", field)));
        for (page, (name, options, _)) in places {
            for option in options {
                let said = BTreeMap::from([((*name).to_owned(), Said::Value(json!(option)))]);
                let causes = BTreeMap::from([("Order".to_owned(), said)]);
                all.push(Transition { causes, ..Transition::new(page, format!("choose {option}"), page) });
            }
        }
        let turns_out = |state: &str, name: &str| {
            let said = BTreeMap::from([(name.to_owned(), Said::Expect(vec![json!(true), json!(false)]))]);
            BTreeMap::from([(state.to_owned(), said)])
        };
        let does = |from: &str, event: &str, action: &str, to: &str| Transition {
            action: Some(action.to_owned()),
            ..Transition::new(from, event, to)
        };
        if self.checks {
            let observes = turns_out("Order", "available");
            all.push(Transition { observes, ..Transition::new("Form", "check what is left", "Form") });
        }
        let observes = turns_out("Reply", "accepted");
        all.push(Transition { observes, ..does("Form", "confirm the order", "Submit", "Receipt") });
        if self.notifies {
            let observes = turns_out("Reply", "sent");
            all.push(Transition { observes, ..does("Receipt", "send the receipt", "Notify", "Receipt") });
        }
        all.push(does("Home", "delete the account", "Delete", "Home"));
        if self.signs_in {
            let update = "signed_in = true".to_owned();
            all.push(Transition { update, ..Transition::new("Home", "sign in", "Home") });
        }
        all
    }
}
