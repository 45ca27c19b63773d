//! PDDL: models as planning problems, plans of other planners as steps of ours.
//!
//! The published form (Agent+P, Listings 1 and 2) knows pages and connections only; it declares
//! `:conditional-effects`, which its listing uses without saying so. Plain STRIPS says guards and updates, too:
//! an action for each transition and each combination of values that its guard allows. Comments `; name = "text"`
//! say what a name stands for that PDDL doesn't take as it is.

use super::compile::Graph;
use super::model::conditions;
use super::search::{Goal, PlanError, Start};
use super::{Model, PageId, TransitionId};
use intentgate_engine::diagnostic::{Code, Diagnostic, Fault, Problems};
use intentgate_engine::ir::Operand;
use intentgate_engine::span::{Source, Span};
use intentgate_engine::text::lookalike;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write;

/// The most actions that a transition becomes.
const MOST_ACTIONS: usize = 4_096;

/// Which form is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// Pages and connections, as published.
    Published,
    /// With guards and updates.
    Strips,
}

/// A planning problem, and what its names stand for.
#[derive(Debug, Clone)]
pub struct Problem {
    /// The domain file.
    pub domain: String,
    /// The problem file.
    pub problem: String,
    dialect: Dialect,
    pages: HashMap<String, PageId>,
    actions: HashMap<String, TransitionId>,
}

/// Names as PDDL takes them: letters, digits, `-` and `_`, told apart without case.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    fn name(&mut self, text: &str) -> String {
        let plain: String = text
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' })
            .collect();
        let plain = match plain.chars().next() {
            Some(first) if first.is_ascii_alphabetic() => plain,
            _ => format!("n{plain}"),
        };
        let mut name = plain.clone();
        let mut number = 2;
        while !self.0.insert(name.to_ascii_lowercase()) {
            name = format!("{plain}-{number}");
            number += 1;
        }
        name
    }
}

/// What names stand for, where they are not what they stand for: comments that importing understands.
#[derive(Default)]
struct Legend(String);

impl Legend {
    fn add(&mut self, name: &str, text: &str) {
        if name != text {
            let _ = writeln!(self.0, "; {name} = {}", visible_json(text));
        }
    }
}

impl Problem {
    /// Writes the way from a start to one of some pages as a planning problem.
    ///
    /// # Errors
    /// The published form can't say guards and updates; a transition whose guard allows too many combinations of
    /// values; no page to go to.
    pub fn new(model: &Model, start: &Start, targets: &[PageId], dialect: Dialect) -> Result<Problem, Fault> {
        if targets.is_empty() {
            return Err(Fault::new(Code::UnknownPage, "a planning problem needs a page to go to"));
        }
        match dialect {
            Dialect::Published => Problem::published(model, start, targets),
            Dialect::Strips => Problem::strips(model, start, targets),
        }
    }

    fn published(model: &Model, start: &Start, targets: &[PageId]) -> Result<Problem, Fault> {
        let plain = |transition: &super::Transition| {
            transition.guard().is_empty() && transition.update().is_empty() && transition.function().is_none()
        };
        if let Some((_, transition)) = model.transitions().find(|(_, transition)| !plain(transition)) {
            let message = format!(
                "the published form can't say what `{}` needs, changes or performs",
                transition.event()
            );
            return Err(Fault::new(Code::NoPlan, message).help("write plain STRIPS"));
        }
        let (mut names, mut of_pages) = (Names::default(), Vec::new());
        let (mut pages, mut legend) = (HashMap::new(), Legend::default());
        let title = Names::default().name(model.app());
        legend.add(&title, model.app());
        for (id, page) in model.pages() {
            let name = names.name(page.name());
            legend.add(&name, page.name());
            pages.insert(name.to_ascii_lowercase(), id);
            of_pages.push(name);
        }
        let name = |page: PageId| of_pages.get(page.index()).map_or("", String::as_str);
        let mut problem =
            format!("{}(define (problem {title})\n  (:domain utg-automation)\n\n  (:objects\n", legend.0);
        for name in &of_pages {
            let _ = writeln!(problem, "    {name} - node");
        }
        let _ =
            write!(problem, "  )\n\n  (:init\n    (at {})\n\n", name(start.page.unwrap_or(model.start())));
        for page in targets {
            let _ = writeln!(problem, "    (goal-node {})", name(*page));
        }
        problem.push('\n');
        let mut connected = HashSet::new();
        for (_, transition) in model.transitions() {
            if connected.insert((transition.from(), transition.to())) {
                let _ = writeln!(
                    problem,
                    "    (connected {} {})",
                    name(transition.from()),
                    name(transition.to())
                );
            }
        }
        let goals: Vec<String> =
            targets.iter().map(|page| format!("(goal-achieved {})", name(*page))).collect();
        let goal =
            if let [goal] = goals.as_slice() { goal.clone() } else { format!("(or {})", goals.join(" ")) };
        let _ = write!(problem, "  )\n\n  (:goal\n    {goal}\n  )\n)\n");
        let disjunction = if goals.len() > 1 { " :disjunctive-preconditions" } else { "" };
        let domain = DOMAIN.replace(" :conditional-effects", &format!(" :conditional-effects{disjunction}"));
        Ok(Problem { domain, problem, dialect: Dialect::Published, pages, actions: HashMap::new() })
    }

