//! Plans of other planners: stand-ins that do right and wrong, and Fast Downward where it is at hand.
#![cfg(unix)]

use intentgate::planner::declare::{App, Page, Transition};
use intentgate::planner::external::{External, ExternalError};
use intentgate::planner::pddl::Dialect;
use intentgate::planner::{Bounds, Found, Goal, Model, PageId, Planner, Start};
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn app() -> App {
    App {
        app: "Mail".to_owned(),
        start: "Home".to_owned(),
        pages: ["Home", "Inbox", "Message", "Alone"].map(Page::new).to_vec(),
        transitions: vec![
            Transition::new("Home", "open the inbox", "Inbox").cost(2),
            Transition::new("Inbox", "open a message", "Message").cost(u32::MAX),
            Transition::new("Message", "go back", "Inbox"),
        ],
        ..App::default()
    }
}

/// A planner that is a script; it stands in a file, and gets domain, problem, plan and folder.
fn planner(name: &str, script: &str) -> External {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.sh"));
    std::fs::write(&path, script).unwrap();
    let arguments = [path.to_str().unwrap(), "{domain}", "{problem}", "{plan}", "{folder}"];
    External::new("sh", arguments)
}

fn ask(planner: &External, to: &str) -> Result<(Model, Found), ExternalError> {
    let model = app().check().unwrap();
    let target: PageId = model.find_page(to).unwrap();
    let found = planner.plan(&model, &Start::default(), &[target])?;
    Ok((model, found))
}

const RIGHT: &str = "printf '(t1-open-the-inbox)\\n(T2-OPEN-A-MESSAGE)\\n; cost = 2\\n' > \"$3\"\n";

#[test]
fn a_plan_is_followed() {
    let (_, found) = ask(&planner("right", RIGHT), "Message").unwrap();
    let Found::Path(path) = &found else { panic!("{found:?}") };
    assert_eq!(path.to_string(), "1. open the inbox\n2. open a message\n");
    assert_eq!(path.cost, 2 + u64::from(u32::MAX));
    // It gets what it was promised, in a folder of its own that is gone afterwards.
    let note = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("external.folder");
    let script = format!(
        "test -f \"$1\" && test -f \"$2\" && test \"$PWD\" -ef \"$4\" && echo \"$4\" > '{}'\n{RIGHT}",
        note.display()
    );
    ask(&planner("promised", &script), "Message").unwrap();
    let folder = std::fs::read_to_string(&note).unwrap();
    assert!(!folder.trim().is_empty() && !std::path::Path::new(folder.trim()).exists(), "{folder}");
    // Nobody is asked where there is nothing to do.
    let (_, found) = ask(&External::new("no-such-planner", [""; 0]), "Home").unwrap();
    assert_eq!(found, Found::AlreadyThere);
    // The last of several; a plan is one whatever the exit code.
    let several = "echo '(t9-none)' > sas_plan.9\nprintf '(t1-open-the-inbox)\\n' > sas_plan.10\nexit 3\n";
    let (_, found) = ask(&planner("several", several), "Inbox").unwrap();
    assert!(matches!(found, Found::Path(path) if path.steps.len() == 1));
    let mut published = planner("published", "echo '(navigate home inbox)' > sas_plan");
    published.dialect = Dialect::Published;
    let (_, found) = ask(&published, "Inbox").unwrap();
    assert!(matches!(found, Found::Path(path) if path.cost == 2));
}

/// What a planner leaves running ends with it, in time or not.
#[test]
fn nothing_is_left_running() {
    let note = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("external.running");
    let left = format!("sleep 300 > /dev/null 2>&1 &\necho $! > '{}'\n", note.display());
    for (name, end) in [("leaving", RIGHT), ("leaving-failed", "exit 3"), ("leaving-late", "sleep 300")] {
        let mut planner = planner(name, &format!("{left}{end}"));
        planner.limit = Duration::from_secs(if name == "leaving-late" { 1 } else { 60 });
        let found = ask(&planner, "Message");
        assert_eq!(found.is_ok(), name == "leaving", "{found:?}");
        let number = std::fs::read_to_string(&note).unwrap();
        let process = PathBuf::from("/proc").join(number.trim());
        // What was killed may wait for its parent a moment, as a zombie.
        let runs = || {
            let stat = std::fs::read_to_string(process.join("stat")).unwrap_or_default();
            stat.rsplit(')')
                .next()
                .is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
        };
        let patience = Instant::now();
        while runs() && patience.elapsed() < Duration::from_secs(5) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(!runs(), "{name}: process {} still runs", number.trim());
    }
}

