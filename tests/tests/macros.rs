//! States, actions and specifications on types of one's own.

use chrono::{NaiveDate, NaiveTime};
use intentgate::engine::diagnostic::{Code, Fault};
use intentgate::engine::eval::ValueSource;
use intentgate::engine::limits::Limits;
use intentgate::engine::schema::Vocabulary;
use intentgate::engine::span::Source;
use intentgate::engine::value::Value;
use intentgate::session::replay::trace_clock;
use intentgate::session::{Facts, TriggerError};
use intentgate::testing::Lines;
use intentgate::typed::variable::kind;
use intentgate::{
    Action, App, CriticalAction, Enumeration, FromVariable, Input, Observation, Outcome, Session, State,
    Step, Update, Variable, Verdict, include_policy, include_spec, policy, spec, vocabulary,
};
use rust_decimal::Decimal;
use std::borrow::Cow;

/// The restaurant app of `examples/restaurant`, with macros alone.
mod restaurant {
    use super::*;

    /// Information about the restaurant you want to reserve
    #[derive(State, Debug, PartialEq)]
    pub(crate) struct RestaurantInfo {
        pub(crate) name: String,
    }

    /// reservation details
    #[derive(State, Debug, PartialEq)]
    pub(crate) struct ReserveInfo {
        pub(crate) date: NaiveDate,
        pub(crate) time: NaiveTime,
        pub(crate) available: Option<bool>,
    }

    /// reservation result
    #[derive(State, Debug, PartialEq)]
    pub(crate) struct ReserveResult {
        pub(crate) success: bool,
    }

    /// confirm the reservation
    #[derive(CriticalAction, serde::Deserialize, Debug, PartialEq)]
    pub(crate) struct Reserve;

    vocabulary! {
        /// The restaurant app.
        pub(crate) struct Restaurant {
            states: [RestaurantInfo, ReserveInfo, ReserveResult],
            actions: [Reserve],
        }
    }
}

use restaurant::{Reserve, ReserveInfo, ReserveResult, Restaurant, RestaurantInfo};

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

fn time(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, "%H:%M").unwrap()
}

#[test]
fn the_vocabulary_is_the_one_of_the_file() {
    let file = include_str!("../../examples/restaurant/app.json");
    let file = Vocabulary::from_json(&Source::new("app.json", file), &Limits::default()).unwrap();
    assert_eq!(Restaurant::vocabulary().to_json(), file.to_json());
    assert_eq!(Restaurant::DECLARATION, file.to_json());
    assert_eq!(Restaurant::vocabulary().hash(), file.hash());
}

/// Plays the same events with both, and gives the records.
fn typed_and_untyped(typed: intentgate::Spec, name: &str, text: &str, line: usize) -> [Vec<String>; 2] {
    let today = day("2026-11-21");
    let records = [Lines::default(), Lines::default()];

    let builder = |spec: intentgate::Spec, record: &Lines| {
        let clock = trace_clock(today, "UTC".parse().unwrap());
        Session::builder(spec).today(today).clock(clock).record(record.clone())
    };
    let mut session = builder(typed, &records[0]).start().unwrap();
    session.observe(&RestaurantInfo { name: "R".to_owned() }).unwrap();
    session.observe(&ReserveInfo { date: today, time: time("18:00"), available: None }).unwrap();
    let Verdict::Block(_) = session.propose(Reserve).unwrap() else {
        panic!("nobody knows if it is available")
    };
    session.observe(&ReserveInfo::update().available(true)).unwrap();
    let permit = session.propose(Reserve).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    session.finish(running, Outcome::Done).unwrap();
    session.observe(&ReserveResult { success: true }).unwrap();
    assert!(session.is_done());

    let file = Source::new("app.json", include_str!("../../examples/restaurant/app.json"));
    let vocabulary = std::sync::Arc::new(Vocabulary::from_json(&file, &Limits::default()).unwrap());
    let source = Source::new(name, text).at_line(line);
    let checked = intentgate::engine::check::specification(&source, &vocabulary, &Limits::default()).unwrap();
    let mut session = builder(checked.specification.into(), &records[1]).start().unwrap();
    let update = || Update::of(&vocabulary);
    let reserve = || Action::named(&vocabulary, "Reserve").build().unwrap();
    session.observe(&update().set("RestaurantInfo.name", "R").build().unwrap()).unwrap();
    let picked = update().set("ReserveInfo.date", today).set("ReserveInfo.time", "18:00");
    session.observe(&picked.set("ReserveInfo.available", Input::Unknown).build().unwrap()).unwrap();
    assert!(matches!(session.propose(reserve()).unwrap(), Verdict::Block(_)));
    session.observe(&update().set("ReserveInfo.available", true).build().unwrap()).unwrap();
    let permit = session.propose(reserve()).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    session.finish(running, Outcome::Done).unwrap();
    session.observe(&update().set("ReserveResult.success", true).build().unwrap()).unwrap();

    records.map(|record| record.json())
}