    fn strips(model: &Model, start: &Start, targets: &[PageId]) -> Result<Problem, Fault> {
        let values = start.values(model);
        let graph = Graph::new(model, &values, &[], &[], false).map_err(Fault::from)?;
        let mut names = Names::default();
        let mut legend = Legend::default();
        let pages: Vec<String> =
            model.pages().map(|(_, page)| names.name(&format!("at-{}", page.name()))).collect();
        for (name, (_, page)) in pages.iter().zip(model.pages()) {
            if name.strip_prefix("at-") != Some(page.name()) {
                legend.add(name, page.name());
            }
        }
        // A proposition for each value of each variable.
        let mut propositions: BTreeMap<_, Vec<String>> = BTreeMap::new();
        for (id, domain) in graph.domains() {
            let variable = match model.vocabulary().variable(id).name() {
                // What begins with `at-` says where one is.
                at if at.eq_ignore_ascii_case("at") => "at_",
                variable => variable,
            };
            let named = domain.iter().map(|value| match value {
                Some(value) => names.name(&format!("{variable}-is-{value}")),
                None => names.name(&format!("{variable}-is-unknown")),
            });
            propositions.insert(id, named.collect());
        }
        let at = |page: PageId| pages.get(page.index()).map_or("", String::as_str);
        let mut domain =
            "(define (domain efsm)\n  (:requirements :strips)\n\n  (:predicates\n    (reached)\n".to_owned();
        for name in pages.iter().chain(propositions.values().flatten()) {
            let _ = writeln!(domain, "    ({name})");
        }
        domain.push_str("  )\n");
        let mut actions = HashMap::new();
        for (id, transition) in model.transitions().filter(|(_, transition)| transition.function().is_none())
        {
            // The variables that matter: those of the guard, those that change, and those they are copied from.
            let guard = transition.guard.iter().flat_map(|guard| conditions(guard));
            let read = guard.flat_map(|constraint| constraint.variables());
            let copied = transition.update.iter().filter_map(|(_, operand)| match operand {
                Operand::Variable(other) => Some(*other),
                _ => None,
            });
            let mut matter: Vec<_> = read.chain(copied).collect();
            matter.extend(transition.update.iter().map(|(variable, _)| *variable));
            matter.sort_unstable();
            matter.dedup();
            let combinations =
                graph.combinations(model, transition, &matter, MOST_ACTIONS).ok_or_else(|| {
                    let message = format!(
                        "the guard of `{}` allows more than {MOST_ACTIONS} combinations",
                        transition.event()
                    );
                    Fault::new(Code::TooLarge, message)
                })?;
            for (before, after) in combinations {
                let said = |places: &[usize]| -> Vec<String> {
                    let places = matter.iter().zip(places);
                    let named = places.filter_map(|(id, place)| propositions.get(id)?.get(*place).cloned());
                    named.collect()
                };
                let (before, after) = (said(&before), said(&after));
                let is = |name: &String| format!("({name})");
                let precondition: Vec<String> = std::iter::once(format!("({})", at(transition.from())))
                    .chain(before.iter().map(is))
                    .collect();
                let mut effect: Vec<String> = Vec::new();
                if transition.from() != transition.to() {
                    effect.push(format!("(not ({})) ({})", at(transition.from()), at(transition.to())));
                }
                for (old, new) in before.iter().zip(&after).filter(|(old, new)| old != new) {
                    effect.push(format!("(not ({old})) ({new})"));
                }
                if targets.contains(&transition.to()) {
                    effect.push("(reached)".to_owned());
                }
                // What changes nothing is no way to anywhere.
                if effect.is_empty() {
                    continue;
                }
                let name = names.name(&format!("t{}-{}", id.index() + 1, transition.event()));
                legend.add(&name, transition.event());
                actions.insert(name.to_ascii_lowercase(), id);
                let _ = write!(
                    domain,
                    "\n  (:action {name}\n    :parameters ()\n    :precondition (and {})\n    :effect (and {})\n  )\n",
                    precondition.join(" "),
                    effect.join(" "),
                );
            }
        }
        domain.push_str(")\n");
        let domain = format!("{}{domain}", legend.0);
        let title = Names::default().name(model.app());
        let mut legend = Legend::default();
        legend.add(&title, model.app());
        let first = start.page.unwrap_or(model.start());
        let mut init = vec![format!("({})", at(first))];
        if targets.contains(&first) {
            init.push("(reached)".to_owned());
        }
        for (id, values_of) in graph.domains() {
            let value = values.get(&id).cloned().flatten();
            let place = values_of.iter().position(|known| *known == value);
            init.extend(place.and_then(|place| Some(format!("({})", propositions.get(&id)?.get(place)?))));
        }
        let problem = format!(
            "{}(define (problem {title})\n  (:domain efsm)\n  (:init {})\n  (:goal (and (reached)))\n)\n",
            legend.0,
            init.join(" "),
        );
        Ok(Problem { domain, problem, dialect: Dialect::Strips, pages: HashMap::new(), actions })
    }

