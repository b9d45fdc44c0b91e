package io.quorate.core;

import io.quorate.VotersNotChangedException;
import io.quorate.VotersUnknownException;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.Printable;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.PaxosState.Accepted;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out a change of voters, one voter per step: docs/reconfiguration.md. Any voter may coordinate, and before the
 * first change any node that the settings name. None of this state has to survive: a voter that has accepted a proposal
 * completes that one step (R11), and the application may ask for the same list again.
 */
final class Coordinator implements NodeMessage.ToCoordinator {

    /** A step that has not ended by then has failed; the limit is higher if the support time is long. */
    private static final long LIMIT_NANOS = 15_000_000_000L;

    private final StepContext context;
    private final Consumer<VoterList> onDecided;
    private @Nullable Change change;
    /** The counter of the last round for the list in force. */
    private long rounds;

    private long queries;

    /** @param onDecided called with the list that a majority has accepted */
    Coordinator(StepContext context, Consumer<VoterList> onDecided) {
        this.context = context;
        this.onDecided = onDecided;
    }

    private enum Stage {
        /** All nodes of the change are asked how they stand. */
        ASK,
        PREPARE,
        ACCEPT,
        /** The list is decided; a majority of its voters has to learn of it. */
        SETTLE
    }

    void onChange(NodeEvent.ChangeVoters event) {
        VoterList now = context.voters();
        if (now.number() == 0) {
            end(
                    event.request(),
                    new VotersNotChangedException(
                            "this node has not been told yet who votes. Ask again when it is connected"));
            return;
        }
        boolean isNamed = now.number() == 1
                && !context.settings().joins()
                && context.settings().voters().contains(context.self());
        boolean isHeard = context.selfVoter() >= 0 || isNamed;
        if (!isHeard) {
            end(
                    event.request(),
                    new VotersNotChangedException(
                            "this node does not vote, so the others would not listen. Ask a voter: "
                                    + context.voters().ids()));
            return;
        }
        if (change != null && change.leftOpen == null) {
            end(
                    event.request(),
                    new VotersNotChangedException("another change of voters is under way at this node, to "
                            + change.wanted.keySet() + ". Wait for its end"));
            return;
        }
        Set<NodeId> asked = event.wanted().keySet();
        Optional<NodeId> nowhere =
                asked.stream().filter(node -> !hasAddress(event, node)).sorted().findFirst();
        if (nowhere.isPresent()) {
            end(
                    event.request(),
                    new IllegalArgumentException("voter '" + nowhere.get() + "': has no address; give it as "
                            + nowhere.get() + "=host:port, or name it in peers"));
            return;
        }
        Optional<NodeId> moved = moved(event, now);
        if (asked.equals(Set.copyOf(now.ids())) && moved.isPresent()) {
            end(
                    event.request(),
                    new VotersNotChangedException("the address of " + moved.get() + " cannot change alone. Have the"
                            + " others vote without it, and then with it at its new address"));
            return;
        }
        if (event.number() != now.number() && asked.equals(Set.copyOf(now.ids()))) {
            // The list is in force: the application repeats a request whose answer was lost.
            end(event.request(), null);
            return;
        }
        if (event.number() != now.number()) {
            end(
                    event.request(),
                    new VotersNotChangedException("number " + event.number() + " was expected, and the voters are "
                            + now + ". Look, and ask again if it is still wanted"));
            return;
        }
        if (change != null) {
            // The new change finds what the open one has left behind, and proposes it again.
            change.finish(null);
        }
        begin(new Change(event.request(), event.wanted(), null));
    }

    /**
     * Completes the step that this node's voter has accepted and nobody has completed (R11): the list is decided
     * already if a majority has accepted it, and is decided now if not.
     */
    void onLeftOpen(VoterList value) {
        if (change == null) {
            Map<NodeId, Optional<HostAndPort>> wanted =
                    value.members().stream().collect(Collectors.toMap(Member::id, Member::address));
            begin(new Change(0, wanted, value));
        }
    }

