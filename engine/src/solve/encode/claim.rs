//! Claims: what can be so or not, and how claims go together.
//!
//! Knows logic alone; must never know what is claimed.

use z3::ast::Bool;

/// Something that can be so or not.
#[derive(Debug, Clone)]
pub struct Claim(pub(in crate::solve) Bool);

impl PartialEq for Claim {
    fn eq(&self, other: &Claim) -> bool {
        self.0.ast_eq(&other.0)
    }
}

impl Claim {
    /// All of them; so if there are none.
    pub fn all<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Claim {
        let parts: Vec<Bool> = claims.into_iter().map(|claim| claim.0.clone()).collect();
        Claim(conjunction(&parts))
    }

    /// One of them; not so if there are none.
    pub fn any<'a>(claims: impl IntoIterator<Item = &'a Claim>) -> Claim {
        let parts: Vec<Bool> = claims.into_iter().map(|claim| claim.0.clone()).collect();
        Claim(disjunction(&parts))
    }

    /// The opposite.
    #[must_use]
    pub fn negate(&self) -> Claim {
        Claim(self.0.not())
    }
}

pub(in crate::solve) fn conjunction(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(true),
        [part] => part.clone(),
        _ => Bool::and(parts),
    }
}

pub(in crate::solve) fn disjunction(parts: &[Bool]) -> Bool {
    match parts {
        [] => Bool::from_bool(false),
        [part] => part.clone(),
        _ => Bool::or(parts),
    }
}
