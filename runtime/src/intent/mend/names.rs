//! Mends by the checker's word: names, enumerators, literals and operators that the vocabulary leaves one reading of.
//!
//! They count only if the draft passes the check with all of them: a name that is put right and then has the wrong type
//! was not the one that was meant.

use super::literals::{is_grouped, is_nothing};
use super::slips::{is_nearly_done, only_near};
use super::{Edit, MOST_NAMES, Mended, NAME, Slip, Text, dates};
use intentgate_engine::diagnostic::{Code, Diagnostic, Problems, Severity};
use intentgate_engine::json::de::Spanned;
use intentgate_engine::limits::Limits;
use intentgate_engine::operator::Operator;
use intentgate_engine::schema::{StateId, VariableId, VariableType, Vocabulary};
use intentgate_engine::span::{Source, Span};
use intentgate_engine::syntax::ast::{self, Operand, Predicate};
use intentgate_engine::syntax::{self, literal};
use intentgate_engine::text::normal;
use intentgate_engine::value::quoted;
use std::sync::Arc;

/// The draft with every error mended; nothing if one of them has no mend, or more than one.
pub(super) fn mended(draft: &Mended, vocabulary: &Arc<Vocabulary>, limits: &Limits) -> Option<Mended> {
    let mut text = Text { text: draft.text.clone(), mends: draft.mends.clone() };
    for _ in 0..MOST_NAMES {
        let now = text.clone().checked(vocabulary, limits);
        let problems = match now.checked {
            Ok(_) => return Some(now),
            Err(problems) => problems,
        };
        let source = Source::new(NAME, text.text.as_str());
        let tree = syntax::parse(&source, limits).specification;
        let draft = Draft { tree: &tree, vocabulary, source: &source };
        text.make(draft.first(&problems)?);
    }
    None
}

struct Draft<'a> {
    tree: &'a ast::Specification,
    vocabulary: &'a Vocabulary,
    source: &'a Source,
}

