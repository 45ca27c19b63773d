//! Everything about one specification at once.

use super::situation::DEPENDS;
use super::{Analyst, Answer, Branches, Part, Plan, Reason, RuleId, Situation, Stale};
use crate::diagnostic::Fault;
use crate::ir::{Head, Objective, Specification};
use crate::solve::Setting;
use serde::Serialize;
use std::fmt;
use std::sync::Arc;

/// What a specification can do and can't, together with its policies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// The specification.
    pub specification: String,
    /// Its rules, and those of the policies.
    pub rules: Vec<RuleFindings>,
    /// Rules that are branches of an if, and end in different heads.
    pub branches: Vec<Branches>,
    /// Each objective, and how it is reached.
    pub objectives: Vec<(String, Answer<Plan>)>,
    /// Whether the task can be completed, and how. Nothing for a standing specification.
    pub done: Option<Answer<Plan>>,
    /// Whether it could be completed without the policies, where it can't be with them.
    pub forbidden: bool,
}

/// What is to be said of a rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RuleFindings {
    /// The rule.
    pub rule: String,
    /// The specification or policy it stands in.
    pub source: String,
    /// Whether it can hold.
    pub can_hold: Answer<Situation>,
    /// For a rule for a critical action, whether it can let it pass, with the prohibitions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub can_allow: Option<Answer<Situation>>,
    /// Its constraints that the rest of it implies.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub implied: Vec<Part>,
    /// Whether it is true whenever its variables are known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub always_true: bool,
    /// Rules of the same head that are true whenever it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub case_of: Vec<String>,
    /// Milestones that may be out of date when its action comes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale: Vec<Stale>,
    /// For a prohibition that can't hold, what it still needs to be known: until then it blocks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub while_unknown: Vec<String>,
    /// Whether it asks for similar texts: another measure behind `~` could change what is said of it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub similarity: bool,
}

impl Report {
    /// Asks everything.
    ///
    /// # Errors
    /// A libz3 that is too old; solver and evaluator disagree, which is a bug.
    pub fn of(
        specification: &Arc<Specification>,
        policies: &[Arc<Specification>],
        setting: &Setting,
    ) -> Result<Report, Fault> {
        let mut report = Analyst::ask(specification, policies, setting, Analyst::report)?;
        if report.done.as_ref().is_some_and(Answer::is_no) && !policies.is_empty() {
            let alone = Analyst::ask(specification, &[], setting, Analyst::can_complete)?;
            report.forbidden = alone.is_yes();
        }
        Ok(report)
    }

    /// Whether there is nothing to mend.
    pub fn is_fine(&self) -> bool {
        let fine = |rule: &RuleFindings| {
            let unusable = rule.can_hold.is_no() || rule.can_allow.as_ref().is_some_and(Answer::is_no);
            !unusable
                && rule.implied.is_empty()
                && !rule.always_true
                && rule.case_of.is_empty()
                && rule.stale.is_empty()
        };
        self.rules.iter().all(fine)
            && self.branches.iter().all(|branches| branches.gap.is_none() && branches.overlaps.is_empty())
            && self.objectives.iter().all(|(_, reached)| !reached.is_no())
            && !self.done.as_ref().is_some_and(Answer::is_no)
    }
}

impl Analyst {
    fn report(&mut self) -> Result<Report, Fault> {
        let mut rules = Vec::new();
        let ids = self.rules();
        for id in &ids {
            rules.push(self.findings(*id)?);
        }
        let branches = self.branches()?;
        let mut objectives = Vec::new();
        for objective in self.objectives(0) {
            let name = self.set(0).map(|specification| specification.objective_name(objective).to_owned());
            // What none of its rules can conclude needs no search.
            let never = never_concluded(&self.concluding(0, Head::Objective(objective)), &ids, &rules);
            let reached = match never {
                Some(reason) => Answer::No(reason),
                None => self.can_reach(Head::Objective(objective))?,
            };
            objectives.push((name.unwrap_or_default(), reached));
        }
        let ends = self.concluding(0, Head::Done);
        let done = match (ends.is_empty(), never_concluded(&ends, &ids, &rules)) {
            (true, _) => None,
            (false, Some(reason)) => Some(Answer::No(reason)),
            (false, None) => Some(self.can_complete()?),
        };
        let specification = self.set(0).map(|specification| specification.source().name().to_owned());
        let specification = specification.unwrap_or_default();
        Ok(Report { specification, rules, branches, objectives, done, forbidden: false })
    }

