//! Screens that change, apps that are not ready, and runs that have to end.

use super::*;

#[test]
fn texts_that_change_by_themselves_can_be_named() {
    let looks = (0..9).map(|second| {
        let mut clock = button(&format!("19:00:0{second}"), 1);
        clock.resource_id = "bank:id/clock".to_owned();
        let screen = Some(screen("Form", [button("Pay", 0), clock]));
        Observation { screen, values: rich().as_object().unwrap().clone(), ..Observation::default() }
    });
    let looks: Vec<Observation> = looks.collect();
    for volatile in [vec![], vec![Selector::resource_id("bank:id/clock")], vec![Selector::default()]] {
        let mut device = Show::new(looks.clone());
        let mut agent = Scripted::new([tap(1, Some(pay("Bob", 5)))]);
        let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
        let named = volatile.first().is_some_and(|selector| !selector.is_empty());
        let options = Options { volatile, ..Options::default() };
        let mut driver =
            Driver::new(&mut device, &mut agent, session, model(UNKNOWN), task, options).unwrap();
        block_on(driver.run());
        drop(driver);
        assert_eq!(device.hit.len(), usize::from(named));
    }
}

/// Decides the same for ever.
struct Stubborn(Decision, usize);

impl Agent for Stubborn {
    fn name(&self) -> &str {
        "stubborn"
    }

    fn decide<'a>(&'a mut self, _: &'a Briefing<'a>) -> Deciding<'a> {
        self.1 += 1;
        let decision = match self.1 < 1_000 {
            true => Ok(self.0.clone().into()),
            false => Err(AgentError::Unavailable("that is enough".to_owned())),
        };
        Box::pin(std::future::ready(decision))
    }
}

#[test]
fn a_screen_that_never_stands_still_ends_the_run() {
    let looks = (0..9_000).map(|look| {
        let (page, other) = if look % 2 == 0 { ("Even", "x") } else { ("Odd", "y") };
        shown(Some(page), &["Pay", other], rich())
    });
    let mut device = Show::new(looks);
    let mut agent = Stubborn(tap(1, Some(pay("Bob", 5))), 0);
    let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
    let mut driver =
        Driver::new(&mut device, &mut agent, session, model(UNKNOWN), task, Options::default()).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    assert!(agent.1 < 20, "{} decisions, {account}", agent.1);
    assert_eq!(device.hit, Vec::<String>::new());
}

/// A device that is always somewhere else.
#[derive(Default)]
struct Far {
    page: usize,
    gestures: u32,
}

impl Device for Far {
    fn name(&self) -> &str {
        "far"
    }

    fn observe(&mut self) -> Result<Observation, DeviceError> {
        Ok(Observation { page: Some(format!("P{}", self.page)), ..Observation::default() })
    }

    fn perform(&mut self, gesture: &Gesture) -> Result<(), DeviceError> {
        let far = match gesture {
            Gesture::Wait(_) => return Ok(()),
            Gesture::Back => 1,
            _ => 100,
        };
        (self.page, self.gestures) = (self.page + far, self.gestures + 1);
        Ok(())
    }
}

#[test]
fn the_budget_of_actions_is_kept() {
    for steps in [0, 1, 5, 17] {
        let mut device = Far::default();
        let known = model(WAY);
        let (task, session) = (to_goal(&known), builder(ANY).start().unwrap());
        let go = Decision::Perform(Box::new(Move {
            event: "go".to_owned(),
            gesture: Gesture::Event("go".to_owned()),
            action: None,
            observes: None,
            to: Some("Goal".to_owned()),
        }));
        let mut agent = Stubborn(go, 0);
        let budgets = Budgets { steps, ..Budgets::default() };
        let options = Options { budgets, ..Options::default() };
        let mut driver = Driver::new(&mut device, &mut agent, session, known, task, options).unwrap();
        let account = block_on(driver.run());
        drop(driver);
        assert_eq!(device.gestures, account.counters.steps);
        assert!(device.gestures <= steps, "{} of {steps}: {account}", device.gestures);
    }
}

