//! Guards and updates: constraints, checked by the engine as a rule that holds them and nothing else.
//!
//! A guard is on the variables of a state, which is not said, and on parameters of the function, which are
//! `function.parameter`: each becomes a predicate of a rule, with every word at a known place.

use super::{Reader, Scope};
use crate::planner::model::conditions;
use intentgate_engine::check;
use intentgate_engine::diagnostic::{Code, Diagnostic};
use intentgate_engine::ir::{Operand, Operator, Specification};
use intentgate_engine::json::Node;
use intentgate_engine::schema::{ActionId, VariableId};
use intentgate_engine::span::{Source, Span};
use intentgate_engine::value::{is_name_continue, is_name_start};
use std::ops::Range;
use std::sync::Arc;

/// A rule that a text became, and where its parts are in that text.
#[derive(Default)]
struct Wrapped {
    rule: String,
    /// Where a part starts in the rule, and which part of the text it is.
    parts: Vec<(usize, Range<usize>)>,
    /// Where the predicates are in the rule.
    predicates: Vec<Range<usize>>,
}

impl Wrapped {
    /// `State(text) -> Done`.
    fn whole(state: &str, text: &str) -> Wrapped {
        let mut wrapped = Wrapped::default();
        wrapped.own(state, text, 0..text.len());
        wrapped.end()
    }

    /// As [`Wrapped::whole`], with a predicate of its own for each constraint on a variable that says its state,
    /// `function.parameter`.
    fn by_state(state: &str, text: &str) -> Wrapped {
        let mut wrapped = Wrapped::default();
        // What was not written yet.
        let mut open: Option<Range<usize>> = None;
        for piece in pieces(text) {
            match named(text, &piece) {
                None => open = Some(open.map_or(piece.start, |open| open.start)..piece.end),
                Some((name, variable)) => {
                    open.take().into_iter().for_each(|open| wrapped.own(state, text, open));
                    wrapped.predicate(text, variable..piece.end, |wrapped| wrapped.part(text, name));
                }
            }
        }
        open.into_iter().for_each(|open| wrapped.own(state, text, open));
        wrapped.end()
    }

    /// Constraints on the state that is not said.
    fn own(&mut self, state: &str, text: &str, range: Range<usize>) {
        self.predicate(text, range, |wrapped| wrapped.rule.push_str(state));
    }

    fn predicate(&mut self, text: &str, range: Range<usize>, state: impl FnOnce(&mut Wrapped)) {
        if !self.predicates.is_empty() {
            self.rule.push_str(" and ");
        }
        let start = self.rule.len();
        state(self);
        self.rule.push('(');
        self.part(text, range);
        self.rule.push(')');
        self.predicates.push(start..self.rule.len());
    }

    fn part(&mut self, text: &str, range: Range<usize>) {
        self.parts.push((self.rule.len(), range.clone()));
        self.rule.push_str(text.get(range).unwrap_or(""));
    }

    fn end(mut self) -> Wrapped {
        self.rule.push_str(" -> Done\n");
        self
    }

    /// The place in the text of a place in the rule.
    fn place(&self, span: Span) -> Option<Span> {
        let at = |offset: usize| {
            let inside =
                |(start, range): &&(usize, Range<usize>)| offset >= *start && offset - *start <= range.len();
            let (start, range) = self.parts.iter().rev().find(inside)?;
            Some(range.start + (offset - start))
        };
        let (start, end) = (at(span.start())?, at(span.end())?);
        (start <= end).then(|| Span::new(start, end))
    }
}

/// The constraints of a text: what stands between commas that are in no list and in no text.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let (mut pieces, mut start, mut depth, mut quoted, mut escaped) = (Vec::new(), 0, 0_usize, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ if quoted => {}
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                pieces.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
    }
    pieces.push(start..text.len());
    pieces
}

/// The name of the state with which a constraint begins, `state.variable …`, and where the variable begins.
fn named(text: &str, piece: &Range<usize>) -> Option<(Range<usize>, usize)> {
    let trimmed = text.get(piece.clone())?.trim_start();
    let start = piece.end - trimmed.len();
    let length = trimmed.find(|c| !is_name_continue(c)).unwrap_or(trimmed.len());
    let after = trimmed.get(length..)?.trim_start().strip_prefix('.')?.trim_start();
    let is_name = trimmed.starts_with(is_name_start) && after.starts_with(is_name_start);
    is_name.then(|| (start..start + length, piece.end - after.len()))
}

