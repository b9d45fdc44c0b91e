package io.quorate.core;

import io.quorate.VotersNotChangedException;
import io.quorate.VotersUnknownException;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.step.Printable;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One change of voters, from its request to its end: asks how the nodes stand, has {@link VoterPlan} choose a step and
 * {@link Proposer} decide it, waits until a majority knows the list, and begins again until nothing is left to do.
 */
final class VoterChange implements NodeMessage.ToCoordinator {

    /** A step that has not ended by then has failed; the limit is higher if the support time is long. */
    private static final long LIMIT_NANOS = 15_000_000_000L;

    private static final String CANNOT_STORE = " cannot store the change: ";

    private enum Stage {
        /** All nodes of the change are asked how they stand. */
        ASK,
        /** The voters of the list in force are asked to promise, and then to accept. */
        PROPOSE,
        /** The list is decided; a majority of its voters has to learn of it. */
        SETTLE
    }

    private final StepContext context;
    private final Proposer proposer;
    private final LongSupplier queries;
    private final Map<NodeId, Optional<HostAndPort>> wanted;
    /** The one step that this voter completes (R11); empty if an application has asked for the change. */
    private final Optional<VoterList> leftOpen;

    private final Consumer<Optional<RuntimeException>> onEnd;
    /** The list in force when the change began. */
    private final VoterList first;

    private Stage stage = Stage.ASK;
    private long stepBegan;
    private long asked;
    private long query;
    private final Map<NodeId, Ready> ready = new TreeMap<>();
    private final Map<NodeId, String> obstacles = new TreeMap<>();
    /** The list for which a step has proposed a next one. */
    private Optional<VoterList> base = Optional.empty();
    /** The voters that this step aims at; the floor is not known yet. */
    private List<Member> aim = List.of();
    /** The last proposal of this step, perhaps of an earlier round: some voter may have accepted it. */
    private Optional<VoterList> proposed = Optional.empty();
    /** Whether the list in force has the ids that are wanted. */
    private boolean wasReached;

    private OptionalLong resumeAt = OptionalLong.empty();
    private Timers.@Nullable Handle tick;

    /**
     * A change that does nothing before {@link #ask}.
     *
     * @param queries gives each question a number that no other has
     * @param onEnd   called once; without a failure the wanted voters are in force
     */
    VoterChange(
            StepContext context,
            Proposer proposer,
            LongSupplier queries,
            Map<NodeId, Optional<HostAndPort>> wanted,
            Optional<VoterList> leftOpen,
            Consumer<Optional<RuntimeException>> onEnd) {
        this.context = context;
        this.proposer = proposer;
        this.queries = queries;
        this.wanted = wanted;
        this.leftOpen = leftOpen;
        this.onEnd = onEnd;
        first = context.voters();
    }

    /** The voters that an application has asked for; empty if this completes what was left open. */
    Optional<Set<NodeId>> asksFor() {
        return leftOpen.isPresent() ? Optional.empty() : Optional.of(wanted.keySet());
    }

    private VoterPlan plan() {
        return VoterPlan.of(context, first, wanted, ready);
    }

    // ---------------------------------------------------------------- time

    /** Begins the first step, or the next. */
    void ask() {
        stepBegan = context.now();
        asked = context.now();
        aim = List.of();
        enter(Stage.ASK);
        repeat();
    }

    private void enter(Stage next) {
        stage = next;
        query = queries.getAsLong();
        ready.clear();
        obstacles.clear();
    }

    /** Sends every question that is not answered yet, and sets the timer for the next repetition. */
    private void repeat() {
        if (stage == Stage.PROPOSE) {
            proposer.repeat();
        } else {
            plan().involved().stream().filter(node -> !isSettled(node)).forEach(this::ask);
        }
        long next = context.now() + context.timing().deltas(4);
        long due = resumeAt.orElse(next);
        tickAt(due - next < 0 ? due : next);
    }

    private void tickAt(long due) {
        tick = context.timers().replace(tick, due, this::onTick);
    }

    private void ask(NodeId node) {
        if (stage == Stage.SETTLE && !node.equals(context.self())) {
            context.send(node, new DecidedVoters(context.voters()));
        }
        context.send(node, new ReadyQuery(query));
    }

    private boolean isSettled(NodeId node) {
        return stage == Stage.ASK ? ready.containsKey(node) : knowsList(node);
    }

    /** Whether the node has said that it knows the list in force. */
    private boolean knowsList(NodeId node) {
        Ready answer = ready.get(node);
        return answer != null && answer.number() >= context.voters().number();
    }

    private void onTick() {
        if (context.now() - stepBegan >= limit()) {
            giveUp(obstacle(), "within " + seconds());
        } else if (resumeAt.isPresent() && context.now() - resumeAt.getAsLong() >= 0) {
            prepare();
        } else if (stage != Stage.ASK || context.now() - asked < patience()) {
            repeat();
        } else if (!goesOn()) {
            leftOpen.ifPresentOrElse(this::giveUpLeftOpen, this::repeat);
        }
    }

