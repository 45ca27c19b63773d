//! Names of classes: relative and full ones become one, and pages get the shortest name that tells them apart.
//!
//! Knows names alone.

use std::collections::{BTreeMap, HashMap, HashSet};

/// The most classes of one short name among which a relative name is looked for.
const MOST: usize = 64;

/// A class that shows something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ClassId(usize);

/// The classes of an app, in the order in which they were met.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// As written; a full name replaces a relative one.
    names: Vec<String>,
    by_name: HashMap<String, ClassId>,
}

/// Whether a name lacks its package: `.MainActivity`, `MainActivity`.
fn is_relative(name: &str) -> bool {
    name.starts_with('.') || !name.contains('.')
}

impl ClassId {
    /// Its number, from 0.
    pub(super) fn index(self) -> usize {
        self.0
    }
}

impl Classes {
    /// All names first, then what they stand for: a relative name is the full one that ends with it, if there is
    /// just one. The second part says which relative names could be several.
    pub(super) fn new<'a>(names: impl Iterator<Item = &'a str> + Clone) -> (Classes, Vec<String>) {
        let mut classes = Classes::default();
        // Full names by their last part.
        let mut full: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut seen: HashSet<&str> = HashSet::new();
        for name in names.clone().filter(|name| !is_relative(name)) {
            if seen.insert(name) {
                full.entry(last(name)).or_default().push(name);
            }
        }
        let package = package(seen.iter().copied());
        let mut unclear = Vec::new();
        for name in names {
            if classes.by_name.contains_key(name) {
                continue;
            }
            let mut stands_for = name;
            if is_relative(name) {
                let end = format!(".{}", name.trim_start_matches('.'));
                let candidates = full.get(last(name)).map_or(&[][..], Vec::as_slice);
                let fitting: Vec<&str> =
                    candidates.iter().copied().take(MOST).filter(|full| full.ends_with(&end)).collect();
                match fitting.as_slice() {
                    [one] if candidates.len() <= MOST => stands_for = *one,
                    // Several: the one in the package that all share, in which relative names are written.
                    several if several.contains(&format!("{package}{end}").as_str()) => {
                        stands_for = several
                            .iter()
                            .find(|one| one.len() == package.len() + end.len())
                            .unwrap_or(&name);
                    }
                    [] if candidates.len() <= MOST => {}
                    _ => unclear.push(name.to_owned()),
                }
            }
            let id = classes.by_name.get(stands_for).copied().unwrap_or_else(|| {
                classes.names.push(stands_for.to_owned());
                ClassId(classes.names.len() - 1)
            });
            classes.by_name.insert(stands_for.to_owned(), id);
            classes.by_name.insert(name.to_owned(), id);
        }
        (classes, unclear)
    }

    /// What a name stands for.
    pub(super) fn find(&self, name: &str) -> Option<ClassId> {
        self.by_name.get(name).copied()
    }

    /// The full name, as far as it is known.
    pub(super) fn full(&self, id: ClassId) -> &str {
        self.names.get(id.0).map_or("", String::as_str)
    }

    /// The shortest ends of the names that tell all of them apart.
    pub(super) fn short(&self) -> Vec<String> {
        let mut parts = vec![1usize; self.names.len()];
        // Each round lengthens what is not unique yet; names are different, so it ends.
        let longest = self.names.iter().map(|name| name.split('.').count()).max().unwrap_or(1);
        for _ in 0..longest.min(64) {
            let mut same: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            for (place, (name, parts)) in self.names.iter().zip(&parts).enumerate() {
                same.entry(ending(name, *parts)).or_default().push(place);
            }
            let mut changed = false;
            for place in same.into_values().filter(|places| places.len() > 1).flatten() {
                if let Some(parts) = parts.get_mut(place) {
                    *parts += 1;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        let short: Vec<String> =
            self.names.iter().zip(parts).map(|(name, parts)| ending(name, parts).to_owned()).collect();
        let distinct: HashSet<&String> = short.iter().collect();
        if distinct.len() == short.len() { short } else { self.names.clone() }
    }

    /// The package that all full names share; empty if there is none.
    pub(super) fn package(&self) -> String {
        package(self.names.iter().map(String::as_str).filter(|name| !is_relative(name)))
    }
}

/// The package that full names share.
fn package<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut shared: Option<Vec<&str>> = None;
    for name in names {
        let mut parts: Vec<&str> = name.split('.').collect();
        parts.pop();
        shared = Some(match shared {
            None => parts,
            Some(before) => {
                before.into_iter().zip(parts).take_while(|(a, b)| a == b).map(|(a, _)| a).collect()
            }
        });
    }
    shared.unwrap_or_default().join(".")
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// The last so many parts of a name, without a dot before them.
fn ending(name: &str, parts: usize) -> &str {
    let dots = name.rmatch_indices('.').nth(parts.saturating_sub(1));
    let end = dots.and_then(|(place, _)| name.get(place + 1..)).unwrap_or(name);
    match end.trim_start_matches('.') {
        "" => name,
        end => end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn short(names: &[&str]) -> (Vec<String>, Vec<String>) {
        let (classes, unclear) = Classes::new(names.iter().copied());
        (classes.short(), unclear)
    }

    #[test]
    fn relative_and_full_names_become_one() {
        let (classes, unclear) =
            Classes::new([".Main", "com.app.ui.List", "com.app.Main", "Main"].into_iter());
        assert_eq!(classes.find(".Main"), classes.find("com.app.Main"));
        assert_eq!(classes.find("Main"), classes.find("com.app.Main"));
        assert_eq!(classes.full(classes.find("Main").unwrap()), "com.app.Main");
        assert_eq!(classes.short(), ["Main", "List"]);
        assert_eq!(classes.package(), "com.app");
        assert!(unclear.is_empty());
    }

    #[test]
    fn what_could_be_several_is_none_of_them() {
        let (short, unclear) = short(&["com.app.a.Main", "com.app.b.Main", ".Main", "x.b.Main"]);
        assert_eq!(short, ["a.Main", "app.b.Main", "Main", "x.b.Main"]);
        assert_eq!(unclear, [".Main"]);
        // Unless one of them is in the package that all share.
        let (classes, unclear) = Classes::new(["com.app.b.Main", ".Main", "com.app.Main"].into_iter());
        assert_eq!(classes.find(".Main"), classes.find("com.app.Main"));
        assert_eq!(
            (classes.short(), unclear),
            (vec!["b.Main".to_owned(), "app.Main".to_owned()], Vec::new())
        );
    }
}
