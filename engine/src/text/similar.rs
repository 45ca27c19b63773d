//! stub
use crate::truth::Truth;
/// The measure behind `~`.
pub trait Similarity: Send + Sync + std::fmt::Debug {
    /// a
    fn name(&self) -> &str;
    /// b
    fn similar(&self, left: &str, right: &str) -> Truth;
}
/// c
#[derive(Debug, Clone, Copy, Default)] pub struct LocalSimilarity;
impl Similarity for LocalSimilarity {
    fn name(&self) -> &str { "local-1" }
    fn similar(&self, left: &str, right: &str) -> Truth { Truth::known(left == right) }
}
