package io.quorate.testkit.simulation;

import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.BrokenRule.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Looks on, as nobody in the cluster can: with all processes and their clocks in view at one instant of real time.
 *
 * <p>Two valid tenures of one path can only begin to overlap when one of them begins or is extended, and that is done
 * in a step of its holder; so the holder's tenures are compared with the others' after each of its steps.
 */
final class Watchdog {

    /** A tenure that has begun, and of whose end its holder has not been told. */
    private record Held(VirtualProcess process, int number, Tenure tenure) {

        boolean isValid() {
            // Asked in a way that leaves no trace: Tenure.isValid would end a lease that is over.
            return tenure.remainingNanos(process.clock) > 0;
        }
    }

    private static final class Path {
        private final List<Held> held = new ArrayList<>();
        private long highestToken;
        /** Which tenure each token belongs to, counted from 1; and the one whose write the resource took last. */
        private final Map<Long, Integer> orderOfToken = new HashMap<>();

        private long highestWritten;
        private int orderOfLastWrite;
    }

    private final Map<String, Path> paths = new HashMap<>();
    private boolean mayTokensFall;

    /** Those that more than one contender was told to lead: after most steps, there is nothing else to look at. */
    private final Map<String, Path> contested = new TreeMap<>();

    /** Who votes, by number, as the first node said that knew. */
    private final NavigableMap<Long, VoterList> decided = new TreeMap<>();

    private final Map<NodeId, PaxosState> states = new TreeMap<>();

    private final Map<Round, Set<NodeId>> accepted = new HashMap<>();
    /** The last state with what a majority has accepted in one round, and so decided, whether anybody knows or not. */
    private Optional<PaxosState> chosen = Optional.empty();

    /** The first rule that was broken: a caller of the application's listeners may have caught its exception. */
    private BrokenRule broken;

    private BrokenRule broken(Rule rule, String details) {
        if (broken == null) {
            broken = new BrokenRule(rule, details);
        }
        return broken;
    }

    void votersAre(VirtualProcess process, VoterList config) {
        VoterList known = decided.putIfAbsent(config.number(), config);
        if (known != null && known.hash() != config.hash()) {
            throw broken(
                    Rule.ONE_DECISION,
                    process.id + " takes " + config.members() + " for the voters of number " + config.number()
                            + ", and others " + known.members());
        }
        if (known == null) {
            paths.values()
                    .forEach(path -> path.held.stream().filter(Held::isValid).forEach(this::checkLists));
        }
    }

    /**
     * A lease counts under the list that its holder knows, or under the one before. The newest list here is one that
     * some node knows, which may be later than its decision; so this finds less than there is, and nothing that is not.
     */
    private void checkLists(Held held) {
        long newest = newestVoters().map(VoterList::number).orElse(1L);
        if (newest <= 2) {
            return;
        }
        VoterList own = held.process.host().voters();
        if (newest > own.number() + 1) {
            throw broken(
                    Rule.LAST_TWO_LISTS,
                    held.process.id + " holds " + held.tenure + " under " + own + ", and number " + newest
                            + " is decided");
        }
    }

    /** A voter has written what it promises and accepts. */
    void stored(NodeId voter, PaxosState paxos) {
        states.put(voter, paxos);
        paxos.accepted().ifPresent(last -> {
            Set<NodeId> all = accepted.computeIfAbsent(last.round(), round -> new HashSet<>());
            all.add(voter);
            if (paxos.config().isMajority(all.size())
                    && chosen.filter(known -> known.slot() >= paxos.slot()).isEmpty()) {
                chosen = Optional.of(paxos);
            }
        });
    }

    void wiped(NodeId voter) {
        states.remove(voter);
    }

    /** The list that a majority has accepted while no node knows it or a later one. */
    Optional<PaxosState> leftOpen() {
        return chosen.filter(this::isOpen);
    }

    /** Whether some voter has accepted a list of which nobody knows that it is decided. */
    boolean isAnyListOpen() {
        return states.values().stream().anyMatch(paxos -> paxos.accepted().isPresent() && isOpen(paxos));
    }

    private boolean isOpen(PaxosState paxos) {
        return paxos.slot() > newestVoters().map(VoterList::number).orElse(1L);
    }

    Optional<VoterList> newestVoters() {
        return Optional.ofNullable(decided.lastEntry()).map(Map.Entry::getValue);
    }

