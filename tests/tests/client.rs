//! The client for language models behind servers: what it sends, what it takes, what it says when there is no answer,
//! and that nobody sees the key.
#![cfg(feature = "openai")]

use intentgate::engine::diagnostic::{Problems, render};
use intentgate::language_model::client::{Client, ClientBuilder, Key, Retries};
use intentgate::language_model::{
    Finish, LanguageModel, Message, ModelError, Recording, Reply, Request, Role, Usage,
};
use intentgate_tests::command;
use intentgate_tests::root;
use intentgate_tests::server::{Asked, Said, Server};
use pollster::block_on;
use serde_json::{Value, json};
use std::fmt::Write;
use std::net::TcpListener;
use std::sync::{Mutex, Once};
use std::time::{Duration, Instant};

/// A key of a usual shape, and one that only whoever has it recognises.
const KEY: &str = "sk-live-4f9a8b7c6d5e4f3a2b1c";
const PLAIN_KEY: &str = "correcthorsebattery";

fn quick() -> Retries {
    let (first, longest) = (Duration::from_millis(5), Duration::from_millis(1_500));
    Retries { tries: 3, first, longest, seed: Some(1) }
}

fn builder(server: &Server) -> ClientBuilder {
    let builder = Client::builder(server.url(), "test-model").retries(quick());
    builder.time_limit(Duration::from_secs(20)).key(Key::new(KEY).unwrap())
}

fn client(server: &Server) -> Client {
    builder(server).build().unwrap()
}

fn question() -> Request {
    Request::new().system("You pick a page.").user("Which?")
}

fn ask(client: &Client, request: &Request) -> Result<Reply, ModelError> {
    block_on(client.answer(request))
}

/// One answer to one question, and the requests that it took.
fn told(
    script: impl IntoIterator<Item = Said>,
    request: &Request,
) -> (Result<Reply, ModelError>, Vec<Asked>) {
    let server = Server::new(script);
    let answer = ask(&client(&server), request);
    (answer, server.asked())
}

