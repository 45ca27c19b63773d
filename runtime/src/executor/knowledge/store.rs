//! Knowledge in a file: read, locked, written whole or not at all.
//!
//! The one module of the executor that touches files. A writer holds a lock on `<name>.lock`, reads the file anew,
//! writes a temporary one beside it, makes it last, and renames it: whoever reads sees the old or the new one.
//! What can't be read is renamed to `<name>.damaged-<n>`, never overwritten; what another version wrote stays as
//! it is, and nothing is written.

use super::Knowledge;
use fs4::{FileExt, TryLockError};
use intentgate_engine::diagnostic::{Code, Fault, Problems};
use intentgate_engine::limits::Limits;
use intentgate_engine::span::Source;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::{Builder, NamedTempFile};

/// Between two tries to get the lock.
const PAUSE: Duration = Duration::from_millis(10);

/// A file of knowledge.
#[derive(Debug, Clone)]
pub struct Store {
    path: PathBuf,
    wait: Duration,
}

/// Why a file can't be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Somebody else writes it.
    #[error("{}: somebody else has written it for longer than {} s", .path.display(), .waited.as_secs_f32())]
    Locked {
        /// The file.
        path: PathBuf,
        /// How long it was waited.
        waited: Duration,
    },
    /// It can't be read or written.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// What it holds can't be used; the file is as it was.
    #[error(transparent)]
    Unusable(Box<Problems>),
}

impl StoreError {
    /// As what a command prints.
    pub fn problems(&self) -> Problems {
        let (path, code, help) = match self {
            StoreError::Unusable(problems) => return (**problems).clone(),
            StoreError::Locked { path, .. } => (path, Code::KnowledgeLocked, "try again, or wait longer"),
            StoreError::Io { path, .. } => {
                (path, Code::KnowledgeFile, "is the folder there, and may this program write in it?")
            }
        };
        Problems::unreadable(&path.display().to_string(), Fault::new(code, self.to_string()).help(help))
    }
}

/// What came of an update.
#[derive(Debug)]
pub struct Updated<T> {
    /// What the change returned.
    pub value: T,
    /// Where the file went that could not be read, with what was wrong with it. The knowledge started empty then.
    pub damaged: Option<(PathBuf, Problems)>,
}

/// New contents that are written, and are not the file's yet. Dropped, they are gone.
#[derive(Debug)]
pub struct Staged {
    file: NamedTempFile,
    path: PathBuf,
}

impl Staged {
    /// Makes them the file's.
    ///
    /// # Errors
    /// The file can't be replaced; it is as it was then.
    pub fn commit(self) -> Result<(), StoreError> {
        let Staged { file, path } = self;
        file.persist(&path).map_err(|error| StoreError::Io { path: path.clone(), error: error.error })?;
        // The rename itself has to last, too; where folders can't be opened there is nothing to do.
        if let Ok(folder) = File::open(folder(&path)) {
            let _ = folder.sync_all();
        }
        Ok(())
    }
}

impl Store {
    /// A file, which needn't be there yet. A writer waits 10 seconds for another.
    pub fn new(path: impl Into<PathBuf>) -> Store {
        let path = path.into();
        // Of a link, what it leads to is the file, for the lock, too.
        let path = fs::canonicalize(&path).unwrap_or(path);
        Store { path, wait: Duration::from_secs(10) }
    }

