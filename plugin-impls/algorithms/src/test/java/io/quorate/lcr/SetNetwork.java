package io.quorate.lcr;

import io.quorate.lcr.LcrMessage.Selected;
import io.quorate.lcr.LcrRules.Join;
import io.quorate.ring.RingState;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The model of source 003, searched exhaustively with the shipped machine: a ring of given identifiers and a network
 * that is a set, from which nothing is ever removed. So every message may be delivered in any order and any number of
 * times. A process sends its identifier, then reads until it has read found = True.
 */
final class SetNetwork {

    private enum Phase {
        TO_SEND,
        SENDING,
        READING,
        DONE
    }

    private record Mail(int to, LcrMessage message) {}

    /** {@code loaded} is what a process that is SENDING has read of the network and will write back. */
    private record Local(Phase phase, RingState state, Set<Mail> loaded) {}

    /** With its hash, because it is looked up again and again, and all that it consists of is in the hash. */
    private record World(List<Local> locals, Set<Mail> network, int hash) {

        private World(List<Local> locals, Set<Mail> network) {
            this(locals, network, 31 * locals.hashCode() + network.hashCode());
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    /** What the search found. */
    record Result(int states, boolean assertionFails, boolean canGetStuck, Set<Integer> leadersAtTheEnd) {}

    private final List<Integer> ids;
    private final boolean sendsAtomically;
    private final boolean addressesById;
    private final List<FaithfulLcrElection> machines = new ArrayList<>();
    private boolean assertionFails;

    private SetNetwork(List<Integer> ids, boolean sendsAtomically, boolean addressesById) {
        this.ids = ids;
        this.sendsAtomically = sendsAtomically;
        this.addressesById = addressesById;
    }

    /** @param ids in the order of the ring, from 1 up; with the same one twice, the ring is not legal */
    static Result search(List<Integer> ids, boolean sendsAtomically, boolean addressesById) {
        return new SetNetwork(ids, sendsAtomically, addressesById).search();
    }

    private int successor(int place) {
        return (place + 1) % ids.size();
    }

    /** A machine whose successor is the next identifier; all others are suspected where that is its own. */
    private FaithfulLcrElection machine(int place, int idMax) {
        int self = ids.get(place) - 1;
        int next = ids.get(successor(place)) - 1;
        List<Integer> ring = new ArrayList<>(List.of(self));
        TreeSet<Integer> others = new TreeSet<>();
        for (int id = 0; id < idMax; id++) {
            if (id != self) {
                others.add(id);
            }
        }
        if (others.remove(next)) {
            ring.add(next);
        }
        ring.addAll(others);
        FaithfulLcrElection machine = new FaithfulLcrElection(
                new Membership(self, idMax, 0, ring, Set.of()), Options.FAITHFUL, new LcrRules(Join.START, true));
        RingState fresh = machine.snapshot();
        machine.restore(new RingState(fresh.leader(), false, next == self ? others : fresh.suspects()));
        return machine;
    }

    private World initial() {
        int idMax = ids.stream().max(Integer::compare).orElseThrow();
        List<Local> locals = new ArrayList<>();
        for (int place = 0; place < ids.size(); place++) {
            machines.add(machine(place, idMax));
            locals.add(new Local(Phase.TO_SEND, machines.get(place).snapshot(), Set.of()));
        }
        return new World(locals, Set.of());
    }

    private Result search() {
        Map<World, List<World>> predecessors = new HashMap<>();
        Deque<World> open = new ArrayDeque<>();
        World first = initial();
        predecessors.put(first, new ArrayList<>());
        open.add(first);
        while (!open.isEmpty()) {
            World world = open.remove();
            for (World next : successors(world)) {
                List<World> before = predecessors.get(next);
                if (before == null) {
                    before = new ArrayList<>();
                    predecessors.put(next, before);
                    open.add(next);
                }
                before.add(world);
            }
        }
        List<World> ends = predecessors.keySet().stream().filter(this::isEnd).toList();
        Set<Integer> leaders = new TreeSet<>();
        ends.forEach(end -> leaders.add(leaders(end)));
        boolean canGetStuck = backwards(ends, predecessors).size() < predecessors.size();
        return new Result(predecessors.size(), assertionFails, canGetStuck, leaders);
    }

    private static Set<World> backwards(List<World> ends, Map<World, List<World>> predecessors) {
        Set<World> found = new HashSet<>(ends);
        Deque<World> open = new ArrayDeque<>(ends);
        while (!open.isEmpty()) {
            for (World before : predecessors.get(open.remove())) {
                if (found.add(before)) {
                    open.add(before);
                }
            }
        }
        return found;
    }

    private boolean isEnd(World world) {
        return world.locals.stream().allMatch(local -> local.phase == Phase.DONE);
    }

    private int leaders(World world) {
        int leaders = 0;
        for (int place = 0; place < ids.size(); place++) {
            leaders += world.locals.get(place).state.leader() == ids.get(place) - 1 ? 1 : 0;
        }
        return leaders;
    }

    // ---------------------------------------------------------------- steps

    private List<World> successors(World world) {
        List<World> next = new ArrayList<>();
        for (int place = 0; place < ids.size(); place++) {
            Local local = world.locals.get(place);
            if (local.phase == Phase.TO_SEND && !sendsAtomically) {
                next.add(with(world, place, new Local(Phase.SENDING, local.state, world.network), world.network));
            } else if (local.phase == Phase.TO_SEND) {
                next.add(step(world, place, Event.Start.FRESH, world.network));
            } else if (local.phase == Phase.SENDING) {
                // What others have written since is lost.
                next.add(step(world, place, Event.Start.FRESH, local.loaded));
            } else if (local.phase == Phase.READING) {
                for (Mail mail : world.network) {
                    if (mail.to == address(place)) {
                        check(place, mail.message.id() + 1);
                        next.add(step(world, place, new Event.Received(0, mail.message), world.network));
                    }
                }
            }
        }
        return next;
    }

    private int address(int place) {
        return addressesById ? ids.get(place) : place;
    }

    /** The assertions of source 003. */
    private void check(int place, int id) {
        boolean isLeader = ids.stream().allMatch(other -> other <= ids.get(place));
        assertionFails |= id == ids.get(place) && !isLeader || id > ids.get(place) && isLeader;
    }

    private World step(World world, int place, Event event, Set<Mail> network) {
        FaithfulLcrElection machine = machines.get(place);
        machine.restore(world.locals.get(place).state);
        Set<Mail> after = new HashSet<>(network);
        for (Effect effect : machine.on(0, event)) {
            if (effect instanceof Effect.Send send) {
                if (send.to() != ids.get(successor(place)) - 1) {
                    throw new AssertionError(send + " does not go to the successor");
                }
                LcrMessage message = (LcrMessage) send.message();
                after.add(new Mail(address(successor(place)), message));
            }
        }
        boolean isFound = event instanceof Event.Received received && received.message() instanceof Selected;
        Phase phase = isFound ? Phase.DONE : Phase.READING;
        return with(world, place, new Local(phase, machine.snapshot(), Set.of()), after);
    }

    private static World with(World world, int place, Local local, Set<Mail> network) {
        List<Local> locals = new ArrayList<>(world.locals);
        locals.set(place, local);
        return new World(locals, network);
    }
}
