//! States in one number: bit fields, conditions on them, and steps between them.

use super::frontier::Space;
use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not};

/// A number that holds a state.
pub(super) trait Word:
    Copy + Eq + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self>
{
    /// The lowest bits of the widest word.
    fn narrow(wide: u128) -> Self;
    /// The number that stands in a field.
    fn get(self, field: Field) -> usize;
    /// Spread over all bits.
    fn hash(self) -> u64;
    /// As a number of its own, of a word with at most 32 bits.
    fn number(self) -> usize;
}

/// Where a number stands in a state.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Field {
    shift: u32,
    mask: usize,
}

impl Field {
    /// The next free bits, enough to tell `size` things apart.
    pub(super) fn next(shift: &mut u32, size: usize) -> Field {
        let bits = usize::BITS - size.saturating_sub(1).leading_zeros();
        let field =
            Field { shift: *shift, mask: 1_usize.checked_shl(bits).map_or(usize::MAX, |end| end - 1) };
        *shift = shift.saturating_add(bits);
        field
    }

    pub(super) fn put(self, value: usize) -> u128 {
        ((value & self.mask) as u128).checked_shl(self.shift).unwrap_or(0)
    }

    pub(super) fn all(self) -> u128 {
        self.put(self.mask)
    }
}

macro_rules! words {
    ($($word:ty)*) => {$(
        impl Word for $word {
            #[inline]
            fn narrow(wide: u128) -> $word {
                (wide & u128::from(<$word>::MAX)) as $word
            }

            #[inline]
            fn get(self, field: Field) -> usize {
                (self.checked_shr(field.shift).unwrap_or(0) as usize) & field.mask
            }

            #[inline]
            fn hash(self) -> u64 {
                let folded = (self as u64) ^ ((u128::from(self) >> 64) as u64).rotate_left(23);
                let mixed = folded.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                mixed ^ (mixed >> 32)
            }

            #[inline]
            fn number(self) -> usize {
                self as usize
            }
        }
    )*};
}

words!(u32 u64 u128);

/// A condition on one field, or on two: a bit for each combination.
#[derive(Debug, Clone)]
pub(super) struct Table {
    pub(super) one: Field,
    /// The other field, and how many values it tells apart.
    pub(super) other: Option<(Field, usize)>,
    pub(super) allowed: Vec<u64>,
}

impl Table {
    pub(super) fn holds<W: Word>(&self, state: W) -> bool {
        let place = match self.other {
            None => state.get(self.one),
            Some((other, width)) => state.get(self.one) * width + state.get(other),
        };
        self.allowed.get(place / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
    }
}

/// A field that becomes what another one is: the other, and the bits for each of its values.
pub(super) type Copied<W> = (Field, Vec<W>);

/// A step between states: what some bits have to be, and what some become.
#[derive(Debug, Clone)]
pub(super) struct Edge<W> {
    pub(super) mask: W,
    pub(super) bits: W,
    pub(super) keep: W,
    pub(super) set: W,
    pub(super) cost: u32,
    /// Where the rest of it is, if there is any.
    pub(super) more: Option<Box<More<W>>>,
}

/// What is rarer.
#[derive(Debug, Clone)]
pub(super) struct More<W> {
    pub(super) tables: Vec<Table>,
    pub(super) copies: Vec<Copied<W>>,
}

impl<W: Word> Edge<W> {
    /// The next state, if the step is possible.
    #[inline]
    pub(super) fn follow(&self, state: W) -> Option<W> {
        if state & self.mask != self.bits {
            return None;
        }
        let next = (state & self.keep) | self.set;
        match &self.more {
            None => Some(next),
            Some(more) => more.follow(state, next),
        }
    }