    private void begin(Change next) {
        next.wanted.forEach((node, address) -> {
            if (!node.equals(context.self())) {
                address.ifPresent(at -> context.emit(new NodeEffect.Reach(node, at)));
            }
        });
        change = next;
        next.begin();
    }

    /** The voter list of this node has changed: everything under way for an older list is void, promises included. */
    void onVoters() {
        rounds = 0;
        if (change != null) {
            change.onVoters();
        }
    }

    @Override
    public void onReady(NodeId from, Ready ready) {
        if (change != null) {
            change.onReady(from, ready);
        }
    }

    @Override
    public void onPromise(NodeId from, Promise promise) {
        if (change != null) {
            change.onPromise(from, promise);
        }
    }

    @Override
    public void onNotPromised(NodeId from, NotPromised answer) {
        if (change != null) {
            change.onNotPromised(from, answer);
        }
    }

    @Override
    public void onAcceptance(NodeId from, Acceptance acceptance) {
        if (change != null) {
            change.onAcceptance(from, acceptance);
        }
    }

    void stop() {
        if (change != null) {
            change.stop();
        }
    }

    /** Whether an address of the node is known, or the transport needs none. */
    private boolean hasAddress(NodeEvent.ChangeVoters event, NodeId node) {
        Map<NodeId, HostAndPort> addresses = context.settings().addresses();
        return addresses.isEmpty()
                || addresses.containsKey(node)
                || node.equals(context.self())
                || context.voters().indexOf(node) >= 0
                || event.wanted().getOrDefault(node, Optional.empty()).isPresent();
    }

    /** A voter that is wanted at another address than the one in the list. */
    private static Optional<NodeId> moved(NodeEvent.ChangeVoters event, VoterList now) {
        return now.members().stream()
                .filter(member -> event.wanted()
                        .getOrDefault(member.id(), Optional.empty())
                        .filter(address -> !member.address().equals(Optional.of(address)))
                        .isPresent())
                .map(Member::id)
                .findFirst();
    }

    private void end(long request, @Nullable RuntimeException failure) {
        context.emit(new NodeEffect.ChangeEnded(request, Optional.ofNullable(failure)));
    }

    private final class Change {

        private final long request;
        private final Map<NodeId, Optional<HostAndPort>> wanted;
        /** The one step that this voter completes (R11); null if an application has asked for the change. */
        private final @Nullable VoterList leftOpen;
        /** The list in force when the change began. */
        private final VoterList first = context.voters();

        private Stage stage = Stage.ASK;
        private long stepBegan;
        private long asked;
        private long query;
        private final Map<NodeId, Ready> ready = new TreeMap<>();
        private @Nullable Round round;
        private @Nullable VoterList base;
        /** The voters that this step aims at; the floor is not known yet. */
        private List<Member> aim = List.of();

        private @Nullable VoterList value;
        /** The last proposal of this step, perhaps of an earlier round: some voter may have accepted it. */
        private @Nullable VoterList proposed;

        private final Map<NodeId, Promise> promises = new TreeMap<>();
        private final Set<NodeId> acceptances = new TreeSet<>();
        /** The voters that have promised a later round than this one, or cannot store a promise. */
        private final Set<NodeId> refusals = new TreeSet<>();
        /** Whether one of the refusals names a round that is made up. */
        private boolean isOutbid;

        private final Map<NodeId, String> obstacles = new TreeMap<>();
        /** Whether the list in force has the ids that are wanted. */
        private boolean wasReached;

        private OptionalLong resumeAt = OptionalLong.empty();
        private Timers.@Nullable Handle tick;

        private Change(long request, Map<NodeId, Optional<HostAndPort>> wanted, @Nullable VoterList leftOpen) {
            this.request = request;
            this.wanted = new TreeMap<>(wanted);
            this.leftOpen = leftOpen;
        }

        private void begin() {
            stepBegan = context.now();
            ask();
        }

        private void ask() {
            stage = Stage.ASK;
            query = ++queries;
            ready.clear();
            obstacles.clear();
            aim = List.of();
            asked = context.now();
            repeat();
        }

