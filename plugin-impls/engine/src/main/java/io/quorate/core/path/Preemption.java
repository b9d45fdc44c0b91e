package io.quorate.core.path;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.path.ContenderState.Aside;
import io.quorate.core.path.ContenderState.Leaving;
import io.quorate.core.path.ContenderState.Registered;
import io.quorate.core.settings.Fnv64;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.NodeLiveness;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which leaders make way for others while they lead: those that rank last (ADR-0084), and with preemption those that a
 * contender of a better rank follows (ADR-0024). A node may lead a hundred thousand paths, so each step looks at a
 * bounded number of them.
 */
public final class Preemption {

    /**
     * A part of the paths that this node leads, and how many of them another contender should lead by rank.
     *
     * @param count how many of them
     * @param rest  after which contender the rest begins; empty if this was all
     */
    public record Misplaced(int count, OptionalLong rest) {}

    /** Why one contender ranks last, because its application fails as leader, until its timer is due. */
    private record Spell(String reason, Timers.Handle end) {}

    /** Tenures that make way in one heartbeat period; the others follow in the next (ADR-0081). */
    private static final int HAND_OVERS_MAX = 16;

    /** Contenders that are looked at in one heartbeat period: that takes about a millisecond. */
    private static final int LOOKS_MAX = 4096;

    /** Why a leader that was to make way stays. */
    private static final String UNASKED = "it need not make way any more";

    private final StepContext context;
    private final NodeLiveness liveness;
    private final PathTable paths;
    private final Tenures tenures;
    /** Why all contenders of this node rank last; empty if only those do that have a spell. */
    private Optional<String> standBy = Optional.empty();

    private final Map<LocalContender, Spell> spells = new LinkedHashMap<>();
    /** The number of the contender that was looked at last. */
    private long lookedAt;
    /** The priority of this node, under the rank order that asks for it. */
    private int priority;
    /** Leaders that have made way but for the hand-over: their application has finished its work. */
    private final Deque<LocalContender> drained = new ArrayDeque<>();

    Preemption(StepContext context, NodeLiveness liveness, PathTable paths, Tenures tenures) {
        this.context = context;
        this.liveness = liveness;
        this.paths = paths;
        this.tenures = tenures;
        this.priority = context.settings().priority();
    }

    /** The weight of this node's contender, for the rank orders that use it. */
    long weight(String path) {
        return switch (context.settings().rankOrder()) {
            case PRIORITY -> priority;
            case SPREAD ->
                Math.max(new Fnv64().add(path).add(context.self().value()).value(), ContenderRecord.LAST + 1);
            default -> 0;
        };
    }

    /** The contenders of this node rank by another priority from now on; the agenda evaluates their paths in turn. */
    void priority(NodeEvent.Priority event) {
        if (priority != event.value()) {
            boolean counts = context.settings().rankOrder() == RankOrder.PRIORITY;
            context.note(
                    !counts,
                    "has priority %d in place of %d%s",
                    event.value(),
                    priority,
                    counts
                            ? ""
                            : ", which has no effect under the rank order "
                                    + context.settings().rankOrder());
            priority = event.value();
            paths.evaluateAll();
        }
    }

    /**
     * The application wants all contenders of this node to rank last, or as usual. Leaders hand over if an eligible
     * contender is up, on as many paths at once as {@link #makeWay} allows; that handles the others.
     */
    void standBy(NodeEvent.StandBy event) {
        boolean isChange = event.reason().isPresent() != standBy.isPresent();
        standBy = event.reason();
        if (!isChange) {
            // Another reason alone does not change a rank.
            return;
        }
        context.note(
                false,
                "%s",
                event.reason().map(reason -> "ranks last: " + reason).orElse("ranks as usual again"));
        paths.evaluateAll();
        if (event.reason().isPresent()) {
            lookedAt = 0;
            makeWay(0);
        }
    }

    /**
     * One contender ranks last for a while, because its application fails as leader. A leader makes way at a heartbeat.
     */
    void rankLast(NodeEvent.RankLast event) {
        paths.contender(event.number()).ifPresent(contender -> {
            Timers.Handle end = context.timers().set(context.now() + event.nanos(), () -> {
                endSpell(contender);
                updateRank(contender);
            });
            // Until this timer is due, and until no other that was set before.
            endSpell(contender);
            spells.put(contender, new Spell(event.reason(), end));
            context.note(
                    true, "%s: ranks last for %d ms: %s", contender.path, event.nanos() / 1_000_000, event.reason());
            updateRank(contender);
        });
    }

    /** The contender ranks last no longer for itself, or has left. */
    void endSpell(LocalContender contender) {
        Spell spell = spells.remove(contender);
        if (spell != null) {
            spell.end.cancel();
        }
    }

    /** Whether the contender ranks last. */
    boolean ranksLast(LocalContender contender) {
        return standBy.isPresent() || spells.containsKey(contender);
    }

    /** Why the contender ranks last; empty if it ranks as usual. */
    Optional<String> whyLast(LocalContender contender) {
        return standBy.or(() -> Optional.ofNullable(spells.get(contender))
                .map(spell ->
                        spell.reason + ", for " + (spell.end.deadline() - context.now()) / 1_000_000 + " ms more"));
    }

    /** The path is evaluated: the ranks of this node's contenders are what they are to be. */
    void updateRanks(ContendedPath contended) {
        for (LocalContender contender : contended.own()) {
            updateRank(contender);
        }
    }

    private void updateRank(LocalContender contender) {
        boolean isLast = ranksLast(contender);
        long weight = weight(contender.path);
        if (contender.ranksLast == isLast && contender.weight == weight) {
            return;
        }
        contender.ranksLast = isLast;
        contender.weight = weight;
        paths.of(contender).ownChanged();
        if (contender.state() instanceof Registered) {
            paths.changed(contender);
            context.agenda().add(contender.path);
        }
    }

