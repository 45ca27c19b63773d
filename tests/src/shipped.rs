//! The intents and policies that ship.

use crate::root;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Every `*.intent` below `examples`, as `folder/file`, with its vocabulary and its text.
///
/// # Panics
/// If a file can't be read, or is no vocabulary.
#[expect(clippy::unwrap_used, reason = "a helper of tests")]
pub fn shipped() -> Vec<(String, Arc<Vocabulary>, String)> {
    let mut files: Vec<PathBuf> = Vec::new();
    for folder in std::fs::read_dir(root().join("examples")).unwrap() {
        let folder = folder.unwrap().path();
        if folder.is_dir() {
            files.extend(std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()));
        }
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "intent"));
    files.sort();
    assert!(files.len() >= 12, "{files:?}");
    let read = |path: &Path| std::fs::read_to_string(path).unwrap();
    let each = files.iter().map(|path| {
        let own = path.with_extension("app.json");
        let app = if own.is_file() { own } else { path.with_file_name("app.json") };
        let folder = path.parent().unwrap().file_name().unwrap().to_str().unwrap();
        let name = format!("{folder}/{}", path.file_name().unwrap().to_str().unwrap());
        (name, vocabulary(&read(&app)), read(path))
    });
    each.collect()
}

/// A vocabulary that is fine.
///
/// # Panics
/// If it is not.
pub fn vocabulary(text: &str) -> Arc<Vocabulary> {
    let source = Source::new("app.json", text);
    Arc::new(
        Vocabulary::from_json(&source, &Limits::default()).unwrap_or_else(|problems| panic!("{problems}")),
    )
}