#[test]
fn records_are_the_same_bytes_as_with_files() {
    let spec = include_spec!(in Restaurant; "../../examples/restaurant/reserve.intent");
    let text = include_str!("../../examples/restaurant/reserve.intent");
    let [typed, untyped] = typed_and_untyped(spec, "reserve.intent", text, 1);
    assert_eq!(typed.len(), 9);
    assert_eq!(typed, untyped);
}

#[test]
fn records_are_the_same_bytes_as_with_the_text_of_the_macro() {
    let spec = spec! { in Restaurant;
        // Reserve restaurant R before 7 PM. If it is not available then, do nothing.
        R1: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available = true) -> Reserve
        R2: Reserve and ReserveResult(success = true) -> Done
        R3: RestaurantInfo(name = "R") and ReserveInfo(date = today, time < 19:00, available != true) -> Done
    };
    let source = spec.specification().source().clone();
    let [typed, untyped] = typed_and_untyped(spec, source.name(), source.text(), source.first_line());
    assert_eq!(typed, untyped);
    // What it means is what the file means.
    let file = include_spec!(in Restaurant; "../../examples/restaurant/reserve.intent");
    let [file, _] = typed_and_untyped(
        file,
        "reserve.intent",
        include_str!("../../examples/restaurant/reserve.intent"),
        1,
    );
    let hash = |lines: &[String]| lines[1].split("\"spec\":").nth(1).unwrap().to_owned();
    assert_eq!(hash(&typed), hash(&file));
}

/// A newtype, as a user would write it.
#[derive(Debug, PartialEq, Clone)]
struct Euro(Decimal);

impl Variable for Euro {
    type Kind = kind::Number;
    fn to_input(&self) -> Result<Input, Fault> {
        self.0.to_input()
    }
}

impl FromVariable for Euro {
    fn from_value(value: &Value) -> Result<Euro, Fault> {
        Decimal::from_value(value).map(Euro)
    }
}

#[derive(Enumeration, Debug, PartialEq, Clone)]
#[enumeration(rename_all = "kebab-case", ordered)]
enum Size {
    Small,
    #[enumeration(rename = "medium size")]
    Medium,
    ExtraLarge,
}

mod elsewhere {
    #[derive(super::Enumeration, Debug, PartialEq, Clone)]
    pub(crate) enum Colour {
        Red,
        Green,
    }
}

type Alias = String;

