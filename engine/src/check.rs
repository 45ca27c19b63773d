//! [`ast`] and vocabulary to [`ir`], or all the problems at once.
//!
//! The only module that knows both trees. Passes: names, types and heads while lowering; then
//! objectives, cycles and warnings over the whole. Must never evaluate anything.

mod cycles;
mod heads;
mod names;
mod types;
mod warnings;

use crate::diagnostic::{Code, Diagnostic, Problems};
use crate::ir;
use crate::limits::Limits;
use crate::schema::Vocabulary;
use crate::span::{Source, Span};
use crate::syntax::{self, ast};
use crate::text::lookalike;
use crate::value::Text;
use hashbrown::HashMap;
use std::sync::Arc;

/// A specification that passed, with its warnings and notes.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The specification.
    pub specification: ir::Specification,
    /// Warnings and notes; no errors.
    pub warnings: Problems,
}

/// Reads and checks a specification: text, or the JSON form if the text starts with `{`.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text, warnings included.
pub fn specification(
    source: &Source,
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
) -> Result<Checked, Problems> {
    read(source, vocabulary, limits, false)
}

/// Reads and checks a policy: `Never` rules only.
///
/// # Errors
/// Everything that is wrong with it, in the order of the text, warnings included.
pub fn policy(source: &Source, vocabulary: &Arc<Vocabulary>, limits: &Limits) -> Result<Checked, Problems> {
    read(source, vocabulary, limits, true)
}

fn read(
    source: &Source,
    vocabulary: &Arc<Vocabulary>,
    limits: &Limits,
    policy: bool,
) -> Result<Checked, Problems> {
    let (tree, problems) = if source.text().trim_start_matches('\u{feff}').trim_start().starts_with('{') {
        (syntax::json::parse(source, limits)?, Problems::new(source.clone()))
    } else {
        let parsed = syntax::parse(source, limits);
        (parsed.specification, parsed.problems)
    };
    check(&tree, problems, vocabulary, policy)
}

/// Checks a tree. `problems` are those of reading it; they name its source.
///
/// # Errors
/// As [`specification`].
pub fn check(
    tree: &ast::Specification,
    problems: Problems,
    vocabulary: &Arc<Vocabulary>,
    policy: bool,
) -> Result<Checked, Problems> {
    let mut lowering = Lowering::new(tree, problems, vocabulary, policy);
    lowering.heads(tree);
    for rule in &tree.rules {
        lowering.rule(rule);
    }
    if lowering.complete {
        lowering.whole(tree);
    }
    let Lowering { mut problems, mut specification, .. } = lowering;
    problems.sort();
    if problems.has_errors() {
        return Err(problems);
    }
    specification.hash = crate::schema::hash(tree.print(syntax::Spelling::Ascii).as_bytes());
    Ok(Checked { specification, warnings: problems })
}

/// The state of one check.
struct Lowering<'a> {
    problems: Problems,
    vocabulary: &'a Vocabulary,
    specification: ir::Specification,
    policy: bool,
    /// Whether every rule could be read: else it is unknown what is concluded.
    complete: bool,
    /// What the heads name; nothing where the name was reported.
    concluded: HashMap<&'a str, Option<ir::Objective>>,
    parameters: HashMap<String, ir::ParameterId>,
    /// Milestones and parameters by what other names of their kind must not share.
    milestone_names: HashMap<String, (String, Span)>,
    parameter_names: HashMap<String, (String, Span)>,
    /// States, in the same way; made once a milestone is there.
    state_names: Option<HashMap<String, String>>,
}

impl<'a> Lowering<'a> {
    fn new(
        tree: &'a ast::Specification,
        problems: Problems,
        vocabulary: &'a Arc<Vocabulary>,
        policy: bool,
    ) -> Lowering<'a> {
        let kind = match (policy, tree.standing.value) {
            (true, _) => ir::Kind::Policy,
            (false, true) => ir::Kind::Standing,
            (false, false) => ir::Kind::Intent,
        };
        Lowering {
            specification: ir::Specification {
                source: problems.source().clone(),
                kind,
                vocabulary: Arc::clone(vocabulary),
                rules: Vec::with_capacity(tree.rules.len()),
                predicates: Vec::new(),
                constraints: Vec::new(),
                milestones: Vec::new(),
                parameters: Vec::new(),
                hash: String::new(),
            },
            complete: !problems.has_errors(),
            problems,
            vocabulary,
            policy,
            concluded: HashMap::new(),
            parameters: HashMap::new(),
            milestone_names: HashMap::new(),
            parameter_names: HashMap::new(),
            state_names: None,
        }
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.problems.push(diagnostic);
    }

    /// Lowers one rule; what is wrong with it is reported, and the rest of it still checked.
    fn rule(&mut self, rule: &crate::json::de::Spanned<ast::Rule>) {
        let (span, rule) = (rule.span, &rule.value);
        let first = count(self.specification.predicates.len());
        if rule.body.is_empty() {
            self.error(
                Diagnostic::new(Code::EmptyBody, span, "this rule has no body")
                    .help("a rule needs at least one predicate: without one it would always hold"),
            );
        }
        let head = self.head(&rule.head);
        for predicate in &rule.body {
            let kind = match &predicate.value {
                ast::Predicate::Objective(name) => {
                    self.body_objective(name, head).map(ir::PredicateKind::Objective)
                }
                ast::Predicate::State(state) => self.state_predicate(state),
            };
            if let Some(kind) = kind {
                self.specification.predicates.push(ir::Predicate { kind, span: predicate.span });
            }
        }
        self.specification.rules.push(ir::Rule {
            label: rule.label.as_ref().map(|label| label.value.as_str().into()),
            head: head.unwrap_or(ir::Head::Never),
            first,
            count: count(self.specification.predicates.len()) - first,
            span,
        });
    }

    fn state_predicate(&mut self, predicate: &ast::StatePredicate) -> Option<ir::PredicateKind> {
        let state = self.state(&predicate.name)?;
        if predicate.constraints.is_empty() {
            self.observable(state, &predicate.name)?;
        }
        let first = count(self.specification.constraints.len());
        for constraint in &predicate.constraints {
            if let Some(constraint) = self.constraint(state, constraint) {
                self.specification.constraints.push(constraint);
            }
        }
        let constraints = (first, count(self.specification.constraints.len()) - first);
        Some(ir::PredicateKind::State { state, constraints })
    }

    /// The checks that need every rule.
    fn whole(&mut self, tree: &ast::Specification) {
        self.labels(tree);
        if tree.rules.is_empty() {
            let what = if self.policy { "policy" } else { "specification" };
            self.error(
                Diagnostic::new(
                    Code::EmptySpecification,
                    tree.standing.span,
                    format!("this {what} has no rules"),
                )
                .help("a rule is written `State(variable = value) -> Done`"),
            );
            return;
        }
        self.done(tree);
        self.cycles();
        if !self.problems.has_errors() && !self.policy {
            self.warn();
        }
    }

    fn milestone(&mut self, name: &ast::Name) -> ir::Objective {
        let shown = &name.value;
        self.milestone_names.insert(lookalike::distinct(shown), (shown.clone(), name.span));
        let id = ir::MilestoneId(count(self.specification.milestones.len()));
        self.specification.milestones.push(Text::new(shown));
        ir::Objective::Milestone(id)
    }
}

/// Sizes are bounded by the limits of the readers, far below 2^32.
fn count(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
