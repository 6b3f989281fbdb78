//! The table: medians, ratios, the target beside each ratio and whether it is met.

use super::{load::Throughput, workload::Workload};
use crate::statistics::{markdown, median, thousands};
use std::fmt::Write as _;

/// One measurement of one round.
#[derive(Debug)]
struct Sample {
    server: &'static str,
    workload: Option<Workload>,
    connections: usize,
    throughput: Throughput,
}

/// Everything measured so far.
#[derive(Debug, Default)]
pub(crate) struct Measured(Vec<Sample>);

/// The least ratio a workload at 64 connections must reach.
struct Target {
    workload: Workload,
    against_floor: Option<f64>,
    against_peer: f64,
}

const TARGET_CONNECTIONS: usize = 64;
const TARGETS: [Target; 6] = [
    Target { workload: Workload::GetItem, against_floor: Some(0.6), against_peer: 10.0 },
    Target { workload: Workload::Query, against_floor: None, against_peer: 10.0 },
    Target { workload: Workload::QueryIndex, against_floor: None, against_peer: 8.0 },
    Target { workload: Workload::PutItem, against_floor: None, against_peer: 8.0 },
    Target { workload: Workload::UpdateItem, against_floor: None, against_peer: 8.0 },
    Target { workload: Workload::TransactWrite, against_floor: None, against_peer: 8.0 },
];

impl Measured {
    pub(crate) fn add(
        &mut self,
        server: &'static str,
        workload: Option<Workload>,
        connections: usize,
        throughput: Throughput,
    ) {
        self.0.push(Sample { server, workload, connections, throughput });
    }

    /// The median over rounds of one number, if it was measured.
    fn middle(
        &self,
        server: &str,
        workload: Option<Workload>,
        connections: usize,
        value: impl Fn(&Throughput) -> f64,
    ) -> Option<f64> {
        let values: Vec<f64> = self
            .0
            .iter()
            .filter(|sample| {
                sample.server == server && sample.workload == workload && sample.connections == connections
            })
            .map(|sample| value(&sample.throughput))
            .collect();
        (!values.is_empty()).then(|| median(&values))
    }

    /// The table of every workload and connection count.
    pub(crate) fn report(&self, workloads: &[Workload], connections: &[usize], peer: &str) -> String {
        let mut rows = Vec::new();
        for &count in connections {
            for &workload in workloads {
                rows.push(self.row(workload, count, peer));
            }
        }
        let peer_title = format!("{peer}, requests/s");
        let header = [
            "",
            "conns",
            "floor, requests/s",
            &peer_title,
            "Keyfold, requests/s",
            "p50 ms",
            "p99 ms",
            "CPU µs: Keyfold (floor, peer)",
            "× floor",
            "× peer",
            "target",
            "met",
        ];
        let mut text = markdown(&header, &rows);
        if let Some((p50, p99)) = self.tail(16) {
            let _ = writeln!(
                text,
                "\nGetItem at 16 connections: p99 is {:.1} × p50; target below 4: {}",
                p99 / p50,
                met(p99 < 4.0 * p50)
            );
        }
        text
    }

    fn row(&self, workload: Workload, count: usize, peer: &str) -> Vec<String> {
        let keyfold = self.middle("keyfold", Some(workload), count, |t| t.per_second);
        let floor = self.middle("floor", None, count, |t| t.per_second);
        let other = self.middle(peer, Some(workload), count, |t| t.per_second).filter(|_| peer != "keyfold");
        let ratio = |other: Option<f64>| Some(keyfold? / other?);
        let (to_floor, to_peer) = (ratio(floor), ratio(other));
        let target = TARGETS.iter().find(|target| target.workload == workload && count == TARGET_CONNECTIONS);
        let (target_text, verdict) = match (target, to_floor, to_peer) {
            (Some(target), Some(to_floor), Some(to_peer)) => {
                let floor_text = target.against_floor.map(|least| format!("{least} × floor, ")).unwrap_or_default();
                let reached =
                    to_peer >= target.against_peer && target.against_floor.is_none_or(|least| to_floor >= least);
                (format!("{floor_text}{} × peer", target.against_peer), met(reached))
            }
            _ => (String::new(), String::new()),
        };
        let rate = |value: Option<f64>| value.map(thousands).unwrap_or_default();
        let number = |value: Option<f64>| value.map(|value| format!("{value:.2}")).unwrap_or_default();
        vec![
            workload.title().to_owned(),
            count.to_string(),
            rate(floor),
            rate(other),
            rate(keyfold),
            number(self.middle("keyfold", Some(workload), count, |t| t.p50)),
            number(self.middle("keyfold", Some(workload), count, |t| t.p99)),
            self.cpu(workload, count, peer),
            number(to_floor),
            to_peer.map(|ratio| format!("{ratio:.1}")).unwrap_or_default(),
            target_text,
            verdict,
        ]
    }

    /// The servers' processor time for one request: what stays true while other work slows the machine down.
    fn cpu(&self, workload: Workload, count: usize, peer: &str) -> String {
        let text = |server: &str, workload: Option<Workload>| {
            self.middle(server, workload, count, |t| t.cpu).map_or("-".to_owned(), |micros| format!("{micros:.0}"))
        };
        format!("{} ({}, {})", text("keyfold", Some(workload)), text("floor", None), text(peer, Some(workload)))
    }

    fn tail(&self, connections: usize) -> Option<(f64, f64)> {
        let workload = Some(Workload::GetItem);
        Some((
            self.middle("keyfold", workload, connections, |t| t.p50)?,
            self.middle("keyfold", workload, connections, |t| t.p99)?,
        ))
    }
}

fn met(reached: bool) -> String {
    if reached { "yes".to_owned() } else { "**no**".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_below_its_target_is_not_met() {
        let mut measured = Measured::default();
        let of = |per_second| Throughput { per_second, p50: 1.0, p99: 2.0, cpu: 15.0 };
        measured.add("floor", None, 64, of(70_000.0));
        measured.add("keyfold", Some(Workload::GetItem), 64, of(41_000.0));
        measured.add("peer", Some(Workload::GetItem), 64, of(4_000.0));
        let row = measured.row(Workload::GetItem, 64, "peer");
        assert_eq!(
            row,
            [
                "GetItem",
                "64",
                "70.0 k",
                "4.0 k",
                "41.0 k",
                "1.00",
                "2.00",
                "15 (15, 15)",
                "0.59",
                "10.2",
                "0.6 × floor, 10 × peer",
                "**no**"
            ]
        );
    }
}
