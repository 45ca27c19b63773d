//! Every case of the corpus, source and outcome in one snapshot.
//!
//! Cases in `corpus/open/` show output that is not yet as it should be: what mends one moves it out.

use intentgate_tests::Case;

#[test]
fn corpus() {
    insta::glob!("../corpus", "**/*.case", |path| {
        let source = std::fs::read_to_string(path).unwrap();
        let outcome = Case::parse(&source).run();
        insta::with_settings!({omit_expression => true, prepend_module_to_snapshot => false}, {
            insta::assert_snapshot!(format!("{}\n---- outcome ----\n{}", source.trim_end(), outcome.text));
        });
        // A record that was made replays to itself.
        if !outcome.record.is_empty() {
            let record = intentgate::engine::span::Source::new("record", outcome.record.join("\n"));
            let lines = intentgate::session::replay::replay(&record, &Default::default());
            assert_eq!(lines.unwrap(), outcome.record.len(), "{}", path.display());
        }
    });
}
