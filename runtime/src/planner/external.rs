//! Other planners: a problem is written, a program is run, and its plan is followed step by step.
//!
//! The program is the user's: a command line with places for the files, `fast-downward {domain} {problem}
//! --search astar(blind())`, started without a shell in a fresh folder that is removed afterwards. Nothing of
//! what it says is believed: its plan is followed by [`Model::validate`], and what it writes elsewhere is only
//! shown. Knows files, processes and time limits; must never decide what a plan is. What it found need not be
//! cheapest.

use super::pddl::{Dialect, Problem};
use super::search::{Found, Path, PlanError, Start};
use super::{Model, PageId};
use crate::process;
use intentgate_engine::diagnostic::Fault;
use intentgate_engine::span::Source;
use intentgate_engine::value::quoted;
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read};
use std::path::{Path as FilePath, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a plan that are read.
const MOST_BYTES: u64 = 16 << 20;
/// Bytes of output that are kept, the last ones.
const KEPT: usize = 2_000;
/// Characters of the output in a message.
const SAID: usize = 400;

/// A planner that is another program.
#[derive(Debug, Clone)]
pub struct External {
    /// The program.
    pub program: String,
    /// Its arguments; in each `{domain}`, `{problem}` and `{plan}` stand for files, `{folder}` for the folder
    /// in which they are and in which it runs. Where `{plan}` does not occur the plan is read from `sas_plan`
    /// in that folder.
    pub arguments: Vec<String>,
    /// How long it may take; 60 s. Then it is ended. What it has started and left running, in its process group, is
    /// ended with it on Unix, in time or not.
    pub limit: Duration,
    /// How the problem is written; plain STRIPS, which every planner reads.
    pub dialect: Dialect,
    /// The exit codes by which it says that there is proof that no plan exists; those of Fast Downward, 10 and
    /// 11. Its 12, nothing found by a search that leaves something out, proves nothing.
    pub unsolvable: Vec<i32>,
}

/// Why another planner gave no plan.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExternalError {
    /// The problem can't be written in PDDL.
    #[error(transparent)]
    Problem(#[from] Fault),
    /// A file or folder can't be written or read.
    #[error("{what}: {reason}")]
    Files {
        /// What was tried.
        what: &'static str,
        /// What the system says.
        reason: String,
    },
    /// There is no such program, or it can't be started.
    #[error("{program} can't be started: {reason}")]
    NotStarted {
        /// The program, quoted.
        program: String,
        /// What the system says.
        reason: String,
    },
    /// It took too long and was ended.
    #[error("the planner was ended after {} s{said}", limit.as_secs_f64())]
    TimeLimit {
        /// How long it had.
        limit: Duration,
        /// The end of its output, for a message.
        said: String,
    },
    /// It ended with an error, and without a plan.
    #[error("the planner failed ({status}){said}")]
    Failed {
        /// How it ended.
        status: String,
        /// The end of its output, for a message.
        said: String,
    },
    /// It ended well, and there is no plan in the file.
    #[error("the planner wrote no plan{said}")]
    NoPlan {
        /// The end of its output, for a message.
        said: String,
    },
    /// What it wrote is no plan for this problem.
    #[error("the planner's plan is none: {0}")]
    Wrong(PlanError),
}

impl External {
    /// A planner by its program and arguments.
    pub fn new(
        program: impl Into<String>,
        arguments: impl IntoIterator<Item = impl Into<String>>,
    ) -> External {
        External {
            program: program.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            limit: Duration::from_secs(60),
            dialect: Dialect::Strips,
            unsolvable: vec![10, 11],
        }
    }

    /// A plan to one of some pages, or that there is none: [`Found::AlreadyThere`], [`Found::Path`] or, on the
    /// planner's word, [`Found::NoKnownPath`]. A plan that was written and can be followed is one, whatever the
    /// exit code; of plans that get better (`plan.1`, `plan.2`) the last is taken. Transitions with functions
    /// are left out, as in every planning problem.
    ///
    /// # Errors
    /// See [`ExternalError`].
    pub fn plan(&self, model: &Model, start: &Start, targets: &[PageId]) -> Result<Found, ExternalError> {
        if targets.contains(&start.page(model)) {
            return Ok(Found::AlreadyThere);
        }
        let problem = Problem::new(model, start, targets, self.dialect)?;
        let folder = Folder::fresh().map_err(|error| failed("a folder can't be made", &error))?;
        let write = |name: &str, text: &str| {
            fs::write(folder.0.join(name), text).map_err(|error| failed("a file can't be written", &error))
        };
        write("domain.pddl", &problem.domain)?;
        write("problem.pddl", &problem.problem)?;
        let (status, said) = self.run(&folder.0)?;
        let Some(plan) = plan_file(&folder.0) else {
            return match status.code() {
                Some(code) if self.unsolvable.contains(&code) => Ok(Found::NoKnownPath),
                Some(0) => Err(ExternalError::NoPlan { said }),
                _ => Err(ExternalError::Failed { status: status.to_string(), said }),
            };
        };
        let text = read(&plan).map_err(|error| failed("the plan can't be read", &error))?;
        let source = Source::new("the planner's plan", text);
        let steps = problem.read_plan(model, start, targets, &source).map_err(ExternalError::Wrong)?;
        let cost = steps.iter().filter_map(|id| model.transition(*id)).map(|one| u64::from(one.cost()));
        let cost = cost.fold(0_u64, u64::saturating_add);
        let steps = steps.into_iter().filter_map(|id| model.step(id, None)).collect();
        Ok(Found::Path(Path { steps, cost }))
    }

    /// How the program ended, and what it said last.
    fn run(&self, folder: &FilePath) -> Result<(ExitStatus, String), ExternalError> {
        let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
        let filled = |argument: &String| {
            let places = [
                ("{domain}", file("domain.pddl")),
                ("{problem}", file("problem.pddl")),
                ("{plan}", file(PLAN)),
                ("{folder}", folder.to_string_lossy().into_owned()),
            ];
            places.iter().fold(argument.clone(), |text, (place, path)| text.replace(place, path))
        };
        let mut command = Command::new(&self.program);
        command.args(self.arguments.iter().map(filled)).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // What it starts is in its group, and ends with it.
        process::in_group(&mut command);
        let mut child = command.spawn().map_err(|error| ExternalError::NotStarted {
            program: quoted(&self.program),
            reason: error.to_string(),
        })?;
        let tail = Tail::default();
        let readers = [tail.keep(child.stdout.take()), tail.keep(child.stderr.take())];
        let ended = wait(&mut child, self.limit);
        // What it has started and left running ends with it, however it ended.
        let status = process::end(&mut child);
        // What it wrote last may still be on its way; what it has started may hold the pipe for ever.
        let patience = Instant::now();
        let reading = || readers.iter().flatten().any(|reader| !reader.is_finished());
        while reading() && patience.elapsed() < Duration::from_millis(200) {
            thread::sleep(Duration::from_millis(2));
        }
        let unknown = |error: io::Error| failed("the planner can't be waited for", &error);
        match ended.map_err(unknown)? {
            true => Ok((status.map_err(unknown)?, tail.said())),
            false => Err(ExternalError::TimeLimit { limit: self.limit, said: tail.said() }),
        }
    }
}

fn failed(what: &'static str, error: &io::Error) -> ExternalError {
    ExternalError::Files { what, reason: error.to_string() }
}

/// Whether a program ends in time.
fn wait(child: &mut Child, limit: Duration) -> io::Result<bool> {
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if process::has_ended(child)? {
            return Ok(true);
        }
        let Some(left) = limit.checked_sub(start.elapsed()).filter(|left| !left.is_zero()) else {
            return Ok(false);
        };
        thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// The last bytes of what a program writes.
#[derive(Clone, Default)]
struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Reads a stream to its end.
    fn keep(&self, stream: Option<impl Read + Send + 'static>) -> Option<thread::JoinHandle<()>> {
        let (mut stream, tail) = (stream?, self.clone());
        Some(thread::spawn(move || {
            let mut buffer = [0_u8; 4_096];
            while let Ok(length @ 1..) = stream.read(&mut buffer) {
                let mut kept = tail.0.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(buffer.get(..length).unwrap_or(&[]));
                let surplus = kept.len().saturating_sub(KEPT);
                kept.drain(..surplus);
            }
        }))
    }

    /// The end of it, for a message: in quotes, escaped, cut; nothing if it said nothing.
    fn said(&self) -> String {
        let kept: Vec<u8> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&kept);
        let text = text.trim();
        let surplus = text.chars().count().saturating_sub(SAID);
        let cut: String = text.chars().skip(surplus).collect();
        match (text.is_empty(), surplus) {
            (true, _) => String::new(),
            (false, 0) => format!("; it said {}", quoted(&cut)),
            (false, _) => format!("; it said last {}", quoted(&format!("…{cut}"))),
        }
    }
}

/// The plan's file, as Fast Downward calls it.
const PLAN: &str = "sas_plan";

/// The plan; of several the one with the highest number.
fn plan_file(folder: &FilePath) -> Option<PathBuf> {
    let plan = folder.join(PLAN);
    if plan.is_file() {
        return Some(plan);
    }
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let number: u64 = name.strip_prefix(PLAN)?.strip_prefix('.')?.parse().ok()?;
        entry.path().is_file().then(|| (number, entry.path()))
    });
    numbered.max().map(|(_, path)| path)
}

/// A text of a bounded size; what is no UTF-8 in it is no step.
fn read(path: &FilePath) -> io::Result<String> {
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other(format!("it has more than {MOST_BYTES} bytes")));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A folder of our own, removed with all that is in it.
struct Folder(PathBuf);

impl Folder {
    /// A new one, which only this user can read: a folder that is there already is never taken.
    fn fresh() -> io::Result<Folder> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let mut builder = fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        loop {
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("intentgate-plan-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            match builder.create(&path) {
                Ok(()) => return Ok(Folder(path)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 10_000 => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
