//! Parsing, checking and compiling, in bytes a second.
#![allow(missing_docs, reason = "criterion's macro makes undocumented functions")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a benchmark of something else is worth nothing"
)]

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use intentgate::engine::span::Source;
use intentgate::engine::{check, syntax};
use intentgate_benches as b;
use std::hint::black_box;

fn read(c: &mut Criterion) {
    for count in [10, 1_000, 100_000] {
        let vocabulary = b::vocabulary(&b::many_declared(count));
        let text = b::many_rules(count);
        let source = Source::new("spec", text.as_str());
        let mut group = c.benchmark_group(format!("{count} rules"));
        group.throughput(Throughput::Bytes(text.len() as u64)).sample_size(10);
        group.bench_function("parse", |bencher| {
            bencher.iter(|| black_box(syntax::parse(&source, &b::limits())));
        });
        group.bench_function("parse and check", |bencher| {
            bencher.iter(|| black_box(check::specification(&source, &vocabulary, &b::limits())));
        });
        group.bench_function("parse, check and compile", |bencher| {
            bencher.iter_batched(
                || (),
                |()| black_box(b::start(b::specification(&text, &vocabulary))),
                BatchSize::PerIteration,
            );
        });
        group.finish();
    }
}

criterion_group!(benches, read);
criterion_main!(benches);
