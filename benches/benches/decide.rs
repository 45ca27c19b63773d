//! One update plus one critical decision, permit included, record off; and a whole new state to both
//! verdicts. In the same run: the restaurant rules by hand, as the floor.
#![allow(missing_docs, reason = "criterion's macro makes undocumented functions")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark of something else is worth nothing"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use intentgate::Input;
use intentgate_benches as b;
use std::hint::black_box;

fn restaurant(c: &mut Criterion) {
    let mut group = c.benchmark_group("restaurant");
    let (vocabulary, mut session) = b::restaurant();
    let time = |text: &str| Input::from(text);
    let whole = |time_text: &str| {
        b::update(
            &vocabulary,
            &[
                ("RestaurantInfo.name", Input::from("R")),
                ("ReserveInfo.date", Input::from("2026-11-21")),
                ("ReserveInfo.time", time(time_text)),
                ("ReserveInfo.available", Input::from(true)),
            ],
        )
    };
    session.observe(&whole("18:00")).unwrap();
    let times = ["18:00", "18:30"].map(|t| b::update(&vocabulary, &[("ReserveInfo.time", time(t))]));
    let mut action = Some(b::action(&vocabulary, "Reserve"));
    let mut turn = 0;
    group.bench_function("update and critical decision", |bencher| {
        bencher.iter(|| {
            turn ^= 1;
            session.observe(black_box(&times[turn])).unwrap();
            action = Some(b::decide(&mut session, action.take().unwrap()));
        });
    });
    group.bench_function("update alone", |bencher| {
        bencher.iter(|| {
            turn ^= 1;
            session.observe(black_box(&times[turn])).unwrap();
        });
    });
    group.bench_function("critical decision alone", |bencher| {
        bencher.iter(|| action = Some(b::decide(&mut session, action.take().unwrap())));
    });
    // Every variable gets another value, and every truth flips between the two.
    let other = b::update(
        &vocabulary,
        &[
            ("RestaurantInfo.name", Input::from("S")),
            ("ReserveInfo.date", Input::from("2026-11-22")),
            ("ReserveInfo.time", time("20:00")),
            ("ReserveInfo.available", Input::from(false)),
        ],
    );
    let wholes = [whole("18:00"), whole("18:30")];
    let step = |update: &intentgate::Update| {
        update.assignments().iter().fold(intentgate::Action::named(&vocabulary, "pick"), |builder, a| {
            builder.source(a.source).set(&vocabulary.path(a.variable), a.value.clone())
        })
    };
    let mut steps = wholes.clone().map(|update| Some(step(&update).build().unwrap()));
    group.bench_function("whole new state to both verdicts", |bencher| {
        bencher.iter(|| {
            turn ^= 1;
            session.observe(black_box(&wholes[turn])).unwrap();
            action = Some(b::decide(&mut session, action.take().unwrap()));
        });
    });
    group.bench_function("whole state proposed, then decided", |bencher| {
        bencher.iter(|| {
            turn ^= 1;
            let step = steps[turn].take().unwrap();
            steps[turn] = Some(b::decide(&mut session, step));
            action = Some(b::decide(&mut session, action.take().unwrap()));
        });
    });
    group.bench_function("whole state flipped there and back", |bencher| {
        bencher.iter(|| {
            session.observe(black_box(&other)).unwrap();
            session.observe(black_box(&wholes[0])).unwrap();
        });
    });
    let mut state = ("R", 1_u32, 18_u32, Some(true));
    group.bench_function("by hand", |bencher| {
        bencher.iter(|| {
            turn ^= 1;
            state.2 = black_box(18 - turn as u32);
            let state = black_box(&state);
            black_box(state.0 == "R" && state.1 == 1 && state.2 < 19 && state.3 == Some(true))
        });
    });
    group.finish();
}

fn many(c: &mut Criterion) {
    let mut group = c.benchmark_group("one rule of many");
    for count in [10, 100, 1_000, 10_000, 100_000] {
        let vocabulary = b::vocabulary(&b::many_declared(count));
        let mut session = b::start(b::specification(&b::many_rules(count), &vocabulary));
        // Rules far apart, so that the caches of the machine show.
        let picked: Vec<usize> = (0..64.min(count)).map(|i| i * 7_919 % count).collect();
        let mut updates = Vec::new();
        let mut actions = Vec::new();
        for i in &picked {
            for k in 0..3 {
                let values =
                    [(format!("S{i}k{k}.n"), Input::from(5)), (format!("S{i}k{k}.b"), Input::from(true))];
                let values: Vec<(&str, Input)> =
                    values.iter().map(|(p, v)| (p.as_str(), v.clone())).collect();
                session.observe(&b::update(&vocabulary, &values)).unwrap();
            }
            let path = format!("S{i}k1.n");
            updates.push([3, 4].map(|n| b::update(&vocabulary, &[(path.as_str(), Input::from(n))])));
            actions.push(Some(b::action(&vocabulary, &format!("Act{i}"))));
        }
        let mut turn = 0;
        group.bench_function(format!("{count}"), |bencher| {
            bencher.iter(|| {
                turn += 1;
                let at = turn % picked.len();
                session.observe(black_box(&updates[at][(turn / picked.len()) % 2])).unwrap();
                actions[at] = Some(b::decide(&mut session, actions[at].take().unwrap()));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, restaurant, many);
criterion_main!(benches);
