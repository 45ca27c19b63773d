//! Two of a kind become one: machines as their JSON form, sequences, counts.

use super::{AppKnowledge, Sequence};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// Takes over what is known of an app.
pub(super) fn app(into: &mut AppKnowledge, other: &AppKnowledge) {
    model(&mut into.model, &other.model);
    into.locator.merge(&other.locator);
    into.documents.merge(&other.documents);
    for one in &other.sequences {
        sequence(&mut into.sequences, one);
    }
    for (text, sentences) in &other.specifications {
        counts(into.specifications.entry(text.clone()).or_default(), sentences);
    }
    into.cues.extend(other.cues.clone());
}

/// Sequences of the same steps are one; in the order of their steps, so that it doesn't matter which came first.
pub(super) fn sequence(into: &mut Vec<Sequence>, one: &Sequence) {
    match into.binary_search_by(|known| known.steps.cmp(&one.steps)) {
        Ok(place) => {
            if let Some(known) = into.get_mut(place) {
                counts(&mut known.sentences, &one.sentences);
                known.cost = known.cost.min(one.cost);
            }
        }
        Err(place) => into.insert(place, one.clone()),
    }
}

pub(super) fn counts(into: &mut BTreeMap<String, u64>, other: &BTreeMap<String, u64>) {
    for (name, count) in other {
        let known = into.entry(name.clone()).or_default();
        *known = known.saturating_add(*count);
    }
}

/// A machine with what another has besides: pages, transitions, counts. What both declare stays as it was.
pub(super) fn model(into: &mut Value, other: &Value) {
    match (into, other) {
        (into, other) if into.is_null() => *into = other.clone(),
        (Value::Object(into), Value::Object(other)) => {
            for list in ["pages", "variables", "functions"] {
                union(into, other, list, &["name"], |_, _| ());
            }
            union(into, other, "apps", &["app"], |known, one| {
                let mut whole = Value::Object(std::mem::take(known));
                model(&mut whole, &Value::Object(one.clone()));
                if let Value::Object(whole) = whole {
                    *known = whole;
                }
            });
            for list in ["transitions", "handovers"] {
                union(into, other, list, &["from", "event", "to"], add_count);
            }
        }
        _ => {}
    }
}

fn add_count(known: &mut Map<String, Value>, one: &Map<String, Value>) {
    let count = |one: &Map<String, Value>| one.get("count").and_then(Value::as_u64).unwrap_or(0);
    let sum = count(known).saturating_add(count(one));
    if sum > 0 {
        known.insert("count".to_owned(), sum.into());
        known.insert("origin".to_owned(), "observed".into());
    }
}

/// Adds the members of a list that aren't there yet, by their keys; those that are go through `both`.
fn union(
    into: &mut Map<String, Value>,
    other: &Map<String, Value>,
    list: &str,
    keys: &[&str],
    both: impl Fn(&mut Map<String, Value>, &Map<String, Value>),
) {
    let Some(others) = other.get(list).and_then(Value::as_array) else { return };
    let known = into.entry(list).or_insert_with(|| Value::Array(Vec::new()));
    let Some(known) = known.as_array_mut() else { return };
    let key = |one: &Map<String, Value>| keys.iter().map(|key| one.get(*key).cloned()).collect::<Vec<_>>();
    for one in others.iter().filter_map(Value::as_object) {
        let same = known.iter_mut().filter_map(Value::as_object_mut).find(|have| key(have) == key(one));
        match same {
            Some(same) => both(same, one),
            None => known.push(Value::Object(one.clone())),
        }
    }
}