/// Where a text breaks out of the predicates that were made of it, or has none.
fn more(specification: &Specification, wrapped: &Wrapped) -> Option<Span> {
    let rule = specification.rules().first()?;
    let mut expected = wrapped.predicates.iter();
    for predicate in specification.body(rule) {
        let span = predicate.span();
        match expected.next() {
            Some(expected) if expected.start == span.start() && expected.end == span.end() => {}
            // The parenthesis that ends it.
            Some(expected) if expected.start == span.start() => {
                return Some(Span::new(span.end().saturating_sub(1), span.end()));
            }
            _ => return Some(span),
        }
        if specification.constraints(predicate).is_empty() {
            return Some(span);
        }
    }
    let parameter = specification.parameters().first().map(|parameter| parameter.span());
    let further = specification.rules().get(1).map(|rule| rule.span());
    parameter.or(further).or_else(|| expected.next().map(|expected| Span::at(expected.start)))
}

impl Reader<'_> {
    /// The guard of a transition.
    pub(super) fn guard(
        &mut self,
        node: &Node,
        state: &str,
        function: Option<ActionId>,
        scope: &Scope<'_>,
    ) -> Option<Arc<Specification>> {
        let wrap = |text: &str| Wrapped::by_state(state, text);
        self.constraints(node, "guard", function, scope, wrap)
    }

    /// The update of a transition.
    pub(super) fn update(
        &mut self,
        node: &Node,
        state: &str,
        function: Option<ActionId>,
        scope: &Scope<'_>,
    ) -> Vec<(VariableId, Operand)> {
        let wrap = |text: &str| Wrapped::whole(state, text);
        let update = self.constraints(node, "update", function, scope, wrap);
        update.map_or_else(Vec::new, |specification| self.assignments(node, &specification))
    }

    /// Constraints, checked by the engine.
    fn constraints(
        &mut self,
        node: &Node,
        key: &str,
        function: Option<ActionId>,
        scope: &Scope<'_>,
        wrap: impl Fn(&str) -> Wrapped,
    ) -> Option<Arc<Specification>> {
        let value = node.get(key)?;
        let text = self.keep(value.string(&format!("`{key}`")).map(str::to_owned))?;
        if text.trim().is_empty() {
            return None;
        }
        // The model can't be used any more, and looking for what was meant takes time.
        if self.problems.is_full() {
            return None;
        }
        let wrapped = wrap(&text);
        // Where the text has no escapes, its places are known.
        let plain = value.span.end() - value.span.start() == text.len() + 2;
        let known = |span: Span| wrapped.place(span).filter(|_| plain);
        let place = |span: Span| known(span).map(|span| span.shifted(value.span.start() + 1));
        let rule = Source::new(key, wrapped.rule.clone());
        let specification = match check::specification(&rule, scope.vocabulary, self.limits) {
            Ok(checked) => checked.specification,
            Err(problems) => {
                self.relocate(problems.items(), value.span, place);
                return None;
            }
        };
        if let Some(span) = more(&specification, &wrapped) {
            let message = format!("`{key}` holds more than constraints on variables");
            let help = "constraints stand between commas, all of which have to hold";
            let span = place(span).unwrap_or(value.span);
            self.push(Diagnostic::new(Code::NotAssignment, span, message).help(help));
            return None;
        }
        self.foreign(&specification, key, function, scope, |span| place(span).unwrap_or(value.span));
        Some(Arc::new(specification))
    }

    /// Parameters of another function than the one that is performed: nothing is ever known of them.
    fn foreign(
        &mut self,
        specification: &Specification,
        key: &str,
        function: Option<ActionId>,
        scope: &Scope<'_>,
        place: impl Fn(Span) -> Span,
    ) {
        for constraint in conditions(specification) {
            let of =
                |id: VariableId| scope.vocabulary.state(scope.vocabulary.variable(id).state()).arguments_of();
            let other = constraint.variables().filter_map(of).find(|action| Some(*action) != function);
            let Some(other) = other else { continue };
            let name = scope.vocabulary.action(other).name();
            let message =
                format!("`{key}` names a parameter of `{name}`, which the transition does not perform");
            let help = format!("add `\"function\": \"{name}\"`, or leave it out");
            self.push(Diagnostic::new(Code::UnknownFunction, place(constraint.span()), message).help(help));
        }
    }

    fn assignments(&mut self, node: &Node, specification: &Specification) -> Vec<(VariableId, Operand)> {
        let span = node.get("update").map_or(node.span, |update| update.span);
        let mut assignments = Vec::new();
        for constraint in conditions(specification) {
            let twice = assignments.iter().any(|(variable, _)| *variable == constraint.variable());
            match (constraint.operator(), constraint.operand()) {
                (Operator::Equal, operand @ (Operand::Single(_) | Operand::Variable(_))) if !twice => {
                    assignments.push((constraint.variable(), operand.clone()));
                }
                _ => {
                    let message = "an update sets each variable once, as `variable = value`";
                    self.push(Diagnostic::new(Code::NotAssignment, span, message));
                }
            }
        }
        assignments
    }
}