    /// How long a writer waits for another.
    #[must_use]
    pub fn wait(mut self, wait: Duration) -> Store {
        self.wait = wait;
        self
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it holds; nothing is known if there is no file. Needs no lock.
    ///
    /// # Errors
    /// It can't be read, is damaged (`E0910`), or of another version (`E0911`). Nothing is changed.
    pub fn read(&self) -> Result<Knowledge, StoreError> {
        let limits = Limits::default();
        // A pipe would be waited for, a folder can't be one.
        if fs::metadata(&self.path).is_ok_and(|known| !known.is_file()) {
            return Err(self.io(io::Error::new(io::ErrorKind::InvalidInput, "it is no regular file")));
        }
        let file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Knowledge::new()),
            Err(error) => return Err(self.io(error)),
        };
        let most = u64::try_from(limits.bytes).unwrap_or(u64::MAX).saturating_add(1);
        let mut bytes = Vec::new();
        file.take(most).read_to_end(&mut bytes).map_err(|error| self.io(error))?;
        let unusable = |problems| StoreError::Unusable(Box::new(problems));
        let name = self.path.display().to_string();
        if bytes.len() > limits.bytes {
            let what = format!("`{name}` has more than {} bytes, which is the limit", limits.bytes);
            return Err(unusable(Problems::unreadable(&name, Fault::new(Code::TooLarge, what))));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let what = format!("the knowledge is cut or damaged: {}", error.utf8_error());
            unusable(Problems::unreadable(&name, Fault::new(Code::DamagedKnowledge, what)))
        })?;
        Knowledge::from_json(&Source::new(name, text), &limits).map_err(unusable)
    }

    /// Reads the file anew, changes what it holds, and writes it; alone, as long as everybody does so.
    ///
    /// # Errors
    /// Somebody else writes it for too long; it can't be read or written; it is of another version, or larger than
    /// what is read. The file is as it was then.
    pub fn update<T>(&self, change: impl FnOnce(&mut Knowledge) -> T) -> Result<Updated<T>, StoreError> {
        let lock = self.lock()?;
        self.sweep();
        let (mut knowledge, damaged) = match self.read() {
            Ok(knowledge) => (knowledge, None),
            Err(StoreError::Unusable(problems)) if is_damaged(&problems) => {
                let kept = self.set_aside()?;
                (Knowledge::new(), Some((kept, *problems)))
            }
            Err(error) => return Err(error),
        };
        let value = change(&mut knowledge);
        self.stage(&knowledge)?.commit()?;
        drop(lock);
        Ok(Updated { value, damaged })
    }

    /// Writes new contents beside the file, so that they last; [`Staged::commit`] makes them the file's. For
    /// hosts with a lock of their own; others use [`Store::update`].
    ///
    /// # Errors
    /// They can't be written.
    pub fn stage(&self, knowledge: &Knowledge) -> Result<Staged, StoreError> {
        let folder = folder(&self.path);
        let prefix = self.prefix();
        let staged = Builder::new().prefix(&prefix).suffix(".tmp").tempfile_in(folder);
        let mut file = staged.map_err(|error| self.io(error))?;
        let written = file.write_all(knowledge.to_json().as_bytes()).and_then(|()| file.as_file().sync_all());
        written.map_err(|error| self.io(error))?;
        // Who may read it is who could before.
        if let Ok(known) = fs::metadata(&self.path) {
            file.as_file().set_permissions(known.permissions()).map_err(|error| self.io(error))?;
        }
        Ok(Staged { file, path: self.path.clone() })
    }

    /// The lock, which ends with the file or the process.
    fn lock(&self) -> Result<File, StoreError> {
        let path = self.beside(".lock");
        let file = File::options().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(|error| StoreError::Io { path: path.clone(), error })?;
        let mut waited = Duration::ZERO;
        loop {
            match FileExt::try_lock(&file) {
                Ok(()) => return Ok(file),
                Err(TryLockError::WouldBlock) if waited >= self.wait => {
                    return Err(StoreError::Locked { path: self.path.clone(), waited });
                }
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(PAUSE);
                    waited += PAUSE;
                }
                Err(TryLockError::Error(error)) => return Err(StoreError::Io { path, error }),
            }
        }
    }

    /// Renames what can't be read; the first name that is free.
    fn set_aside(&self) -> Result<PathBuf, StoreError> {
        let free = (1..=u32::MAX).map(|number| self.beside(&format!(".damaged-{number}")));
        let kept = free.into_iter().find(|path| !path.exists());
        let kept = kept.ok_or_else(|| self.io(io::ErrorKind::AlreadyExists.into()))?;
        fs::rename(&self.path, &kept).map_err(|error| self.io(error))?;
        Ok(kept)
    }

    /// Takes away what writers left that were killed: under the lock there is no other.
    fn sweep(&self) {
        let prefix = self.prefix();
        for entry in fs::read_dir(folder(&self.path)).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.starts_with(&prefix) && name.ends_with(".tmp") {
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    fn prefix(&self) -> String {
        format!(".{}.", self.name())
    }

    fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    fn beside(&self, suffix: &str) -> PathBuf {
        self.path.with_file_name(format!("{}{suffix}", self.name()))
    }

    fn io(&self, error: io::Error) -> StoreError {
        StoreError::Io { path: self.path.clone(), error }
    }
}

fn is_damaged(problems: &Problems) -> bool {
    problems.items().iter().any(|item| item.code() == Code::DamagedKnowledge)
}

/// The folder of a file; a bare name is in the current one.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
