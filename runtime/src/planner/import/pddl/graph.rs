//! The published form: pages are objects, and one action goes from a page to one that is connected with it.

use super::{Task, after, beyond, cost, denied, fact, is_whole, parts, said};
use crate::planner::declare::Transition;
use crate::planner::import::collect::{Collected, Rest, leave};
use crate::planner::import::sexpr::Sexpr;
use crate::planner::import::{Form, Imported, Left, Options, Reason, What};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems};
use intentgate_engine::input::shortened;
use intentgate_engine::span::Span;
use std::collections::{HashMap, HashSet};

/// What the predicates of a domain are called.
#[derive(Debug)]
struct Words {
    /// Where one is.
    at: String,
    /// What is connected.
    connected: String,
    /// What holds for a page once one has been there.
    been: Vec<String>,
    /// What marks a page as a goal.
    marks: Vec<String>,
    /// The function that gives the cost of a connection.
    cost: Option<String>,
    /// The type of pages.
    kind: Option<String>,
}

pub(super) fn read(task: &Task, options: &Options) -> Result<Imported, Problems> {
    let words = words(task)?;
    let mut reader = Reader {
        task,
        words,
        left: Left::default(),
        problems: Problems::new(task.problem.source.clone()),
        collected: Collected::default(),
        pages: HashMap::new(),
    };
    reader.objects();
    let start = reader.init()?;
    let (targets, all_targets) = reader.goal();
    let app = task.stands_for(&task.problem.name);
    let Reader { left, problems, collected, .. } = reader;
    let rest = Rest { left, warnings: vec![problems], targets, all_targets, ..Rest::default() };
    collected.finish(Form::Pddl, task.problem.source, options, &app, start, rest)
}

/// The published names, or those of the domain's action.
fn words(task: &Task) -> Result<Words, Problems> {
    let Some(domain) = &task.domain else {
        return Ok(Words {
            at: "at".to_owned(),
            connected: "connected".to_owned(),
            been: vec!["goal-achieved".to_owned(), "visited".to_owned()],
            marks: vec!["goal-node".to_owned()],
            cost: None,
            kind: None,
        });
    };
    let mut actions = domain.sections(":action");
    let (Some((whole, action)), None) = (actions.next(), actions.next()) else {
        let message = "a graph of pages has one action, which goes from a page to a page";
        let diagnostic = Diagnostic::new(Code::UnreadablePddl, Span::default(), message);
        return Err(Problems::one(domain.source.clone(), diagnostic));
    };
    navigation(action).ok_or_else(|| {
        let message = "this action does not just go from a page, `(at ?from)`, to one that is connected, \
                       `(connected ?from ?to)`";
        domain.wrong(whole, message)
    })
}

/// The words of an action that goes from a page to a connected one, and does nothing else.
fn navigation(action: &[Sexpr]) -> Option<Words> {
    let parameters = after(action, ":parameters")?.list();
    let names: Vec<String> = parameters.iter().filter_map(Sexpr::word).collect();
    let variables: Vec<&String> = names.iter().filter(|name| name.starts_with('?')).collect();
    let [from, to] = variables.as_slice() else { return None };
    let kind = names.iter().position(|name| name == "-").and_then(|dash| names.get(dash + 1)).cloned();
    let (mut at, mut connected) = (None, None);
    for part in parts(after(action, ":precondition")) {
        let (name, arguments) = fact(part)?;
        match arguments.as_slice() {
            [page] if page == *from && at.is_none() => at = Some(name),
            [one, other] if one == *from && other == *to && connected.is_none() => connected = Some(name),
            _ => return None,
        }
    }
    let (at, connected) = (at?, connected?);
    let mut words = Words { at, connected, been: Vec::new(), marks: Vec::new(), cost: None, kind };
    let (mut leaves, mut arrives) = (false, false);
    for part in parts(after(action, ":effect")) {
        match part.form()? {
            (word, _) if word == "not" => {
                let (name, arguments) = fact(denied(part)?)?;
                if name != words.at || arguments != [(*from).clone()] {
                    return None;
                }
                leaves = true;
            }
            (word, [condition, effect]) if word == "when" => {
                let ((mark, of), (been, to_whom)) = (fact(condition)?, fact(effect)?);
                if of != [(*to).clone()] || to_whom != of {
                    return None;
                }
                words.marks.push(mark);
                words.been.push(been);
            }
            (word, [_, by]) if word == "increase" => {
                let (function, arguments) = fact(by).unwrap_or_default();
                if arguments == [(*from).clone(), (*to).clone()] {
                    words.cost = Some(function);
                }
            }
            _ => {
                let (name, arguments) = fact(part)?;
                if arguments != [(*to).clone()] {
                    return None;
                }
                match name == words.at {
                    true => arrives = true,
                    false => words.been.push(name),
                }
            }
        }
    }
    (leaves && arrives).then_some(words)
}

