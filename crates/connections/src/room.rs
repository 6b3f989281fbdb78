//! The room for connections. When it is full, a client with many connections makes room for one with fewer.

use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::network::network_of;
use crate::phase::{Phase, PhaseCell};

/// An idle connection of this age makes room for any other.
const MIN_IDLE: Duration = Duration::from_secs(1);
/// How long to wait for a connection that was asked to make room, before the next one is asked.
const ROOM_PAUSE: Duration = Duration::from_millis(20);
/// How many connections of one client may wait for room. For a further one, the one that has waited longest is closed, so that nobody waits behind a
/// crowd.
const WAITING_OF_ONE: usize = 16;
/// How many may wait in all: an eighth of the room, within these limits.
const WAITING: RangeInclusive<usize> = 16..=256;

pub(crate) struct Room {
    size: usize,
    taken: Mutex<Taken>,
    left: Notify,
}

#[derive(Default)]
struct Taken {
    next_id: u64,
    places: HashMap<u64, Occupant>,
    /// The number of connections of each network.
    networks: HashMap<IpAddr, usize>,
    /// The connections of each network that wait for a place, the oldest first.
    waiting: HashMap<IpAddr, VecDeque<Arc<Notify>>>,
}

struct Occupant {
    network: IpAddr,
    phase: Arc<PhaseCell>,
}

/// The place of a connection. Dropping it makes room.
pub(crate) struct Place {
    room: Arc<Room>,
    id: u64,
}

/// A connection that waits for a place, until it is dropped.
struct Waiting<'r> {
    room: &'r Room,
    network: IpAddr,
    /// Told when the connection should wait no longer.
    crowded_out: Arc<Notify>,
}

impl Room {
    pub(crate) fn new(size: usize) -> Arc<Self> {
        Arc::new(Self { size, taken: Mutex::default(), left: Notify::new() })
    }

    /// A place for a connection from an address. If there is none, connections that wait for their clients are asked to close, one
    /// after the other. `None` if too many have come to wait since.
    pub(crate) async fn enter(self: &Arc<Self>, address: IpAddr, phase: &Arc<PhaseCell>) -> Option<Place> {
        let network = network_of(address);
        if let Ok(place) = self.try_enter(network, phase) {
            return Some(place);
        }
        let waiting = self.wait(network);
        loop {
            let left = self.left.notified();
            match self.try_enter(network, phase) {
                Ok(place) => return Some(place),
                Err(Some(occupant)) => occupant.evict(),
                Err(None) => {}
            }
            tokio::select! {
                () = waiting.crowded_out.notified() => return None,
                () = left => {}
                () = tokio::time::sleep(ROOM_PAUSE) => {}
            }
        }
    }

    /// A place, or the connection that should leave if there is none.
    fn try_enter(self: &Arc<Self>, network: IpAddr, phase: &Arc<PhaseCell>) -> Result<Place, Option<Arc<PhaseCell>>> {
        let mut taken = self.taken.lock();
        if taken.places.len() >= self.size {
            return Err(taken.next_to_leave(network));
        }
        let id = taken.next_id;
        taken.next_id += 1;
        taken.places.insert(id, Occupant { network, phase: phase.clone() });
        *taken.networks.entry(network).or_default() += 1;
        Ok(Place { room: self.clone(), id })
    }

    fn wait(&self, network: IpAddr) -> Waiting<'_> {
        let crowded_out = Arc::new(Notify::new());
        let waiting = &mut self.taken.lock().waiting;
        let of_network = waiting.entry(network).or_default();
        of_network.push_back(crowded_out.clone());
        if of_network.len() > WAITING_OF_ONE {
            of_network.pop_front().inspect(|oldest| oldest.notify_one());
        }
        let most = (self.size / 8).clamp(*WAITING.start(), *WAITING.end());
        if waiting.values().map(VecDeque::len).sum::<usize>() > most
            && let Some(longest) = waiting.values_mut().max_by_key(|queue| queue.len())
        {
            longest.pop_front().inspect(|oldest| oldest.notify_one());
        }
        Waiting { room: self, network, crowded_out }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let waiting = &mut self.room.taken.lock().waiting;
        if let Some(queue) = waiting.get_mut(&self.network) {
            queue.retain(|other| !Arc::ptr_eq(other, &self.crowded_out));
            if queue.is_empty() {
                waiting.remove(&self.network);
            }
        }
    }
}

