//! What the solver is asked of a whole specification: can each rule hold, is anything dead, redundant or
//! stale, do branches leave a gap, how is each objective reached. Checking the same text is the measure.
#![allow(missing_docs, reason = "criterion's macro makes undocumented functions")]
#![allow(clippy::unwrap_used, reason = "a benchmark of something else is worth nothing")]

use criterion::{Criterion, criterion_group, criterion_main};
use intentgate::engine::analysis::{Answer, Report};
use intentgate::engine::solve::Setting;
use intentgate_benches as b;
use std::hint::black_box;

fn analyze(c: &mut Criterion) {
    for rules in [30, 300] {
        let (app, text) = b::errands(rules / 3);
        let vocabulary = b::vocabulary(&app);
        let specification = b::specification(&text, &vocabulary);
        assert_eq!(specification.rules().len(), rules);
        let mut group = c.benchmark_group(format!("{rules} rules"));
        group.sample_size(10);
        group.bench_function("check the text", |bencher| {
            bencher.iter(|| black_box(b::specification(&text, &vocabulary)));
        });
        group.bench_function("every question about rules, objectives and branches", |bencher| {
            bencher.iter(|| {
                let report = Report::of(&specification, &[], &Setting::default()).unwrap();
                assert!(report.done.as_ref().is_some_and(Answer::is_yes), "{report}");
                black_box(report)
            });
        });
        group.finish();
    }
}

criterion_group!(benches, analyze);
criterion_main!(benches);