/// everything that a variable can be
///
/// What follows the first paragraph is for the reader of the code.
#[derive(State, Debug, PartialEq, Clone)]
#[state(rename = "Everything", rename_all = "camelCase")]
struct All {
    text: String,
    boxed: Box<str>,
    cow: Cow<'static, str>,
    #[state(type = Text)]
    alias: Alias,
    byte: u8,
    whole: i64,
    wide: i128,
    exact: Decimal,
    half: f32,
    double: f64,
    /// whether it is so
    yes: bool,
    some_day: NaiveDate,
    #[state(rename = "clock")]
    at: NaiveTime,
    size: Size,
    colour: Option<elsewhere::Colour>,
    #[state(type = Number, description = "what it costs", source = app)]
    price: Euro,
    #[state(ignore_case)]
    code: Option<String>,
    #[state(max_age = "10m", reset_by = ["Everything.size", "Everything.yes"])]
    r#type: Option<u64>,
    #[state(max_age = 3)]
    stock: Option<usize>,
    #[state(skip)]
    hidden: Vec<u8>,
}

/// send it
#[derive(CriticalAction, Debug, PartialEq, Clone)]
#[action(rename = "send", rename_all = "camelCase")]
struct Send {
    to_whom: String,
    size: Size,
    #[action(type = Number)]
    price: Option<Euro>,
    #[action(ignore_case)]
    note: Option<String>,
    #[action(skip)]
    trace: u32,
}

/// look at it
#[derive(Step, Debug, PartialEq)]
#[step(trigger = look)]
struct Look {
    size: Size,
    day: NaiveDate,
}

fn look(step: &Look, _: &dyn Facts) -> impl Observation + use<> {
    All::update().size(step.size.clone()).some_day(step.day)
}

/// give it a colour
#[derive(Step)]
#[step(trigger = Paint::trigger)]
struct Paint {
    red: bool,
}

impl Paint {
    fn trigger(&self, facts: &dyn Facts) -> Result<impl Observation + use<>, TriggerError> {
        if facts.value("Everything.yes").is_none() {
            return Err(TriggerError("nobody knows if it may be painted".to_owned()));
        }
        Ok(All::update().colour(if self.red { elsewhere::Colour::Red } else { elsewhere::Colour::Green }))
    }
}

vocabulary! {
    struct Shop {
        name: "The Shop",
        states: [All],
        actions: [Send],
        steps: [Look, Paint],
        closed: true,
    }
}

fn all() -> All {
    All {
        text: "a \"text\"".to_owned(),
        boxed: "boxed".into(),
        cow: Cow::Borrowed("cow"),
        alias: "alias".to_owned(),
        byte: 255,
        whole: -7,
        wide: -170_141_183_460_469,
        exact: "1.50".parse().unwrap(),
        half: 0.1,
        double: -2.5e-7,
        yes: true,
        some_day: day("2026-02-28"),
        at: time("23:59"),
        size: Size::ExtraLarge,
        colour: Some(elsewhere::Colour::Green),
        price: Euro("19.99".parse().unwrap()),
        code: None,
        r#type: Some(u64::MAX),
        stock: Some(3),
        hidden: Vec::new(),
    }
}

fn shop() -> Session {
    let spec = spec! { in Shop;
        Everything(yes = true) and send(toWhom = Everything.text, size in [small, "medium size"], price < 100, note = "a") -> send
        send -> Done
    };
    Session::builder(spec).today(day("2026-11-21")).start().unwrap()
}

#[test]
fn declarations_say_what_the_types_say() {
    insta::assert_snapshot!(Shop::DECLARATION);
}

#[test]
fn states_go_in_and_come_out() {
    let mut session = shop();
    assert_eq!(session.read::<All>().unwrap(), None, "nothing is known yet");
    session.observe(&all()).unwrap();
    assert_eq!(session.read::<All>().unwrap(), Some(all()));
    assert_eq!(
        session.value("Everything.half").unwrap().to_string(),
        "0.1",
        "floats by their shortest spelling"
    );
    assert_eq!(session.value("Everything.double").unwrap().to_string(), "-0.00000025");
    assert_eq!(session.value("Everything.someDay").unwrap().to_string(), "2026-02-28");
    assert_eq!(session.value("Everything.colour").unwrap().to_string(), "Green");

    // A part of it, and unknown again.
    session.observe(&All::update().whole(8_i64).forget_colour().code("X".to_owned())).unwrap();
    let now = session.read::<All>().unwrap().unwrap();
    assert_eq!((now.whole, now.colour, now.code.as_deref()), (8, None, Some("X")));
    session.observe(&All::update().forget_whole()).unwrap();
    assert_eq!(session.read::<All>().unwrap(), None, "a part that is no Option is unknown");
}