        // ------------------------------------------------------------ time

        /** Sends every question that is not answered yet, and sets the timer for the next repetition. */
        private void repeat() {
            switch (stage) {
                case ASK, SETTLE ->
                    involved().stream().filter(node -> !isSettled(node)).forEach(this::ask);
                case PREPARE ->
                    decidedBy().ids().stream()
                            .filter(voter -> !promises.containsKey(voter))
                            .forEach(this::propose);
                case ACCEPT ->
                    decidedBy().ids().stream()
                            .filter(voter -> !acceptances.contains(voter))
                            .forEach(this::propose);
            }
            if (tick != null) {
                tick.cancel();
            }
            long next = context.now() + context.settings().timing().deltas(4);
            long due = resumeAt.orElse(next);
            tick = context.timers().set(due - next < 0 ? due : next, this::onTick);
        }

        private void propose(NodeId voter) {
            context.send(
                    voter,
                    stage == Stage.PREPARE
                            ? new Prepare(currentRound(), decidedBy())
                            : new Accept(currentRound(), decidedBy(), currentValue()));
        }

        private void ask(NodeId node) {
            if (stage == Stage.SETTLE && !node.equals(context.self())) {
                context.send(node, new DecidedVoters(context.voters()));
            }
            context.send(node, new ReadyQuery(query));
        }

        private boolean isSettled(NodeId node) {
            return stage == Stage.ASK
                    ? ready.containsKey(node)
                    : isAt(node, context.voters().number());
        }

        private void onTick() {
            if (context.now() - stepBegan >= limit()) {
                giveUp(obstacle(context.voters()), "within " + seconds());
            } else if (resumeAt.isPresent() && context.now() - resumeAt.getAsLong() >= 0) {
                resumeAt = OptionalLong.empty();
                prepare();
            } else if (stage == Stage.ASK && context.now() - asked >= patience()) {
                choose();
                if (change == this && stage == Stage.ASK && leftOpen != null) {
                    giveUpLeftOpen(leftOpen);
                } else if (change == this && stage == Stage.ASK) {
                    repeat();
                }
            } else {
                repeat();
            }
        }

        /** The time in which every live node has answered. */
        private long patience() {
            return Math.max(
                    context.settings().lease().suspicion(),
                    context.settings().timing().deltas(12));
        }

        // ------------------------------------------------------------ who is there

        /** The present voters and the wanted ones. */
        private Set<NodeId> involved() {
            Set<NodeId> all = new TreeSet<>(context.voters().ids());
            all.addAll(wanted.keySet());
            return all;
        }

        private void onReady(NodeId from, Ready answer) {
            if (answer.query() != query || !involved().contains(from)) {
                return;
            }
            if (!answer.failure().isEmpty()) {
                onObstacle(from, answer);
                return;
            }
            ready.put(from, answer);
            obstacles.remove(from);
            if (stage == Stage.ASK && ready.keySet().containsAll(involved())) {
                choose();
            } else if (stage == Stage.SETTLE && isKnownToMajority()) {
                if (leftOpen == null) {
                    next();
                } else {
                    finish(null);
                }
            }
        }

        private boolean isKnownToMajority() {
            long number = context.voters().number();
            return context.voters().isMajority((int) context.voters().members().stream()
                    .filter(voter -> isThere(voter) && isAt(voter.id(), number))
                    .count());
        }

        private boolean isAt(NodeId node, long number) {
            Ready answer = ready.get(node);
            return answer != null && answer.number() >= number;
        }

        private void next() {
            // The next step may be needed even if the ids are the wanted ones: the list may name a directory that is
            // lost.
            stepBegan = context.now();
            ask();
        }

        private boolean isReached(VoterList config) {
            return wanted.keySet().equals(Set.copyOf(config.ids()));
        }

        // ------------------------------------------------------------ which step

