//! Models as SVG.
//!
//! Pages stand in columns by how many steps they are away from the start, those that nothing known leads to last;
//! within a column near the pages that lead to them. Takes time in proportion to pages and transitions.
//!
//! General layouts put a bend into every column that an edge crosses: with one library at hand, 150 pages and 500
//! transitions took four minutes, another stops the program on graphs that it doesn't expect. Distance from the
//! start needs neither, and tells a reader something.

use super::{Marks, visible};
use crate::planner::{Model, Origin, Page, Transition};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

/// Height of a box, room between boxes of a column, room between columns, and around everything; in pixels.
const HEIGHT: i64 = 34;
const ROW_GAP: i64 = 32;
const COLUMN_GAP: i64 = 180;
const MARGIN: i64 = 30;
/// Room at the top for what the marks mean.
const LEGEND: i64 = 44;
/// The most characters of a label; the whole text is in the title.
const LABEL: usize = 44;
/// With more transitions than this, only those of the plan show their labels; titles have them all.
const LABELLED: usize = 60;

/// A page's box.
#[derive(Debug, Clone, Copy, Default)]
struct Box {
    x: i64,
    y: i64,
    width: i64,
    column: usize,
}

/// All transitions from a page to a page.
struct Edge<'m> {
    from: usize,
    to: usize,
    transitions: Vec<&'m Transition>,
    /// The numbers of the steps that take it.
    steps: Vec<usize>,
}

impl Model {
    /// As SVG. The page where somebody is, a plan, the start, pages from which no way is known (dashed boxes) and
    /// transitions that an analysis of the program found and nobody saw (dashed lines) are marked.
    pub fn to_svg(&self, marks: &Marks) -> String {
        let edges = edges(self, marks);
        let boxes = boxes(self, &edges);
        let right = boxes.iter().map(|one| one.x + one.width).max().unwrap_or(0).max(820);
        let bottom = boxes.iter().map(|one| one.y + HEIGHT).max().unwrap_or(LEGEND);
        // Lines that lead back pass below the boxes.
        let (width, height) = (right + 2 * MARGIN, bottom + 3 * MARGIN);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>{}</title>\n{STYLE}",
            escaped(self.app())
        );
        svg.push_str(&meaning(marks));
        let mut drawn = Drawing { svg, boxes: &boxes, few: self.transitions().len() <= LABELLED };
        // Labels stand before lines, pages before both.
        let labels = drawn.edges(&edges);
        drawn.svg.push_str(&labels);
        drawn.pages(self, marks, &edges);
        drawn.svg.push_str("</svg>\n");
        drawn.svg
    }
}

