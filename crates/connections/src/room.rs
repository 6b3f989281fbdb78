//! The room for connections, and the one for TLS handshakes. When a room is full, a client with many connections makes
//! room for one with fewer.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::limits::MIN_IDLE;
use crate::network::network_of;
use crate::phase::{Phase, PhaseCell, STALE};

/// How long to wait for a connection that was asked to make room, before the next one is asked.
const ROOM_PAUSE: Duration = Duration::from_millis(20);
/// How many connections of one client may wait for room. For a further one, the one that has waited longest is closed,
/// so that nobody waits behind a crowd.
const WAITING_OF_ONE: usize = 16;
/// Places beyond the size of the room, for clients with no other connection, such as the probes of an orchestrator:
/// they are served while every other connection is busy.
const RESERVE: usize = 8;
/// TLS handshakes in progress, in all and of one client. Each may keep a processor busy for a millisecond.
const HANDSHAKES: usize = 256;
const HANDSHAKES_OF_ONE: usize = 64;
/// Connections that wait to begin their handshake, of one client and in all. They have their places already.
const WAITING_HANDSHAKES_OF_ONE: usize = 1024;
const WAITING_HANDSHAKES: usize = 2048;
/// The limits of [`waiting_connections`].
const WAITING: RangeInclusive<usize> = 24..=256;

/// How many connections there may be besides as many as there is room for: an eighth of these, within limits. They wait
/// for room, or are in the reserve. Each holds a file descriptor.
pub fn waiting_connections(connections: usize) -> usize {
    (connections / 8).clamp(*WAITING.start(), *WAITING.end())
}

pub(crate) struct Room {
    size: usize,
    reserve: usize,
    /// How many places one client may have, and how many while others wait.
    of_one: usize,
    of_one_among_others: usize,
    /// How many may wait, of one client and in all.
    waiting: (usize, usize),
    pause: Duration,
    occupancy: Mutex<Occupancy>,
    left: Notify,
}

#[derive(Default)]
struct Occupancy {
    next_id: u64,
    taken: usize,
    /// The number of connections of each network.
    networks: HashMap<IpAddr, usize>,
    /// The connections, by their network and how many it has: the largest networks are at the end.
    by_size: BTreeMap<(usize, IpAddr), BTreeMap<u64, Arc<PhaseCell>>>,
    /// The connections of each network that wait for a place, the oldest first.
    waiting: HashMap<IpAddr, VecDeque<Arc<Notify>>>,
}

/// The place of a connection. Dropping it makes room.
pub(crate) struct Place {
    room: Arc<Room>,
    network: IpAddr,
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
    /// The room for so many connections.
    pub(crate) fn for_connections(size: usize) -> Arc<Self> {
        Arc::new(Self {
            size,
            reserve: RESERVE,
            of_one: usize::MAX,
            of_one_among_others: (size * 2 / 3).max(1),
            waiting: (WAITING_OF_ONE, waiting_connections(size) - RESERVE),
            pause: ROOM_PAUSE,
            occupancy: Mutex::default(),
            left: Notify::new(),
        })
    }

    /// The room for handshakes of connections that have their place.
    pub(crate) fn for_handshakes() -> Arc<Self> {
        Arc::new(Self {
            size: HANDSHAKES,
            reserve: 0,
            of_one: HANDSHAKES_OF_ONE,
            of_one_among_others: HANDSHAKES_OF_ONE,
            waiting: (WAITING_HANDSHAKES_OF_ONE, WAITING_HANDSHAKES),
            pause: 5 * ROOM_PAUSE,
            occupancy: Mutex::default(),
            left: Notify::new(),
        })
    }

