//! A thread that works in the background until it is stopped.

use std::io;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

/// The thread. Dropping it stops it.
pub(crate) struct BackgroundThread {
    name: &'static str,
    stop: Arc<StopSignal>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Tells the thread to end.
#[derive(Default)]
pub(crate) struct StopSignal {
    is_given: Mutex<bool>,
    wake: Condvar,
}

impl BackgroundThread {
    /// The work must end soon after the signal.
    pub(crate) fn start(name: &'static str, work: impl FnOnce(&StopSignal) + Send + 'static) -> io::Result<Self> {
        let stop = Arc::new(StopSignal::default());
        let signal = Arc::clone(&stop);
        let thread = Builder::new().name(name.to_owned()).spawn(move || work(&signal))?;
        Ok(Self { name, stop, thread: Mutex::new(Some(thread)) })
    }

    /// Does something once the pause is over, unless the thread is stopped before.
    pub(crate) fn start_after(
        name: &'static str,
        pause: Duration,
        work: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        Self::start(name, move |stop| {
            if !stop.sleep(pause) {
                work();
            }
        })
    }

    /// Waits for its end.
    pub(crate) fn stop(&self) {
        *self.stop.is_given.lock() = true;
        self.stop.wake.notify_all();
        if let Some(thread) = self.thread.lock().take()
            && thread.join().is_err()
        {
            tracing::error!(thread = self.name, "a background thread panicked");
        }
    }
}

impl Drop for BackgroundThread {
    fn drop(&mut self) {
        self.stop();
    }
}

impl StopSignal {
    pub(crate) fn is_given(&self) -> bool {
        *self.is_given.lock()
    }

    /// Sleeps until the pause is over or the signal is given. Whether it is given.
    pub(crate) fn sleep(&self, pause: Duration) -> bool {
        let mut is_given = self.is_given.lock();
        if !*is_given {
            self.wake.wait_for(&mut is_given, pause);
        }
        *is_given
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    #[test]
    fn stopping_ends_a_pause() {
        let (sender, receiver) = mpsc::channel();
        let thread = BackgroundThread::start("test", move |stop| {
            sender.send(stop.is_given()).unwrap();
            sender.send(stop.sleep(LONG)).unwrap();
        });
        let thread = thread.unwrap();
        assert!(!receiver.recv().unwrap());
        thread.stop();
        assert!(receiver.recv().unwrap());
    }

    #[test]
    fn dropping_waits_for_the_end() {
        let (sender, receiver) = mpsc::channel();
        let thread = BackgroundThread::start("test", move |stop| {
            while !stop.sleep(LONG) {}
            sender.send(()).unwrap();
        });
        drop(thread);
        assert_eq!(receiver.try_recv(), Ok(()));
    }

    #[test]
    fn what_waits_for_its_time_is_done_unless_it_is_stopped() {
        let (sender, receiver) = mpsc::channel();
        let late = sender.clone();
        let early = BackgroundThread::start_after("test", Duration::ZERO, move || sender.send(1).unwrap()).unwrap();
        assert_eq!(receiver.recv(), Ok(1));
        drop(BackgroundThread::start_after("test", LONG, move || late.send(2).unwrap()).unwrap());
        drop(early);
        assert!(receiver.recv().is_err(), "it was done too early");
    }

    #[test]
    fn a_panic_ends_the_thread_alone() {
        let thread = BackgroundThread::start("test", |_| panic!("as the test wants")).unwrap();
        thread.stop();
        thread.stop();
    }
}