impl Taken {
    /// Connections in which a request is being handled stay. Of the others, those of the network with the most connections go first, if it
    /// has more than the newcomer would have; other connections must have been idle for a while.
    fn next_to_leave(&self, newcomer: IpAddr) -> Option<Arc<PhaseCell>> {
        let count = |network: IpAddr| self.networks.get(&network).copied().unwrap_or(0);
        let fair = count(newcomer) + 1;
        let rank = |occupant: &&Occupant| {
            let (phase, age, connections) = (occupant.phase.get(), occupant.phase.age(), count(occupant.network));
            let may_leave = match phase {
                Phase::Handling | Phase::Writing => false,
                Phase::Idle if age >= MIN_IDLE => true,
                Phase::Idle | Phase::Handshake | Phase::ReadingHead | Phase::ReadingBody => connections > fair,
            };
            may_leave.then_some((connections, Reverse(phase), age))
        };
        let ranked = self.places.values().filter_map(|occupant| Some((rank(&occupant)?, occupant)));
        ranked.max_by_key(|(rank, _)| *rank).map(|(_, occupant)| occupant.phase.clone())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.room.taken.lock();
        if let Some(Occupant { network, .. }) = taken.places.remove(&self.id)
            && let Some(count) = taken.networks.get_mut(&network)
        {
            *count -= 1;
            if *count == 0 {
                taken.networks.remove(&network);
            }
        }
        drop(taken);
        self.room.left.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    const ATTACKER: &str = "192.0.2.1";
    const OTHER: &str = "192.0.2.2";

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn full(room: &Arc<Room>, of: &str, phase: Phase) -> Vec<(Place, Arc<PhaseCell>)> {
        let mut places = Vec::new();
        loop {
            let cell = Arc::new(PhaseCell::new());
            cell.set(phase);
            let Ok(place) = room.try_enter(address(of), &cell) else { return places };
            places.push((place, cell));
        }
    }

    fn to_leave(room: &Arc<Room>, newcomer: &str) -> Option<Arc<PhaseCell>> {
        room.try_enter(address(newcomer), &Arc::new(PhaseCell::new())).err().flatten()
    }

    #[test]
    fn a_client_with_many_connections_makes_room_at_once() {
        for phase in [Phase::Handshake, Phase::Idle, Phase::ReadingHead, Phase::ReadingBody] {
            let room = Room::new(4);
            let places = full(&room, ATTACKER, phase);
            let leaving = to_leave(&room, OTHER).unwrap();
            assert!(places.iter().any(|(_, cell)| Arc::ptr_eq(cell, &leaving)), "{phase:?}");
            assert!(to_leave(&room, ATTACKER).is_none(), "{phase:?}: it has its share");
        }
    }

    #[test]
    fn a_request_that_is_handled_is_never_interrupted() {
        for phase in [Phase::Handling, Phase::Writing] {
            let room = Room::new(4);
            let _places = full(&room, ATTACKER, phase);
            assert!(to_leave(&room, OTHER).is_none(), "{phase:?}");
        }
    }

    #[test]
    fn of_a_client_the_connection_that_waits_longest_leaves_idle_ones_first() {
        let room = Room::new(4);
        let places = full(&room, ATTACKER, Phase::ReadingHead);
        std::thread::sleep(Duration::from_millis(20));
        for place in [0, 2, 3] {
            places[place].1.set(Phase::ReadingHead);
        }
        assert!(Arc::ptr_eq(&to_leave(&room, OTHER).unwrap(), &places[1].1));
        places[3].1.set(Phase::Idle);
        assert!(Arc::ptr_eq(&to_leave(&room, OTHER).unwrap(), &places[3].1));
    }

    #[test]
    fn idle_connections_leave_after_a_second_whoever_comes() {
        let room = Room::new(2);
        let _places = full(&room, ATTACKER, Phase::Idle);
        assert!(to_leave(&room, ATTACKER).is_none());
        std::thread::sleep(MIN_IDLE);
        assert!(to_leave(&room, ATTACKER).is_some());
    }

    #[tokio::test]
    async fn a_place_is_free_when_its_connection_ends() {
        let room = Room::new(2);
        let mut places = full(&room, ATTACKER, Phase::Handling);
        let entering = tokio::spawn({
            let room = room.clone();
            async move { room.enter(address(OTHER), &Arc::new(PhaseCell::new())).await }
        });
        tokio::time::sleep(10 * ROOM_PAUSE).await;
        assert!(!entering.is_finished());
        places.pop();
        let _place = entering.await.unwrap().unwrap();
        drop(places);
        let taken = room.taken.lock();
        assert_eq!(taken.networks, HashMap::from([(address(OTHER), 1)]));
        assert!(taken.waiting.is_empty());
    }

    #[test]
    fn of_a_crowd_that_waits_the_oldest_gives_up() {
        let room = Room::new(0);
        let has_given_up = |waiting: &Waiting<'_>| waiting.crowded_out.notified().now_or_never().is_some();
        let crowd: Vec<_> = (0..WAITING_OF_ONE + 2).map(|_| room.wait(address(ATTACKER))).collect();
        let gave_up: Vec<bool> = crowd.iter().map(has_given_up).collect();
        assert_eq!(gave_up.iter().filter(|gave_up| **gave_up).count(), 2);
        assert!(gave_up[0] && gave_up[1]);
        // The room has no place for more, so the largest crowd gets smaller.
        let other = room.wait(address(OTHER));
        assert!(has_given_up(&crowd[2]) && !has_given_up(&crowd[3]) && !has_given_up(&other));
        drop((crowd, other));
        assert!(room.taken.lock().waiting.is_empty());
    }
}