    /** The time in which every live node has answered. */
    private long patience() {
        return Math.max(context.lease().suspicion(), context.timing().deltas(12));
    }

    /** The next round begins at a timer, even without a pause, so that the limit of the step is checked first. */
    private void resume(long later) {
        long at = context.now() + later;
        if (resumeAt.isEmpty() || at - resumeAt.getAsLong() < 0) {
            resumeAt = OptionalLong.of(at);
            if (tick == null || at - tick.deadline() < 0) {
                tickAt(at);
            }
        }
    }

    /**
     * The pause before another attempt, because another coordinator proposes too. It is random, so that both do not
     * collide again.
     */
    private long turn() {
        long pause = context.timing().deltas(4);
        return context.jitter().between(pause, 4 * pause);
    }

    // ---------------------------------------------------------------- how the nodes stand

    @Override
    public void onReady(NodeId from, Ready answer) {
        if (answer.query() != query || !plan().involved().contains(from)) {
            return;
        }
        if (!answer.failure().isEmpty()) {
            obstacles.put(from, from + (answer.store() == 0 ? CANNOT_STORE : " ") + Printable.of(answer.failure()));
            return;
        }
        ready.put(from, answer);
        obstacles.remove(from);
        if (stage == Stage.ASK && ready.keySet().containsAll(plan().involved())) {
            goesOn();
        } else if (stage == Stage.SETTLE && isKnownToMajority()) {
            if (leftOpen.isPresent()) {
                end(Optional.empty());
            } else {
                // Another step may be needed even if the ids are the wanted ones: the list may name a directory that
                // is lost.
                ask();
            }
        }
    }

    private boolean isKnownToMajority() {
        VoterList now = context.voters();
        return now.isMajority((int)
                plan().there(now.members()).stream().filter(this::knowsList).count());
    }

    /** Takes the step that is possible now. Returns false if that waits for answers. */
    private boolean goesOn() {
        VoterPlan plan = plan();
        VoterPlan.Step step = leftOpen.map(open -> plan.propose(open.members())).orElseGet(plan::next);
        if (step instanceof VoterPlan.Step.End end) {
            end(end.failure());
        } else if (step instanceof VoterPlan.Step.Await await) {
            aim = await.next();
            return false;
        } else if (step instanceof VoterPlan.Step.Propose proposal) {
            leftOpen.ifPresent(
                    open -> context.note(false, "completing voter change %s, which its coordinator abandoned", open));
            aim = proposal.next();
            base = Optional.of(context.voters());
            prepare();
        }
        return true;
    }

    // ---------------------------------------------------------------- the decision

    private void prepare() {
        stage = Stage.PROPOSE;
        resumeAt = OptionalLong.empty();
        proposer.prepare(context.voters(), aim);
        repeat();
    }

    @Override
    public void onPromise(NodeId from, Promise promise) {
        if (!isAnswered(from, promise.slot(), promise.round())
                || proposer.promising().isEmpty()) {
            return;
        }
        obstacles.remove(from);
        proposer.onPromise(from, promise).ifPresent(value -> {
            proposed = Optional.of(value);
            resumeAt = OptionalLong.empty();
            repeat();
        });
    }

    @Override
    public void onNotPromised(NodeId from, NotPromised answer) {
        if (!isAnswered(from, answer.slot(), answer.round())) {
            return;
        }
        if (answer.promised().isPresent()) {
            if (proposer.onPromised(from, answer.promised().get())) {
                resume(isMajorityLeft() ? patience() : proposer.isOutbid() ? 0 : turn());
            }
        } else if (answer.waitNanos() > 0) {
            // The voter still supports nodes under an older number (R4). The others wait about as long, their
            // promises in this round stay valid, and this voter is asked again.
            obstacles.put(from, from + " still supports nodes under an older number");
        } else {
            // R4, R5: no answer counts that is not durable.
            obstacles.put(from, from + CANNOT_STORE + Printable.of(answer.failure()));
            proposer.onCannotStore(from);
            if (proposer.isOutbid() && !isMajorityLeft()) {
                resume(0);
            }
        }
    }

    @Override
    public void onAcceptance(NodeId from, Acceptance acceptance) {
        if (isAnswered(from, acceptance.slot(), acceptance.round())
                && proposer.promising().isEmpty()) {
            obstacles.remove(from);
            proposer.onAcceptance(from);
        }
    }

    private boolean isAnswered(NodeId from, long slot, Round round) {
        return stage == Stage.PROPOSE && proposer.isAnswered(from, slot, round);
    }

    /** A round that is made up is outbid immediately when no majority is left to wait for. */
    private boolean isMajorityLeft() {
        return proposer.isMajorityLeft(plan().there(context.voters().members()));
    }

