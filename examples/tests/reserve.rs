//! Tests of reserve.intent, from its own logic.
//!
//! Written by `intentgate gen-tests`: write them anew when it has changed.

use intentgate::testing::Files;

const FILES: Files = Files {
    app: ("app.json", include_str!("../restaurant/app.json")),
    spec: ("reserve.intent", include_str!("../restaurant/reserve.intent")),
    policies: &[],
};

/// R1 holds
#[test]
fn test_r1_holds() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["allow"]);
}

/// R1 without name = "R"
#[test]
fn test_r1_without_name_r() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"other"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: name = "R" is unknown
#[test]
fn test_r1_name_r_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: date = today breaks at 2026-11-20
#[test]
fn test_r1_date_today_breaks_at_2026_11_20() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-20","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: date = today breaks at 2026-11-22
#[test]
fn test_r1_date_today_breaks_at_2026_11_22() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-22","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: date = today is unknown
#[test]
fn test_r1_date_today_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: time < 19:00 holds at 18:59:59
#[test]
fn test_r1_time_19_00_holds_at_18_59_59() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"18:59:59"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["allow"]);
}

/// R1: time < 19:00 breaks at 19:00
#[test]
fn test_r1_time_19_00_breaks_at_19_00() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"19:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: time < 19:00 breaks at 19:00:01
#[test]
fn test_r1_time_19_00_breaks_at_19_00_01() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"19:00:01"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: time < 19:00 is unknown
#[test]
fn test_r1_time_19_00_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1 without available = true
#[test]
fn test_r1_without_available_true() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R1: available = true is unknown
#[test]
fn test_r1_available_true_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve","outcome":"failure"}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["block"]);
}

/// R2 holds
#[test]
fn test_r2_holds() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve"}}
{"observe":{"ReserveInfo":{"available":null,"date":null,"time":null},"ReserveResult":{"success":true},"RestaurantInfo":{"name":null}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["allow"]);
    assert!(played.is_done(), "{played}");
}

/// R2 without Reserve
#[test]
fn test_r2_without_reserve() {
    let trace = r#"
{"observe":{"ReserveResult":{"success":true}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R2: success = true holds at true
#[test]
fn test_r2_success_true_holds_at_true() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"ReserveResult":{"success":true},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve"}}
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"ReserveResult":{"success":true},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["allow"]);
    assert!(played.is_done(), "{played}");
}

/// R2 without success = true
#[test]
fn test_r2_without_success_true() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve"}}
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"ReserveResult":{"success":false},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["allow"]);
    assert!(!played.is_done(), "{played}");
}

/// R2: success = true is unknown
#[test]
fn test_r2_success_true_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
{"propose":{"action":"Reserve"}}
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts(["allow"]);
    assert!(!played.is_done(), "{played}");
}

/// R3 holds
#[test]
fn test_r3_holds() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(played.is_done(), "{played}");
}

/// R3 without name = "R"
#[test]
fn test_r3_without_name_r() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"other"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: name = "R" is unknown
#[test]
fn test_r3_name_r_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"00:00"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: date = today breaks at 2026-11-20
#[test]
fn test_r3_date_today_breaks_at_2026_11_20() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-20","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: date = today breaks at 2026-11-22
#[test]
fn test_r3_date_today_breaks_at_2026_11_22() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-22","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: date = today is unknown
#[test]
fn test_r3_date_today_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: time < 19:00 holds at 18:59:59
#[test]
fn test_r3_time_19_00_holds_at_18_59_59() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"18:59:59"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(played.is_done(), "{played}");
}

/// R3: time < 19:00 breaks at 19:00
#[test]
fn test_r3_time_19_00_breaks_at_19_00() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"19:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: time < 19:00 breaks at 19:00:01
#[test]
fn test_r3_time_19_00_breaks_at_19_00_01() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21","time":"19:00:01"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: time < 19:00 is unknown
#[test]
fn test_r3_time_19_00_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":false,"date":"2026-11-21"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: available != true breaks at true
#[test]
fn test_r3_available_true_breaks_at_true() {
    let trace = r#"
{"observe":{"ReserveInfo":{"available":true,"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}

/// R3: available != true is unknown
#[test]
fn test_r3_available_true_is_unknown() {
    let trace = r#"
{"observe":{"ReserveInfo":{"date":"2026-11-21","time":"00:00"},"RestaurantInfo":{"name":"R"}}}
"#;
    let played = FILES.play("2026-11-21", &[], trace);
    played.assert_verdicts([]);
    assert!(!played.is_done(), "{played}");
}
