package io.quorate.core.election;

import io.quorate.core.directory.RankedContenders;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.settings.Fnv64;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.NodeLiveness;
import io.quorate.spi.NodeId;
import io.quorate.spi.Timing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The elections that are under way at this node. Paths with the same contenders in the same order of rank share one, so
 * that one election, and not ten thousand, follows the crash of a node which led ten thousand paths.
 */
public final class Elections {

    /** Messages of elections that this node does not know yet wait for them; older ones make room. */
    private static final int EARLY_MAX = 64;

    /** At most so many nodes, by rank, elect: in an election each may talk to each. */
    static final int ELECTORS_MAX = 7;

    private record Early(NodeId from, Elect message) {}

    private final StepContext context;
    private final NodeLiveness liveness;
    private final Supplier<Timing> timing;
    private final Map<Long, ElectionAttempt> attempts = new TreeMap<>();
    private final Deque<Early> early = new ArrayDeque<>();
    private long births;

    /** @param timing the bound on a delay that an election uses which begins now */
    public Elections(StepContext context, NodeLiveness liveness, Supplier<Timing> timing) {
        this.context = context;
        this.liveness = liveness;
        this.timing = timing;
    }

    /**
     * Names an election.
     *
     * @param ranked the best contender of each node, best rank first
     * @param voters the number of the configuration
     */
    static long id(List<ContenderRecord> ranked, long voters) {
        Fnv64 digest = new Fnv64();
        if (voters > 1) {
            // Some algorithms count voters, so nodes with different voter lists do not share an election.
            digest.add(voters);
        }
        for (ContenderRecord registration : ranked) {
            digest.add(registration.id().node().value()).add(registration.id().incarnation());
        }
        return digest.value();
    }

    /** The electors of these contenders. Dead ones are no longer listed when the votes are free. */
    public static List<ContenderRecord> electors(RankedContenders ranked) {
        List<ContenderRecord> best = ranked.bestOfEachNode();
        return best.subList(0, Math.min(ELECTORS_MAX, best.size()));
    }

    /** Takes part in the election of this name, which begins if it is not under way, in the name of one path. */
    void join(long id, List<NodeId> ranked, ElectionAttempt.Listener listener) {
        ElectionAttempt attempt = attempts.get(id);
        if (attempt == null) {
            begin(id, ranked, Set.of(listener));
        } else {
            attempt.join(listener);
        }
    }

    /** The path needs no nominee now; the election ends with the last one that does. */
    void leave(long id, ElectionAttempt.Listener listener) {
        ElectionAttempt attempt = attempts.get(id);
        if (attempt != null
                && attempt.listeners().remove(listener)
                && attempt.listeners().isEmpty()) {
            attempts.remove(id);
            attempt.stop();
        }
    }

    Optional<NodeId> nominee(long id) {
        return Optional.ofNullable(attempts.get(id)).flatMap(ElectionAttempt::nominee);
    }

    /** The members; empty if the election is not under way. */
    List<NodeId> members(long id) {
        return Optional.ofNullable(attempts.get(id))
                .map(ElectionAttempt::ranked)
                .orElse(List.of());
    }

    /** A message of an election, which may not be under way here yet: then it waits, if there is room. */
    public void onMessage(NodeId from, Elect message) {
        ElectionAttempt attempt = attempts.get(message.election());
        if (attempt != null) {
            attempt.onMessage(from, message);
            return;
        }
        if (early.size() == EARLY_MAX) {
            // Dropped messages are not logged, because nobody can mend that: most are of elections that are over, or
            // that never begin here. If their election does begin, a lost message costs time, as on the network.
            early.remove();
        }
        early.add(new Early(from, message));
    }

    /** A node has come up or gone down. An election whose nominee is suspected begins anew. */
    public void onUpChanged(NodeId changed) {
        boolean isUp = liveness.isUp(changed);
        for (ElectionAttempt attempt : List.copyOf(attempts.values())) {
            if (!isUp && attempt.nominee().equals(Optional.of(changed))) {
                attempt.stop();
                begin(attempt.id(), attempt.ranked(), attempt.listeners());
            } else if (isUp) {
                attempt.trusted(changed);
            } else {
                attempt.suspected(changed);
            }
        }
    }

    private void begin(long id, List<NodeId> ranked, Set<ElectionAttempt.Listener> listeners) {
        Set<NodeId> suspects = new TreeSet<>(ranked);
        suspects.removeIf(liveness::isUp);
        suspects.remove(context.self());
        ElectionAttempt attempt = new ElectionAttempt(context, id, ++births, ranked, timing.get());
        attempt.listeners().addAll(listeners);
        attempts.put(id, attempt);
        attempt.start(suspects);
        List<Early> waiting =
                early.stream().filter(e -> e.message.election() == id).toList();
        early.removeAll(waiting);
        waiting.forEach(e -> attempt.onMessage(e.from, e.message));
    }
}
