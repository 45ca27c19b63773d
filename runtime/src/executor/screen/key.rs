//! The structural key of a screen: the same for the same screen with other contents.

use super::{Element, ElementId, Screen};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt;

/// Tells screens apart by their structure: 16 hexadecimal digits of a SHA-256.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ScreenKey(String);

impl ScreenKey {
    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ScreenKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type Hash = [u8; 32];

impl Screen {
    /// Its structural key. Costs the number of its elements.
    ///
    /// What counts: package, activity, and of every element that is shown ([`Screen::is_shown`]) its class,
    /// its resource id and what can be done with it (clickable, long-clickable, editable, scrollable,
    /// checkable, password), and which elements stand in which. Children are a set: neither their order nor
    /// the number of equal ones counts. Below an element that scrolls only the set of kinds counts, not what
    /// stands in what: rows that come, go or are cut at the edge change nothing as long as there are others
    /// of their kind.
    ///
    /// What does not: texts, descriptions, places, sizes, the picture, and the state of an element (checked,
    /// selected, focused, enabled).
    pub fn key(&self) -> ScreenKey {
        let count = self.elements.len();
        let mut below: Vec<BTreeSet<Hash>> = vec![BTreeSet::new(); count];
        let mut roots = BTreeSet::new();
        let scrolled = self.scrolled();
        // Children come after their parents: from the last to the first all children are done.
        for (id, element) in self.elements().rev().filter(|(id, _)| self.is_shown(*id)) {
            let inside = scrolled.get(id.index()).copied().flatten();
            let within = below.get_mut(id.index()).map(std::mem::take).unwrap_or_default();
            let shape = match inside {
                Some(_) => hash(element, &BTreeSet::new()),
                None => hash(element, &within),
            };
            // What stands in something that is not shown belongs to the nearest that is.
            match inside.or_else(|| self.shown_parent(id)).and_then(|parent| below.get_mut(parent.index())) {
                Some(siblings) => siblings.insert(shape),
                None => roots.insert(shape),
            };
        }
        let mut all = Sha256::new();
        for text in [&self.package, &self.activity] {
            put(&mut all, text.as_deref().unwrap_or("").as_bytes());
        }
        roots.iter().for_each(|root| all.update(root));
        let digits = all.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        ScreenKey(digits)
    }

    /// For each element the outermost one around it that scrolls.
    fn scrolled(&self) -> Vec<Option<ElementId>> {
        let mut scrolled: Vec<Option<ElementId>> = Vec::with_capacity(self.elements.len());
        for element in &self.elements {
            scrolled.push(element.parent.and_then(|parent| {
                let scrolls = |id: &ElementId| {
                    self.is_shown(*id) && self.get(*id).is_some_and(|element| element.flags.scrollable)
                };
                let around = scrolled.get(parent.index()).copied().flatten();
                around.or(Some(parent).filter(scrolls))
            }));
        }
        scrolled
    }

    fn shown_parent(&self, id: ElementId) -> Option<ElementId> {
        let mut parent = self.get(id)?.parent;
        while let Some(id) = parent.filter(|id| !self.is_shown(*id)) {
            parent = self.get(id)?.parent;
        }
        parent
    }
}

fn hash(element: &Element, below: &BTreeSet<Hash>) -> Hash {
    let mut hash = Sha256::new();
    put(&mut hash, element.class.as_bytes());
    put(&mut hash, element.resource_id.as_bytes());
    let flags = &element.flags;
    let all = [
        flags.clickable,
        flags.long_clickable,
        flags.editable,
        flags.scrollable,
        flags.checkable,
        flags.password,
    ];
    hash.update(all.map(u8::from));
    below.iter().for_each(|child| hash.update(child));
    hash.finalize().into()
}

/// A part with its length before it, so that parts can't run into each other.
fn put(hash: &mut Sha256, part: &[u8]) {
    hash.update((part.len() as u64).to_le_bytes());
    hash.update(part);
}
