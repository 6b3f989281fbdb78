//! Request counts and durations in the format of Prometheus. Labels contain routes,
//! never addresses, which may be personal data.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use http::{Method, StatusCode};
use parking_lot::Mutex;

/// The upper bounds of the buckets, in seconds.
const BUCKETS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

#[derive(Default)]
struct Series {
    /// By status.
    counts: BTreeMap<u16, u64>,
    buckets: [u64; BUCKETS.len()],
    seconds: f64,
}

#[derive(Default)]
pub(crate) struct Metrics {
    /// By route and method.
    series: Mutex<BTreeMap<String, BTreeMap<&'static str, Series>>>,
    in_flight: AtomicI64,
}

/// A request being processed.
pub(crate) struct InFlight<'m>(&'m Metrics);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    /// Counts a request as in flight until the guard is dropped, also if the client disconnects first.
    pub(crate) fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(self)
    }

    pub(crate) fn end(&self, route: &str, method: &Method, status: StatusCode, time: Duration) {
        let seconds = time.as_secs_f64();
        let mut all = self.series.lock();
        if !all.contains_key(route) {
            all.insert(route.to_owned(), BTreeMap::new());
        }
        let Some(of_route) = all.get_mut(route) else { return };
        let series = of_route.entry(method_label(method)).or_default();
        *series.counts.entry(status.as_u16()).or_default() += 1;
        series.seconds += seconds;
        let position = BUCKETS.iter().position(|bound| seconds <= *bound);
        if let Some(bucket) = position.and_then(|position| series.buckets.get_mut(position)) {
            *bucket += 1;
        }
    }

    /// All metrics in Prometheus's text format.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let _ = self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        writeln!(out, "# HELP keyfold_requests_in_flight Requests being processed.")?;
        writeln!(out, "# TYPE keyfold_requests_in_flight gauge")?;
        writeln!(out, "keyfold_requests_in_flight {}", self.in_flight.load(Ordering::Relaxed))?;
        let all = self.series.lock();
        writeln!(out, "# HELP keyfold_requests_total Completed requests.")?;
        writeln!(out, "# TYPE keyfold_requests_total counter")?;
        for (route, method, series) in each(&all) {
            for (status, count) in &series.counts {
                writeln!(
                    out,
                    "keyfold_requests_total{{route=\"{route}\",method=\"{method}\",status=\"{status}\"}} {count}"
                )?;
            }
        }
        writeln!(out, "# HELP keyfold_request_seconds Duration of requests, in seconds.")?;
        writeln!(out, "# TYPE keyfold_request_seconds histogram")?;
        for (route, method, series) in each(&all) {
            let labels = format!("route=\"{route}\",method=\"{method}\"");
            let mut sum = 0;
            for (bound, count) in BUCKETS.iter().zip(&series.buckets) {
                sum += count;
                writeln!(out, "keyfold_request_seconds_bucket{{{labels},le=\"{bound}\"}} {sum}")?;
            }
            let total: u64 = series.counts.values().sum();
            writeln!(out, "keyfold_request_seconds_bucket{{{labels},le=\"+Inf\"}} {total}")?;
            writeln!(out, "keyfold_request_seconds_sum{{{labels}}} {}", series.seconds)?;
            writeln!(out, "keyfold_request_seconds_count{{{labels}}} {total}")?;
        }
        Ok(())
    }
}

type All = BTreeMap<String, BTreeMap<&'static str, Series>>;

fn each(all: &All) -> impl Iterator<Item = (&str, &'static str, &Series)> {
    all.iter()
        .flat_map(|(route, methods)| methods.iter().map(move |(method, series)| (route.as_str(), *method, series)))
}

/// Clients can send any method; unknown ones share one label.
fn method_label(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_route_method_and_status() {
        let metrics = Metrics::default();
        for milliseconds in [1, 3, 9000] {
            let _in_flight = metrics.begin();
            metrics.end("/v1/d/things", &Method::GET, StatusCode::OK, Duration::from_millis(milliseconds));
        }
        let _in_flight = metrics.begin();
        let text = metrics.text();
        for line in [
            "keyfold_requests_in_flight 1",
            "keyfold_requests_total{route=\"/v1/d/things\",method=\"GET\",status=\"200\"} 3",
            "keyfold_request_seconds_bucket{route=\"/v1/d/things\",method=\"GET\",le=\"0.001\"} 1",
            "keyfold_request_seconds_bucket{route=\"/v1/d/things\",method=\"GET\",le=\"0.005\"} 2",
            "keyfold_request_seconds_bucket{route=\"/v1/d/things\",method=\"GET\",le=\"+Inf\"} 3",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
        }
    }
}