        /**
         * Chooses the next step: a voter that is gone leaves, or one whose directory is not the named one. Else a
         * wanted node joins. Else an unwanted voter leaves, this node last. In this order majorities stay reachable:
         * removing a dead voter never raises the majority, and a live voter that joins raises it by at most its own
         * vote.
         */
        private void choose() {
            VoterList now = context.voters();
            if (leftOpen != null) {
                aim = leftOpen.members();
                if (isMajorityThere(now, aim)) {
                    context.note(false, "nobody has brought %s to its end: this voter does", leftOpen);
                    base = now;
                    prepare();
                }
                return;
            }
            List<Member> present = now.members().stream().map(this::filledIn).toList();
            if (now.members().stream()
                    .filter(member -> wanted.containsKey(member.id()))
                    .anyMatch(this::keepsNothing)) {
                finish(new IllegalStateException("voters cannot be changed: this cluster keeps its terms in memory, and"
                        + " a restart would forget who votes. Stop the whole cluster, give every node a dataDirectory, then"
                        + " change"));
                return;
            }
            Optional<Member> gone = present.stream()
                    .filter(member ->
                            isOther(member) || !wanted.containsKey(member.id()) && !ready.containsKey(member.id()))
                    .findFirst();
            Optional<NodeId> added = wanted.keySet().stream()
                    .filter(node -> now.indexOf(node) < 0)
                    .findFirst();
            Optional<Member> unwanted = present.stream()
                    .filter(member -> !wanted.containsKey(member.id()))
                    .min((one, other) -> Boolean.compare(isSelf(one), isSelf(other)));
            List<Member> next = new ArrayList<>(present);
            if (gone.isPresent()) {
                next.remove(gone.get());
            } else if (added.isPresent() && (VoterList.isSize(now.size() + 1) || unwanted.isEmpty())) {
                Ready newcomer = ready.get(added.get());
                // Without its answer the list could not name its store id (R9).
                if (newcomer == null || !mayVote(added.get(), newcomer)) {
                    return;
                }
                next.add(new Member(added.get(), newcomer.store(), addressOf(added.get())));
            } else if (unwanted.isPresent() && added.isPresent() && isSelf(unwanted.get())) {
                // The list is full, so this node would leave first, and a removed voter is not believed.
                fail(context.self() + " would have to leave before " + added.get()
                        + " comes, as the list is full, and would have no word in the rest. Ask a voter that stays");
                return;
            } else if (unwanted.isPresent()) {
                next.remove(unwanted.get());
            } else if (unnamed(next).isEmpty()) {
                // Nobody is to join or leave, and the list names all directories.
                finish(null);
                return;
            }
            aim = next;
            // From list 2 on, only its voters are believed.
            if (context.selfVoter() < 0 && now.number() > 1) {
                fail(context.self() + " no longer votes, and has no word in the rest. Ask a voter that stays");
                return;
            }
            // R9: an unnamed voter could not vote. R5: a list has 1 to 15 voters. Without a live majority of the
            // present list nothing is decided, and without one of the next list nobody would lead.
            if (unnamed(next).isPresent() || !VoterList.isSize(next.size()) || !isMajorityThere(now, next)) {
                return;
            }
            base = now;
            prepare();
        }

        private Optional<HostAndPort> addressOf(NodeId node) {
            return wanted.getOrDefault(node, Optional.empty())
                    .or(() -> context.voters().member(node).flatMap(Member::address))
                    .or(() -> first.member(node).flatMap(Member::address))
                    .or(() -> Optional.ofNullable(context.settings().addresses().get(node)));
        }

        /**
         * Whether the voter answers and never had a data directory. A voter that has lost its directory counts as
         * another node.
         */
        private boolean keepsNothing(Member member) {
            Ready answer = ready.get(member.id());
            return context.voters().number() == 1 && answer != null && answer.store() == 0;
        }

        private boolean isSelf(Member member) {
            return member.id().equals(context.self());
        }

        /** Whether the node answers, and has another directory than the one that votes. */
        private boolean isOther(Member member) {
            return ready.containsKey(member.id()) && !isThere(member);
        }