    private Path path(String name) {
        return paths.computeIfAbsent(name, n -> new Path());
    }

    void granted(VirtualProcess process, int number, Tenure tenure) {
        Path path = path(tenure.path());
        for (Held other : path.held) {
            if (other.process == process && other.number == number) {
                throw broken(
                        Rule.CALLS_ALTERNATE,
                        process.id + " contender " + number + ": granted " + tenure + " before the end of "
                                + other.tenure);
            }
        }
        Held held = new Held(process, number, tenure);
        // If it is over, the process was stopped between its beginning and this call: another may have led since.
        if (held.isValid()) {
            begins(path, held);
            checkLists(held);
        }
        path.held.add(held);
        recount(tenure.path(), path);
    }

    private void recount(String name, Path path) {
        if (path.held.size() > 1) {
            contested.put(name, path);
        } else {
            contested.remove(name);
        }
    }

    private void begins(Path path, Held held) {
        long token = held.tenure.token();
        if (token <= path.highestToken && !mayTokensFall) {
            throw broken(
                    Rule.TOKENS_RISE,
                    held.tenure + " of " + held.process.id + " begins after token " + path.highestToken);
        }
        path.highestToken = token;
        path.orderOfToken.put(token, path.orderOfToken.size() + 1);
    }

    /** Voters forget their terms, and have clocks that are set back: then no token need be above those before. */
    void letTokensFall() {
        mayTokensFall = true;
    }

    void revoked(VirtualProcess process, int number, Tenure tenure) {
        Path path = path(tenure.path());
        boolean wasHeld = path.held.remove(new Held(process, number, tenure));
        recount(tenure.path(), path);
        if (!wasHeld) {
            throw broken(
                    Rule.CALLS_ALTERNATE,
                    process.id + " contender " + number + ": told of the end of " + tenure + ", which it did not hold");
        }
    }

    /** The process is gone, and with it all its beliefs. */
    void gone(VirtualProcess process) {
        paths.forEach((name, path) -> {
            path.held.removeIf(held -> held.process == process);
            recount(name, path);
        });
    }

    /** To be called after each step of a process. Throws what was broken before, too. */
    void stepped() {
        if (broken != null) {
            throw broken;
        }
        contested.forEach(this::atMostOneLeads);
    }

    private void atMostOneLeads(String name, Path path) {
        Held leader = null;
        for (Held held : path.held) {
            if (held.isValid()) {
                if (leader != null) {
                    throw broken(
                            Rule.ONE_LEADER,
                            name + " is led by " + leader.process.id + " with token "
                                    + leader.tenure.token() + " and by " + held.process.id + " with token "
                                    + held.tenure.token());
                }
                leader = held;
            }
        }
    }

    /** The application was told that it leads: nobody else may be in a position to be told so at this instant. */
    void believed(VirtualProcess process, Tenure tenure) {
        for (Held held : path(tenure.path()).held) {
            if (held.tenure == tenure) {
                checkLists(held);
            } else if (held.isValid()) {
                throw broken(
                        Rule.ONE_LEADER,
                        tenure.path() + " is led by " + held.process.id + " with token "
                                + held.tenure.token() + ", and " + process.id + " was told that it leads with token "
                                + tenure.token());
            }
        }
    }

    /** A write reaches the resource of a path, which takes it if it has seen no higher token before. */
    void write(String name, long token) {
        Path path = path(name);
        if (token < path.highestWritten) {
            return;
        }
        Integer order = path.orderOfToken.get(token);
        if (order == null) {
            throw broken(
                    Rule.NO_STALE_WRITE, name + ": a write with token " + token + " was taken, which no tenure has");
        }
        if (order < path.orderOfLastWrite && !mayTokensFall) {
            throw broken(
                    Rule.NO_STALE_WRITE,
                    name + ": a write of tenure " + order + " with token " + token + " was taken after one of tenure "
                            + path.orderOfLastWrite);
        }
        path.highestWritten = token;
        path.orderOfLastWrite = order;
    }

    /** The processes that hold a valid tenure of the path now. */
    List<VirtualProcess> leaders(String name) {
        List<VirtualProcess> leaders = new ArrayList<>();
        for (Held held : path(name).held) {
            if (held.isValid()) {
                leaders.add(held.process);
            }
        }
        return leaders;
    }
}