    /// A place for a connection from an address. If there is none, connections that wait for their clients are asked to
    /// close, one after the other. `None` if too many have come to wait since.
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
                () = tokio::time::sleep(self.pause) => {}
            }
        }
    }

    /// A place, or the connection that should leave if there is none.
    fn try_enter(self: &Arc<Self>, network: IpAddr, phase: &Arc<PhaseCell>) -> Result<Place, Option<Arc<PhaseCell>>> {
        let mut occupancy = self.occupancy.lock();
        let others = occupancy.connections_of(network);
        if others >= self.of_one {
            return Err(occupancy.next_of_network_to_leave(network));
        }
        let has_share = others >= self.of_one_among_others;
        if has_share && occupancy.others_wait(network) {
            return Err(None);
        }
        let size = if others == 0 { self.size + self.reserve } else { self.size };
        if occupancy.taken >= size {
            return Err(occupancy.next_to_leave(network, has_share));
        }
        let id = occupancy.add(network, phase.clone());
        Ok(Place { room: self.clone(), network, id })
    }

    fn wait(&self, network: IpAddr) -> Waiting<'_> {
        let crowded_out = Arc::new(Notify::new());
        let waiting = &mut self.occupancy.lock().waiting;
        let of_network = waiting.entry(network).or_default();
        of_network.push_back(crowded_out.clone());
        let (of_one, in_all) = self.waiting;
        if of_network.len() > of_one {
            of_network.pop_front().inspect(|oldest| oldest.notify_one());
        }
        if waiting.values().map(VecDeque::len).sum::<usize>() > in_all
            && let Some(longest) = waiting.values_mut().max_by_key(|queue| queue.len())
        {
            longest.pop_front().inspect(|oldest| oldest.notify_one());
        }
        Waiting { room: self, network, crowded_out }
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let waiting = &mut self.room.occupancy.lock().waiting;
        if let Some(queue) = waiting.get_mut(&self.network) {
            queue.retain(|other| !Arc::ptr_eq(other, &self.crowded_out));
            if queue.is_empty() {
                waiting.remove(&self.network);
            }
        }
    }
}

impl Occupancy {
    fn connections_of(&self, network: IpAddr) -> usize {
        self.networks.get(&network).copied().unwrap_or(0)
    }

    fn add(&mut self, network: IpAddr, phase: Arc<PhaseCell>) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        self.taken += 1;
        let count = self.networks.entry(network).or_default();
        let mut places = self.by_size.remove(&(*count, network)).unwrap_or_default();
        places.insert(id, phase);
        *count += 1;
        self.by_size.insert((*count, network), places);
        id
    }

    fn remove(&mut self, network: IpAddr, id: u64) {
        let Some(count) = self.networks.get_mut(&network) else { return };
        let mut places = self.by_size.remove(&(*count, network)).unwrap_or_default();
        places.remove(&id);
        self.taken -= 1;
        *count -= 1;
        if *count == 0 {
            self.networks.remove(&network);
        } else {
            self.by_size.insert((*count, network), places);
        }
    }

    /// Whether connections of other networks wait for a place.
    fn others_wait(&self, network: IpAddr) -> bool {
        self.waiting.len() > usize::from(self.waiting.contains_key(&network))
    }

    /// Of the connections of a network that has its share, one that has waited for its client for long.
    fn next_of_network_to_leave(&self, network: IpAddr) -> Option<Arc<PhaseCell>> {
        let places = self.by_size.get(&(self.connections_of(network), network))?;
        let now = Instant::now();
        let oldest = places.values().max_by_key(|phase| phase.age_at(now))?;
        (oldest.age_at(now) >= STALE && oldest.get() < Phase::Handling).then(|| oldest.clone())
    }

    /// Connections in which a request is being handled stay, unless their client has read nothing of its responses for
    /// long. Of the others, those of the network with the most connections go first, if it has more than the newcomer
    /// would have; other connections must have been idle for a while, or have taken long to state their request. Those
    /// of other networks stay if that of the newcomer has its share.
    fn next_to_leave(&self, newcomer: IpAddr, has_share: bool) -> Option<Arc<PhaseCell>> {
        let fair = self.connections_of(newcomer) + 1;
        let now = Instant::now();
        let mut first: Option<(Rank, &Arc<PhaseCell>)> = None;
        let candidates = self.by_size.iter().rev().filter(|((_, network), _)| !has_share || *network == newcomer);
        for ((size, _), places) in candidates {
            // Smaller networks matter only if nobody of the larger ones may leave.
            if first.as_ref().is_some_and(|(rank, _)| rank.0 > *size) {
                break;
            }
            let ranked = places.values().filter_map(|phase| Some((rank(phase, *size, fair, now)?, phase)));
            first = ranked.chain(first).max_by_key(|(rank, _)| *rank);
        }
        first.map(|(_, phase)| phase.clone())
    }
}

/// The highest leaves first: the size of its network, its phase, and how long it has been in that.
type Rank = (usize, Reverse<Phase>, Duration);

/// The rank of a connection, if it may leave.
fn rank(cell: &PhaseCell, size: usize, fair: usize, now: Instant) -> Option<Rank> {
    let (phase, age) = (cell.get(), cell.age_at(now));
    let may_leave = match phase {
        Phase::Handling | Phase::Writing => size > fair && cell.is_stale(now),
        Phase::Idle if age >= MIN_IDLE => true,
        Phase::Handshake | Phase::ReadingHead if age >= STALE => true,
        Phase::Idle | Phase::Handshake | Phase::ReadingHead | Phase::ReadingBody => size > fair,
    };
    (may_leave && !cell.is_asked()).then_some((size, Reverse(phase), age))
}