        /** Fills in the store id: list 1 names none, and the first change names those of all that answer (R9). */
        private Member filledIn(Member member) {
            Ready answer = ready.get(member.id());
            Optional<HostAndPort> address = addressOf(member.id());
            return new Member(
                    member.id(),
                    context.voters().number() == 1 && answer != null ? answer.store() : member.store(),
                    address);
        }

        /**
         * A wanted voter that has not answered, so that the list would not name its directory: it could not vote. A
         * voter that answers under a later list without being named joins anew, in steps of its own.
         */
        private Optional<NodeId> unnamed(List<Member> next) {
            return next.stream()
                    .filter(member -> member.store() == 0)
                    .map(Member::id)
                    .filter(id -> wanted.containsKey(id) && !ready.containsKey(id))
                    .findFirst();
        }

        private boolean mayVote(NodeId node, Ready answer) {
            if (answer.store() == 0) {
                fail(node + " has no dataDirectory, and a voter needs one. Give it one, and start it again");
            } else if (answer.clusterHash() != context.clusterHash()) {
                fail(node + ": cluster id, support time or drift differ from those of " + context.self());
            }
            return change == this;
        }

        /** Whether the node answers, with the directory that the list names. */
        private boolean isThere(Member member) {
            Ready answer = ready.get(member.id());
            boolean isAny = member.store() == 0 && context.voters().number() == 1;
            return answer != null && (isAny || member.store() != 0 && member.store() == answer.store());
        }

        private List<NodeId> there(List<Member> some) {
            return some.stream().filter(this::isThere).map(Member::id).toList();
        }

        private boolean isMajorityThere(VoterList now, List<Member> next) {
            return now.isMajority(there(now.members()).size())
                    && 2 * there(next).size() > next.size();
        }

        // ------------------------------------------------------------ the decision

        private void prepare() {
            stage = Stage.PREPARE;
            rounds++;
            round = new Round(rounds, context.self(), context.incarnation());
            promises.clear();
            acceptances.clear();
            refusals.clear();
            isOutbid = false;
            value = null;
            repeat();
        }

        private Round currentRound() {
            return Objects.requireNonNull(round, "round");
        }

        private VoterList decidedBy() {
            return Objects.requireNonNull(base, "base");
        }

        private VoterList currentValue() {
            return Objects.requireNonNull(value, "value");
        }

        private boolean isCurrent(long slot, Round of, Stage expected) {
            return stage == expected && of.equals(round) && slot == decidedBy().number() + 1;
        }

        private void onPromise(NodeId from, Promise promise) {
            if (!isCurrent(promise.slot(), promise.round(), Stage.PREPARE)
                    || decidedBy().indexOf(from) < 0) {
                return;
            }
            promises.put(from, promise);
            obstacles.remove(from);
            if (!decidedBy().isMajority(promises.size())) {
                return;
            }
            Optional<Accepted> last = PaxosState.last(promises.values().stream().flatMap(p -> p.accepted().stream()));
            long floor = promises.values().stream()
                    .mapToLong(Promise::termMax)
                    .reduce(decidedBy().floor(), Math::max);
            value = last.map(Accepted::value)
                    .orElseGet(() -> new VoterList(decidedBy().number() + 1, floor, aim));
            proposed = value;
            resumeAt = OptionalLong.empty();
            stage = Stage.ACCEPT;
            repeat();
        }

        private void onNotPromised(NodeId from, NotPromised answer) {
            boolean isAnswer = isCurrent(answer.slot(), answer.round(), Stage.PREPARE)
                    || isCurrent(answer.slot(), answer.round(), Stage.ACCEPT);
            if (!isAnswer || decidedBy().indexOf(from) < 0) {
                return;
            }
            if (answer.promised()
                    .filter(last -> last.compareTo(currentRound()) < 0)
                    .isPresent()) {
                // The voter has promised a lower round: it comes up to this one step by step.
                propose(from);
            } else if (answer.promised().isPresent()) {
                // R5: it accepts nothing below the round that it has promised, so only a higher round wins it.
                isOutbid |= outbid(from, answer.promised().get());
                refusals.add(from);
                resume(isMajorityLeft() ? patience() : isOutbid ? 0 : turn());
            } else if (answer.waitNanos() > 0) {
                // The voter still supports nodes under an older number (R4). The others wait about as long, their
                // promises in this round stay valid, and this voter is asked again.
                obstacles.put(from, from + " still supports nodes under an older number");
            } else {
                // R4, R5: no answer counts that is not durable.
                onCannotStore(from, answer.failure());
                refusals.add(from);
                if (isOutbid && !isMajorityLeft()) {
                    resume(0);
                }
            }
        }

