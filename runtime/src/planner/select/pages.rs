//! Candidates of a model.

use super::Candidate;
use crate::planner::Model;

impl Model {
    /// Its pages, in order, as candidates: the place of each is its page's number.
    pub fn page_candidates(&self) -> Vec<Candidate> {
        self.pages().map(|(_, page)| Candidate::new(page.name(), page.description())).collect()
    }

    /// Its primary functions, in order, as candidates.
    pub fn function_candidates(&self) -> Vec<Candidate> {
        let functions = self.vocabulary().actions();
        functions.map(|(_, function)| Candidate::new(function.name(), function.description())).collect()
    }
}