    /**
     * ADR-0024: a leader makes way for a better ranked contender that has been up for two support times. Without
     * preemption, only a leader that ranks last does, and only for a contender that does not. The number of paths per
     * heartbeat is bounded, so that heartbeats to the successors and voters are not delayed (ADR-0081).
     */
    void makeWay() {
        makeWay(2 * context.lease().support());
    }

    private void makeWay(long upForMin) {
        if (!context.settings().preempt() && standBy.isEmpty() && spells.isEmpty() && tenures.leaving() == 0) {
            drained.clear();
            return;
        }
        List<LocalContender> next = paths.contenders().after(lookedAt, LOOKS_MAX);
        if (next.isEmpty()) {
            next = paths.contenders().after(0, LOOKS_MAX);
        }
        int handedOver = 0;
        for (int i = 0; i < LOOKS_MAX && handedOver < HAND_OVERS_MAX && !drained.isEmpty(); i++) {
            handedOver += finish(drained.poll()) ? 1 : 0;
        }
        for (LocalContender contender : next) {
            if (handedOver == HAND_OVERS_MAX) {
                return;
            }
            handedOver += tryMakeWay(contender, upForMin) ? 1 : 0;
            lookedAt = contender.number;
        }
    }

    /** Answers whether a tenure has ended. */
    private boolean tryMakeWay(LocalContender contender, long upForMin) {
        if (!contender.isLeading() || tenures.isOverdue(contender)) {
            return false;
        }
        if (contender.state() instanceof Leaving leaving) {
            stayIfUnasked(contender, leaving);
            return false;
        }
        Optional<ContenderRecord> better = better(contender, upForMin);
        if (better.isEmpty()) {
            return false;
        }
        if (contender.drains) {
            tenures.leave(contender, Leaving.Cause.RANK, isBetter(better.get()), Optional.empty());
            return false;
        }
        handOver(contender, better.get());
        return true;
    }

    private static String isBetter(ContenderRecord successor) {
        return successor.id() + " is ranked better";
    }

    private void handOver(LocalContender contender, ContenderRecord successor) {
        tenures.takeOut(contender, new Aside(isBetter(successor)), Optional.of(successor));
    }

    /** The contender that is to lead in place of this leader, if its node has been up for so long. */
    private Optional<ContenderRecord> better(LocalContender leader, long upForMin) {
        boolean isLast = ranksLast(leader);
        if (!isLast && !context.settings().preempt()) {
            return Optional.empty();
        }
        // The path waits for its evaluation, so its ranks are still the former ones.
        updateRanks(paths.of(leader));
        return isLast ? eligible(leader, upForMin) : best(leader, upForMin);
    }

    /** It leaves for its rank alone, its work is not done yet, and it ranks as usual again. */
    private void stayIfUnasked(LocalContender contender, Leaving leaving) {
        boolean isForRank = leaving.cause() == Leaving.Cause.RANK && !leaving.isDrained();
        if (isForRank && !ranksLast(contender) && better(contender, 0).isEmpty()) {
            tenures.stay(contender, leaving, UNASKED);
        }
    }

    /** The application has finished its work: the leader makes way at a heartbeat, as those without work do. */
    void onDrained(LocalContender contender) {
        drained.add(contender);
    }

    /** Answers whether a tenure has ended. It may have ended otherwise meanwhile. */
    private boolean finish(LocalContender contender) {
        Leaving leaving = contender.leaving();
        if (leaving == null
                || tenures.isOverdue(contender)
                || leaving.cause() != Leaving.Cause.RANK
                || !leaving.isDrained()) {
            return false;
        }
        Optional<ContenderRecord> better = better(contender, 0);
        if (better.isEmpty()) {
            tenures.stay(
                    contender, leaving, ranksLast(contender) ? "no better ranked contender is up any more" : UNASKED);
            return false;
        }
        handOver(contender, better.get());
        return true;
    }

    /** Counts the leaders that a contender of a better rank could follow, among the contenders after this one. */
    Misplaced misplaced(long after) {
        List<LocalContender> next = paths.contenders().after(after, LOOKS_MAX);
        int count = 0;
        for (LocalContender contender : next) {
            // A node may contend for far more paths than it leads.
            if (contender.isLeading() && isOutranked(contender)) {
                count++;
            }
        }
        return new Misplaced(
                count,
                next.size() < LOOKS_MAX ? OptionalLong.empty() : OptionalLong.of(next.get(next.size() - 1).number));
    }

    /** Whether another one is the first by rank that could lead. */
    private boolean isOutranked(LocalContender leader) {
        return eligible(leader, 0)
                .filter(first -> !first.id().equals(leader.id(context)))
                .isPresent();
    }

    /** The first contender by rank, if it is another one whose node has been up for so long. */
    private Optional<ContenderRecord> best(LocalContender leader, long upForMin) {
        ContenderRecord best = paths.of(leader).ranked().first();
        boolean isAnother = !best.id().equals(leader.id(context));
        return isAnother && isUpFor(best.id().node(), upForMin) ? Optional.of(best) : Optional.empty();
    }

    /** The first contender by rank that does not rank last, and whose node has been up for so long. */
    Optional<ContenderRecord> eligible(LocalContender leader, long upForMin) {
        for (ContenderRecord other : paths.of(leader).ranked()) {
            if (!other.isLast() && isUpFor(other.id().node(), upForMin)) {
                return Optional.of(other);
            }
        }
        return Optional.empty();
    }

    /** A contender of this node itself need not have been up for long. */
    private boolean isUpFor(NodeId node, long atLeast) {
        return node.equals(context.self()) || liveness.isUp(node) && liveness.upFor(node) >= atLeast;
    }
}
