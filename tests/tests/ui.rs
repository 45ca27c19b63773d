//! What doesn't compile, and what the compiler says then: a file for each mistake, grouped by where it is
//! made. Each message is read before it is accepted.

#[test]
fn mistakes_are_told_where_they_are_made() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*/*.rs");
}