const STYLE: &str = "\
<style>
text { font: 13px sans-serif; fill: #1b1f24; }
.page rect { fill: #ffffff; stroke: #57606a; stroke-width: 1; }
.start rect { stroke-width: 3; }
.open rect { stroke-dasharray: 4 3; fill: #f6f8fa; }
.planned rect { stroke: #0550ae; stroke-width: 2; }
.current rect { fill: #b6e3ff; }
.edge path { fill: none; stroke: #8c959f; stroke-width: 1; }
.unseen path { stroke-dasharray: 5 4; }
.step path { stroke: #0550ae; stroke-width: 2.5; }
.label text { font-size: 11px; fill: #424a53; }
.label rect { fill: #ffffff; fill-opacity: 0.85; }
.step-label text { fill: #0550ae; font-weight: bold; }
</style>
<defs>
<marker id=\"arrow\" markerWidth=\"9\" markerHeight=\"7\" refX=\"8\" refY=\"3.5\" orient=\"auto\" markerUnits=\"userSpaceOnUse\"><polygon points=\"0 0, 9 3.5, 0 7\" fill=\"#8c959f\"/></marker>
<marker id=\"step-arrow\" markerWidth=\"12\" markerHeight=\"9\" refX=\"10\" refY=\"4.5\" orient=\"auto\" markerUnits=\"userSpaceOnUse\"><polygon points=\"0 0, 12 4.5, 0 9\" fill=\"#0550ae\"/></marker>
</defs>
";

/// What the marks mean.
fn meaning(marks: &Marks) -> String {
    let lines = if marks.taken.is_some() { "the way that was taken" } else { "plan" };
    format!(
        "<g class=\"meaning\">\n<text x=\"30\" y=\"26\">thick: start · blue box: current page · blue lines: {lines} · \
         dashed box: no way from it is known · dashed line: never seen</text>\n</g>\n"
    )
}

fn edges<'m>(model: &'m Model, marks: &Marks) -> Vec<Edge<'m>> {
    let mut steps: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, step) in marks.plan.iter().flat_map(|plan| &plan.steps).enumerate() {
        let number = marks.taken.and_then(|numbers| numbers.get(place)).copied().unwrap_or(place + 1);
        steps.entry(step.transition.index()).or_default().push(number);
    }
    let mut by_ends: BTreeMap<(usize, usize), Edge> = BTreeMap::new();
    for (id, transition) in model.transitions() {
        let (from, to) = (transition.from().index(), transition.to().index());
        let edge = by_ends.entry((from, to)).or_insert_with(|| Edge {
            from,
            to,
            transitions: Vec::new(),
            steps: Vec::new(),
        });
        edge.transitions.push(transition);
        edge.steps.extend(steps.get(&id.index()).into_iter().flatten());
    }
    by_ends.into_values().collect()
}

/// How many steps each page is away from the start, and the pages in the order in which they are met.
fn distances(model: &Model, next: &[Vec<usize>]) -> (Vec<usize>, Vec<usize>) {
    let count = model.pages().len();
    let mut distance = vec![usize::MAX; count];
    let mut order = Vec::new();
    let mut farthest = 0;
    let starts = std::iter::once(model.start().index()).chain(0..count);
    for (place, start) in starts.enumerate() {
        // What can't be reached from the start begins in columns behind all others.
        let first = if place == 0 || order.is_empty() { 0 } else { farthest };
        let mut open = VecDeque::from([(start, first)]);
        while let Some((page, steps)) = open.pop_front() {
            let Some(known) = distance.get_mut(page).filter(|known| **known == usize::MAX) else { continue };
            *known = steps;
            if place == 0 {
                farthest = farthest.max(steps + 1);
            }
            order.push(page);
            open.extend(next.get(page).into_iter().flatten().map(|to| (*to, steps + 1)));
        }
    }
    (distance, order)
}

fn boxes(model: &Model, edges: &[Edge]) -> Vec<Box> {
    let count = model.pages().len();
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in edges {
        next.get_mut(edge.from).into_iter().for_each(|next| next.push(edge.to));
        before.get_mut(edge.to).into_iter().for_each(|before| before.push(edge.from));
    }
    let (distance, order) = distances(model, &next);
    let mut layers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for page in order {
        layers.entry(distance.get(page).copied().unwrap_or(0)).or_default().push(page);
    }
    // A column is no longer than a page of paper is, compared with its width.
    let most = (12..).find(|most| most * most >= 2 * count).unwrap_or(count).max(12);
    let mut columns: Vec<Vec<usize>> = Vec::new();
    let mut heights: Vec<i64> = vec![0; count];
    for mut layer in layers.into_values() {
        let place = |page: &usize| {
            let all = before.get(*page).into_iter().flatten();
            let known: Vec<i64> = all
                .filter(|from| distance.get(**from) < distance.get(*page))
                .filter_map(|from| heights.get(*from))
                .copied()
                .collect();
            let sum: i64 = known.iter().sum();
            sum * 100 / i64::try_from(known.len()).unwrap_or(1).max(1)
        };
        layer.sort_by_cached_key(place);
        // As many columns as it takes, of the same length.
        let length = layer.len().div_ceil(layer.len().div_ceil(most).max(1)).max(1);
        for column in layer.chunks(length) {
            let length = i64::try_from(column.len()).unwrap_or(0);
            for (row, page) in (0i64..).zip(column) {
                if let Some(height) = heights.get_mut(*page) {
                    *height = 2 * row - length;
                }
            }
            columns.push(column.to_vec());
        }
    }
    placed(model, &columns, most)
}

/// Columns beside each other, each around the same middle.
fn placed(model: &Model, columns: &[Vec<usize>], most: usize) -> Vec<Box> {
    let widths: Vec<i64> = model.pages().map(|(_, page)| width(&label(page.name())) + 24).collect();
    let longest = columns.iter().map(Vec::len).max().unwrap_or(0).min(most);
    let height = |rows: usize| i64::try_from(rows).unwrap_or(0) * (HEIGHT + ROW_GAP);
    let mut boxes = vec![Box::default(); widths.len()];
    let mut x = MARGIN;
    for (number, column) in columns.iter().enumerate() {
        let widest = column.iter().filter_map(|page| widths.get(*page)).max().copied().unwrap_or(0);
        let mut y = LEGEND + MARGIN + (height(longest) - height(column.len())) / 2;
        for page in column {
            if let (Some(place), Some(width)) = (boxes.get_mut(*page), widths.get(*page)) {
                *place = Box { x: x + (widest - width) / 2, y, width: *width, column: number };
            }
            y += HEIGHT + ROW_GAP;
        }
        x += widest + COLUMN_GAP;
    }
    boxes
}

struct Drawing<'a> {
    svg: String,
    boxes: &'a [Box],
    few: bool,
}

impl Drawing<'_> {
    fn pages(&mut self, model: &Model, marks: &Marks, edges: &[Edge]) {
        let leads: BTreeSet<usize> = edges.iter().map(|edge| edge.from).collect();
        let planned: BTreeSet<usize> = edges
            .iter()
            .filter(|edge| !edge.steps.is_empty())
            .flat_map(|edge| [edge.from, edge.to])
            .collect();
        for ((id, page), place) in model.pages().zip(self.boxes) {
            let class = |so: bool, name: &str| if so { format!(" {name}") } else { String::new() };
            let classes = [
                class(id == model.start(), "start"),
                class(!leads.contains(&id.index()), "open"),
                class(planned.contains(&id.index()), "planned"),
                class(marks.current == Some(id), "current"),
            ]
            .concat();
            let Box { x, y, width, .. } = *place;
            let _ = writeln!(
                self.svg,
                "<g class=\"page{classes}\" id=\"p{}\">{}<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{HEIGHT}\" rx=\"5\"/><text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>",
                id.index(),
                title(page),
                x + width / 2,
                y + HEIGHT / 2 + 5,
                escaped(&label(page.name())),
            );
        }
    }

    /// Draws the lines, and gives their labels.
    fn edges(&mut self, edges: &[Edge]) -> String {
        let ports = Ports::new(edges, self.boxes);
        let mut labels = String::new();
        for edge in edges {
            let (Some(from), Some(to)) = (self.boxes.get(edge.from), self.boxes.get(edge.to)) else {
                continue;
            };
            let (path, middle) = path(*from, *to, edge.from == edge.to, ports.of(edge));
            let step = !edge.steps.is_empty();
            let unseen = edge.transitions.iter().all(|transition| transition.origin() == Origin::Static);
            let (class, arrow) = if step { (" step", "step-arrow") } else { ("", "arrow") };
            let class = if unseen { format!("{class} unseen") } else { class.to_owned() };
            let all: Vec<String> = edge.transitions.iter().map(|one| said(one)).collect();
            let _ = writeln!(
                self.svg,
                "<g class=\"edge{class}\" id=\"e{}-{}\"><title>{}</title>\
                 <path d=\"{path}\" marker-end=\"url(#{arrow})\"/></g>",
                edge.from,
                edge.to,
                escaped(&all.join("\n")),
            );
            if self.few || step {
                let text = labelled(edge, &all);
                let class = if step { "label step-label" } else { "label" };
                // The text stands on a ground of its own, so that lines below don't strike it out.
                let wide = width(&text) * 3 / 4 + 6;
                let x = middle.0.max(wide / 2 + 4);
                let _ = writeln!(
                    labels,
                    "<g class=\"{class}\"><rect x=\"{}\" y=\"{}\" width=\"{wide}\" height=\"14\"/>\
                     <text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text></g>",
                    x - wide / 2,
                    middle.1 - 11,
                    x,
                    middle.1,
                    escaped(&text)
                );
            }
        }
        labels
    }
}

/// What is said of an edge: the steps of the plan, and the first event.
fn labelled(edge: &Edge, all: &[String]) -> String {
    let steps: Vec<String> = edge.steps.iter().map(usize::to_string).collect();
    let number = if steps.is_empty() { String::new() } else { format!("{}. ", steps.join(", ")) };
    let first = visible(all.first().map_or("", String::as_str));
    let first: String = match first.chars().count() {
        length if length > 22 => first.chars().take(21).chain(['…']).collect(),
        _ => first,
    };
    let more = if all.len() > 1 { format!(" +{}", all.len() - 1) } else { String::new() };
    format!("{number}{first}{more}")
}

/// The event of a transition with its guard.
fn said(transition: &Transition) -> String {
    match transition.guard() {
        "" => transition.event().to_owned(),
        guard => format!("{} [{guard}]", transition.event()),
    }
}

fn title(page: &Page) -> String {
    let (name, description) = (page.name(), page.description());
    let whole = if description.is_empty() { name.to_owned() } else { format!("{name}\n{description}") };
    // The name itself is the label, unless it is cut.
    match description.is_empty() && label(name) == name {
        true => String::new(),
        false => format!("<title>{}</title>", escaped(&whole)),
    }
}

/// Where lines leave and enter a box: spread over its sides, in the order of where they come from or go to.
struct Ports {
    leaves: BTreeMap<Ends, i64>,
    enters: BTreeMap<Ends, i64>,
}

/// From which page to which.
type Ends = (usize, usize);

impl Ports {
    fn new(edges: &[Edge], boxes: &[Box]) -> Ports {
        let height = |page: usize| boxes.get(page).map_or(0, |one| one.y);
        let spread = |of: fn(&Edge) -> Ends| {
            let mut by_box: BTreeMap<usize, Vec<(i64, Ends)>> = BTreeMap::new();
            for edge in edges {
                let (own, other) = of(edge);
                by_box.entry(own).or_default().push((height(other), (edge.from, edge.to)));
            }
            let mut ports = BTreeMap::new();
            for mut lines in by_box.into_values() {
                lines.sort_unstable();
                let count = i64::try_from(lines.len()).unwrap_or(1);
                for (number, (_, ends)) in (1i64..).zip(lines) {
                    ports.insert(ends, HEIGHT * number / (count + 1));
                }
            }
            ports
        };
        Ports { leaves: spread(|edge| (edge.from, edge.to)), enters: spread(|edge| (edge.to, edge.from)) }
    }

    fn of(&self, edge: &Edge) -> (i64, i64) {
        let at = |ports: &BTreeMap<Ends, i64>| ports.get(&(edge.from, edge.to)).copied();
        (at(&self.leaves).unwrap_or(HEIGHT / 2), at(&self.enters).unwrap_or(HEIGHT / 2))
    }
}

type Point = (i64, i64);

/// A line, and where its label stands.
fn path(from: Box, to: Box, to_itself: bool, ports: (i64, i64)) -> (String, Point) {
    let (out, into) = (from.y + ports.0, to.y + ports.1);
    let (right, side) = (from.x + from.width, to.x + to.width);
    let curve: [Point; 4] = match from.column.cmp(&to.column) {
        _ if to_itself => {
            let (x, top) = (right - 22, from.y);
            [(x, top), (x - 4, top - 22), (x + 20, top - 22), (x + 14, top)]
        }
        Ordering::Less => {
            let bend = ((to.x - right) / 2).max(30);
            [(right, out), (right + bend, out), (to.x - bend, into), (to.x, into)]
        }
        Ordering::Equal => {
            // Around the right sides.
            let far = right.max(side) + 40;
            [(right, out), (far, out), (far, into), (side, into)]
        }
        Ordering::Greater => {
            // Back: out of the left side, into the right one, below the lines that lead forward.
            let (bend, sink) = (((from.x - side) / 2).max(30), HEIGHT / 2);
            [(from.x, out), (from.x - bend, out + sink), (side + bend, into + sink), (side, into)]
        }
    };
    let [(x, y), one, two, (to_x, to_y)] = curve;
    let path = format!("M {x} {y} C {} {}, {} {}, {to_x} {to_y}", one.0, one.1, two.0, two.1);
    let label = if to_itself { (from.x + from.width / 2, from.y - 19) } else { before_bend(curve) };
    (path, label)
}

/// The point of a curve between its first box and the next column, at most the middle.
fn before_bend(curve: [Point; 4]) -> Point {
    const PARTS: i64 = 32;
    let at = |part: i64| {
        let rest = PARTS - part;
        let weights =
            [rest * rest * rest, 3 * rest * rest * part, 3 * rest * part * part, part * part * part];
        let sum = |of: fn(&Point) -> i64| {
            curve.iter().zip(weights).map(|(point, weight)| of(point) * weight).sum::<i64>()
        };
        let whole = PARTS * PARTS * PARTS;
        (sum(|point| point.0) / whole, sum(|point| point.1) / whole)
    };
    let start = at(0).0;
    let points = (1..=PARTS / 2).map(at);
    let point = points
        .reduce(|before, point| if (before.0 - start).abs() >= COLUMN_GAP / 2 { before } else { point });
    point.map_or(at(PARTS / 2), |(x, y)| (x, y + 4))
}

/// A name as a label: one line, not too long.
fn label(text: &str) -> String {
    let text = visible(text);
    match text.chars().count() {
        length if length > LABEL => text.chars().take(LABEL - 1).chain(['…']).collect(),
        _ => text,
    }
}

/// About how wide a text is in the font: letters of other scripts and pictures may be twice as wide.
fn width(text: &str) -> i64 {
    text.chars().map(|c| if c.is_ascii() { 8 } else { 15 }).sum()
}

/// A text as XML takes it: what can't be seen is escaped, what can't stand in XML becomes a mark for it.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}