#[test]
fn a_whole_state_makes_unknown_what_it_does_not_know() {
    let mut session = shop();
    session.observe(&all()).unwrap();
    session.observe(&All { colour: None, ..all() }).unwrap();
    assert!(session.value("Everything.colour").is_none());
}

#[test]
fn values_that_can_not_be_judged_are_errors() {
    let mut session = shop();
    session.observe(&all()).unwrap();
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
        let fault = session.observe(&All::update().double(wrong)).unwrap_err();
        assert_eq!(fault.code, Code::ValueRange, "{fault}");
        let fault = session.observe(&All { double: wrong, ..all() }).unwrap_err();
        assert_eq!(fault.code, Code::ValueRange);
    }
    let fault = session.observe(&All::update().wide(i128::MAX)).unwrap_err();
    assert_eq!(fault.code, Code::ValueRange);
    assert_eq!(session.read::<All>().unwrap(), Some(all()), "nothing was changed");
}

#[test]
fn several_states_are_observed_at_once_and_by_whom() {
    let mut session = shop();
    session.observe(&(All::update().yes(true), All::update().byte(3_u8))).unwrap();
    assert_eq!(session.value("Everything.byte").unwrap().to_string(), "3");
    let fault = session.observe(&(All::update().yes(true), All::update().yes(false))).unwrap_err();
    assert_eq!(fault.code, Code::DuplicateKey);
    session.observe(&All::update().yes(true).said_by(ValueSource::Agent)).unwrap();
    let id = session.vocabulary().find_path("Everything.yes").unwrap();
    assert_eq!(session.fact(id).source, ValueSource::Agent);
}

fn send(to: &str) -> Send {
    Send {
        to_whom: to.to_owned(),
        size: Size::Medium,
        price: Some(Euro(Decimal::ONE)),
        note: Some("a".to_owned()),
        trace: 7,
    }
}

#[test]
fn the_effect_gets_what_was_judged() {
    let mut session = shop();
    session.observe(&All::update().yes(true).text("Bob")).unwrap();
    let Verdict::Block(refused) = session.propose(send("Eve")).unwrap() else { panic!() };
    assert!(refused.to_string().contains("send.toWhom is \"Eve\""), "{refused}");
    let permit = session.propose(send("Bob")).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    assert_eq!(
        *running.arguments(),
        Send { trace: 0, ..send("Bob") },
        "what was not judged is not handed on"
    );
    session.finish(running, Outcome::Done).unwrap();
    assert!(session.is_done());
}

#[test]
fn the_effect_gets_texts_as_they_were_judged() {
    let mut session = shop();
    session.observe(&All::update().yes(true).text("Zo\u{e9}")).unwrap();
    let permit = session.propose(send("Zoe\u{301}")).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    assert_eq!(running.arguments().to_whom, "Zo\u{e9}", "in NFC, as it was compared");
    session.finish(running, Outcome::NotPerformed).unwrap();
}

#[test]
fn what_is_left_out_is_unknown() {
    let mut session = shop();
    session.observe(&All::update().yes(true).text("Bob")).unwrap();
    let Verdict::Block(refused) = session.propose(Send { price: None, ..send("Bob") }).unwrap() else {
        panic!()
    };
    assert!(refused.to_string().contains("send.price has to be given"), "{refused}");
}

