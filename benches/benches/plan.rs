//! Plans: shortest ways in plain graphs against `petgraph` and `pathfinding` on the same graphs and questions,
//! and machines with variables, by expansions a second and bytes a state.
#![allow(missing_docs, reason = "criterion's macro makes undocumented functions")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark of something else is worth nothing"
)]

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use intentgate::engine::schema::declare::Variable;
use intentgate::engine::value::Value;
use intentgate::planner::declare::{App, Configured, Page, Transition};
use intentgate::planner::{Bounds, Goal, Model, PageId, Planner, Router, Start};
use intentgate_benches as b;
use petgraph::graph::{DiGraph, NodeIndex};
use std::hint::black_box;

/// Numbers that are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}

/// A random graph in which every page can be reached from the first.
fn edges(pages: usize, count: usize, dice: &mut Dice) -> Vec<(usize, usize)> {
    let tree = (1..pages).map(|page| (dice.below(page), page)).collect::<Vec<_>>();
    let rest = (pages - 1..count).map(|_| (dice.below(pages), dice.below(pages))).collect::<Vec<_>>();
    [tree, rest].concat()
}

fn app(pages: usize, edges: &[(usize, usize)]) -> App {
    let name = |page: usize| format!("p{page}");
    App {
        app: "random".to_owned(),
        start: name(0),
        pages: (0..pages).map(|page| Page::new(name(page))).collect(),
        transitions: edges.iter().map(|(from, to)| Transition::new(name(*from), "tap", name(*to))).collect(),
        ..App::default()
    }
}

fn model(app: &App) -> Model {
    app.check_within(&b::limits()).unwrap()
}

fn graphs(c: &mut Criterion) {
    let published = [(24, 25), (86, 127), (85, 190), (152, 508)];
    let larger = [(4_000, 10_000), (40_000, 100_000), (400_000, 1_000_000)];
    // Where each runs once, as a test, the published sizes will do.
    let measured = std::env::args().any(|argument| argument == "--bench");
    let larger = larger.into_iter().filter(|_| measured);
    for (pages, count) in published.into_iter().chain(larger) {
        let mut dice = Dice(0x9E37_79B9 + count as u64);
        let edges = edges(pages, count, &mut dice);
        let model = model(&app(pages, &edges));
        let ids: Vec<PageId> = model.pages().map(|(id, _)| id).collect();
        // From pages near the start, so that most questions have an answer.
        let questions: Vec<(usize, usize)> =
            (0..64).map(|_| (dice.below(pages.min(20)), dice.below(pages))).collect();
        let mut router = Router::new(&model).unwrap();
        let mut plain: DiGraph<(), ()> = DiGraph::new();
        let nodes: Vec<NodeIndex> = (0..pages).map(|_| plain.add_node(())).collect();
        for (from, to) in &edges {
            plain.add_edge(nodes[*from], nodes[*to], ());
        }
        let mut after: Vec<Vec<usize>> = vec![Vec::new(); pages];
        for (from, to) in &edges {
            after[*from].push(*to);
        }
        let ours = |router: &mut Router, way: &mut Vec<_>, (from, to): (usize, usize)| {
            router.route(ids[from], &[ids[to]], way).then_some(way.len())
        };
        let petgraph = |(from, to): (usize, usize)| {
            petgraph::algo::astar(&plain, nodes[from], |node| node == nodes[to], |_| 1_u32, |_| 0)
                .map(|(cost, _)| cost as usize)
        };
        let pathfinding = |(from, to): (usize, usize)| {
            let found =
                pathfinding::prelude::bfs(&from, |page| after[*page].iter().copied(), |page| *page == to);
            found.map(|way| way.len() - 1)
        };
        let mut way = Vec::new();
        for question in &questions {
            let expected = pathfinding(*question);
            assert_eq!(ours(&mut router, &mut way, *question), expected);
            assert_eq!(petgraph(*question), expected);
        }
        let mut group = c.benchmark_group(format!("{pages} pages, {count} transitions"));
        if count > 5_000 {
            group.sample_size(10);
        }
        let mut turn = 0;
        let mut next = || {
            turn = (turn + 1) % questions.len();
            questions[turn]
        };
        group.bench_function("intentgate", |bencher| {
            bencher.iter(|| black_box(ours(&mut router, &mut way, next())));
        });
        group.bench_function("petgraph", |bencher| bencher.iter(|| black_box(petgraph(next()))));
        group.bench_function("pathfinding", |bencher| bencher.iter(|| black_box(pathfinding(next()))));
        group.finish();
    }
}