/// What a plan is followed on may still be on its way.
#[test]
fn an_app_that_is_not_ready_is_waited_for() {
    let form = |say: &str| shown(Some("Form"), &["Pay", say], rich());
    let paid = shown(Some("Result"), &["Close"], json!({"Receipt": {"ok": true}}));
    let loading = || shown(Some("Loading"), &[], json!({}));
    // Decided, looked at again: it says something else by now.
    let looks = [form("…"), form("History"), form("History"), form("History"), form("History"), paid.clone()];
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    // A page that nothing is known of comes first.
    let looks = [loading(), loading(), form("History"), form("History"), form("History"), paid.clone()];
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    // It comes after the action, too.
    let looks = [form("History"), form("History"), form("History"), loading(), paid];
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    assert_eq!(account.outcome, Outcome::Success, "{account}");
    assert_eq!(account.steps.len(), 1, "{account}");
    // It never stands still: the run ends, and says what does not.
    let looks = (0..99).map(|look| form(&format!("{look} seconds left")));
    let account = follow(&mut Show::new(looks), ANY, RECEIPT, None);
    insta::assert_snapshot!(account);
}

#[test]
fn what_changes_by_itself_may_come_and_go() {
    let banner = |texts: &[&str]| {
        let mut all = vec![button("Pay", 0)];
        let mut around = Element::new("android.widget.LinearLayout");
        around.resource_id = "bank:id/ad".to_owned();
        all.push(around);
        // The frame comes first.
        let (around, _) = screen("Form", all.clone()).elements().next_back().unwrap();
        for text in texts {
            let mut text = button(text, 3);
            text.parent = Some(around);
            all.push(text);
        }
        Observation {
            screen: Some(screen("Form", all)),
            values: rich().as_object().unwrap().clone(),
            ..Observation::default()
        }
    };
    for volatile in [vec![], vec![Selector::resource_id("bank:id/ad")]] {
        let mut device = Show::new([banner(&["Buy"]), banner(&["Buy more", "Now"]), banner(&[])]);
        let mut agent = Scripted::new([tap(1, Some(pay("Bob", 5)))]);
        let (session, task) = (builder(ANY).start().unwrap(), Task::new("pay", Aim::Complete));
        let named = !volatile.is_empty();
        let options = Options { volatile, ..Options::default() };
        let mut driver =
            Driver::new(&mut device, &mut agent, session, model(UNKNOWN), task, options).unwrap();
        block_on(driver.run());
        drop(driver);
        assert_eq!(device.hit.len(), usize::from(named));
    }
}

/// Where going back leads nowhere it is not gone back for ever, and it is said why a run ends.
#[test]
fn going_back_that_changes_nothing_is_given_up() {
    let stuck = shown(Some("Stuck"), &["Nothing"], json!({}));
    let form = shown(Some("Home"), &["Go"], json!({}));
    let known = WAY.replace("\"go\"", "\"tap \\\"Go\\\"\"");
    let known = model(&known);
    let mut device = Show::new([form.clone(), form.clone(), form, stuck]);
    let mut agent = FollowPlan::default();
    let (session, task) = (builder(ANY).start().unwrap(), to_goal(&known));
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task, Options::default()).unwrap();
    let account = block_on(driver.run());
    drop(driver);
    assert_eq!(device.hit.len(), 3, "{account}");
    insta::assert_snapshot!(account);
}

/// Where going back itself came out otherwise, one gets back all the same.
#[test]
fn going_back_that_failed_is_got_back_from() {
    let [home, pop] = ["Home", "Pop"].map(|page| shown(Some(page), &["Go"], json!({})));
    let mut device = Covered { at: 0, shown: [home.clone(), pop, home], hit: 0 };
    let known = model(WAY);
    let back = Move {
        event: "go back".to_owned(),
        gesture: Gesture::Event("go back".to_owned()),
        action: None,
        observes: None,
        to: Some("Goal".to_owned()),
    };
    let mut agent = Scripted::new([Decision::Perform(Box::new(back))]);
    let (session, task) = (builder(ANY).start().unwrap(), to_goal(&known));
    let mut driver = Driver::new(&mut device, &mut agent, session, known, task, Options::default()).unwrap();
    let account = block_on(driver.run());
    assert_eq!(driver.session().unsettled().count(), 0);
    insta::assert_snapshot!(account);
}