#[test]
fn a_tool_call_becomes_the_typed_action() {
    let mut session = shop();
    session.observe(&All::update().yes(true).text("Bob")).unwrap();
    let call = |text: &str| {
        let call = Source::new("call", text);
        intentgate::dispatch::tool_call(Shop::vocabulary(), &call, None, &Limits::default()).unwrap()
    };
    let action = call(
        r#"{"name": "send", "arguments": {"toWhom": "Bob", "size": "small", "price": 99.5, "note": "A"}}"#,
    );
    let permit = session.propose(action).unwrap().allowed().unwrap();
    let permit = permit.typed::<Send>().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    let expected = Send {
        price: Some(Euro("99.5".parse().unwrap())),
        note: Some("A".into()),
        size: Size::Small,
        trace: 0,
        ..send("Bob")
    };
    assert_eq!(*running.arguments(), expected);
    session.finish(running, Outcome::NotPerformed).unwrap();

    // A permit for another action stays what it is.
    let look = call(r#"{"name": "Look", "arguments": {"size": "small", "day": "2026-11-21"}}"#);
    let permit = session.propose(look).unwrap().allowed().unwrap();
    let permit = permit.typed::<Send>().unwrap_err();
    assert_eq!(permit.action().name(), "Look");
}

/// Tool calls, as an agent makes them, with serde.
#[derive(serde::Deserialize, Debug, PartialEq)]
#[serde(tag = "name", content = "arguments")]
enum Call {
    Reserve(Reserve),
    Transfer(Transfer),
}

/// move money
#[derive(CriticalAction, serde::Deserialize, Debug, PartialEq)]
#[serde(deny_unknown_fields)]
struct Transfer {
    to: String,
    amount: u32,
    memo: Option<String>,
}

vocabulary! {
    struct Calls {
        states: [RestaurantInfo],
        actions: [Reserve, Transfer],
    }
}

#[test]
fn a_tool_call_becomes_a_typed_action_with_serde() {
    let spec = spec! { in Calls;
        RestaurantInfo(name = "R") -> Reserve
        Transfer(to = "Bob", amount <= 10, memo != "x") -> Transfer
        Reserve and Transfer -> Done
    };
    let mut session = Session::builder(spec).start().unwrap();
    let call = r#"{"name": "Transfer", "arguments": {"to": "Bob", "amount": 10, "memo": "rent"}}"#;
    let Call::Transfer(transfer) = serde_json::from_str(call).unwrap() else { panic!() };
    let permit: intentgate::Permit<Transfer> = session.propose(transfer).unwrap().allowed().unwrap();
    assert_eq!(permit.arguments().number("amount"), Some(10.into()));
    let reserve = serde_json::from_str(r#"{"name": "Reserve", "arguments": null}"#).unwrap();
    let Call::Reserve(reserve) = reserve else { panic!() };
    assert!(matches!(session.propose(reserve).unwrap(), Verdict::Block(_)));
    let unknown = r#"{"name": "Transfer", "arguments": {"to": "Bob", "amount": 10, "amounts": 1}}"#;
    assert!(serde_json::from_str::<Call>(unknown).is_err());
}

#[test]
fn triggers_come_with_the_vocabulary() {
    let mut session = shop();
    // By type, and by name: the trigger is the same, and what it says is the app's.
    let permit =
        session.propose(Look { size: Size::Small, day: day("2026-01-01") }).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    session.finish(running, Outcome::Done).unwrap();
    assert_eq!(session.value("Everything.size").unwrap().to_string(), "small");
    let id = session.vocabulary().find_path("Everything.someDay").unwrap();
    assert_eq!(session.fact(id).source, ValueSource::App);
    let look = Action::named(Shop::vocabulary(), "Look")
        .argument("size", "extra-large")
        .argument("day", day("2026-01-02"));
    let permit = session.propose(look.build().unwrap()).unwrap().allowed().unwrap();
    let running = session.begin(permit).unwrap().unwrap();
    session.finish(running, Outcome::Done).unwrap();
    assert_eq!(session.value("Everything.size").unwrap().to_string(), "\"extra-large\"");

    let Verdict::Block(refused) = session.propose(Paint { red: true }).unwrap() else { panic!() };
    assert!(refused.to_string().contains("nobody knows if it may be painted"), "{refused}");
    session.observe(&All::update().yes(false)).unwrap();
    assert!(session.propose(Paint { red: true }).unwrap().allowed().is_ok());

    // Arguments that the type doesn't have: the trigger can't say what would change, so it is blocked.
    let look = Action::named(Shop::vocabulary(), "Look").argument("size", "small").build().unwrap();
    assert!(matches!(session.propose(look).unwrap(), Verdict::Block(_)));
}

#[test]
fn types_of_another_vocabulary_are_errors_or_blocked() {
    let mut session = shop();
    assert_eq!(session.observe(&RestaurantInfo { name: "R".into() }).unwrap_err().code, Code::UpdateState);
    assert!(matches!(session.propose(Reserve).unwrap(), Verdict::Block(_)));
    let mut other =
        Session::builder(include_spec!(in Restaurant; "../../examples/restaurant/reserve.intent"))
            .start()
            .unwrap();
    assert_eq!(
        other.propose(Look { size: Size::Small, day: day("2026-01-01") }).unwrap_err().code,
        Code::UnknownArgument
    );
}

#[test]
fn expressions_stand_for_parameters() {
    let (who, limit, size) = ("Bob".to_owned(), 100_u32, Size::Medium);
    let spec = spec! { in Shop; allow W0404;
        Everything(yes = true, text = {who}, size <= {size}) and send(toWhom = {who}, price < {limit * 2}, size = {&size}) -> send
        send -> Done
    };
    let mut session = Session::builder(spec).start().unwrap();
    session.observe(&All::update().yes(true).text("Bob").size(Size::Small)).unwrap();
    assert!(matches!(
        session.propose(Send { price: Some(Euro(200.into())), ..send("Bob") }).unwrap(),
        Verdict::Block(_)
    ));
    assert!(matches!(
        session.propose(Send { price: Some(Euro(199.into())), ..send("Bob") }).unwrap(),
        Verdict::Allow(_)
    ));
}

#[test]
fn expressions_have_parameters_of_their_own() {
    // The first expression is no name; the second is called like a name made up for one.
    let (first, value_1, value_2) = (1_u8, 2_u8, 3_u8);
    let spec = spec! { in Shop; allow W0404;
        Everything(yes = true, byte = {first.min(9)}, whole = {value_1}, wide = {value_2.min(9)}, exact = {value_1}) -> send
        send -> Done
    };
    let names: Vec<&str> =
        spec.specification().parameters().iter().map(|parameter| parameter.name()).collect();
    assert_eq!(names, ["value_1", "value_1_2", "value_2", "value_1_3"]);
    let mut session = Session::builder(spec).start().unwrap();
    let update = All::update().yes(true).byte(1).whole(2).wide(3).exact(Decimal::TWO);
    session.observe(&update).unwrap();
    assert!(matches!(session.propose(send("Bob")).unwrap(), Verdict::Allow(_)));
}

/// A name of the macro's own, and one of its caller's: the same word, two things.
macro_rules! capped {
    ($least:ident) => {{
        let limit = 1000_u32;
        spec! { in Calls; allow W0404;
            Transfer(amount >= {$least}, amount <= {limit}) -> Transfer
            Transfer -> Done
        }
    }};
}

#[test]
fn expressions_mean_what_the_compiler_says() {
    let limit = 10_u32;
    let mut session = Session::builder(capped!(limit)).start().unwrap();
    let transfer = |amount| Transfer { to: "Bob".into(), amount, memo: None };
    assert!(matches!(session.propose(transfer(9)).unwrap(), Verdict::Block(_)));
    assert!(matches!(session.propose(transfer(500)).unwrap(), Verdict::Allow(_)));
    assert!(matches!(session.propose(transfer(1001)).unwrap(), Verdict::Block(_)));

    // Names that generated code could use.
    const WRITTEN: u32 = 5;
    let value_2 = 1_000_000_u32;
    let least = || 3_u32;
    let spec = spec! { in Calls; allow W0404;
        Transfer(amount <= {value_2}, amount >= {least()}, amount != {WRITTEN}) -> Transfer
        Transfer -> Done
    };
    let mut session = Session::builder(spec).start().unwrap();
    assert!(matches!(session.propose(transfer(2)).unwrap(), Verdict::Block(_)));
    assert!(matches!(session.propose(transfer(5)).unwrap(), Verdict::Block(_)));
    assert!(matches!(session.propose(transfer(4)).unwrap(), Verdict::Allow(_)));
}

/// move a float
#[derive(CriticalAction, Debug, PartialEq, Clone, Copy)]
struct Shift {
    double: f64,
    single: f32,
}

vocabulary! {
    struct Floats {
        states: [RestaurantInfo],
        actions: [Shift],
    }
}

proptest::proptest! {
    #[test]
    fn floats_come_back_as_they_were(double in -1e12_f64..1e12, single in -1e6_f32..1e6) {
        let spec = spec! { in Floats; allow W0404; RestaurantInfo(name = "R") -> Shift  Shift -> Done };
        let mut session = Session::builder(spec).start().unwrap();
        session.observe(&RestaurantInfo { name: "R".into() }).unwrap();
        let shift = Shift { double, single };
        // Beyond 28 digits it is refused, and never changed.
        if let Ok(verdict) = session.propose(shift) {
            let running = session.begin(verdict.allowed().unwrap()).unwrap().unwrap();
            proptest::prop_assert_eq!(*running.arguments(), shift);
            session.finish(running, Outcome::NotPerformed).unwrap();
        }
    }
}

/// Types that are called by words of Rust.
#[expect(non_camel_case_types, reason = "words of Rust are small")]
mod words {
    use super::*;

    /// a raw name
    #[derive(State)]
    pub(crate) struct r#type {
        pub(crate) r#match: Option<r#match>,
    }

    #[derive(Enumeration)]
    pub(crate) enum r#match {
        r#true,
        Other,
    }

    vocabulary! {
        pub(crate) struct r#async {
            states: [r#type],
        }
    }
}

