package io.quorate.testkit.simulation;

import io.quorate.core.Birth;
import io.quorate.core.Node;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A node of the core alone: its messages travel as objects, and its disk is two numbers. */
final class NodeHost implements VirtualHost {

    private static final long WRITE_NANOS = VirtualTime.MILLI;
    private static final int TERM_BITS_PER_MILLI = 18;

    /** A frame without a body: it says in which life its sender is. */
    private record Hello() {}

    private final VirtualProcess process;
    private final VirtualNetwork network;
    private final ElectionAlgorithm algorithm;
    /** The newest life of each node that this one has heard of. */
    private final Map<NodeId, Long> known = new HashMap<>();
    /** The last message of a life that is not known yet. */
    private final Map<NodeId, Flight> held = new HashMap<>();

    private Node node;
    private long draws;
    private long requests;

    // Its work over all its lives.
    private long steps;
    private long effects;
    private int effectsMax;

    // The disk.
    private boolean isDurable = true;
    private boolean isFull;
    private boolean completesWriteAtCrash;
    /** Lives count down from one to the next, so that code which takes the greater name for the later life is found. */
    private long incarnation = 1L << 61;

    private long termCeiling;
    private long termCeilingUnderWay;
    /** Tells this disk from one that begins anew. */
    private long identity;

    /** Whether it waits to be told who votes. */
    private boolean joins;

    private Optional<PaxosState> paxos = Optional.empty();
    private Optional<PaxosState> paxosUnderWay = Optional.empty();

    private final Alarm alarm;

    NodeHost(VirtualProcess process, VirtualNetwork network, ElectionAlgorithm algorithm) {
        this.process = process;
        this.network = network;
        this.algorithm = algorithm;
        this.identity = 1 + process.keyed.between(-1, 0, Long.MAX_VALUE / 2);
        this.alarm = new Alarm(process, () -> node.nextWake(), this::wake);
    }

    void diskless() {
        isDurable = false;
    }

    @Override
    public void diskIsFull(boolean full) {
        isFull = full;
    }

    @Override
    public void completesWriteAtCrash(boolean completes) {
        completesWriteAtCrash = completes;
    }

    Node node() {
        return node;
    }

    // ---------------------------------------------------------------- its life

    @Override
    public boolean canStart() {
        return true;
    }

    @Override
    public void start() {
        long wall = process.clock.wallMillis();
        incarnation--;
        long ceiling = isDurable ? termCeiling : wall << TERM_BITS_PER_MILLI;
        Birth birth = new Birth(incarnation, ceiling, isDurable, isDurable ? identity : 0, paxos);
        paxosUnderWay = Optional.empty();
        known.clear();
        held.clear();
        node = new Node(
                joins ? process.settings.joining() : process.settings,
                algorithm,
                birth,
                (min, max) -> process.keyed.between(draws++, min, max),
                (path, number, state, reason) -> process.digest.add(process.time.now(), state.getSimpleName(), reason));
        perform(node.start(process.clock.nanoTime()));
        alarm.set();
    }

    @Override
    public void crash() {
        if (completesWriteAtCrash) {
            termCeiling = Math.max(termCeiling, termCeilingUnderWay);
            paxos = paxosUnderWay.or(() -> paxos);
            paxos.ifPresent(written -> process.watchdog.stored(process.id, written));
        }
        node = null;
    }

    /** The disk is lost, and an empty one takes its place. */
    @Override
    public void wipe() {
        joins = true;
        termCeiling = 0;
        termCeilingUnderWay = 0;
        paxos = Optional.empty();
        paxosUnderWay = Optional.empty();
        identity++;
        process.watchdog.wiped(process.id);
    }

    @Override
    public long store() {
        return isDurable ? identity : 0;
    }

    @Override
    public void close() {
        do {
            step(new NodeEvent.Close());
        } while (!node.isStopped());
    }

    // ---------------------------------------------------------------- steps

