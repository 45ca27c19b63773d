//! Models as SVG: every page once, no box on another, nothing that a text could break out of.

use intentgate::engine::text::lookalike::is_hidden;
use intentgate::planner::declare::{App, Page, Transition};
use intentgate::planner::draw::Marks;
use intentgate::planner::{Bounds, Found, Goal, Model, Planner, Start};
use intentgate_tests::random::Dice;
use roxmltree::{Document, Node};

fn model(names: &[String], ends: &[(usize, usize)]) -> Model {
    let transitions = ends.iter().enumerate().map(|(number, (from, to))| Transition {
        origin: if number % 3 == 0 { "static".to_owned() } else { String::new() },
        ..Transition::new(
            names[*from].as_str(),
            format!("tap \"{number}\" & <more>\nthere"),
            names[*to].as_str(),
        )
    });
    let app = App {
        app: "Random & <more>".to_owned(),
        start: names[0].clone(),
        pages: names.iter().map(Page::new).collect(),
        transitions: transitions.collect(),
        ..App::default()
    };
    app.check().unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn random(seed: u64, pages: usize, transitions: usize, name: impl Fn(usize) -> String) -> Model {
    let mut dice = Dice::new(seed);
    let names: Vec<String> = (0..pages).map(name).collect();
    let ends: Vec<(usize, usize)> =
        (0..transitions).map(|_| (dice.below(pages), dice.below(pages))).collect();
    model(&names, &ends)
}

/// Elements with a class.
fn of_class<'a>(document: &'a Document, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|one| one == class))
    };
    document.descendants().filter(has).collect()
}

fn child<'a>(node: Node<'a, 'a>, name: &str) -> Node<'a, 'a> {
    node.children().find(|child| child.tag_name().name() == name).unwrap()
}

/// Left, top, right, bottom of a page's box.
fn rectangle(page: Node) -> [i64; 4] {
    let number = |key: &str| child(page, "rect").attribute(key).unwrap().parse::<i64>().unwrap();
    let (x, y) = (number("x"), number("y"));
    [x, y, x + number("width"), y + number("height")]
}

/// Every page is there once, with a box that no other touches and that its label fits.
fn check(model: &Model, svg: &str) {
    let document = Document::parse(svg).unwrap_or_else(|wrong| panic!("{wrong}\n{svg}"));
    let pages = of_class(&document, "page");
    assert_eq!(pages.len(), model.pages().len());
    let size = |key: &str| document.root_element().attribute(key).unwrap().parse::<i64>().unwrap();
    let (width, height) = (size("width"), size("height"));
    let rectangles: Vec<[i64; 4]> = pages.iter().map(|page| rectangle(*page)).collect();
    for (number, one) in rectangles.iter().enumerate() {
        assert!(one[0] >= 0 && one[1] >= 0 && one[2] <= width && one[3] <= height, "{one:?} is outside");
        for other in &rectangles[..number] {
            let apart = one[2] < other[0] || other[2] < one[0] || one[3] < other[1] || other[3] < one[1];
            assert!(apart, "{one:?} {other:?}");
        }
    }
    for ((_, page), drawn) in model.pages().zip(&pages) {
        let text = child(*drawn, "text").text().unwrap_or_default();
        let plain =
            page.name().chars().count() <= 44 && !page.name().chars().any(|c| c.is_control() || is_hidden(c));
        if plain {
            assert_eq!(text, page.name());
        } else {
            assert!(text.chars().count() <= 44);
        }
    }
    // Every transition is in the title of a line.
    let said: usize = of_class(&document, "edge")
        .iter()
        .map(|edge| child(*edge, "title").text().unwrap_or_default().matches("tap ").count())
        .sum();
    assert_eq!(said, model.transitions().len());
}

#[test]
fn a_large_model_stays_readable() {
    let model = random(7, 150, 500, |number| format!("Page{number}Activity"));
    let before = std::time::Instant::now();
    let svg = model.to_svg(&Marks::default());
    assert!(before.elapsed().as_secs() < 5);
    check(&model, &svg);
    assert_eq!(svg, model.to_svg(&Marks::default()), "the same once more");
    // Each name is a label once.
    for (_, page) in model.pages() {
        assert_eq!(svg.matches(&format!(">{}<", page.name())).count(), 1, "{}", page.name());
    }
    // Not a ribbon: neither side is much longer than the other.
    let document = Document::parse(&svg).unwrap();
    let size = |key: &str| document.root_element().attribute(key).unwrap().parse::<f64>().unwrap();
    assert!(size("width") / size("height") < 6.0 && size("height") / size("width") < 6.0);
}

#[test]
fn models_of_all_shapes() {
    for seed in 0..200 {
        let mut dice = Dice::new(seed);
        let (pages, transitions) = (1 + dice.below(40), dice.below(90));
        let model = random(seed, pages, transitions, |number| format!("P{}", number * 1_000_003));
        check(&model, &model.to_svg(&Marks::default()));
    }
    // A chain, a star, pages that nothing leads to.
    let names: Vec<String> = (0..300).map(|number| format!("P{number}")).collect();
    for ends in [
        (1..300).map(|to| (to - 1, to)).collect::<Vec<_>>(),
        (1..300).map(|to| (0, to)).collect(),
        Vec::new(),
    ] {
        let model = model(&names, &ends);
        check(&model, &model.to_svg(&Marks::default()));
    }
}

#[test]
fn texts_stay_texts() {
    let names = [
        "</text><script>alert(1)</script>",
        "\"quoted\" & 'single'",
        "two\nlines\tand \u{1b}[31m \u{0} \u{ffff}",
        "😀 設定 \u{202e}abc",
        "]]> <!-- --> &amp; &#10;",
        "",
        &"long ".repeat(60),
    ]
    .map(str::to_owned);
    let ends: Vec<(usize, usize)> = (0..names.len()).map(|from| (from, (from + 1) % names.len())).collect();
    let model = model(&names, &ends);
    let svg = model.to_svg(&Marks::default());
    check(&model, &svg);
    assert!(!svg.contains("<script"));
    assert!(!svg.contains(|c: char| c != '\n' && (c.is_control() || is_hidden(c))));
    let document = Document::parse(&svg).unwrap();
    assert!(document.descendants().all(|node| node.tag_name().name() != "script"));
}

#[test]
fn what_is_marked() {
    let names = ["Start", "Here", "There", "Alone"].map(str::to_owned);
    let model = model(&names, &[(0, 1), (1, 2), (1, 2), (1, 0)]);
    let page = |name: &str| model.find_page(name).unwrap();
    let start = Start { page: Some(page("Here")), ..Start::default() };
    let goal = Goal::Any(vec![page("There")]);
    let Found::Path(path) = Planner::new(&model).plan(&start, &goal, &Bounds::default()).unwrap() else {
        panic!()
    };
    let svg = model.to_svg(&Marks { current: start.page, plan: Some(&path), ..Marks::default() });
    let document = Document::parse(&svg).unwrap();
    let marked = |class: &str| -> Vec<&str> {
        of_class(&document, class).iter().filter_map(|node| node.attribute("id")).collect()
    };
    assert_eq!(marked("start"), ["p0"]);
    assert_eq!(marked("current"), ["p1"]);
    assert_eq!(marked("planned"), ["p1", "p2"]);
    assert_eq!(marked("open"), ["p2", "p3"]);
    assert_eq!(marked("step"), ["e1-2"]);
    assert_eq!(marked("unseen"), ["e0-1", "e1-0"]);
    let labels = of_class(&document, "step-label");
    assert_eq!(child(labels[0], "text").text().unwrap(), "1. tap \"1\" & <more>\nthere +1");
}
