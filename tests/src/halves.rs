//! Many cases, on two threads.

/// What comes of the work on the numbers below `cases`, by thread.
pub fn halves<T: Send>(cases: u64, work: impl Fn(&mut dyn Iterator<Item = u64>) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let work = &work;
        let start = |first| scope.spawn(move || work(&mut (first..cases).step_by(2)));
        let handles = [start(0), start(1)];
        handles.into_iter().map(|handle| handle.join().unwrap()).collect()
    })
}