    /// Reads a plan as Fast Downward and others write it, `(action argument …)` a line, and follows it on the
    /// model.
    ///
    /// # Errors
    /// Lines that are no steps of this problem, located; steps that are not possible, see [`Model::validate`].
    pub fn read_plan(
        &self,
        model: &Model,
        start: &Start,
        targets: &[PageId],
        plan: &Source,
    ) -> Result<Vec<TransitionId>, PlanError> {
        let mut steps = Vec::new();
        let mut problems = Problems::new(plan.clone());
        let mut at = 0;
        for line in plan.text().split_inclusive('\n') {
            let text = line.split(';').next().unwrap_or_default().trim();
            let from = at + (line.len() - line.trim_start().len());
            at += line.len();
            if text.is_empty() {
                continue;
            }
            match self.step(model, text) {
                Some(step) => steps.push(step),
                None => {
                    let span = Span::new(from, from + text.len());
                    problems.push(Diagnostic::new(Code::NoPlan, span, "this is no step of the problem"));
                }
            }
        }
        if !problems.is_empty() {
            return Err(problems.into());
        }
        model.validate(start, &Goal::Any(targets.to_vec()), &steps)?;
        Ok(steps)
    }

    fn step(&self, model: &Model, text: &str) -> Option<TransitionId> {
        let words = text.strip_prefix('(')?.strip_suffix(')')?.to_ascii_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        match (self.dialect, words.as_slice()) {
            (Dialect::Published, ["navigate", from, to]) => {
                let (from, to) = (self.pages.get(*from)?, self.pages.get(*to)?);
                let cheapest = model
                    .transitions()
                    .filter(|(_, transition)| transition.from() == *from && transition.to() == *to)
                    .min_by_key(|(_, transition)| transition.cost());
                cheapest.map(|(id, _)| id)
            }
            (Dialect::Strips, [action]) => self.actions.get(*action).copied(),
            _ => None,
        }
    }
}

/// The published domain (Agent+P, Listing 1), with the requirement that it uses.
const DOMAIN: &str = "\
(define (domain utg-automation)
  (:requirements :strips :typing :conditional-effects)

  (:types
    node - object
  )

  (:predicates
    (at ?n - node)
    (connected ?from - node ?to - node)
    (visited ?n - node)
    (goal-node ?n - node)
    (goal-achieved ?n - node)
  )

  (:action navigate
    :parameters (?from - node ?to - node)
    :precondition (and
      (at ?from)
      (connected ?from ?to)
    )
    :effect (and
      (not (at ?from))
      (at ?to)
      (visited ?to)
      (when (goal-node ?to) (goal-achieved ?to))
    )
  )
)
";

/// A text as a JSON string, on one line, with everything escaped that can't be seen.
fn visible_json(text: &str) -> String {
    let mut json = String::new();
    for c in serde_json::Value::from(text).to_string().chars() {
        if c.is_control() || lookalike::is_hidden(c) {
            let mut units = [0; 2];
            json.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            json.push(c);
        }
    }
    json
}