        /**
         * The pause before another attempt, because another coordinator proposes too. It is random, so that both do not
         * collide again.
         */
        private long turn() {
            long pause = context.settings().timing().deltas(4);
            return context.jitter().between(pause, 4 * pause);
        }

        /**
         * Whether voters that answer and have not refused this round are still a majority: then the round goes on. So
         * one voter that refuses each round does not end it. A round that is made up is outbid at once when no majority
         * is left to wait for.
         */
        private boolean isMajorityLeft() {
            return decidedBy().isMajority((int) there(decidedBy().members()).stream()
                    .filter(voter -> !refusals.contains(voter))
                    .count());
        }

        /**
         * Counts rounds past the other one. Answers whether that is made up: then rounds rise in steps, because
         * otherwise one message could use up all rounds.
         */
        private boolean outbid(NodeId from, Round other) {
            Round near = other.following(currentRound().counter());
            boolean isMadeUp = !near.equals(other);
            if (isMadeUp) {
                context.noteOnce(
                        "round", from, "%s has promised %s, which is made up: it is outbid step by step", from, other);
            }
            rounds = Math.max(rounds, near.counter());
            return isMadeUp;
        }

        private void onObstacle(NodeId node, Ready answer) {
            if (answer.store() == 0) {
                onCannotStore(node, answer.failure());
            } else {
                obstacles.put(node, node + " " + Printable.of(answer.failure()));
            }
        }

        private void onCannotStore(NodeId node, String reason) {
            obstacles.put(node, node + " cannot store the change: " + Printable.of(reason));
        }

        /** The next round begins at a timer, even without a pause, so that the limit of the step is checked first. */
        private void resume(long later) {
            if (resumeAt.isEmpty() || context.now() + later - resumeAt.getAsLong() < 0) {
                resumeAt = OptionalLong.of(context.now() + later);
                if (tick == null || resumeAt.getAsLong() - tick.deadline() < 0) {
                    if (tick != null) {
                        tick.cancel();
                    }
                    tick = context.timers().set(resumeAt.getAsLong(), this::onTick);
                }
            }
        }

        private void onAcceptance(NodeId from, Acceptance acceptance) {
            if (!isCurrent(acceptance.slot(), acceptance.round(), Stage.ACCEPT)
                    || decidedBy().indexOf(from) < 0) {
                return;
            }
            acceptances.add(from);
            obstacles.remove(from);
            if (decidedBy().isMajority(acceptances.size())) {
                onDecided.accept(currentValue());
            }
        }

        /** The list in force has changed, by this change or by another one. */
        private void onVoters() {
            VoterList now = context.voters();
            boolean isAimed = base != null
                    && now.number() == base.number() + 1
                    && now.ids().equals(aim.stream().map(Member::id).sorted().toList());
            if (wasReached && !isAimed && !isReached(now)) {
                // The wanted list was in force, and somebody has asked for another one since.
                finish(null);
                return;
            }
            wasReached = isReached(now);
            if (!isAimed && !wasReached) {
                finish(new VotersNotChangedException("number " + now.number() + " was decided as " + now.ids()
                        + " before this change. Look, and ask again if it is still wanted"));
                return;
            }
            resumeAt = OptionalLong.empty();
            proposed = null;
            stage = Stage.SETTLE;
            query = ++queries;
            ready.clear();
            obstacles.clear();
            if (base != null) {
                // Voters that this step has removed learn of it too.
                base.ids().stream()
                        .filter(node -> !involved().contains(node))
                        .forEach(node -> context.send(node, new DecidedVoters(now)));
            }
            repeat();
        }