/// Every way to go wrong, in words.
#[test]
fn what_is_no_plan() {
    let mut shown = String::new();
    for (name, script) in [
        ("unsolvable", "exit 11"),
        ("incomplete", "echo Search stopped without finding a solution.; exit 12"),
        ("garbage", "head -c 3000 /dev/zero | tr '\\0' '\\377' > \"$3\""),
        ("partial", "echo '(t1-open-the-inbox)' > \"$3\""),
        ("cut", "printf '(t1-open-the-inbox)\\n(t2-op' > \"$3\""),
        ("another", "echo '(navigate home inbox)' > \"$3\""),
        ("impossible", "echo '(t3-go-back)' > \"$3\""),
        ("empty", ": > \"$3\""),
        ("nothing", "echo I have no idea"),
        ("folder", "mkdir \"$3\""),
        ("fifo", "mkfifo \"$3\""),
        ("failing", "echo '\u{1b}[31mno memory\u{202e}' >&2; exit 22"),
        ("chatty", "yes 'so much to say' | head -c 2000000; exit 1"),
        ("killed", "kill -9 $$"),
    ] {
        let text = match ask(&planner(name, script), "Message") {
            Ok((_, found)) => format!("{found:?}"),
            Err(error) => error.to_string(),
        };
        shown.push_str(&format!("{name}: {text}\n"));
    }
    let missing = ask(&External::new("no-such-planner", ["{domain}"]), "Message").unwrap_err();
    shown.push_str(&format!("missing: {missing}\n"));
    insta::assert_snapshot!(shown);
}

/// Neither the program nor what it has started goes on.
#[test]
fn time_is_limited() {
    let note = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("external.alive");
    let _ = std::fs::remove_file(&note);
    let script = format!("(sleep 3; touch '{}') &\necho started; sleep 60\n", note.display());
    let mut slow = planner("slow", &script);
    slow.limit = Duration::from_millis(300);
    let start = Instant::now();
    let error = ask(&slow, "Message").unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    assert_eq!(error.to_string(), "the planner was ended after 0.3 s; it said \"started\"");
    std::thread::sleep(Duration::from_secs(4));
    assert!(!note.exists(), "what it had started went on");
}

/// What holds its output open after it has ended is not waited for.
#[test]
fn what_stays_behind_is_not_waited_for() {
    let start = Instant::now();
    let (_, found) = ask(&planner("behind", &format!("{RIGHT}sleep 30 &\n")), "Message").unwrap();
    assert!(matches!(found, Found::Path(_)));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

/// Fast Downward, where it is at hand: the folder of `up-fast-downward` in `FAST_DOWNWARD`.
#[test]
fn fast_downward() {
    let Some(folder) = std::env::var_os("FAST_DOWNWARD") else {
        println!("skipped: FAST_DOWNWARD does not name a folder with fast-downward.py");
        return;
    };
    let program = PathBuf::from(folder).join("fast-downward.py");
    let arguments = [
        program.to_str().unwrap(),
        "--plan-file",
        "{plan}",
        "{domain}",
        "{problem}",
        "--search",
        "astar(blind())",
    ];
    for dialect in [Dialect::Strips, Dialect::Published] {
        let planner = External { dialect, ..External::new("python3", arguments) };
        let (model, found) = ask(&planner, "Message").unwrap_or_else(|error| panic!("{error}"));
        let goal = Goal::Any(vec![model.find_page("Message").unwrap()]);
        let own = Planner::new(&model).plan(&Start::default(), &goal, &Bounds::default()).unwrap();
        assert_eq!(found, own);
        let (_, found) = ask(&planner, "Alone").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(found, Found::NoKnownPath);
    }
}
