//! The name of an element that lasts from visit to visit, under which its documents are kept (AppAgent).

use super::{ElementId, Screen};

/// Descriptions of this many characters, or more, are no part of a name.
const LONG: usize = 20;

impl Screen {
    /// The published name of an element: its parent's own name, then its resource id, or its class and size,
    /// then its description if that is short, then its place among its parent's children; joined by `_`.
    ///
    /// `com.app_id_bar_com.app_id_send_Send_2`. Two elements of a screen may share one.
    pub fn uid(&self, id: ElementId) -> String {
        let parent = self.get(id).and_then(|element| element.parent);
        let names = parent.into_iter().chain([id]).map(|id| self.own_name(id));
        let names: Vec<String> = names.chain([self.index_of(id).to_string()]).collect();
        names.join("_")
    }

    fn own_name(&self, id: ElementId) -> String {
        let Some(element) = self.get(id) else { return String::new() };
        let mut name = if element.resource_id.is_empty() {
            let (width, height) = element.bounds.map_or((0, 0), |bounds| (bounds.width(), bounds.height()));
            format!("{}_{width}_{height}", element.class)
        } else {
            element.resource_id.replace(':', ".").replace('/', "_")
        };
        if !element.description.is_empty() && element.description.chars().count() < LONG {
            name.push('_');
            name.push_str(&element.description.replace(['/', ':'], "_").replace(' ', ""));
        }
        name
    }
}