        // ------------------------------------------------------------ the end

        private void stop() {
            if (wasReached || leftOpen != null) {
                finish(null);
            } else {
                giveUp("this node has stopped", "before this node stopped");
            }
        }

        /** @param until when it ended, in words: a proposal that was not confirmed by then may still come into force */
        private void giveUp(String reason, String until) {
            VoterList now = context.voters();
            if (leftOpen != null && stage != Stage.SETTLE) {
                giveUpLeftOpen(leftOpen);
            } else if (stage == Stage.SETTLE && isReached(now)) {
                // The list is decided, and no other one can be; few voters know it yet.
                context.note(true, "%s is in force, and: %s", now, reason);
                finish(null);
            } else if (proposed != null) {
                finish(new VotersUnknownException("number " + proposed.number() + " as " + proposed.ids()
                        + " was proposed and not confirmed " + until
                        + ": it may come into force by itself, with"
                        + " the next change, or never. Ask again with the same list"));
            } else {
                fail(reason);
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
            finish(null);
        }

        /** A step waits until support under an older number has run out (R4), and for nodes that do not answer. */
        private long limit() {
            return Math.max(LIMIT_NANOS, 2 * (context.settings().lease().support() + patience()));
        }

        private String seconds() {
            return limit() / 1_000_000_000 + " s";
        }

        private String obstacle(VoterList now) {
            if (!obstacles.isEmpty()) {
                return String.join("; ", obstacles.values());
            }
            List<NodeId> answering = there(now.members());
            if (stage != Stage.SETTLE && !now.isMajority(answering.size())) {
                return "of the voters " + now.ids() + " of number " + now.number() + " only " + answering
                        + " answer, and "
                        + (now.size() / 2 + 1)
                        + " must agree. Bring one back; if that is impossible, see the documentation,"
                        + " 'A majority is lost'";
            }
            Optional<NodeId> absent = wanted.keySet().stream()
                    .filter(node -> now.indexOf(node) < 0 && !ready.containsKey(node))
                    .findFirst();
            if (absent.isPresent()) {
                return absent.get()
                        + addressOf(absent.get())
                                .map(address -> " at " + address)
                                .orElse("")
                        + " has not answered within " + seconds()
                        + ". Start it first, with the peers and joins(true)";
            }
            Optional<NodeId> unnamed = unnamed(aim);
            if (unnamed.isPresent()) {
                return unnamed.get() + " has not answered within " + seconds()
                        + ", and no list names its data directory"
                        + " yet, without which it would not vote. Bring it back, or leave it out";
            }
            if (stage == Stage.PREPARE) {
                List<NodeId> silent = decidedBy().ids().stream()
                        .filter(voter -> !promises.containsKey(voter))
                        .toList();
                return "of the voters " + decidedBy().ids() + " only " + promises.keySet() + " have agreed within "
                        + seconds() + " to a change. The logs of " + silent + " may say why; ask again";
            }
            List<Member> aimed = aim.isEmpty() ? now.members() : aim;
            List<NodeId> missing = aimed.stream()
                    .filter(member -> !isThere(member))
                    .map(Member::id)
                    .toList();
            return "of " + aimed.stream().map(Member::id).toList() + " only " + there(aimed) + " answer, and "
                    + (aimed.size() / 2 + 1) + " would be needed. Bring " + missing + " back, or leave them out";
        }

        private void fail(String reason) {
            VoterList now = context.voters();
            finish(new VotersNotChangedException(
                    now.number() == first.number() || isReached(now)
                            ? reason
                            : now + " is in force, and " + wanted.keySet() + " is not: " + reason
                                    + ". Ask again with the same list"));
        }

        private void finish(@Nullable RuntimeException failure) {
            if (tick != null) {
                tick.cancel();
            }
            change = null;
            if (leftOpen == null) {
                end(request, failure);
            }
        }
    }
}