    void step(NodeEvent event) {
        List<NodeEffect> wanted = node.step(process.clock.nanoTime(), event);
        steps++;
        effects += wanted.size();
        effectsMax = Math.max(effectsMax, wanted.size());
        if (!wanted.isEmpty()) {
            process.perform(wanted.size(), () -> perform(wanted));
        }
        alarm.set();
    }

    @Override
    public void wake() {
        step(NodeEvent.Wake.INSTANCE);
    }

    @Override
    public void clockChanged() {
        alarm.clockChanged();
    }

    /** As the links do, by the order of lives, which they have to find out. */
    @Override
    public void receive(Flight flight) {
        Long present = known.get(flight.from());
        if (isForAnotherLife(flight)) {
            // The sender is told of this life.
            send(flight.from(), new Hello());
            return;
        }
        if (present != null && present < flight.incarnation()) {
            // A life that is over answers nothing fresh, and nothing of it is heard behind the next one.
            return;
        }
        if (present == null || present != flight.incarnation()) {
            if (flight.addressee() != incarnation) {
                // A sender that does not know this life may be over. It is asked, and its message waits for the answer.
                held.put(flight.from(), flight);
                network.send(new Flight(process.id, flight.from(), new Hello(), incarnation, flight.incarnation()));
                return;
            }
            known.put(flight.from(), flight.incarnation());
            send(flight.from(), new Hello());
            Flight before = held.remove(flight.from());
            if (before != null && before.incarnation() == flight.incarnation()) {
                hear(before);
            }
        }
        hear(flight);
    }

    private boolean isForAnotherLife(Flight flight) {
        return flight.addressee() != 0 && flight.addressee() != incarnation;
    }

    private void hear(Flight flight) {
        if (flight.message() instanceof NodeMessage message && process.isRunning()) {
            step(new NodeEvent.Received(flight.from(), flight.incarnation(), message));
        }
    }

    @Override
    public void contend(String path, int number) {
        step(new NodeEvent.Contend(path, number, process.id.value()));
    }

    @Override
    public void withdraw(int number) {
        step(new NodeEvent.Withdraw(number));
    }

    @Override
    public void rejoin(int number) {
        step(new NodeEvent.Rejoin(number));
    }

    @Override
    public void resign(int number, Tenure tenure) {
        step(new NodeEvent.Resign(number, tenure));
    }

    @Override
    public void drains(int number, boolean wanted) {
        step(new NodeEvent.Drains(number, wanted));
    }

    @Override
    public void leaves(int number, Tenure tenure) {
        step(new NodeEvent.Leave(number, tenure, VirtualProcess.RESIGNS));
    }

    @Override
    public void drained(int number, Tenure tenure, long departure) {
        step(new NodeEvent.Drained(number, tenure, departure));
    }

    @Override
    public void transferTo(int number, NodeId successor) {
        step(new NodeEvent.TransferTo(number, successor.value()));
    }

    // ---------------------------------------------------------------- effects