    /// In a smaller word.
    fn narrow<V: Word>(&self) -> Edge<V>
    where
        u128: From<W>,
    {
        let narrow = |word: W| V::narrow(u128::from(word));
        let more = self.more.as_ref().map(|more| {
            let copies = more.copies.iter();
            let copies = copies.map(|(from, bits)| (*from, bits.iter().map(|word| narrow(*word)).collect()));
            Box::new(More { tables: more.tables.clone(), copies: copies.collect() })
        });
        Edge {
            mask: narrow(self.mask),
            bits: narrow(self.bits),
            keep: narrow(self.keep),
            set: narrow(self.set),
            cost: self.cost,
            more,
        }
    }
}

impl<W: Word> More<W> {
    fn follow(&self, state: W, next: W) -> Option<W> {
        if !self.tables.iter().all(|table| table.holds(state)) {
            return None;
        }
        let copied = self.copies.iter().filter_map(|(from, bits)| bits.get(state.get(*from)).copied());
        Some(copied.fold(next, |next, bits| next | bits))
    }
}

/// Edges by the page from which they lead.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges<W> {
    /// Where the edges of each page begin, and where the last ones end.
    first: Vec<u32>,
    edges: Vec<Edge<W>>,
}

impl<W: Word> Edges<W> {
    /// Of lists for each page.
    pub(super) fn new(pages: Vec<Vec<Edge<W>>>) -> Edges<W> {
        let mut edges = Edges { first: vec![0], edges: Vec::new() };
        for page in pages {
            edges.edges.extend(page);
            edges.first.push(u32::try_from(edges.edges.len()).unwrap_or(u32::MAX));
        }
        edges
    }

    /// In a smaller word.
    pub(super) fn narrow<V: Word>(&self) -> Edges<V>
    where
        u128: From<W>,
    {
        Edges { first: self.first.clone(), edges: self.edges.iter().map(Edge::narrow).collect() }
    }

    /// The edges of a page, each with its number.
    #[inline]
    pub(super) fn of(&self, page: usize) -> impl Iterator<Item = (u32, &Edge<W>)> {
        let first = self.first.get(page).copied().unwrap_or(0);
        let end = self.first.get(page + 1).copied().unwrap_or(first);
        let edges = self.edges.get(first as usize..end as usize).unwrap_or(&[]);
        (first..end).zip(edges)
    }

    /// What every step costs, if all cost the same.
    pub(super) fn uniform(&self) -> Option<u64> {
        let cost = self.edges.first().map_or(1, |edge| edge.cost);
        self.edges.iter().all(|edge| edge.cost == cost).then_some(u64::from(cost))
    }
}

/// Packed states with the edges between them, and what is looked for.
pub(super) struct Packed<'e, W, G> {
    edges: &'e Edges<W>,
    page: Field,
    bits: u32,
    uniform: Option<u64>,
    is_goal: G,
}

impl<'e, W: Word, G: Fn(W) -> bool> Packed<'e, W, G> {
    pub(super) fn new(edges: &'e Edges<W>, page: Field, bits: u32, is_goal: G) -> Packed<'e, W, G> {
        Packed { edges, page, bits, uniform: edges.uniform(), is_goal }
    }
}

impl<W: Word, G: Fn(W) -> bool> Space for Packed<'_, W, G> {
    type State = W;

    #[inline]
    fn hash(state: W) -> u64 {
        Word::hash(state)
    }

    #[inline]
    fn number(state: W) -> usize {
        Word::number(state)
    }

    fn bits(&self) -> Option<u32> {
        Some(self.bits)
    }

    fn uniform(&self) -> Option<u64> {
        self.uniform
    }

    #[inline]
    fn expand(&mut self, state: W, each: &mut impl FnMut(W, u32, u64)) {
        for (number, edge) in self.edges.of(state.get(self.page)) {
            if let Some(next) = edge.follow(state) {
                each(next, number, u64::from(edge.cost));
            }
        }
    }

    #[inline]
    fn is_goal(&self, state: W) -> bool {
        (self.is_goal)(state)
    }
}