/// The same type, twice from one place.
macro_rules! twice {
    ($($name:ident)*) => { $(
        mod $name {
            /// a thing
            #[derive(intentgate::State)]
            pub(crate) struct Thing {
                pub(crate) $name: u8,
            }
        }
    )* };
}
twice!(one two);

vocabulary! {
    struct Ones {
        states: [one::Thing],
    }
}
vocabulary! {
    struct Twos {
        states: [two::Thing],
    }
}

#[test]
fn names_are_in_nobodys_way() {
    let spec = spec! { in words::r#async; r#type(match = "true") -> Done };
    let mut session = Session::builder(spec).start().unwrap();
    session.observe(&words::r#type { r#match: Some(words::r#match::r#true) }).unwrap();
    assert!(session.is_done());
    let _ = words::r#match::Other;
    assert!(Session::builder(spec! { in Ones; Thing(one = 1) -> Done }).start().is_ok());
    assert!(Session::builder(spec! { in Twos; Thing(two = 1) -> Done }).start().is_ok());
    let _ = (one::Thing { one: 1 }, two::Thing { two: 2 });
}

#[test]
fn what_can_not_be_written_again_is_refused() {
    let mut session = shop();
    let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_999_999_999).unwrap();
    assert_eq!(session.observe(&All::update().at(leap)).unwrap_err().code, Code::ValueRange);
    assert_eq!(session.observe(&All::update().some_day(NaiveDate::MAX)).unwrap_err().code, Code::ValueRange);
    let spec = spec! { in Shop; Everything(clock < {leap}) -> Done };
    assert!(Session::builder(spec).start().is_err());
}

/// A step that is called like the critical action of another vocabulary.
#[derive(Step)]
#[step(rename = "Reserve")]
struct ReserveStep;

#[test]
fn a_permit_is_for_one_kind_of_action() {
    let _ = ReserveStep;
    let spec = spec! { in Restaurant; RestaurantInfo(name = "R") -> Reserve  Reserve -> Done };
    let mut session = Session::builder(spec).start().unwrap();
    session.observe(&RestaurantInfo { name: "R".into() }).unwrap();
    let reserve = Action::named(Restaurant::vocabulary(), "Reserve").build().unwrap();
    let permit = session.propose(reserve).unwrap().allowed().unwrap();
    let permit = permit.typed::<ReserveStep>().unwrap_err();
    assert!(permit.typed::<Reserve>().is_ok());
}

/// A specification that another macro writes.
macro_rules! guarded {
    ($vocabulary:ident, $state:ident . $variable:ident $text:literal, $limit:expr) => {
        spec! { in $vocabulary; allow W0404;
            $state(yes = true, $variable = $text, text = $state.$variable, byte < { $limit }) -> send
            send -> Done
        }
    };
}

#[test]
fn specifications_can_be_written_by_macros() {
    let spec = guarded!(Shop, Everything.alias "a \u{200b}", 2 + 3);
    insta::assert_snapshot!(spec.specification().source().text());
    assert!(Session::builder(spec).start().is_ok());
}

#[test]
fn parameters_of_a_file_are_given_in_the_macro_or_when_the_session_starts() {
    let given = include_spec!(in Shop; allow W0404; "parameters.intent", who = "Bob", limit = 5);
    assert!(Session::builder(given).start().is_ok());
    let half = || include_spec!(in Shop; allow W0404; "parameters.intent", limit = Decimal::ONE);
    assert!(Session::builder(half()).start().is_err());
    assert!(Session::builder(half()).parameter("who", "Bob").start().is_ok());
}

#[test]
fn policies_narrow() {
    let limit = 50;
    let session =
        |spec| Session::builder(spec).policy(policy! { in Shop; send and send(price > {limit}) -> Never });
    let spec = spec! { in Shop; allow W0404; Everything(yes = true) -> send  send -> Done };
    let mut session = session(spec).policy(include_policy!(in Shop; "careful.intent")).start().unwrap();
    session.observe(&All::update().yes(true)).unwrap();
    assert!(matches!(
        session.propose(Send { price: Some(Euro(51.into())), ..send("Bob") }).unwrap(),
        Verdict::Block(_)
    ));
    assert!(matches!(
        session.propose(Send { price: Some(Euro(50.into())), ..send("Eve") }).unwrap(),
        Verdict::Block(_)
    ));
    assert!(matches!(
        session.propose(Send { price: Some(Euro(50.into())), ..send("Bob") }).unwrap(),
        Verdict::Allow(_)
    ));
}

#[test]
fn every_spelling_of_the_language_can_be_said_in_tokens() {
    let spec = spec! { in Shop; allow W0401, W0404;
        /// A doc comment is a comment.
        label_1: Everything(text = "a\tb\"c\\d\u{e9}", text ~ r"raw", cow in ["x", "y"], alias not in ["z"],
            alias contains "q", alias not contains "r", text in "long text") -> First
        Everything(byte = 255, whole > -7, exact != 1.50, half >= 1e2, double <= -2.5e-3) & Everything(type = 5) -> Second
        Everything(someDay = 2026-08-09, someDay < today, someDay > today - 7, someDay <= tomorrow) -> Third
        Everything(clock = 09:05, clock < 19:00:30, clock >= 7 pm, clock <= 7:30 PM, clock != 12 am) -> Fourth
        Everything(size < "extra-large", colour = Red, yes = True, text = Everything.alias) -> Fifth
        First and Second and Third and Fourth and Fifth and Everything() -> Done
        send(note = "a") -> send
    };
    insta::assert_snapshot!(spec.specification().source().text());
    let standing = spec! { in Shop; allow W0404;
        standing
        Everything(yes = true) -> send
    };
    assert!(Session::builder(standing).start().is_ok());
}