    /** The list in force has changed, by this change or by another one. */
    void onVoters() {
        VoterList now = context.voters();
        boolean isReached = plan().isReached();
        boolean isAimed = base.isPresent()
                && now.number() == base.get().number() + 1
                && now.ids().equals(aim.stream().map(Member::id).sorted().toList());
        if (wasReached && !isAimed && !isReached) {
            // The wanted list was in force, and another one has been asked for since.
            end(Optional.empty());
            return;
        }
        wasReached = isReached;
        if (!isAimed && !isReached) {
            end(Optional.of(new VotersNotChangedException("number " + now.number() + " was decided as " + now.ids()
                    + " before this change. Look, and ask again if it is still wanted")));
            return;
        }
        resumeAt = OptionalLong.empty();
        proposed = Optional.empty();
        enter(Stage.SETTLE);
        // Voters that this step has removed learn of it too.
        Set<NodeId> involved = plan().involved();
        base.stream()
                .flatMap(former -> former.ids().stream())
                .filter(node -> !involved.contains(node))
                .forEach(node -> context.send(node, new DecidedVoters(now)));
        repeat();
    }

    // ---------------------------------------------------------------- the end

    /** The node has stopped. */
    void stop() {
        if (wasReached || leftOpen.isPresent()) {
            end(Optional.empty());
        } else {
            giveUp("this node has stopped", "before this node stopped");
        }
    }

    /** @param until when it ended, in words: a proposal that was not confirmed by then may still come into force */
    private void giveUp(String reason, String until) {
        VoterList now = context.voters();
        if (leftOpen.isPresent() && stage != Stage.SETTLE) {
            giveUpLeftOpen(leftOpen.get());
        } else if (stage == Stage.SETTLE && plan().isReached()) {
            // The list is decided, and no other one can be; few voters know it yet.
            context.note(true, "%s is in force, and: %s", now, reason);
            end(Optional.empty());
        } else {
            end(proposed.<RuntimeException>map(open -> new VotersUnknownException("number " + open.number() + " as "
                            + open.ids() + " was proposed and not confirmed " + until
                            + ": it may come into force by itself, with"
                            + " the next change, or never. Ask again with the same list"))
                    .or(() -> plan().refusal(reason)));
        }
    }

    /** The acceptor starts it again later. */
    private void giveUpLeftOpen(VoterList value) {
        context.noteOnce(
                "open",
                context.self(),
                "%s was proposed and left open. It comes into force when a majority of %s and one of %s answer,"
                        + " and now %s do: bring the others back",
                value,
                context.voters().ids(),
                value.ids(),
                ready.keySet());
        end(Optional.empty());
    }

    /** Ends the change; without a failure the wanted voters are in force. */
    void end(Optional<RuntimeException> failure) {
        if (tick != null) {
            tick.cancel();
        }
        onEnd.accept(failure);
    }

    /** A step waits until support under an older number has run out (R4), and for nodes that do not answer. */
    private long limit() {
        return Math.max(LIMIT_NANOS, 2 * (context.lease().support() + patience()));
    }

    private String seconds() {
        return limit() / 1_000_000_000 + " s";
    }

    /** Why the step has not ended, for people. */
    private String obstacle() {
        if (!obstacles.isEmpty()) {
            return String.join("; ", obstacles.values());
        }
        VoterPlan plan = plan();
        VoterList now = context.voters();
        List<NodeId> answering = plan.there(now.members());
        if (stage != Stage.SETTLE && !now.isMajority(answering.size())) {
            return "of the voters " + now.ids() + " of number " + now.number() + " only " + answering + " answer, and "
                    + (now.size() / 2 + 1)
                    + " must agree. Bring one back; if that is impossible, see the documentation,"
                    + " 'A majority is lost'";
        }
        Optional<NodeId> absent = wanted.keySet().stream()
                .filter(node -> now.indexOf(node) < 0 && !ready.containsKey(node))
                .findFirst();
        if (absent.isPresent()) {
            return absent.get()
                    + plan.addressOf(absent.get())
                            .map(address -> " at " + address)
                            .orElse("")
                    + " has not answered within " + seconds()
                    + ". Start it first, with the peers and joins(true)";
        }
        Optional<NodeId> unnamed = plan.unnamed(aim);
        if (unnamed.isPresent()) {
            return unnamed.get() + " has not answered within " + seconds()
                    + ", and no list names its data directory"
                    + " yet, without which it would not vote. Bring it back, or leave it out";
        }
        Optional<Set<NodeId>> promising = stage == Stage.PROPOSE ? proposer.promising() : Optional.empty();
        if (promising.isPresent()) {
            List<NodeId> silent = now.ids().stream()
                    .filter(voter -> !promising.get().contains(voter))
                    .toList();
            return "of the voters " + now.ids() + " only " + promising.get() + " have agreed within " + seconds()
                    + " to a change. The logs of " + silent + " may say why; ask again";
        }
        List<Member> aimed = aim.isEmpty() ? now.members() : aim;
        List<NodeId> ids = aimed.stream().map(Member::id).toList();
        List<NodeId> there = plan.there(aimed);
        List<NodeId> missing = ids.stream().filter(id -> !there.contains(id)).toList();
        return "of " + ids + " only " + there + " answer, and " + (ids.size() / 2 + 1) + " would be needed. Bring "
                + missing + " back, or leave them out";
    }
}