struct Reader<'a> {
    task: &'a Task<'a>,
    words: Words,
    left: Left,
    problems: Problems,
    collected: Collected,
    /// By their names in lower case.
    pages: HashMap<String, usize>,
}

impl Reader<'_> {
    fn leave(&mut self, what: What, reason: Reason, at: &Sexpr, code: Code, message: String) {
        leave(&mut self.left, &mut self.problems, what, reason, Diagnostic::new(code, at.span, message));
    }

    fn objects(&mut self) {
        let task = self.task;
        let constants = task.domain.iter().flat_map(|domain| domain.sections(":constants"));
        let lists: Vec<&[Sexpr]> =
            constants.chain(task.problem.sections(":objects")).map(|(_, list)| list).collect();
        let mut taken: HashSet<String> = HashSet::new();
        for list in lists {
            // Names come before their type, `a b - node`.
            let mut untyped: Vec<&Sexpr> = Vec::new();
            let mut rest = list.iter();
            while let Some(one) = rest.next() {
                if one.written() == Some("-") {
                    let kind = rest.next().and_then(Sexpr::word);
                    self.typed(&untyped, kind.as_deref(), &mut taken);
                    untyped.clear();
                } else {
                    untyped.push(one);
                }
            }
            self.typed(&untyped, None, &mut taken);
        }
    }

    fn typed(&mut self, objects: &[&Sexpr], kind: Option<&str>, taken: &mut HashSet<String>) {
        let fits = |wanted: &String| kind.is_none_or(|kind| kind == wanted);
        if !self.words.kind.as_ref().is_none_or(fits) {
            self.left.add(What::Page, Reason::NotInModels, objects.len());
            return;
        }
        for object in objects {
            let Some(name) = object.written() else {
                let message = format!("`{}` is no name", said(object, self.task.problem.source));
                self.leave(What::Page, Reason::Nameless, object, Code::Nameless, message);
                continue;
            };
            if self.pages.contains_key(&name.to_ascii_lowercase()) {
                continue;
            }
            // Two names may stand for one text by mistake: pages stay apart.
            let stands_for = self.task.stands_for(name);
            let page = if taken.insert(stands_for.clone()) { stands_for } else { name.to_owned() };
            taken.insert(page.clone());
            let page = self.collected.page(&page, "");
            self.pages.insert(name.to_ascii_lowercase(), page);
        }
    }

    /// Connections are kept; gives the start.
    fn init(&mut self) -> Result<Option<usize>, Problems> {
        let task = self.task;
        let facts: Vec<&Sexpr> = task.problem.sections(":init").flat_map(|(_, facts)| facts).collect();
        let costs = self.costs(&facts)?;
        let mut start: Option<(usize, &Sexpr)> = None;
        for one in facts {
            let Some((name, arguments)) = fact(one) else {
                // `(= (distance a b) 3)` is no fact about pages alone.
                let cost = one.form().is_some_and(|(word, _)| word == "=");
                match cost {
                    true => {}
                    false => {
                        let message = format!("`{}` is no fact", said(one, task.problem.source));
                        self.leave(What::Detail, Reason::Unreadable, one, Code::UnreadablePart, message);
                    }
                }
                continue;
            };
            match arguments.as_slice() {
                [page] if name == self.words.at => {
                    let Some(page) = self.pages.get(page).copied() else {
                        return Err(task.problem.wrong(one, format!("`{}` is no object", shortened(page))));
                    };
                    if start.is_some_and(|(known, _)| known != page) {
                        return Err(task.problem.wrong(one, "one is on two pages at the start"));
                    }
                    start = Some((page, one));
                }
                [from, to] if name == self.words.connected => self.connection(one, from, to, &costs),
                [_] if self.words.marks.contains(&name) => {}
                _ => self.left.out(What::Detail, Reason::NotInModels),
            }
        }
        Ok(start.map(|(page, _)| page))
    }

    /// # Errors
    /// A cost that is beyond the range.
    fn costs(&mut self, facts: &[&Sexpr]) -> Result<HashMap<Vec<String>, u32>, Problems> {
        let mut costs = HashMap::new();
        for one in facts {
            let Some((word, [of, value])) = one.form() else { continue };
            if word != "=" {
                continue;
            }
            let of = fact(of).filter(|(name, _)| Some(name) == self.words.cost.as_ref());
            match (of, cost(value)) {
                (Some((_, pages)), Some(cost)) => drop(costs.insert(pages, cost)),
                (Some(_), None) if is_whole(value) => return Err(beyond(self.task.problem.source, value)),
                (Some(_), None) => {
                    let message = format!(
                        "`{}` is no cost: a whole number, at least 1; the transition costs 1",
                        said(value, self.task.problem.source)
                    );
                    self.leave(What::Detail, Reason::Unreadable, value, Code::UnreadablePart, message);
                }
                (None, _) => self.left.out(What::Detail, Reason::NotInModels),
            }
        }
        Ok(costs)
    }

    fn connection(&mut self, at: &Sexpr, from: &str, to: &str, costs: &HashMap<Vec<String>, u32>) {
        let (Some(one), Some(other)) = (self.pages.get(from).copied(), self.pages.get(to).copied()) else {
            let lacking = if self.pages.contains_key(from) { to } else { from };
            let message = format!("`{}` is no object", shortened(lacking));
            self.leave(What::Transition, Reason::Dangling, at, Code::DanglingEdge, message);
            return;
        };
        let name = |page| self.collected.page_name(page).to_owned();
        let (one_name, other_name) = (name(one), name(other));
        let cost = costs.get(&vec![from.to_owned(), to.to_owned()]).copied().filter(|cost| *cost != 1);
        let event = format!("open {other_name}");
        self.collected.transition(
            one,
            other,
            Transition { cost, ..Transition::new(one_name, event, other_name) },
        );
    }

    /// The pages to go to, and whether it is to all of them.
    fn goal(&mut self) -> (Vec<String>, bool) {
        let task = self.task;
        let Some((section, [goal, ..])) = task.problem.sections(":goal").next() else {
            return (Vec::new(), false);
        };
        let (goals, any) = match goal.form() {
            Some((word, rest)) if word == "or" => {
                (rest.iter().flat_map(|one| parts(Some(one))).collect(), true)
            }
            _ => (parts(Some(goal)), false),
        };
        let mut targets: Vec<String> = Vec::new();
        for one in &goals {
            let page = fact(one).and_then(|(name, arguments)| match arguments.as_slice() {
                [page] if name == self.words.at || self.words.been.contains(&name) => {
                    self.pages.get(page).copied()
                }
                _ => None,
            });
            let Some(page) = page else {
                // A goal that is read in part would be another one.
                let message =
                    format!("`{}` is not about a page: the goal is left out", said(one, task.problem.source));
                self.leave(What::Detail, Reason::NotInModels, section, Code::UnreadablePart, message);
                return (Vec::new(), false);
            };
            let name = self.collected.page_name(page).to_owned();
            if !targets.contains(&name) {
                targets.push(name);
            }
        }
        let all = !any && targets.len() > 1;
        (targets, all)
    }
}
