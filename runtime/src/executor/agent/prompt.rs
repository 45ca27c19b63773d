//! What a language model is told before it acts (AppAgent, section 3.3; plan, roadmap and feedback are ours).
//!
//! Knows briefings. Everything that comes from the user, an app, a screen, a file or a value is fenced; the
//! prompt's own words stand outside of fences alone.

use super::Briefing;
use super::model::called;
use crate::executor::reply::Interaction;
use crate::executor::screen::outline::Outline;
use crate::executor::screen::{Screen, Tags};
use crate::gate::feedback::RuleReport;
use crate::language_model::fence::{self, Fenced, quoted};
use crate::language_model::{Message, Part, Request, Role};
use std::fmt::Write;

/// Steps of the plan that are told.
const STEPS: usize = 8;
/// Things done before that are told.
const DONE: usize = 10;
/// Pages around, cues, and pieces of feedback that are told.
const AROUND: usize = 20;
/// Characters of a whole screen.
const SCREEN: usize = 20_000;

/// The action space, with the published signatures (AppAgent, section 3.1).
const FUNCTIONS: &str = "\
1. tap(element: int): taps the UI element with that numeric tag, as in tap(5).
2. text(text_input: str): types a text into what has the focus, as in text(\"Hello, world!\"). Tap the input first; \
the text stands in double quotation marks.
3. long_press(element: int): presses the UI element for a second, as in long_press(5).
4. swipe(element: int, direction: str, dist: str): swipes from the UI element; the direction is one of \"up\", \
\"down\", \"left\", \"right\", the distance one of \"short\", \"medium\", \"long\", as in swipe(21, \"up\", \"medium\").
5. back(): goes back.
FINISH: the task is done.";

/// What the answer looks like.
const FORMAT: &str = "\
Observation: what you see on the screen
Thought: what has to be done next for the task, and why
Action: one function call with its parameters, or FINISH; nothing else
Summary: what was done so far, this action included, in one or two sentences, without numeric tags
Precondition: may be left out; what has to hold right before the action, as in Screen(text contains \"Total\")
Postcondition: may be left out; what has to hold after it, as in Screen(page = \"Cart\", text contains \"1 item\"); both in \
the language of the rules, over the app's states and Screen(page, activity, package, text)";

/// The question for the next step.
pub(super) fn request(
    briefing: &Briefing<'_>,
    tags: &Tags,
    summary: Option<&str>,
    pictures: bool,
) -> Request {
    let system = format!(
        "You operate an app on a phone for a user, one action at a time. These functions can be called:\n{FUNCTIONS}\n\n\
         Numeric tags are those of the screen that is shown, and change from screen to screen. Some actions can't be \
         undone: a gate checks each action, and blocks what the user's rules don't allow yet. What is blocked stays \
         blocked until what the rules ask for holds: do that first, and don't look for a way around.\n{}\n\nAnswer in \
         this form:\n{FORMAT}",
        fence::RULE
    );
    let mut text = String::new();
    task(briefing, summary, &mut text);
    rules(briefing.roadmap, &mut text);
    plan(briefing, &mut text);
    screen(briefing, tags, &mut text);
    said(briefing, &mut text);
    text.push_str("What is the next action?");
    let message = Message::text(Role::User, text);
    let message = match briefing.shown.screen.as_ref().filter(|_| pictures).and_then(picture) {
        Some(png) => Message { parts: [message.parts, vec![png]].concat(), ..message },
        None => message,
    };
    Request::new().system(system).message(message).temperature(0.0)
}

/// The screenshot, with tags where they can be drawn.
fn picture(screen: &Screen) -> Option<Part> {
    let plain = screen.screenshot.clone()?;
    #[cfg(feature = "images")]
    let plain = screen.tagged_picture().map_or(plain, std::sync::Arc::from);
    Some(Part::Image { media_type: "image/png".to_owned(), bytes: plain })
}

fn fenced(label: &str, text: &str) -> Fenced {
    Fenced::new(label, text, fence::LIMIT)
}

fn task(briefing: &Briefing<'_>, summary: Option<&str>, text: &mut String) {
    let _ = writeln!(text, "The task:\n{}", fenced("task", briefing.sentence));
    let part = briefing.sub_task;
    if part.sentence != briefing.sentence {
        let _ = writeln!(text, "The part that is under way:\n{}", fenced("sub-task", &part.sentence));
        let _ = writeln!(text, "Why:\n{}", fenced("reason", &part.rationale));
    }
    if let Some(summary) = summary {
        let _ = writeln!(text, "Your summary of what was done:\n{}", fenced("summary", summary));
    }
    let from = briefing.done.len().saturating_sub(DONE);
    let done = briefing.done.iter().skip(from).map(|done| {
        let because = done.because.as_ref().map(|because| format!(", {because}")).unwrap_or_default();
        format!("{}: {}{because}", done.event, done.comparison)
    });
    let done: Vec<String> = done.collect();
    if !done.is_empty() {
        let _ =
            writeln!(text, "What was done last, and what came of it:\n{}", fenced("done", &done.join("\n")));
    }
    if !briefing.cues.is_empty() {
        let cues: Vec<&str> = briefing.cues.iter().take(AROUND).map(String::as_str).collect();
        let _ =
            writeln!(text, "What helped with tasks like this one:\n{}", fenced("hints", &cues.join("\n")));
    }
}

/// The rules: what they conclude, whether that is so, and what is missing for it.
fn rules(roadmap: &[RuleReport], text: &mut String) {
    let lines = roadmap.iter().map(|rule| {
        let unmet = rule.unmet();
        let critical = if rule.critical { " (critical action)" } else { "" };
        let missing =
            if unmet.is_empty() { String::new() } else { format!("; not so: {}", unmet.join(", ")) };
        let never = rule.head == "Never";
        match (never, rule.truth.is_true()) {
            (true, true) => format!("{}: prohibits something now", rule.rule),
            (true, false) => format!("{}: prohibits, where it is true; it is not{missing}", rule.rule),
            (false, true) => format!("{}: {}{critical} is allowed or reached", rule.rule, rule.head),
            (false, false) => format!("{}: {}{critical} is not yet{missing}", rule.rule, rule.head),
        }
    });
    let lines: Vec<String> = lines.collect();
    if !lines.is_empty() {
        let _ =
            writeln!(text, "The user's rules, and how far they are:\n{}", fenced("rules", &lines.join("\n")));
    }
}

fn plan(briefing: &Briefing<'_>, text: &mut String) {
    if let Some(page) = briefing.page {
        let _ = writeln!(text, "The page is {}.", quoted(page, 80));
    }
    match briefing.plan {
        Some(plan) => {
            let steps =
                plan.steps.iter().take(STEPS).map(|step| {
                    format!("{}, which leads to {}", step.event, briefing.model.page_name(step.to))
                });
            let steps: Vec<String> = steps.collect();
            let _ = writeln!(
                text,
                "A plan that is known, its next step first:\n{}",
                fenced("plan", &steps.join("\n"))
            );
        }
        None => {
            text.push_str("No way to the goal is known; find one.\n");
            if let Some(why) = briefing.no_plan {
                let _ = writeln!(text, "What was found when one was looked for:\n{}", fenced("search", why));
            }
        }
    }
    let around = briefing.known.iter().take(AROUND).filter_map(|(id, event)| {
        let to = briefing.model.transition(*id)?.to();
        Some(format!("{event}, which leads to {}", briefing.model.page_name(to)))
    });
    let around: Vec<String> = around.collect();
    if !around.is_empty() {
        let _ =
            writeln!(text, "What is known to be possible here:\n{}", fenced("around", &around.join("\n")));
    }
}

/// The screen as a list, and what is known of its elements.
fn screen(briefing: &Briefing<'_>, tags: &Tags, text: &mut String) {
    let Some(screen) = &briefing.shown.screen else {
        let values = serde_json::Value::Object(briefing.shown.values.clone()).to_string();
        let _ = writeln!(text, "There is no screen. What the app says:\n{}", fenced("values", &values));
        return;
    };
    let outline = screen.outline(&Outline::default());
    let _ = writeln!(text, "The screen:\n{}", Fenced::new("screen", &outline, SCREEN));
    let mut known = String::new();
    for (tag, id) in tags.iter() {
        let Some(document) = briefing.documents.get(&screen.uid(id)).filter(|document| !document.is_empty())
        else {
            continue;
        };
        let name = called(screen, id).unwrap_or_default();
        let _ = writeln!(known, "element {tag} ({name}):");
        for interaction in Interaction::ALL {
            if let Some(does) = document.get(interaction).filter(|does| !does.is_empty()) {
                let _ = writeln!(known, "  {does}");
            }
        }
    }
    if !known.is_empty() {
        let known = Fenced::new("documents", known.trim_end(), SCREEN);
        let _ = writeln!(text, "What is known of its elements:\n{known}");
    }
}

fn said(briefing: &Briefing<'_>, text: &mut String) {
    let from = briefing.feedback.len().saturating_sub(AROUND);
    let said: Vec<&str> = briefing.feedback.iter().skip(from).map(String::as_str).collect();
    if !said.is_empty() {
        let said = Fenced::new("feedback", &said.join("\n"), 2 * fence::LIMIT);
        let _ = writeln!(text, "What was said of your decisions since the last action; heed it:\n{said}");
    }
}
