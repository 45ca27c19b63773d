//! Plain STRIPS in which every action is ground. A proposition `at-page` says where one is; every other one is a
//! Boolean variable, so that conditions and effects stay what they are.

use super::{Task, after, beyond, cost, denied, fact, is_whole, parts, said};
use crate::planner::declare::{Configured, Transition};
use crate::planner::import::collect::{Collected, Rest};
use crate::planner::import::sexpr::Sexpr;
use crate::planner::import::{Form, Imported, Left, Options, Reason, What};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::schema::declare::Variable;
use intentgate_engine::text::lookalike::skeleton;
use intentgate_engine::value::{Value, is_name_continue};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What the proposition of a place begins with.
const AT: &str = "at-";

/// Propositions that hold, and that don't.
type Literals = Vec<(String, bool)>;

/// A ground action.
struct Action {
    name: String,
    before: Literals,
    after: Literals,
    cost: Option<u32>,
}

pub(super) fn read(task: &Task, options: &Options) -> Result<Imported, Problems> {
    let init: Vec<&Sexpr> = task.problem.sections(":init").flat_map(|(_, facts)| facts).collect();
    let true_at_first: HashSet<String> = init.iter().filter_map(|one| proposition(one)).collect();
    let actions = actions(task)?;
    let goal = task.problem.sections(":goal").next();
    let goals = parts(goal.and_then(|(_, rest)| rest.first()));
    let goal_names: Vec<Option<String>> = goals.iter().map(|one| proposition(one)).collect();
    let mut reader = Reader {
        task,
        left: Left::default(),
        problems: Problems::new(task.problem.source.clone()),
        collected: Collected::default(),
        pages: BTreeMap::new(),
        variables: Vec::new(),
        by_proposition: HashMap::new(),
        taken: HashSet::new(),
        // The goal's own mark says nothing but that one has been somewhere.
        mark: match goal_names.as_slice() {
            [Some(name)] if !name.starts_with(AT) && !actions.iter().any(|action| reads(action, name)) => {
                Some(name.clone())
            }
            _ => None,
        },
        true_at_first,
    };
    let start = reader.start()?;
    for action in &actions {
        reader.action(action)?;
    }
    let targets = reader.targets(&actions, goal.map(|(section, _)| section), &goal_names, start);
    let costs = init.iter().filter(|one| proposition(one).is_none()).count();
    reader.left.add(What::Detail, Reason::NotInModels, costs);
    let app = task.stands_for(&task.problem.name);
    let Reader { left, problems, collected, variables, .. } = reader;
    let rest = Rest { left, warnings: vec![problems], targets, variables, ..Rest::default() };
    collected.finish(Form::Pddl, task.problem.source, options, &app, Some(start), rest)
}

/// Whether an action depends on a proposition, or ends it.
fn reads(action: &Action, name: &str) -> bool {
    action.before.iter().any(|(one, _)| one == name)
        || action.after.iter().any(|(one, holds)| one == name && !holds)
}

/// `(name)`.
fn proposition(expression: &Sexpr) -> Option<String> {
    fact(expression).filter(|(_, arguments)| arguments.is_empty()).map(|(name, _)| name)
}

/// `(name)` or `(not (name))`.
fn literal(expression: &Sexpr) -> Option<(String, bool)> {
    match denied(expression) {
        Some(one) => proposition(one).map(|name| (name, false)),
        None => proposition(expression).filter(|name| name != "not").map(|name| (name, true)),
    }
}

fn actions(task: &Task) -> Result<Vec<Action>, Problems> {
    let mut actions = Vec::new();
    if let Some(domain) = &task.domain {
        for (_, rest) in domain.sections(":action") {
            let mut made = Action {
                name: rest.first().and_then(Sexpr::written).unwrap_or_default().to_owned(),
                before: Vec::new(),
                after: Vec::new(),
                cost: None,
            };
            let wrong = |at: &Sexpr| {
                let message =
                    format!("`{}` is no proposition, nor the denial of one", said(at, domain.source));
                domain.wrong(at, message)
            };
            for part in parts(after(rest, ":precondition")) {
                made.before.push(literal(part).ok_or_else(|| wrong(part))?);
            }
            for part in parts(after(rest, ":effect")) {
                match part.form() {
                    Some((word, [_, by])) if word == "increase" => {
                        made.cost = match cost(by) {
                            None if is_whole(by) => return Err(beyond(domain.source, by)),
                            cost => Some(cost.ok_or_else(|| wrong(part))?),
                        };
                    }
                    _ => made.after.push(literal(part).ok_or_else(|| wrong(part))?),
                }
            }
            actions.push(made);
        }
    }
    Ok(actions)
}