#[test]
fn what_is_asked_and_what_is_answered() {
    let (answer, asked) = told([Said::answer("Settings")], &question());
    let usage = Usage { input_tokens: Some(12), output_tokens: Some(3) };
    assert_eq!(answer, Ok(Reply { text: "Settings".to_owned(), finish: Finish::Whole, usage }));
    let [asked] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(asked.line, "POST /v1/chat/completions HTTP/1.1");
    assert_eq!(asked.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(asked.header("content-type"), Some("application/json"));
    insta::assert_snapshot!(serde_json::to_string_pretty(&asked.body).unwrap());
}

#[test]
fn everything_that_a_request_can_hold() {
    let server = Server::new([Said::answer("a"), Said::answer("b"), Said::answer("c")]);
    let picture = Message::text(Role::User, "Where am I?").image("image/png", vec![1, 2, 255]);
    let schema = json!({"type": "object", "properties": {"page": {"type": "string"}}});
    let request = Request { max_tokens: Some(9), seed: Some(4), ..question().temperature(0.5) };
    let request = request.message(picture).schema("the page!", schema.clone());
    ask(&client(&server), &request).unwrap();
    let other = builder(&server)
        .temperature(None)
        .max_tokens(100)
        .max_tokens_field("max_completion_tokens")
        .seed(8)
        .strict_schemas(true)
        .grammar_field("grammar")
        .extra("cache_prompt", json!(true))
        .build()
        .unwrap();
    ask(&other, &question().schema("", schema.clone())).unwrap();
    // A grammar says more than a schema.
    ask(&other, &question().schema("page", schema).grammar("root ::= \"a\"")).unwrap();
    let bodies: Vec<Value> = server.asked().into_iter().map(|asked| asked.body).collect();
    insta::assert_snapshot!(serde_json::to_string_pretty(&bodies).unwrap());
}

#[test]
fn what_it_cannot_honour_is_said_before_anything_is_sent() {
    let server = Server::new([]);
    let image = |kind: &str| question().message(Message::text(Role::User, "").image(kind, vec![1]));
    let requests = [
        question().grammar("root ::= \"a\""),
        question().temperature(f64::NAN),
        image("image/png;base64,AAAA\"}"),
        image("text/html"),
    ];
    let said: Vec<String> =
        requests.iter().map(|request| ask(&client(&server), request).unwrap_err().to_string()).collect();
    insta::assert_snapshot!(said.join("\n"));
    assert!(server.asked().is_empty());
}

fn choice(message: Value, finish: Value) -> Said {
    Said::json(200, json!({"choices": [{"message": message, "finish_reason": finish}]}).to_string())
}

fn error(status: u16, message: &str) -> Said {
    Said::json(status, json!({"error": {"message": message}}).to_string())
}

/// What came of each, and how often it was asked.
fn table(cases: &[(&str, Vec<Said>)]) -> String {
    let mut shown = String::new();
    for (name, script) in cases {
        let server = Server::new(script.clone());
        let answer = ask(&client(&server), &question());
        let asked = server.asked();
        let _ = match answer {
            Ok(reply) => {
                writeln!(shown, "{name}: {:?} {:?}, asked {}", reply.text, reply.finish, asked.len())
            }
            Err(error) => {
                let said =
                    error.to_string().replace(&server.url().replace("/v1", ""), "http://127.0.0.1:PORT");
                let again = if error.is_transient() { ", may pass" } else { "" };
                writeln!(shown, "{name}: {said}{again}, asked {}", asked.len())
            }
        };
    }
    shown
}

#[test]
fn answers_and_what_is_none() {
    let text = |content: Value| json!({"content": content});
    let ok = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
    let body = r#"{"choices": [{"message": {"content": "in pieces"}}]}"#;
    let (one, other) = body.split_at(20);
    let chunked = format!(
        "{ok}Transfer-Encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n{:x}\r\n{other}\r\n0\r\n\r\n",
        one.len(),
        other.len()
    );
    insta::assert_snapshot!(table(&[
        ("cut at a limit", vec![choice(text(json!("Set")), json!("length"))]),
        ("used up by thoughts", vec![choice(text(Value::Null), json!("length"))]),
        ("nobody says why it ends", vec![choice(text(json!("yes")), Value::Null)]),
        (
            "parts",
            vec![choice(
                text(json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}])),
                json!("stop")
            )]
        ),
        ("other parts", vec![choice(text(json!([{"type": "image"}])), json!("stop"))]),
        ("a content filter", vec![choice(text(json!("I")), json!("content_filter"))]),
        (
            "a refusal",
            vec![choice(json!({"content": null, "refusal": "I can't help\nwith that"}), json!("stop"))]
        ),
        ("a call of a tool", vec![choice(json!({"content": null, "tool_calls": []}), json!("tool_calls"))]),
        ("no content", vec![choice(json!({}), json!("stop"))]),
        ("a reason that is no text", vec![choice(text(json!("a")), json!(3))]),
        ("no choices", vec![Said::json(200, r#"{"choices": []}"#)]),
        ("no object", vec![Said::json(200, "[1]")]),
        ("no message", vec![Said::json(200, r#"{"choices": [{}]}"#)]),
        ("invalid JSON", vec![Said::json(200, r#"{"choices": [,"#)]),
        ("nothing", vec![Said::json(200, "")]),
        ("too deep", vec![Said::json(200, "[".repeat(100_000))]),
        (
            "a page",
            vec![Said::with(200, &["Content-Type: text/html; charset=utf-8"], "<html>Sign in</html>")]
        ),
        ("no type", vec![Said::with(200, &[], "hello")]),
        ("JSON without its type", vec![Said::with(200, &["Content-Type: text/plain"], body)]),
        (
            "an error as an answer",
            vec![Said::json(200, r#"{"error": {"message": "no such model", "code": "model_not_found"}}"#)]
        ),
        (
            "a busy answer",
            vec![Said::json(200, r#"{"error": {"message": "slow", "code": 429}}"#), Said::answer("now")]
        ),
        ("chunks", vec![Said::raw(chunked.clone())]),
        (
            "chunks that end early",
            vec![Said::raw(chunked[..chunked.len() - 30].to_owned()).close(), Said::answer("whole")]
        ),
        (
            "a chunk that is none",
            vec![Said::raw(format!("{ok}Transfer-Encoding: chunked\r\n\r\nzz\r\n")).close()]
        ),
        (
            "a body that ends early",
            vec![Said::raw(format!("{ok}Content-Length: 500\r\n\r\n{body}")).close(), Said::answer("whole")]
        ),
        ("always cut", vec![Said::raw(format!("{ok}Content-Length: 500\r\n\r\n{body}")).close(); 3]),
        ("no HTTP", vec![Said::raw("SSH-2.0-OpenSSH_9.2\r\n\r\n").close()]),
        ("closed at once", vec![Said::raw("").close(), Said::answer("open")]),
    ]));
}

#[test]
fn statuses() {
    let after = |status: u16, value: &str| {
        Said::with(status, &["Content-Type: application/json", &format!("Retry-After: {value}")], "{}")
    };
    insta::assert_snapshot!(table(&[
        ("500, then 200", vec![error(500, "oops"), Said::answer("there")]),
        ("500, always", vec![error(500, "oops"); 4]),
        ("503 for too long", vec![after(503, "3600"), Said::answer("never asked")]),
        ("502 of a proxy", vec![Said::with(502, &["Content-Type: text/html"], "<h1>Bad gateway</h1>"); 3]),
        ("429 for a second", vec![after(429, "1"), Said::answer("there")]),
        ("429 for too long", vec![after(429, "3600"), Said::answer("never asked")]),
        ("429, always", vec![error(429, "slow down"); 3]),
        (
            "429 without money",
            vec![Said::json(
                429,
                r#"{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}"#
            )]
        ),
        ("400", vec![error(400, "`temperature` isn't supported")]),
        ("400 of another form", vec![Said::json(400, r#"{"detail": [{"loc": ["body"], "msg": "bad"}]}"#)]),
        ("400 in words", vec![Said::with(400, &[], "bad\u{1b}[31m request\n\n")]),
        ("401", vec![error(401, "Incorrect API key provided")]),
        ("403", vec![Said::json(403, r#"{"error": "not from here"}"#)]),
        ("404", vec![error(404, "The model does not exist")]),
        ("413", vec![error(413, "too much")]),
        ("too long for the model", vec![error(400, "This model's maximum context length is 8192 tokens")]),
        ("501", vec![error(501, "not built in")]),
        ("204", vec![Said::raw("HTTP/1.1 204 No Content\r\n\r\n")]),
        ("418, a long story", vec![error(418, &"word ".repeat(10_000))]),
    ]));
}

#[test]
fn a_pause_is_as_long_as_the_server_says() {
    let wait = Said::with(429, &["Retry-After: 1"], "{}");
    let server = Server::new([wait, Said::answer("there")]);
    let before = Instant::now();
    assert_eq!(ask(&client(&server), &question()).unwrap().text, "there");
    assert!(before.elapsed() >= Duration::from_secs(1));
}

#[test]
fn a_slow_answer_is_given_up_and_asked_for_again() {
    let slow = Said::answer("late").late(Duration::from_secs(3));
    let server = Server::new([slow.clone(), Said::answer("there")]);
    let limit = |server: &Server| builder(server).time_limit(Duration::from_millis(300)).build().unwrap();
    assert_eq!(ask(&limit(&server), &question()).unwrap().text, "there");
    let server = Server::by(move |_, _| slow.clone());
    let before = Instant::now();
    assert_eq!(ask(&limit(&server), &question()), Err(ModelError::TimeLimit { seconds: 1 }));
    assert!(before.elapsed() < Duration::from_millis(2_500), "{:?}", before.elapsed());
    assert_eq!(server.asked().len(), 3);
    // All tries together have a limit, too.
    let slow = Said::answer("late").late(Duration::from_secs(3));
    let server = Server::by(move |_, _| slow.clone());
    let whole =
        builder(&server).time_limit(Duration::from_millis(300)).whole_limit(Duration::from_millis(500));
    let before = Instant::now();
    assert_eq!(ask(&whole.build().unwrap(), &question()), Err(ModelError::TimeLimit { seconds: 1 }));
    assert!(before.elapsed() < Duration::from_millis(1_500), "{:?}", before.elapsed());
    assert!(server.asked().len() <= 2);
    // A body that trickles is slow too.
    let server = Server::new([Said::raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")]);
    let once = Retries { tries: 0, ..quick() };
    let model = builder(&server).time_limit(Duration::from_millis(300)).retries(once).build().unwrap();
    assert_eq!(ask(&model, &question()), Err(ModelError::TimeLimit { seconds: 1 }));
}

#[test]
fn an_answer_has_a_bound() {
    let said = Said::answer(&"a".repeat(5_000));
    let server = Server::by(move |_, _| said.clone());
    let model = |bytes| builder(&server).longest_answer(bytes).build().unwrap();
    let error = ask(&model(5_000), &question()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "what the model sent is no answer: it has more than 5000 bytes, which is the limit"
    );
    assert!(ask(&model(6_000), &question()).is_ok());
    // Without end, without its length, and as an error.
    for status in [200, 400] {
        let endless = format!("HTTP/1.1 {status} Said\r\n\r\n{}", "a".repeat(20 << 20));
        let (answer, asked) = told([Said::raw(endless)], &question());
        assert_eq!(asked.len(), 1);
        let error = answer.unwrap_err().to_string();
        assert!(error.len() < 300, "{error}");
    }
}

#[test]
fn connections_are_used_again_and_clones_share_them() {
    let server = Server::by(|number, _| Said::answer(&number.to_string()));
    let model = client(&server);
    for number in 0..4 {
        let answer = if number % 2 == 0 {
            ask(&model, &question())
        } else {
            model.clone().answer_blocking(&question())
        };
        assert_eq!(answer.unwrap().text, number.to_string());
    }
    assert!(server.asked().iter().all(|asked| asked.connection == 0), "{:?}", server.asked());
}

#[test]
fn a_server_that_closes_idle_connections_is_no_error() {
    let server = Server::by(|number, _| Said::answer(&number.to_string()).close());
    let model = client(&server);
    for number in 0..4 {
        assert_eq!(ask(&model, &question()).unwrap().text, number.to_string());
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_schema_that_is_refused_is_left_out_once_and_for_all() {
    let refusing = |_: usize, asked: &Asked| match asked.body.get("response_format") {
        Some(_) => error(400, "response_format json_schema is not supported"),
        None => Said::answer("{}"),
    };
    let server = Server::by(refusing);
    let once = Retries { tries: 1, ..quick() };
    let model = builder(&server).retries(once).build().unwrap();
    let request = question().schema("page", json!({"type": "object"}));
    assert!(model.refused_schemas().is_empty());
    assert_eq!(ask(&model, &request).unwrap().text, "{}");
    assert_eq!(server.asked().len(), 2);
    assert_eq!(ask(&model, &request).unwrap().text, "{}");
    assert_eq!(server.asked().len(), 3);
    // Another schema may be taken.
    assert_eq!(ask(&model, &question().schema("other", json!({"type": "array"}))).unwrap().text, "{}");
    assert_eq!(server.asked().len(), 5);
    let mut refused: Vec<String> =
        model.refused_schemas().into_iter().map(|(name, why)| format!("{name}: {why}")).collect();
    refused.sort();
    assert_eq!(
        refused,
        [
            "other: 400 Bad Request: response_format json_schema is not supported",
            "page: 400 Bad Request: response_format json_schema is not supported",
        ]
    );
    // Where there is no schema in the request, it is an error.
    let server = Server::by(|_, _| error(400, "bad schema"));
    assert!(matches!(ask(&client(&server), &request), Err(ModelError::Refused { .. })));
    assert_eq!(server.asked().len(), 2);
}

#[test]
fn pictures_that_a_model_cannot_see() {
    let request = question().message(Message::text(Role::User, "").image("image/png", vec![1]));
    for status in [400, 500] {
        let (answer, asked) = told([error(status, "image input is not supported")], &request);
        assert!(matches!(&answer, Err(ModelError::Unsupported { .. })), "{answer:?}");
        assert_eq!(asked.len(), 1);
    }
}

#[test]
fn redirects_stay_with_the_server() {
    let to = |status: u16, location: &str| Said::with(status, &[&format!("Location: {location}")], "");
    let (answer, asked) = told([to(307, "/v2/chat/completions"), Said::answer("moved")], &question());
    assert_eq!(answer.unwrap().text, "moved");
    let lines: Vec<&str> = asked.iter().map(|asked| asked.line.as_str()).collect();
    assert_eq!(lines, ["POST /v1/chat/completions HTTP/1.1", "POST /v2/chat/completions HTTP/1.1"]);
    assert_eq!(asked[0].body, asked[1].body);

    let thief = Server::by(|_, _| Said::answer("stolen"));
    let mut shown = String::new();
    for said in [
        to(308, &format!("{}/chat/completions?key={KEY}", thief.url())),
        to(302, "/login"),
        to(307, "http://user:pass@127.0.0.1/"),
        Said::with(307, &[], ""),
    ] {
        let (answer, _) = told([said], &question());
        let said =
            answer.unwrap_err().to_string().replace(&thief.url().replace("/v1", ""), "http://127.0.0.1:PORT");
        let _ = writeln!(shown, "{said}");
    }
    let server = Server::by(move |_, _| to(307, "/v1/chat/completions"));
    let _ = writeln!(shown, "{}", ask(&client(&server), &question()).unwrap_err());
    assert_eq!(server.asked().len(), 4);
    assert!(thief.asked().is_empty());
    insta::assert_snapshot!(shown);
}

#[test]
fn servers_that_are_not_there() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let model = Client::builder(format!("http://{address}/v1"), "m").retries(quick()).build().unwrap();
    let error = ask(&model, &question()).unwrap_err().to_string();
    let expected = format!("the model can't be reached: nothing answers at http://{address}, after 3 tries");
    assert_eq!(error, expected);
    let unknown = Client::builder("https://no-such-host.invalid/v1", "m").retries(quick()).without_proxy();
    let error = ask(&unknown.build().unwrap(), &question()).unwrap_err();
    assert!(matches!(error, ModelError::Unavailable { .. }), "{error}");
    // A server that doesn't speak TLS.
    let server = Server::by(|_, _| Said::answer("a"));
    let url = server.url().replace("http://", "https://");
    let short = Duration::from_secs(2);
    let model = Client::builder(url, "m").retries(quick()).time_limit(short).build().unwrap();
    let error = ask(&model, &question()).unwrap_err();
    assert!(error.is_transient() && server.asked().is_empty(), "{error}");
}

#[test]
fn nobody_waits_for_a_dropped_answer() {
    let server = Server::by(|_, _| Said::json(500, "{}"));
    let slow = Retries { first: Duration::from_millis(400), longest: Duration::from_secs(1), ..quick() };
    let model = builder(&server).retries(slow).build().unwrap();
    let request = question();
    let mut answer = model.answer(&request);
    let waker = std::task::Waker::noop();
    assert!(answer.as_mut().poll(&mut std::task::Context::from_waker(waker)).is_pending());
    while server.asked().is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(answer);
    std::thread::sleep(Duration::from_millis(900));
    assert_eq!(server.asked().len(), 1);
}

#[test]
fn many_at_a_time() {
    let server = Server::by(|_, asked| {
        let said = asked.body["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
        Said::answer(&said).late(Duration::from_millis(50))
    });
    let model = client(&server);
    std::thread::scope(|scope| {
        for number in 0..16 {
            let model = &model;
            scope.spawn(move || {
                let request = Request::new().user(number.to_string());
                assert_eq!(ask(model, &request).unwrap().text, number.to_string());
            });
        }
    });
}

#[test]
fn settings_that_cannot_be_used() {
    let server = Server::new([]);
    let here = || Client::builder(server.url(), "m");
    let there = || Client::builder("http://models.example/v1", "m");
    let key = || Key::new(KEY).unwrap();
    let wrong = [
        Client::builder("models.example", "m").build().err(),
        Client::builder("https://me:secret@models.example/v1", "m").build().err(),
        Client::builder("https://models.example/v1?api-key=secret", "m").build().err(),
        Client::builder(server.url(), " ").build().err(),
        here().time_limit(Duration::ZERO).build().err(),
        here().temperature(f64::INFINITY).build().err(),
        here().extra("messages", json!([])).build().err(),
        here().grammar_field("model").build().err(),
        there().key(key()).build().err(),
        here().key_variable("INTENTGATE_NO_SUCH_VARIABLE").err(),
        here().key_variable(&format!("{KEY}=")).err(),
        here().key_variable("").err(),
        Key::new(" \n").err(),
        Key::new("two words").err(),
        Key::new("caf\u{e9}").err(),
    ];
    let shown: Vec<String> = wrong
        .into_iter()
        .map(|fault| render::plain(&Problems::unreadable("settings", fault.unwrap())))
        .collect();
    let shown = shown.concat();
    assert!(!shown.contains("secret"), "{shown}");
    insta::assert_snapshot!(shown);
    assert!(there().build().is_ok());
    assert!(there().key(key()).key_in_clear().build().is_ok());
    assert!(here().key(key()).build().is_ok());
    // The manifest's name is in the environment of tests.
    assert!(here().key_variable("CARGO_PKG_NAME").is_ok());
}

/// Everything that is logged.
struct Log;

static LOGGED: Mutex<String> = Mutex::new(String::new());

impl log::Log for Log {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        let _ = writeln!(LOGGED.lock().unwrap(), "{} {}", record.target(), record.args());
    }

    fn flush(&self) {}
}

/// A server that repeats the key wherever it can.
fn parrot(number: usize, key: &str) -> Said {
    let header = format!("X-Echo: Bearer {key}");
    let shouted = key.to_uppercase();
    match number {
        0 => Said::answer(&format!("your key is {key}")),
        1 => error(401, &format!("Incorrect API key provided: {key}.")),
        2 => error(400, &format!("{}{key}", "x ".repeat(95))),
        3 => Said::with(500, &[&header], key),
        4 => choice(json!({"content": null, "refusal": key}), json!("stop")),
        5 => choice(json!({"content": ""}), json!(key)),
        6 => Said::json(200, json!({"error": {"message": key}}).to_string()),
        7 => Said::with(200, &[&format!("Content-Type: text/{key}")], key),
        8 => Said::with(307, &[&format!("Location: http://{key}.example/?key={key}")], ""),
        9 => Said::raw(format!("HTTP/1.1 200 {key}\r\nbad header {key}\r\n\r\n")).close(),
        10 => Said::with(200, &["Content-Type: application/json"], format!("{{\"{key}\": {shouted}")),
        // Where a message is cut; and spelled otherwise.
        11 => choice(json!({"content": ""}), json!(format!("{}{key}", "x ".repeat(165)))),
        12 => Said::json(
            200,
            format!(
                "{{\"choices\": [{{\"message\": {{\"content\": \"\\u00{:x}{}\"}}}}]}}",
                key.as_bytes()[0],
                &key[1..]
            ),
        ),
        13 => Said::json(400, json!({"error": {"message": format!("schema {key}")}}).to_string()),
        _ => Said::json(403, json!({"detail": [key]}).to_string()),
    }
}

#[test]
fn nobody_sees_the_key() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Log).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
    });
    let mut shown = String::new();
    for key in [KEY, PLAIN_KEY] {
        let server = Server::by(move |number, _| parrot(number, key));
        let once = Retries { tries: 1, ..quick() };
        let builder = builder(&server).key(Key::new(key).unwrap()).retries(once);
        let _ = writeln!(shown, "{builder:?}");
        let model = builder.build().unwrap();
        let _ = writeln!(shown, "{model:?} {model:#?} {}", model.name());
        let model = Recording::new(model, Vec::new());
        let request = question().schema("page", json!({}));
        for _ in 0..15 {
            let answer = block_on(model.answer(&request));
            let _ = writeln!(shown, "{answer:?}");
            let _ = match answer {
                Ok(reply) => writeln!(shown, "{}", reply.text),
                Err(error) => writeln!(shown, "{error} {}", serde_json::to_string(&error).unwrap()),
            };
        }
        let (model, lines) = model.into_parts();
        let _ = writeln!(shown, "{:?}\n{}", model.refused_schemas(), String::from_utf8(lines).unwrap());
        let sent = server.asked();
        assert!(sent.len() >= 15 && sent.iter().all(|asked| asked.header("authorization").is_some()));
    }
    let logged = LOGGED.lock().unwrap().clone();
    assert!(logged.contains("ureq"), "nothing was logged");
    for key in [KEY, PLAIN_KEY] {
        for (place, text) in [("output", &shown), ("log", &logged)] {
            // Headers that a server sends are logged as they are; the docs say so.
            let known = |line: &&str| place == "log" && line.starts_with("ureq::run Response {");
            let lines: Vec<&str> = text.lines().filter(|line| line.contains(key) && !known(line)).collect();
            assert!(lines.is_empty(), "{key} in the {place}: {lines:#?}");
        }
    }
}

/// `intentgate plan --by-model` with an environment.
fn planned(server: &Server, variables: &[(&str, &str)]) -> String {
    let model = root().join("examples/camera/model.json");
    let arguments = ["plan", "--model", model.to_str().unwrap(), "--task", "Take a photo", "--by-model"];
    let mut process = command::start(&arguments);
    for name in ["INTENTGATE_MODEL_URL", "INTENTGATE_MODEL", "INTENTGATE_MODEL_KEY"] {
        process.env_remove(name);
    }
    let url = server.url();
    process.envs(variables.iter().map(|(name, value)| (*name, value.replace("SERVER", &url))));
    let output = process.output().unwrap();
    let shown = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    let status = output.status.code().unwrap();
    format!("{shown}({status})\n").replace(&url.replace("/v1", ""), "http://127.0.0.1:PORT")
}

#[test]
fn the_command_asks_the_model_that_the_environment_names() {
    let answer = json!({"apps": [{"app": "Camera", "steps": [{"function": "take_photo", "arguments": {}}]}]});
    let text = answer.to_string();
    let server = Server::by(move |number, _| match number {
        0 | 1 => Said::answer(&text),
        _ => error(401, &format!("Incorrect API key: {KEY}")),
    });
    let mut shown = String::new();
    let (url, name) = (("INTENTGATE_MODEL_URL", "SERVER"), ("INTENTGATE_MODEL", "local"));
    for variables in [
        &[url, name][..],
        &[url, name, ("INTENTGATE_MODEL_KEY", PLAIN_KEY)],
        &[url, name, ("INTENTGATE_MODEL_KEY", KEY)],
        &[url, name, ("INTENTGATE_MODEL_KEY", "two words")],
        &[url, name, ("INTENTGATE_MODEL_KEY", "")],
        &[],
        &[url],
        &[name, ("INTENTGATE_MODEL_URL", "")],
        &[name, ("INTENTGATE_MODEL_URL", "http://models.example/v1"), ("INTENTGATE_MODEL_KEY", KEY)],
    ] {
        let given: Vec<String> = variables.iter().map(|(name, value)| format!("{name}={value:?} ")).collect();
        let _ = writeln!(shown, "$ {}intentgate plan …\n{}", given.concat(), planned(&server, variables));
    }
    let keys: Vec<Option<String>> =
        server.asked().iter().map(|asked| asked.header("authorization").map(str::to_owned)).collect();
    let bearer = |key: &str| Some(format!("Bearer {key}"));
    assert_eq!(keys, [None, bearer(PLAIN_KEY), bearer(KEY), None]);
    // The keys stand in the lines that set them, and nowhere else.
    for line in shown.lines().filter(|line| !line.starts_with("$ ")) {
        assert!(!line.contains(KEY) && !line.contains(PLAIN_KEY), "{line}");
    }
    insta::assert_snapshot!(shown);
}