impl Draft<'_> {
    /// The mend of the first error.
    fn first(&self, problems: &Problems) -> Option<Vec<Edit>> {
        let error = problems.items().iter().find(|item| item.severity() == Severity::Error)?;
        let span = error.primary.span;
        let one = |edit: Option<Edit>| edit.map(|edit| vec![edit]);
        match error.code() {
            Code::UnknownState => one(self.state(span)),
            Code::UnknownVariable => one(self.without_parentheses(span).or_else(|| self.variable(span))),
            Code::UnknownEnumerator => one(self.enumerator(span)),
            Code::UnknownObjective => one(self.objective(span)),
            Code::NeverConcluded => self.head(self.source.slice(span)),
            Code::NoDone => self.head("Done"),
            Code::NotAnObjective | Code::HeadTooAlike => one(self.nearly(span)),
            Code::WrongType => one(self.literal(span)),
            Code::OperatorNotAllowed => one(self.operator(span)),
            Code::DuplicateLabel => one(self.label(error)),
            _ => None,
        }
    }

    fn name(&self, span: Span, known: &[&str]) -> Option<Edit> {
        let written = self.source.slice(span);
        let with = only_near(written, known)?;
        Some(Edit::new(span.start(), span.end(), with, Slip::Name))
    }

    /// Whether a word is the exact name of something: then it is not misspelt, it stands in the wrong place.
    fn is_known(&self, word: &str) -> bool {
        let vocabulary = self.vocabulary;
        let word = normal::nfc(word);
        vocabulary.find_state(&word).is_some()
            || vocabulary.find_action(&word).is_some()
            || vocabulary.variables().any(|(_, variable)| variable.name() == word)
            || self.tree.rules.iter().any(|rule| rule.value.head.value == word)
    }

    fn state(&self, span: Span) -> Option<Edit> {
        if let Some(edit) = self.bare_objective(span) {
            return Some(edit);
        }
        if self.is_known(self.source.slice(span)) {
            return None;
        }
        let names: Vec<&str> = self.vocabulary.states().map(|(_, state)| state.name()).collect();
        self.name(span, &names)
    }

    /// A milestone that is written with empty parentheses.
    fn bare_objective(&self, span: Span) -> Option<Edit> {
        let (state, whole) = self.state_predicate(span)?;
        let concluded = self.tree.rules.iter().any(|rule| rule.value.head.value == state.name.value);
        (state.constraints.is_empty() && concluded)
            .then(|| Edit::new(span.end(), whole.end(), "", Slip::Parenthesis))
    }

    /// An action without arguments that is written with empty parentheses.
    fn without_parentheses(&self, span: Span) -> Option<Edit> {
        let (state, whole) = self.state_predicate(span)?;
        let schema = self.vocabulary.state(self.vocabulary.find_state(&state.name.value)?);
        let bare =
            state.constraints.is_empty() && schema.variables().len() == 0 && schema.arguments_of().is_some();
        bare.then(|| Edit::new(span.end(), whole.end(), "", Slip::Parenthesis))
    }

    /// The state predicate whose name stands at a place.
    fn state_predicate(&self, span: Span) -> Option<(&ast::StatePredicate, Span)> {
        let predicates = self.tree.rules.iter().flat_map(|rule| &rule.value.body);
        predicates.into_iter().find_map(|predicate| match &predicate.value {
            Predicate::State(state) if state.name.span == span => Some((state, predicate.span)),
            _ => None,
        })
    }

    fn variable(&self, span: Span) -> Option<Edit> {
        if self.is_known(self.source.slice(span)) {
            return None;
        }
        let state = self.state_around(span)?;
        let variables = self.vocabulary.state(state).variables();
        let names: Vec<&str> = variables.map(|id| self.vocabulary.variable(id).name()).collect();
        self.name(span, &names)
    }

    /// The state whose variable is named at a place: that of the predicate, or of `State.variable`.
    fn state_around(&self, span: Span) -> Option<StateId> {
        let states = self.states();
        let other = states.clone().flat_map(|state| &state.constraints).find_map(|constraint| {
            match &constraint.value.operand.value {
                Operand::Variable(path) if path.variable.span == span => Some(&path.state),
                _ => None,
            }
        });
        let mut own = states;
        let own = || {
            own.find(|state| state.constraints.iter().any(|one| one.value.variable.span == span))
                .map(|state| &state.name)
        };
        self.vocabulary.find_state(&other.or_else(own)?.value)
    }

    fn states(&self) -> impl Iterator<Item = &ast::StatePredicate> + Clone {
        self.tree.rules.iter().flat_map(|rule| &rule.value.body).filter_map(|predicate| {
            match &predicate.value {
                Predicate::State(state) => Some(state),
                Predicate::Objective(_) => None,
            }
        })
    }

    fn enumerator(&self, span: Span) -> Option<Edit> {
        let (operand, variable) = self.operand(span)?;
        let (Operand::Text(written) | Operand::Name(written)) = operand else { return None };
        let VariableType::Enum(enumeration) = self.vocabulary.variable(variable).variable_type() else {
            return None;
        };
        let names: Vec<&str> = enumeration.names().collect();
        let with = intentgate_engine::value::enumerator_text(only_near(written, &names)?);
        Some(Edit::new(span.start(), span.end(), with, Slip::Name))
    }

    fn objective(&self, span: Span) -> Option<Edit> {
        if self.vocabulary.find_state(self.source.slice(span)).is_some() {
            return None;
        }
        let mut names: Vec<&str> = self.vocabulary.actions().map(|(_, action)| action.name()).collect();
        for rule in &self.tree.rules {
            let head = rule.value.head.value.as_str();
            if !matches!(head, "Done" | "Never") && !names.contains(&head) {
                names.push(head);
            }
        }
        self.name(span, &names)
    }

    /// The heads that are meant to be this one, where it is concluded by none: those of one milestone that no rule uses.
    fn head(&self, meant: &str) -> Option<Vec<Edit>> {
        let used = |name: &str| {
            self.tree.rules.iter().flat_map(|rule| &rule.value.body).any(
                |predicate| matches!(&predicate.value, Predicate::Objective(objective) if objective.value == name),
            )
        };
        // Nothing else can be meant by a head that nothing uses where one is missing.
        let meant_by =
            |head: &str| only_near(head, &[meant]).is_some() || (meant == "Done" && is_nearly_done(head));
        let heads: Vec<&ast::Name> = self
            .tree
            .rules
            .iter()
            .map(|rule| &rule.value.head)
            .filter(|head| !matches!(head.value.as_str(), "Done" | "Never"))
            .filter(|head| self.vocabulary.find_action(&head.value).is_none() && !used(&head.value))
            .filter(|head| meant_by(&head.value))
            .collect();
        let first = heads.first()?;
        let edit = |head: &&ast::Name| Edit::new(head.span.start(), head.span.end(), meant, Slip::Name);
        heads.iter().all(|head| head.value == first.value).then(|| heads.iter().map(edit).collect())
    }

    /// A head that is a reserved one or a critical action in other letters.
    fn nearly(&self, span: Span) -> Option<Edit> {
        let actions = self.vocabulary.actions().map(|(_, action)| action.name());
        let known: Vec<&str> = actions.chain(["Done", "Never"]).collect();
        let written = normal::bare(self.source.slice(span));
        let same: Vec<&str> = known.into_iter().filter(|name| normal::bare(name) == written).collect();
        match same.as_slice() {
            [one] => Some(Edit::new(span.start(), span.end(), *one, Slip::Name)),
            _ => None,
        }
    }

    /// The operand at a place, and the variable that it is compared with.
    fn operand(&self, span: Span) -> Option<(&Operand, VariableId)> {
        for state in self.states() {
            let Some(id) = self.vocabulary.find_state(&state.name.value) else { continue };
            for constraint in state.constraints.iter().map(|constraint| &constraint.value) {
                let elements: &[Spanned<Operand>] = match &constraint.operand.value {
                    Operand::List(elements) => elements,
                    _ => std::slice::from_ref(&constraint.operand),
                };
                if let Some(operand) = elements.iter().find(|element| element.span == span) {
                    let variable = self.vocabulary.find_variable(id, &constraint.variable.value)?;
                    return Some((&operand.value, variable));
                }
            }
        }
        None
    }

    /// A value of the type that the variable has, where what is written can be read as one in one way.
    fn literal(&self, span: Span) -> Option<Edit> {
        let (operand, variable) = self.operand(span)?;
        let kind = self.vocabulary.variable(variable).variable_type();
        let with = match (kind, operand) {
            (VariableType::Text, Operand::Name(name)) if !self.is_known(name) && !is_nothing(name) => {
                quoted(name)
            }
            (VariableType::Text, Operand::Number(_)) => quoted(self.source.slice(span)),
            (VariableType::Boolean, Operand::Name(text) | Operand::Text(text)) => {
                match text.trim().to_lowercase().as_str() {
                    "true" | "yes" => "true".to_owned(),
                    "false" | "no" => "false".to_owned(),
                    _ => return None,
                }
            }
            (VariableType::Number, Operand::Text(text)) if !is_grouped(text) => {
                literal::number(text.trim()).map(intentgate_engine::value::number_text)?
            }
            (VariableType::Date, Operand::Name(text) | Operand::Text(text)) => {
                let date =
                    |text: &String| literal::date(text).is_some() || literal::days_from_today(text).is_some();
                dates::respelled(text).filter(date)?
            }
            (VariableType::Time, Operand::Name(text) | Operand::Text(text)) => {
                dates::respelled(text).filter(|text| literal::time(text).is_some())?
            }
            _ => return None,
        };
        Some(Edit::new(span.start(), span.end(), with, Slip::Literal))
    }

    /// `=` with a list is `in`, and `in` with one value is `in` a list of it.
    fn operator(&self, span: Span) -> Option<Edit> {
        let constraints =
            self.states().flat_map(|state| &state.constraints).map(|constraint| &constraint.value);
        let constraint = constraints.into_iter().find(|constraint| constraint.operator.span == span)?;
        let operand = constraint.operand.span;
        let listed = matches!(constraint.operand.value, Operand::List(_));
        match (constraint.operator.value, listed) {
            (Operator::Equal, true) => Some(Edit::new(span.start(), span.end(), "in", Slip::Operator)),
            (Operator::NotEqual, true) => Some(Edit::new(span.start(), span.end(), "not in", Slip::Operator)),
            (Operator::In | Operator::NotIn, false)
                if !matches!(constraint.operand.value, Operand::Variable(_)) =>
            {
                let with = format!("[{}]", self.source.slice(operand));
                Some(Edit::new(operand.start(), operand.end(), with, Slip::Operator))
            }
            _ => None,
        }
    }

    /// Labels mean nothing but themselves: the second gets a number. Of two rules for the same, one may be meant to take
    /// the other's place.
    fn label(&self, error: &Diagnostic) -> Option<Edit> {
        let span = error.primary.span;
        let label = self.source.slice(span);
        let labelled = self.tree.rules.iter().map(|rule| &rule.value);
        let labelled = labelled.filter(|rule| rule.label.as_ref().is_some_and(|own| own.value == label));
        let mut heads: Vec<&str> = labelled.map(|rule| rule.head.value.as_str()).collect();
        let all = heads.len();
        heads.sort_unstable();
        heads.dedup();
        if heads.len() < all {
            return None;
        }
        let taken = |name: &String| {
            self.tree
                .rules
                .iter()
                .any(|rule| rule.value.label.as_ref().is_some_and(|label| label.value == *name))
        };
        let free = (2..100).map(|number| format!("{label}_{number}")).find(|name| !taken(name))?;
        Some(Edit::new(span.start(), span.end(), free, Slip::Label))
    }
}