    private void perform(List<NodeEffect> wanted) {
        for (NodeEffect effect : wanted) {
            if (effect instanceof NodeEffect.Send send) {
                send(send.to(), send.message());
            } else if (effect instanceof NodeEffect.ReserveTerms reserve) {
                reserve(reserve.upTo());
            } else if (effect instanceof NodeEffect.Granted granted) {
                process.granted(Math.toIntExact(granted.number()), granted.tenure());
            } else if (effect instanceof NodeEffect.Revoked revoked) {
                process.revoked(Math.toIntExact(revoked.number()), revoked.tenure());
            } else if (effect instanceof NodeEffect.Leaving leaving) {
                process.leaving(Math.toIntExact(leaving.number()), leaving.tenure(), leaving.departure());
            } else if (effect instanceof NodeEffect.Stays stays) {
                process.stays(Math.toIntExact(stays.number()));
            } else if (effect instanceof NodeEffect.ConnectionChanged changed) {
                process.connections.add(changed.connection());
            } else if (effect instanceof NodeEffect.TransferBegun begun) {
                process.transfers.add("to " + begun.successor().node());
            } else if (effect instanceof NodeEffect.TransferRefused refused) {
                process.transfers.add("refused: " + refused.cause().getMessage());
            } else if (effect instanceof NodeEffect.StorePaxosState store) {
                store(store.paxos());
            } else if (effect instanceof NodeEffect.ChangeEnded ended) {
                process.changes.add(ended.failure().map(Throwable::getMessage).orElse("done"));
            } else if (effect instanceof NodeEffect.VotersChanged changed) {
                process.watchdog.votersAre(process, changed.config());
            } else if (effect instanceof NodeEffect.Note note) {
                process.digest.add(process.time.now(), process.id.value(), note.text());
                if (note.isWarning()) {
                    process.warnings.add(note.text());
                }
            } else if (effect instanceof NodeEffect.Failed failed) {
                process.failure = Optional.of(failed.cause());
            }
        }
    }

    private void send(NodeId to, Object message) {
        network.send(new Flight(process.id, to, message, incarnation, known.getOrDefault(to, 0L)));
    }

    private void reserve(long upTo) {
        termCeilingUnderWay = upTo;
        process.laterInThisLife(process.time.now() + WRITE_NANOS, () -> {
            if (isFull) {
                process.handle(() -> step(new NodeEvent.ReserveFailed("no space left")));
            } else {
                termCeiling = Math.max(termCeiling, upTo);
                process.handle(() -> step(new NodeEvent.TermsReserved(upTo)));
            }
        });
    }

    private void store(PaxosState next) {
        paxosUnderWay = Optional.of(next);
        process.laterInThisLife(process.time.now() + WRITE_NANOS, () -> {
            paxosUnderWay = Optional.empty();
            if (isFull) {
                process.handle(() -> step(new NodeEvent.PaxosStateFailed("no space left")));
            } else {
                paxos = Optional.of(next);
                process.watchdog.stored(process.id, next);
                process.handle(() -> step(new NodeEvent.PaxosStateStored(next)));
            }
        });
    }

    /** Its work since the last call. */
    VirtualCluster.Work takeWork() {
        VirtualCluster.Work work = new VirtualCluster.Work(steps, effects, effectsMax);
        steps = 0;
        effects = 0;
        effectsMax = 0;
        return work;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public boolean votes() {
        return node != null && node.votes();
    }

    @Override
    public Optional<PathView> view(String path) {
        return node.view(path);
    }

    @Override
    public void watch(String path, boolean wanted) {
        step(new NodeEvent.WatchPath(path, wanted));
    }

    @Override
    public void changeVoters(List<NodeId> wanted) {
        Map<NodeId, Optional<HostAndPort>> all = new HashMap<>();
        wanted.forEach(id -> all.put(id, Optional.empty()));
        step(new NodeEvent.ChangeVoters(++requests, node.voters().number(), all));
    }

    @Override
    public VoterList voters() {
        return node == null ? VoterList.NONE : node.voters();
    }

    @Override
    public void priority(int value) {
        step(new NodeEvent.Priority(value));
    }

    @Override
    public void standBy(boolean wanted) {
        step(new NodeEvent.StandBy(wanted ? Optional.of(VirtualProcess.ON_STANDBY) : Optional.empty()));
    }

    @Override
    public int load() {
        return node == null ? 0 : node.pendingTimers();
    }

    @Override
    public String describe() {
        if (node == null) {
            return process.id + ": crashed";
        }
        StringBuilder text = new StringBuilder(node.describe());
        process.contenders.forEach((number, path) -> text.append("\n  ")
                .append(path)
                .append(' ')
                .append(number)
                .append(": ")
                .append(node.explain(number).reason()));
        return text.toString();
    }
}
