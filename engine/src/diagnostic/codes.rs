//! Every code, with its page.
//!
//! A code never changes its meaning. Each page has a wrong example and its mend, and a test runs
//! both. Must never know how a code comes about.

use super::Severity;
use serde::{Serialize, Serializer};

macro_rules! codes {
    ($($code:ident $name:ident $title:literal,)*) => {
        /// A stable code of a diagnostic or of a verdict. `E` is an error, `W` a warning, `N` a note,
        /// `G` a word of the gate.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $(
                #[doc = concat!("`", stringify!($code), "`: ", $title, ".")]
                $name,
            )*
        }

        impl Code {
            /// All of them, in order.
            pub const ALL: &[Code] = &[$(Code::$name,)*];

            /// The code as written, `E0301`.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => stringify!($code),)* }
            }

            /// What it is about, in a few words.
            pub fn title(self) -> &'static str {
                match self { $(Code::$name => $title,)* }
            }

            /// The page that `intentgate explain-code` prints, in Markdown.
            pub fn page(self) -> &'static str {
                match self { $(Code::$name => include_str!(concat!("pages/", stringify!($code), ".md")),)* }
            }
        }
    };
}

codes! {
    E0001 Unreadable "the file can't be read",
    E0002 NotUtf8 "the input is not UTF-8",
    E0003 TooLarge "the input is too large",
    E0004 EmptyInput "the input is empty",
    E0101 Syntax "this is not the language",
    E0102 UnterminatedText "a text has no end",
    E0103 BadEscape "unknown escape in a text",
    E0104 NumberRange "the number is beyond the exact range",
    E0105 ImpossibleDate "there is no such date",
    E0106 ImpossibleTime "there is no such time",
    E0107 Parentheses "parentheses around predicates",
    E0108 EmptyBody "a rule without a body",
    E0109 MissingHead "a rule without a head",
    E0110 TooManyRules "more rules than the limit",
    E0111 TooManyPredicates "more predicates in a rule than the limit",
    E0112 TooManyConstraints "more constraints in a predicate than the limit",
    E0113 TooManyElements "more elements in a list than the limit",
    E0114 NestedTooDeep "nested deeper than the limit",
    E0115 TextTooLong "a text is longer than the limit",
    E0201 JsonSyntax "this is not JSON",
    E0202 DuplicateKey "a key stands twice",
    E0203 UnknownKey "an unknown key",
    E0204 MissingKey "a key is missing",
    E0205 JsonType "a value of the wrong JSON type",
    E0206 UnknownType "an unknown variable type",
    E0207 BadName "not a name",
    E0208 DuplicateName "a name is declared twice",
    E0209 NamesTooAlike "two names are too alike",
    E0210 ReservedName "a reserved name is declared",
    E0211 EnumValues "an enumeration without usable values",
    E0212 DuplicateEnumerator "an enumerator is declared twice",
    E0213 MisplacedAttribute "an attribute that doesn't fit",
    E0214 BadReset "`reset_by` names no such variable",
    E0215 BadDuration "not a length of time",
    E0216 EmptyVocabulary "a vocabulary that declares nothing",
    E0301 UnknownState "unknown state",
    E0302 UnknownVariable "unknown variable",
    E0303 UnknownEnumerator "unknown enumerator",
    E0304 UnknownObjective "unknown objective",
    E0305 NeverConcluded "an objective that is used and never concluded",
    E0306 WrongType "an operand of the wrong type",
    E0307 OperatorNotAllowed "an operator that the type doesn't have",
    E0308 EmptyList "an empty list",
    E0309 DuplicateElement "an element stands twice",
    E0310 DuplicateLabel "a label stands twice",
    E0311 Cycle "objectives that need each other",
    E0312 NoDone "no rule concludes Done",
    E0313 EmptySpecification "no rules",
    E0314 StandingWithDone "a standing specification concludes Done",
    E0315 ReservedInBody "Done or Never in a body",
    E0316 NotAnObjective "the head is not an objective",
    E0317 HeadTooAlike "a head that is nearly a critical action",
    E0318 PolicyConcludes "a policy concludes something",
    E0319 PolicyObjective "a policy names an objective that is no critical action",
    E0320 ParameterTypes "a parameter with two types",
    E0321 UnboundParameter "a parameter without a value",
    E0322 UnusedParameter "a value for no parameter",
    E0323 ParameterValue "a parameter's value of the wrong type",
    E0324 DateRange "a date beyond the calendar",
    E0325 NamesLookAlike "two names of a specification that look alike",
    W0401 UnneededRule "no Done needs this rule",
    N0402 NeverPermitted "critical actions that no rule concludes",
    W0403 MilestoneGuard "a milestone alone guards a critical action",
    W0404 FreeArguments "arguments that no rule constrains",
    W0405 HiddenCharacters "a text with characters that can't be seen",
    W0406 NeverTrue "a comparison that can't be true",
    W0407 NearlyReserved "a milestone that is nearly Done or Never",
    E0501 UnusableEvent "not an event",
    E0502 UpdateState "an update of an unknown state",
    E0503 UpdateVariable "an update of an unknown variable",
    E0504 UpdateType "an update with a value of the wrong type",
    E0505 UpdateEnumerator "an update with an unknown enumerator",
    E0506 NamelessAction "an action without a name",
    E0507 ReservedAction "an action called Done or Never",
    E0508 UnknownArgument "an unknown argument",
    E0509 MissingArgument "a missing argument",
    E0510 UnknownPermit "no permit of that name is held",
    E0511 NothingToResolve "nothing to resolve",
    E0512 ValueRange "a value beyond the limits",
    E0513 MemoryFull "the limit of remembered texts is reached",
    E0514 EmptyTrace "a trace without events",
    E0515 NotTheSame "the record does not replay",
    E0516 PermitNameTaken "a permit of that name is held already",
    E0517 BadZone "unknown time zone",
    E0518 BadDay "not a day",
    E0519 RecordFailed "the record could not be written",
    E0520 BadSnapshot "a saved session that does not fit",
    E0521 GateHeld "the gate is held by the same thread",
    E0522 NotReplaceable "the specification can't be replaced now",
    E0523 NeedsConsent "the new specification may allow more",
    E0524 OutputIsInput "an output that is an input",
    E0525 OutputTaken "two outputs in one place",
    E0701 SolverTooOld "libz3 is too old",
    E0702 SolverDisagrees "solver and evaluator disagree",
    E0703 NoSolver "this program has no solver",
    E0801 UnknownPage "a transition of an unknown page",
    E0802 DuplicatePage "a page is declared twice",
    E0803 UnknownFunction "no such primary function, or not with these arguments",
    E0804 NotAssignment "an update that is no assignment",
    E0807 NoPlan "steps that are no plan",
    W0805 UnreachablePage "a page that nothing leads to",
    W0806 UnusedFunction "a function that nothing performs",
    W0808 DeadGuard "a guard that never holds",
    E0809 PlannerFailed "another planner gave no plan",
    E0810 LfsPointer "a Git-LFS pointer instead of the file",
    E0811 UnreadableXml "this is not XML",
    E0812 NoModel "nothing that makes a model",
    E0813 UnreadablePddl "PDDL that can't be read",
    E0814 UnknownForm "a form that is not known",
    W0815 DanglingEdge "a transition of something that is not there",
    W0816 Nameless "a page or a transition without a name",
    W0817 UnreadablePart "a part that can't be read",
    W0818 UnclearName "a name that may stand for several",
    W0819 GuessedStart "a start that is not said",
    E0820 BadRecording "not a line of recorded answers",
    E0821 AmbiguousSentence "a sentence that may mean several things",
    E0822 NothingFits "a sentence that fits nothing",
    E0823 UnfilledParameter "a sentence that leaves a parameter open",
    W0824 PagesAlike "two pages whose names look alike",
    W0825 TransitionTwice "a transition that stands twice",
    W0826 NeverPasses "a transition that the gate never lets through",
    W0827 MisspeltAction "an action that is spelled nearly like a declared one",
    E0828 ModelSettings "settings of a language model that can't be used",
    E0829 NoModelAnswer "the language model gave no answer",
    E0901 NoScreen "the dump of a screen can't be read",
    E0902 BadElement "an element of a screen that can't be used",
    E0840 GrammarName "names that a grammar can't have",
    E0841 NothingToWrite "a vocabulary that leaves nothing to write",
    E0830 NotEncoded "a sentence that became no specification",
    W0831 DamagedExperience "a line of experience that can't be used",
    E0832 NoLanguageModel "no language model to ask",
    E0833 BadTemplate "a template, or a sentence that doesn't fit it",
    E0834 NotConfirmed "a success that nothing confirms",
    E0835 LongSentence "a sentence that is too long to be encoded",
    E0910 DamagedKnowledge "knowledge that is cut or damaged",
    E0911 KnowledgeVersion "knowledge of another version",
    E0912 KnowledgeLocked "knowledge that somebody else writes",
    E0913 KnowledgeFile "a file of knowledge that can't be read or written",
    G0601 Suspect "advice: the step contradicts every rule that is concerned",
    G0602 Unmet "blocked: no rule for the action is true",
    G0603 Prohibited "blocked: a prohibition stands",
    G0604 Repeated "blocked: the same action in the same situation",
    G0605 TaskComplete "blocked: the task is complete",
    G0606 Undeclared "blocked: not a declared critical action",
    G0607 NearName "blocked: nearly the name of a critical action",
    G0608 Closed "blocked: the vocabulary is closed",
    G0609 Unsettled "blocked: an earlier outcome is unknown",
    G0610 Stale "a stale permit",
    G0611 TriggerFailed "blocked: the trigger failed",
    G0612 AfterDone "note: a step after the task is complete",
    G0613 Insisted "note: allowed because the agent insisted",
    G0614 NoRule "blocked: no rule concludes the action",
    G0615 SessionBroken "blocked: the session can't record any more",
    G0616 CompleteAtStart "note: the task was complete before any action",
}

impl Code {
    /// The code written as `text`, in any case.
    pub fn parse(text: &str) -> Option<Code> {
        Code::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(text.trim()))
    }

    /// The severity that the first letter stands for. A word of the gate is a note: the verdict says
    /// how serious it is.
    pub fn severity(self) -> Severity {
        match self.as_str().as_bytes().first() {
            Some(b'E') => Severity::Error,
            Some(b'W') => Severity::Warning,
            _ => Severity::Note,
        }
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> serde::Deserialize<'de> for Code {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Code::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("unknown code `{text}`")))
    }
}