struct Reader<'a> {
    task: &'a Task<'a>,
    left: Left,
    problems: Problems,
    collected: Collected,
    /// By the propositions that say that one is there.
    pages: BTreeMap<String, usize>,
    variables: Vec<Configured>,
    /// The names of variables, by their propositions.
    by_proposition: HashMap<String, String>,
    taken: HashSet<String>,
    mark: Option<String>,
    true_at_first: HashSet<String>,
}

impl Reader<'_> {
    fn start(&mut self) -> Result<usize, Problems> {
        let task = self.task;
        // Pages are in the order in which the domain declares their propositions.
        let predicates = task.domain.iter().flat_map(|domain| domain.sections(":predicates"));
        for one in predicates.flat_map(|(_, all)| all) {
            if let Some(name) = proposition(one).filter(|name| name.starts_with(AT)) {
                // In lower case they are all the same; a page has its name as it is written first.
                let own =
                    one.list().first().and_then(Sexpr::written).and_then(|written| written.get(AT.len()..));
                self.page_as(&name, own);
            }
        }
        let section = task.problem.sections(":init").next();
        let mut at: Vec<String> =
            self.true_at_first.iter().filter(|name| name.starts_with(AT)).cloned().collect();
        at.sort_unstable();
        match (at.as_slice(), section) {
            ([one], _) => Ok(self.page(one)),
            (_, section) => {
                let place = section.map_or_else(Default::default, |(section, _)| section.span);
                let message = format!("the start is one proposition `{AT}…`, and there are {}", at.len());
                Err(Problems::one(
                    task.problem.source.clone(),
                    Diagnostic::new(Code::UnreadablePddl, place, message),
                ))
            }
        }
    }

    fn page(&mut self, proposition: &str) -> usize {
        self.page_as(proposition, None)
    }

    fn page_as(&mut self, proposition: &str, written: Option<&str>) -> usize {
        if let Some(page) = self.pages.get(proposition) {
            return *page;
        }
        let own = written.or(proposition.strip_prefix(AT)).unwrap_or(proposition);
        let stands_for = self.task.names.get(proposition).cloned().unwrap_or_else(|| own.to_owned());
        let page = self.collected.page(&stands_for, "");
        let page = match self.pages.values().any(|known| *known == page) {
            true => self.collected.page(proposition, ""),
            false => page,
        };
        self.pages.insert(proposition.to_owned(), page);
        page
    }

    /// The variable of a proposition: a name of the language, told apart from every other.
    fn variable(&mut self, proposition: &str) -> String {
        if let Some(name) = self.by_proposition.get(proposition) {
            return name.clone();
        }
        let plain: String =
            proposition.chars().map(|c| if c.is_ascii() && is_name_continue(c) { c } else { '_' }).collect();
        let reserved = [
            "and",
            "or",
            "not",
            "in",
            "true",
            "false",
            "contains",
            "today",
            "tomorrow",
            "yesterday",
            "initial",
        ];
        let first = plain.starts_with(|c: char| c.is_ascii_alphabetic());
        let plain = if first && !reserved.contains(&plain.as_str()) { plain } else { format!("p_{plain}") };
        let mut name = plain.clone();
        let mut number = 2;
        while !self.taken.insert(skeleton(&name.to_lowercase())) {
            name = format!("{plain}_x{number}");
            number += 1;
        }
        let initial = Some(Value::Boolean(self.true_at_first.contains(proposition)));
        self.variables.push(Configured { variable: Variable::new(name.clone(), "Boolean"), initial });
        self.by_proposition.insert(proposition.to_owned(), name.clone());
        name
    }

    fn action(&mut self, action: &Action) -> Result<(), Problems> {
        let (from, to) = self.ends(action)?;
        let (from, to) = (self.page(&from), self.page(&to));
        let mut constraints = |literals: &Literals| {
            // An effect that adds wins over one that deletes the same.
            let added: HashSet<&String> =
                literals.iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect();
            let mut known = HashSet::new();
            let mut all = Vec::new();
            for (name, holds) in literals {
                let ours = !name.starts_with(AT) && self.mark.as_ref() != Some(name);
                if ours && (*holds || !added.contains(name)) && known.insert(name.clone()) {
                    all.push(format!("{} = {holds}", self.variable(name)));
                }
            }
            all.join(", ")
        };
        let (guard, update) = (constraints(&action.before), constraints(&action.after));
        let (from_name, to_name) =
            (self.collected.page_name(from).to_owned(), self.collected.page_name(to).to_owned());
        let event = self.task.stands_for(&action.name);
        let cost = action.cost.filter(|cost| *cost != 1);
        // The same words with other conditions are another transition.
        let key = format!("{event}\n{guard}\n{update}");
        let transition = Transition { guard, update, cost, ..Transition::new(from_name, event, to_name) };
        self.collected.keyed(from, to, key, transition);
        Ok(())
    }

    /// The propositions of the places between which an action leads.
    fn ends(&self, action: &Action) -> Result<(String, String), Problems> {
        let places = |literals: &Literals, holds: bool| -> Vec<String> {
            let places = literals.iter().filter(|(name, so)| *so == holds && name.starts_with(AT));
            places.map(|(name, _)| name.clone()).collect()
        };
        let (from, to, gone) =
            (places(&action.before, true), places(&action.after, true), places(&action.after, false));
        match (from.as_slice(), to.as_slice(), gone.as_slice()) {
            ([from], [], []) => Ok((from.clone(), from.clone())),
            ([from], [to], []) if from == to => Ok((from.clone(), to.clone())),
            ([from], [to], [gone]) if from == gone => Ok((from.clone(), to.clone())),
            _ => {
                let message = format!(
                    "the action `{}` does not lead from one place to one: it needs one `{AT}…`, and replaces it by one or by none",
                    shortened(&action.name)
                );
                let source =
                    self.task.domain.as_ref().map_or(self.task.problem.source, |domain| domain.source);
                let span = intentgate_engine::span::Span::default();
                Err(Problems::one(source.clone(), Diagnostic::new(Code::UnreadablePddl, span, message)))
            }
        }
    }

    /// The pages on which the goal's mark is set, if it is set whenever one gets there.
    fn targets(
        &mut self,
        actions: &[Action],
        section: Option<&Sexpr>,
        goals: &[Option<String>],
        start: usize,
    ) -> Vec<String> {
        let pages: Option<Vec<usize>> = match (goals, &self.mark) {
            ([], _) => return Vec::new(),
            ([Some(place)], _) if place.starts_with(AT) => Some(vec![self.page(&place.clone())]),
            ([_], Some(mark)) => {
                let sets = |action: &Action| action.after.contains(&(mark.clone(), true));
                let to =
                    |action: &Action| self.ends(action).ok().and_then(|(_, to)| self.pages.get(&to).copied());
                let mut pages: Vec<usize> =
                    actions.iter().filter(|action| sets(action)).filter_map(to).collect();
                if self.true_at_first.contains(mark) {
                    pages.push(start);
                }
                pages.sort_unstable();
                pages.dedup();
                let always = actions.iter().all(|action| {
                    sets(action) || to(action).is_none_or(|page| pages.binary_search(&page).is_err())
                });
                always.then_some(pages)
            }
            _ => None,
        };
        let Some(pages) = pages else {
            let place = section.map_or_else(Default::default, |section| section.span);
            let message = "the goal is not to be on a page: it is left out";
            self.problems.push(Diagnostic::new(Code::UnreadablePart, place, message));
            self.left.out(What::Detail, Reason::NotInModels);
            return Vec::new();
        };
        pages.into_iter().map(|page| self.collected.page_name(page).to_owned()).collect()
    }
}