impl Drop for Place {
    fn drop(&mut self) {
        self.room.occupancy.lock().remove(self.network, self.id);
        // One waiter is enough for one place; whoever cannot use it looks again soon.
        self.room.left.notify_one();
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

    /// Takes every place that a client can get.
    fn full(room: &Arc<Room>, of: &str, phase: Phase) -> Vec<(Place, Arc<PhaseCell>)> {
        let mut places = Vec::new();
        loop {
            let cell = Arc::new(PhaseCell::new());
            cell.set(phase);
            let Ok(place) = room.try_enter(address(of), &cell) else { return places };
            places.push((place, cell));
        }
    }

    /// Takes the reserve, with a client for each place.
    fn without_reserve(room: &Arc<Room>) -> Vec<Place> {
        (0..RESERVE)
            .map(|client| {
                let cell = Arc::new(PhaseCell::new());
                cell.set(Phase::Handling);
                room.try_enter(address(&format!("198.51.100.{client}")), &cell).ok().unwrap()
            })
            .collect()
    }

    fn to_leave(room: &Arc<Room>, newcomer: &str) -> Option<Arc<PhaseCell>> {
        room.try_enter(address(newcomer), &Arc::new(PhaseCell::new())).err().flatten()
    }

    #[test]
    fn a_client_with_many_connections_makes_room_at_once() {
        for phase in [Phase::Handshake, Phase::Idle, Phase::ReadingHead, Phase::ReadingBody] {
            let room = Room::for_connections(4);
            let places = full(&room, ATTACKER, phase);
            let _reserve = without_reserve(&room);
            let leaving = to_leave(&room, OTHER).unwrap();
            assert!(places.iter().any(|(_, cell)| Arc::ptr_eq(cell, &leaving)), "{phase:?}");
            assert!(to_leave(&room, ATTACKER).is_none(), "{phase:?}: it has its share");
        }
    }

    #[test]
    fn a_request_that_is_handled_is_never_interrupted() {
        for phase in [Phase::Handling, Phase::Writing] {
            let room = Room::for_connections(4);
            let _places = full(&room, ATTACKER, phase);
            let _reserve = without_reserve(&room);
            assert!(to_leave(&room, OTHER).is_none(), "{phase:?}");
        }
    }

    #[test]
    fn whoever_reads_no_response_makes_room_for_clients_with_fewer_connections() {
        for phase in [Phase::Handling, Phase::Writing] {
            let room = Room::for_connections(4);
            let places = full(&room, ATTACKER, phase);
            let _reserve = without_reserve(&room);
            places[2].1.mark_stalled();
            assert!(to_leave(&room, OTHER).is_none(), "{phase:?}");
            std::thread::sleep(STALE);
            assert!(Arc::ptr_eq(&to_leave(&room, OTHER).unwrap(), &places[2].1), "{phase:?}");
            assert!(to_leave(&room, ATTACKER).is_none(), "{phase:?}: it has its share");
            places[2].1.add_sent(1);
            assert!(to_leave(&room, OTHER).is_none(), "{phase:?}");
        }
    }

    #[test]
    fn one_client_has_two_thirds_of_the_places_while_others_wait() {
        let room = Room::for_connections(9);
        let mut places = full(&room, ATTACKER, Phase::Handling);
        assert_eq!(places.len(), 9);
        let waiting = room.wait(address(OTHER));
        let enter = |from: &str| room.try_enter(address(from), &Arc::new(PhaseCell::new())).ok();
        while places.len() > 6 {
            places.pop();
            assert!(enter(ATTACKER).is_none(), "{} places", places.len());
        }
        places.pop();
        places.push((enter(ATTACKER).unwrap(), Arc::new(PhaseCell::new())));
        assert!(enter(ATTACKER).is_none());
        assert!(enter(OTHER).is_some());
        drop(waiting);
        // Others do not have to leave for more than its share.
        let others = full(&room, OTHER, Phase::Idle);
        std::thread::sleep(MIN_IDLE);
        assert!(to_leave(&room, ATTACKER).is_none());
        drop(others);
        // A crowd of its own does not count.
        let _waiting = room.wait(address(ATTACKER));
        assert!(enter(ATTACKER).is_some());
    }

    #[test]
    fn every_newcomer_asks_another_connection_to_leave() {
        let room = Room::for_connections(4);
        let places = full(&room, ATTACKER, Phase::Idle);
        let _reserve = without_reserve(&room);
        for _ in &places {
            to_leave(&room, OTHER).unwrap().evict();
        }
        assert!(to_leave(&room, OTHER).is_none());
        // It has had a request since.
        std::thread::sleep(Duration::from_millis(2));
        places[1].1.set(Phase::Idle);
        assert!(Arc::ptr_eq(&to_leave(&room, OTHER).unwrap(), &places[1].1));
    }

    #[test]
    fn of_a_client_the_connection_that_waits_longest_leaves_idle_ones_first() {
        let room = Room::for_connections(4);
        let places = full(&room, ATTACKER, Phase::ReadingHead);
        let _reserve = without_reserve(&room);
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
        let room = Room::for_connections(2);
        let _places = full(&room, ATTACKER, Phase::Idle);
        assert!(to_leave(&room, ATTACKER).is_none());
        std::thread::sleep(MIN_IDLE);
        assert!(to_leave(&room, ATTACKER).is_some());
    }

    #[test]
    fn a_client_without_a_connection_enters_the_reserve_while_all_are_busy() {
        let room = Room::for_connections(4);
        let places = full(&room, ATTACKER, Phase::Handling);
        // The first connection of the attacker was not in the reserve.
        assert_eq!(places.len(), 4);
        let probe = room.try_enter(address(OTHER), &Arc::new(PhaseCell::new()));
        assert!(probe.is_ok());
        assert!(room.try_enter(address(OTHER), &Arc::new(PhaseCell::new())).is_err(), "one place for each");
    }

    #[test]
    fn whoever_takes_long_to_state_a_request_makes_room_for_anyone() {
        for phase in [Phase::Handshake, Phase::ReadingHead] {
            let room = Room::for_connections(2);
            let _places = full(&room, ATTACKER, phase);
            assert!(to_leave(&room, ATTACKER).is_none(), "{phase:?}");
            std::thread::sleep(STALE);
            assert!(to_leave(&room, ATTACKER).is_some(), "{phase:?}");
        }
    }

    #[test]
    fn handshakes_of_one_client_leave_room_for_others_and_for_its_own() {
        let room = Room::for_handshakes();
        let places = full(&room, ATTACKER, Phase::Handshake);
        assert_eq!(places.len(), HANDSHAKES_OF_ONE);
        assert!(to_leave(&room, ATTACKER).is_none());
        assert!(room.try_enter(address(OTHER), &Arc::new(PhaseCell::new())).is_ok());
        std::thread::sleep(STALE);
        places[0].1.set(Phase::Handshake);
        assert!(!Arc::ptr_eq(&to_leave(&room, ATTACKER).unwrap(), &places[0].1), "a new one stays");
        let others: Vec<_> =
            (2..5).map(|client| full(&room, &format!("192.0.2.1{client}"), Phase::Handshake)).collect();
        assert_eq!(others.iter().map(Vec::len).sum::<usize>() + places.len(), HANDSHAKES);
        // Full by four clients: the one with the most makes room.
        assert!(to_leave(&room, OTHER).is_some());
    }

    #[tokio::test]
    async fn a_place_is_free_when_its_connection_ends() {
        let room = Room::for_connections(2);
        let mut places = full(&room, ATTACKER, Phase::Handling);
        let reserve = without_reserve(&room);
        let entering = tokio::spawn({
            let room = room.clone();
            async move { room.enter(address(OTHER), &Arc::new(PhaseCell::new())).await }
        });
        tokio::time::sleep(10 * ROOM_PAUSE).await;
        assert!(!entering.is_finished());
        places.pop();
        // There is room again, and one more in the reserve.
        drop(reserve);
        let _place = entering.await.unwrap().unwrap();
        drop(places);
        let occupancy = room.occupancy.lock();
        assert_eq!(occupancy.networks, HashMap::from([(address(OTHER), 1)]));
        assert_eq!((occupancy.taken, occupancy.by_size.len()), (1, 1));
        assert!(occupancy.waiting.is_empty());
    }

    #[test]
    fn of_a_crowd_that_waits_the_oldest_gives_up() {
        let room = Room::for_connections(0);
        let has_given_up = |waiting: &Waiting<'_>| waiting.crowded_out.notified().now_or_never().is_some();
        let crowd: Vec<_> = (0..WAITING_OF_ONE + 2).map(|_| room.wait(address(ATTACKER))).collect();
        let gave_up: Vec<bool> = crowd.iter().map(has_given_up).collect();
        assert_eq!(gave_up.iter().filter(|gave_up| **gave_up).count(), 2);
        assert!(gave_up[0] && gave_up[1]);
        // The room has no place for more, so the largest crowd gets smaller.
        let other = room.wait(address(OTHER));
        assert!(has_given_up(&crowd[2]) && !has_given_up(&crowd[3]) && !has_given_up(&other));
        drop((crowd, other));
        assert!(room.occupancy.lock().waiting.is_empty());
    }
}
