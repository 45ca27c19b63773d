//! Texts as small numbers, with what comparing them needs, computed once.
//!
//! Bounded: texts that nothing refers to any more can be released. Says of two symbols exactly what
//! [`crate::text`] says of their texts.

use crate::text::Forms;
use crate::truth::Truth;
use crate::value::Text;
use hashbrown::HashTable;
use std::hash::BuildHasher;

/// The number of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Symbol(pub(crate) u32);

/// No more texts can be remembered: the limit is reached, and all of them are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no more texts can be remembered")]
pub struct Full;

#[derive(Debug, Clone)]
pub(crate) struct Interner {
    hasher: hashbrown::DefaultHashBuilder,
    table: HashTable<u32>,
    entries: Vec<Entry>,
    free: Vec<u32>,
    /// Symbols below this belong to constants and stay.
    constants: usize,
    limit: usize,
}

#[derive(Debug, Clone)]
struct Entry {
    text: Option<Text>,
    /// Made when the text is first compared with a different one.
    forms: Option<Box<Forms>>,
}

impl Interner {
    /// Remembers at most `limit` texts besides those of constants.
    pub(crate) fn new(limit: usize) -> Interner {
        Interner {
            hasher: hashbrown::DefaultHashBuilder::default(),
            table: HashTable::new(),
            entries: Vec::new(),
            free: Vec::new(),
            constants: 0,
            limit,
        }
    }

    /// From here on the limit holds.
    pub(crate) fn seal(&mut self) {
        self.constants = self.entries.len();
        self.entries.shrink_to_fit();
    }

    pub(crate) fn find(&self, text: &Text) -> Option<Symbol> {
        let hash = self.hasher.hash_one(text.as_str());
        self.table.find(hash, |id| self.get(*id) == Some(text)).copied().map(Symbol)
    }

    /// The symbol of a constant, without a limit.
    pub(crate) fn constant(&mut self, text: &Text) -> Symbol {
        self.find(text).unwrap_or_else(|| self.insert(text))
    }

    pub(crate) fn intern(&mut self, text: &Text) -> Result<Symbol, Full> {
        if let Some(symbol) = self.find(text) {
            return Ok(symbol);
        }
        let held = self.entries.len() - self.constants - self.free.len();
        if held >= self.limit {
            return Err(Full);
        }
        Ok(self.insert(text))
    }

    fn insert(&mut self, text: &Text) -> Symbol {
        let entry = Entry { text: Some(text.clone()), forms: None };
        let id = match self.free.pop() {
            Some(id) => id,
            None => super::number(self.entries.len()),
        };
        match self.entries.get_mut(id as usize) {
            Some(place) => *place = entry,
            None => self.entries.push(entry),
        }
        let hash = self.hasher.hash_one(text.as_str());
        let Interner { hasher, table, entries, .. } = self;
        table.insert_unique(hash, id, |id| {
            let text = entries.get(*id as usize).and_then(|entry| entry.text.as_ref());
            hasher.hash_one(text.map_or("", Text::as_str))
        });
        Symbol(id)
    }

    fn get(&self, id: u32) -> Option<&Text> {
        self.entries.get(id as usize).and_then(|entry| entry.text.as_ref())
    }

    /// Whether the symbol is of this very text, shared and not only equal.
    #[inline]
    pub(crate) fn holds(&self, symbol: Symbol, text: &Text) -> bool {
        self.get(symbol.0).is_some_and(|known| known.is_shared_with(text))
    }

    /// The text of a symbol.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.get(symbol.0).map_or("", Text::as_str)
    }

    /// The text of a symbol, shared.
    pub(crate) fn shared(&self, symbol: Symbol) -> Text {
        self.get(symbol.0).cloned().unwrap_or_else(|| Text::new(""))
    }

    /// Forgets the texts that are neither constants nor `live`.
    pub(crate) fn release(&mut self, live: impl Fn(Symbol) -> bool) {
        let constants = super::number(self.constants);
        for id in constants..super::number(self.entries.len()) {
            let Some(text) = self.get(id).cloned() else { continue };
            if live(Symbol(id)) {
                continue;
            }
            let hash = self.hasher.hash_one(text.as_str());
            if let Ok(found) = self.table.find_entry(hash, |known| *known == id) {
                found.remove();
            }
            if let Some(entry) = self.entries.get_mut(id as usize) {
                *entry = Entry { text: None, forms: None };
            }
            self.free.push(id);
        }
    }

    /// What [`crate::text::equal`] says of the two texts.
    pub(crate) fn equal(&mut self, left: Symbol, right: Symbol, ignore_case: bool) -> Truth {
        if left == right {
            return Truth::True;
        }
        self.prepare(left);
        self.prepare(right);
        let forms =
            |symbol: Symbol| self.entries.get(symbol.0 as usize).and_then(|entry| entry.forms.as_deref());
        let (Some(left), Some(right)) = (forms(left), forms(right)) else {
            return Truth::Unknown;
        };
        left.equal(right, ignore_case)
    }

    fn prepare(&mut self, symbol: Symbol) {
        let Some(entry) = self.entries.get_mut(symbol.0 as usize) else { return };
        if entry.forms.is_none()
            && let Some(text) = &entry.text
        {
            entry.forms = Some(Box::new(Forms::new(text.as_str())));
        }
    }

    /// Bytes on the heap, shared texts not counted.
    pub(crate) fn bytes(&self) -> usize {
        let forms = |forms: &Forms| size_of::<Forms>() + forms.bytes();
        self.table.capacity() * 5
            + self.entries.capacity() * size_of::<Entry>()
            + self.entries.iter().filter_map(|entry| entry.forms.as_deref()).map(forms).sum::<usize>()
    }
}