    fn findings(&mut self, id: RuleId) -> Result<RuleFindings, Fault> {
        let source = self.set(id.set).map(|specification| specification.source().name().to_owned());
        let can_hold = self.can_hold(id)?;
        let mut findings = RuleFindings {
            rule: self.rule_name(id),
            source: source.unwrap_or_default(),
            can_hold,
            can_allow: None,
            implied: Vec::new(),
            always_true: false,
            case_of: Vec::new(),
            stale: Vec::new(),
            while_unknown: Vec::new(),
            similarity: self.asks_for_similar(id),
        };
        // Of what can't hold everything else is true, too.
        if findings.can_hold.is_no() {
            if let (Some(Head::Never), Some(vocabulary)) = (self.head(id), self.vocabulary()) {
                findings.while_unknown = self.variables(id).iter().map(|id| vocabulary.path(*id)).collect();
            }
            return Ok(findings);
        }
        if let Some(Head::Objective(Objective::Action(_))) = self.head(id) {
            findings.can_allow = Some(self.can_allow(id)?);
        }
        findings.implied = self.implied_parts(id)?;
        findings.always_true = self.is_always_true(id)?;
        let wider = self.subsumed_by(id)?;
        findings.case_of = wider.into_iter().map(|other| self.rule_name(other)).collect();
        findings.stale = self.stale_milestones(id)?;
        Ok(findings)
    }
}

/// Why none of the rules that conclude something can, if that is so.
fn never_concluded(concluding: &[RuleId], ids: &[RuleId], rules: &[RuleFindings]) -> Option<Reason> {
    let mut parts = Vec::new();
    for (_, findings) in ids.iter().zip(rules).filter(|(id, _)| concluding.contains(id)) {
        match findings.can_allow.as_ref().unwrap_or(&findings.can_hold) {
            Answer::No(reason) => parts.extend(reason.parts.iter().cloned()),
            Answer::Yes(_) | Answer::Unknown(_) => return None,
        }
    }
    parts.sort();
    parts.dedup();
    Some(Reason { parts })
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            rule.fmt(f)?;
        }
        for branches in &self.branches {
            let rules = branches.rules.join(", ");
            if let Some(gap) = &branches.gap {
                writeln!(f, "{rules} leave a gap over {}: {gap}", branches.variable)?;
            }
            for (one, other, both) in &branches.overlaps {
                writeln!(f, "{one} and {other} overlap: {both}")?;
            }
        }
        for (objective, reached) in &self.objectives {
            match reached {
                Answer::Yes(_) => {}
                Answer::No(reason) => {
                    writeln!(f, "{objective} can't be reached:")?;
                    indented(f, reason)?;
                }
                Answer::Unknown(limit) => {
                    writeln!(f, "it is unknown whether {objective} can be reached ({limit})")?;
                }
            }
        }
        match &self.done {
            Some(Answer::Yes(plan)) => {
                writeln!(f, "{} can be completed:", self.specification)?;
                plan.fmt(f)?;
            }
            Some(Answer::No(reason)) => {
                let because = if self.forbidden { ": the policies forbid it" } else { "" };
                writeln!(f, "{} can't be completed{because}", self.specification)?;
                indented(f, reason)?;
            }
            Some(Answer::Unknown(limit)) => {
                writeln!(f, "it is unknown whether {} can be completed ({limit})", self.specification)?;
            }
            None => {}
        }
        Ok(())
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            let what = if step.critical { "perform" } else { "reach" };
            writeln!(f, "  {}. {what} {} when {}", index + 1, step.achieves, step.situation)?;
        }
        Ok(())
    }
}

fn indented(f: &mut fmt::Formatter<'_>, reason: &Reason) -> fmt::Result {
    reason.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))
}

impl fmt::Display for RuleFindings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = format!("{} of {}", self.rule, self.source);
        match &self.can_hold {
            Answer::Yes(_) => {}
            Answer::No(reason) => {
                writeln!(f, "{name} can't hold: these exclude one another:")?;
                indented(f, reason)?;
                if !self.while_unknown.is_empty() {
                    let unknown = self.while_unknown.join(", ");
                    writeln!(f, "  it blocks all the same while one of these is unknown: {unknown}")?;
                }
                return Ok(());
            }
            Answer::Unknown(limit) => writeln!(f, "it is unknown whether {name} can hold ({limit})")?,
        }
        match &self.can_allow {
            Some(Answer::No(reason)) => {
                writeln!(f, "{name} can never let its action pass: these exclude one another:")?;
                indented(f, reason)?;
            }
            Some(Answer::Unknown(limit)) => {
                writeln!(f, "it is unknown whether {name} can let its action pass ({limit})")?;
            }
            Some(Answer::Yes(_)) | None => {}
        }
        let depends = if self.similarity { format!(" {DEPENDS}") } else { String::new() };
        for part in &self.implied {
            writeln!(f, "{name}: the rest of the rule implies {part}{depends}")?;
        }
        if self.always_true {
            writeln!(f, "{name} is true whenever its variables are known{depends}")?;
        }
        for other in &self.case_of {
            writeln!(f, "{name} is true only where {other} is, which concludes the same{depends}")?;
        }
        for stale in &self.stale {
            writeln!(f, "{name}: the milestone {} may be out of date:", stale.milestone)?;
            writeln!(f, "  achieved when {}", stale.achieved)?;
            writeln!(f, "  allowed when {}", stale.allowed)?;
        }
        Ok(())
    }
}