/// From, to, the variable that has to be so, the one that becomes so.
type Plain = (usize, usize, Option<(usize, bool)>, Option<(usize, bool)>);

/// A machine with 152 pages, 508 transitions and Boolean variables, half of the transitions guarded.
fn machine(variables: usize) -> (App, Vec<Plain>) {
    let mut dice = Dice(0xD1B5_4A32 + variables as u64);
    let edges = edges(152, 508, &mut dice);
    let mut app = app(152, &edges);
    app.variables = (0..variables)
        .map(|number| Configured {
            variable: Variable::new(format!("v{number}"), "Boolean"),
            initial: Some(Value::Boolean(false)),
        })
        .collect();
    let mut plain = Vec::new();
    for (transition, (from, to)) in app.transitions.iter_mut().zip(&edges) {
        let mut one =
            |share: usize| (dice.below(100) < share).then(|| (dice.below(variables), dice.below(2) == 0));
        let (guard, update) = (one(30), one(60));
        let text = |one: Option<(usize, bool)>| one.map_or(String::new(), |(v, so)| format!("v{v} = {so}"));
        (transition.guard, transition.update) = (text(guard), text(update));
        plain.push((*from, *to, guard, update));
    }
    (app, plain)
}

fn machines(c: &mut Criterion) {
    let mut group = c.benchmark_group("152 pages, 508 transitions and Boolean variables: every state");
    group.sample_size(10);
    // As a test, small machines will do.
    let measured = std::env::args().any(|argument| argument == "--bench");
    let sizes: &[usize] = if measured { &[8, 12, 16, 20] } else { &[8] };
    for variables in sizes.iter().copied() {
        let (app, plain) = machine(variables);
        let model = model(&app);
        let goal = Goal::Condition("v0 = true, v0 = false".to_owned());
        let bounds = Bounds { expansions: 10_000_000, bytes: usize::MAX };
        let mut planner = Planner::new(&model);
        planner.plan(&Start::default(), &goal, &bounds).unwrap();
        let effort = planner.effort();
        println!(
            "{variables} variables: {} states, {} expanded, {:.1} bytes a state",
            effort.states,
            effort.expanded,
            effort.bytes as f64 / effort.states as f64
        );
        group.throughput(Throughput::Elements(effort.expanded as u64));
        group.bench_function(BenchmarkId::new("intentgate", variables), |bencher| {
            bencher.iter(|| black_box(planner.plan(&Start::default(), &goal, &bounds).unwrap()));
        });
        if variables > 12 {
            continue;
        }
        let mut after: Vec<Vec<_>> = vec![Vec::new(); 152];
        for edge in &plain {
            after[edge.0].push(*edge);
        }
        let reached = || {
            let next = |(page, values): &(usize, u32)| {
                let (page, values) = (*page, *values);
                let so = move |(variable, so): (usize, bool)| (values >> variable & 1 == 1) == so;
                let after = after[page].iter().filter(move |edge| edge.2.is_none_or(so));
                after
                    .map(move |(_, to, _, update)| match update {
                        Some((variable, true)) => (*to, values | 1 << variable),
                        Some((variable, false)) => (*to, values & !(1 << variable)),
                        None => (*to, values),
                    })
                    .collect::<Vec<_>>()
            };
            pathfinding::prelude::bfs_reach((0_usize, 0_u32), next).count()
        };
        assert_eq!(reached(), effort.expanded);
        group.bench_function(BenchmarkId::new("pathfinding", variables), |bencher| {
            bencher.iter(|| black_box(reached()));
        });
    }
    group.finish();
}

criterion_group!(benches, graphs, machines);
criterion_main!(benches);
