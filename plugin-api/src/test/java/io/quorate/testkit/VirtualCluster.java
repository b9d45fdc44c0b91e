package io.quorate.testkit;

import io.quorate.core.Connection;
import io.quorate.core.LeaseTiming;
import io.quorate.core.Node;
import io.quorate.core.NodeEffect;
import io.quorate.core.NodeEvent;
import io.quorate.core.NodeMessage;
import io.quorate.core.NodeSettings;
import io.quorate.core.PathView;
import io.quorate.core.RankOrder;
import io.quorate.core.Tenure;
import io.quorate.spi.Clock;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * A cluster of real nodes in virtual time. The network delivers each message after a delay drawn from the seed,
         unless a
 * rule of the test drops it. After every step it is checked that no two nodes hold a valid tenure of one path, and that
 * tokens rise.
 *
 * <p>Times are milliseconds of real (virtual) time; each node has a clock of its own, with a rate.
 */
public final class VirtualCluster {

    /** A message on its way. */
    public record Flight(NodeId from, NodeId to, NodeMessage message) {
    }

    /** One line of the log of tenures. */
    public record Change(long atMillis, NodeId node, String path, boolean isGranted, long token) {
        @Override
        public String toString() {
            return atMillis + " ms " + node + " " + path + (isGranted ? " leads with token " : " ends token ") + token;
        }
    }

    private static final long MILLI = 1_000_000;

    private record Due(long at, long order, Runnable action) {
    }

    private final long seed;
    private final SplittableRandom random;
    private final ElectionAlgorithm algorithm;
    private final Map<NodeId, VirtualProcess> processes = new TreeMap<>();
    private final PriorityQueue<Due> queue = new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at)
            : Long.compare(a.order, b.order));
    private final List<Predicate<Flight>> drops = new ArrayList<>();
    private final List<Change> log = new ArrayList<>();
    private final Map<String, Long> tokenMax = new TreeMap<>();
    private final Map<String, Integer> messages = new TreeMap<>();
    private long now;
    private long order;
    private long delayMin = 200_000;
    private long delayMax = 1_000_000;
    private int numbers;
    private int duplicatePercent;

    /** @param seed decides every delay; printed by every failure */
    public VirtualCluster(long seed, ElectionAlgorithm algorithm) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.algorithm = algorithm;
    }

    /** A started cluster of voters {@code n1 .. n<count>} with the default times. */
    public static VirtualCluster ofVoters(int count, long seed, ElectionAlgorithm algorithm) {
        VirtualCluster cluster = new VirtualCluster(seed, algorithm);
        List<NodeId> voters = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            voters.add(new NodeId("n" + i));
        }
        voters.forEach(voter -> cluster.add(settings(voter, voters)));
        voters.forEach(cluster::start);
        return cluster;
    }

    /** The default times: heartbeat 150 ms, support 1 s, drift 10 %, delta 20 ms. */
    public static NodeSettings settings(NodeId self, List<NodeId> voters) {
        return new NodeSettings("test", self, voters, new LeaseTiming(150 * MILLI, 1000 * MILLI, 10),
                new Timing(20 * MILLI), RankOrder.JOIN_ORDER, 0, false);
    }

    public void add(NodeSettings settings) {
        processes.put(settings.self(), new VirtualProcess(settings));
    }

    /** Starts the process, or starts it again after a {@link #crash}. */
    public void start(NodeId id) {
        VirtualProcess process = processes.get(id);
        process.life++;
        process.contenders.clear();
        process.tenures.clear();
        process.failure = null;
        process.isPaused = false;
        process.incarnationOnDisk = Math.max(process.incarnationOnDisk + 1, now / MILLI + 1);
        long ceiling = process.hasDisk ? process.termsOnDisk : (1_000_000_000_000L + now / MILLI) << 18;
        Node.Birth birth = new Node.Birth(process.incarnationOnDisk, ceiling, process.hasDisk);
        process.node = new Node(process.settings, algorithm, birth, (min, max) -> random.nextLong(min, max + 1));
        perform(process, process.node.start(process.clock(now)));
        scheduleWake(process);
    }

    /** The process is gone, with everything in its memory. */
    public void crash(NodeId id) {
        VirtualProcess process = processes.get(id);
        process.life++;
        process.node = null;
        process.tenures.clear();
        process.deferred.clear();
    }

    /** SIGSTOP: the process does nothing, its clock goes on, what arrives waits. */
    public void pause(NodeId id) {
        processes.get(id).isPaused = true;
    }

    /** SIGCONT: what has waited is handled now. */
    public void resume(NodeId id) {
        VirtualProcess process = processes.get(id);
        process.isPaused = false;
        List<Runnable> waiting = List.copyOf(process.deferred);
        process.deferred.clear();
        waiting.forEach(Runnable::run);
        deliver(process, NodeEvent.Wake.INSTANCE);
    }

    /** From now on the clock of the process runs at this rate of real time. */
    public void rate(NodeId id, double rate) {
        VirtualProcess process = processes.get(id);
        process.clockAtChange = process.clock(now);
        process.realAtChange = now;
        process.rate = rate;
        process.wakeAt = Long.MAX_VALUE;
        scheduleWake(process);
    }

    public void diskless(NodeId id) {
        processes.get(id).hasDisk = false;
    }

    /** The process does not send its contenders back into the queue by itself. */
    public void holdsBack(NodeId id) {
        processes.get(id).rejoinsByItself = false;
    }

    public void delays(long minMicros, long maxMicros) {
        delayMin = minMicros * 1000;
        delayMax = maxMicros * 1000;
    }

    /** So many of a hundred messages arrive twice. */
    public void duplicates(int percent) {
        duplicatePercent = percent;
    }

    /** Drops what the rule names, until {@link #heal}. */
    public void drop(Predicate<Flight> rule) {
        drops.add(rule);
    }

    /** Nothing passes between the two, in either direction. */
    public void cut(NodeId a, NodeId b) {
        drop(f -> f.from().equals(a) && f.to().equals(b) || f.from().equals(b) && f.to().equals(a));
    }

    /** Nothing passes between these and all others. */
    public void isolate(NodeId... group) {
        List<NodeId> inside = List.of(group);
        drop(f -> inside.contains(f.from()) != inside.contains(f.to()));
    }

    public void heal() {
        drops.clear();
    }

    /** Opens a contender; answers its number. */
    public int contend(NodeId id, String path) {
        int number = ++numbers;
        processes.get(id).contenders.put(number, path);
        deliver(processes.get(id), new NodeEvent.Contend(path, number, id.value()));
        return number;
    }

    /** Closes a contender as a latch does: first its tenure ends, then the node is told. */
    public void withdraw(NodeId id, int number) {
        VirtualProcess process = processes.get(id);
        Optional.ofNullable(process.tenures.get(number)).ifPresent(Tenure::end);
        deliver(process, new NodeEvent.Withdraw(number));
        process.contenders.remove(number);
    }

    public void step(NodeId id, NodeEvent event) {
        deliver(processes.get(id), event);
    }

    /** A message from nowhere, or again. */
    public void inject(NodeId from, long incarnation, NodeId to, NodeMessage message) {
        deliver(processes.get(to), new NodeEvent.Received(from, incarnation, message));
    }

    /** Lets so much time pass. */
    public void advance(long millis) {
        long end = now + millis * MILLI;
        while (!queue.isEmpty() && queue.peek().at <= end) {
            Due due = queue.remove();
            now = Math.max(now, due.at);
            due.action.run();
            check();
        }
        now = end;
        check();
    }

    /**
     * Lets time pass until the condition holds.
     *
     * @return how many milliseconds that took
     * @throws AssertionError if it does not hold within {@code limitMillis}
     */
    public long await(String what, long limitMillis, BooleanSupplier condition) {
        long begin = now;
        while (!condition.getAsBoolean()) {
            if (now - begin > limitMillis * MILLI) {
                throw new AssertionError("not within " + limitMillis + " ms: " + what + "\n" + describe());
            }
            advance(1);
        }
        return (now - begin) / MILLI;
    }

    /** The nodes that hold a valid tenure of the path at this moment; a paused one counts, it cannot know better. */
    public List<NodeId> leaders(String path) {
        List<NodeId> leaders = new ArrayList<>();
        for (VirtualProcess process : processes.values()) {
            for (Tenure tenure : process.tenures.values()) {
                if (tenure.path().equals(path) && isValid(process, tenure)) {
                    leaders.add(process.id);
                }
            }
        }
        return leaders;
    }

    public Optional<NodeId> leader(String path) {
        return leaders(path).stream().findFirst();
    }

    public Optional<Tenure> tenure(NodeId id, int number) {
        return Optional.ofNullable(processes.get(id).tenures.get(number));
    }

    /** The token of the valid tenure of the path. */
    public long token(String path) {
        return processes.values().stream().flatMap(p -> p.tenures.values().stream()
                        .filter(t -> t.path().equals(path) && isValid(p, t)))
                .mapToLong(Tenure::token).findFirst().orElseThrow(() -> new AssertionError("no leader: " + describe()));
    }

    public Node node(NodeId id) {
        return processes.get(id).node;
    }

    public Optional<PathView> view(NodeId id, String path) {
        return processes.get(id).node.view(path);
    }

    public Optional<RuntimeException> failure(NodeId id) {
        return Optional.ofNullable(processes.get(id).failure);
    }

    public List<Connection> connections(NodeId id) {
        return List.copyOf(processes.get(id).connections);
    }

    /** The clock of the process, as its application reads it. */
    public Clock clock(NodeId id) {
        VirtualProcess process = processes.get(id);
        return new Clock() {
            @Override
            public long nanoTime() {
                return process.clock(now);
            }

            @Override
            public long wallMillis() {
                return now / MILLI;
            }
        };
    }

    public long nowMillis() {
        return now / MILLI;
    }

    public List<Change> log() {
        return List.copyOf(log);
    }

    /** How many messages of each kind were sent. */
    public Map<String, Integer> messages() {
        return new TreeMap<>(messages);
    }

    public void forgetMessages() {
        messages.clear();
    }

    public String describe() {
        StringBuilder text = new StringBuilder("seed=" + seed + ", at " + nowMillis() + " ms\n");
        for (VirtualProcess process : processes.values()) {
            text.append(process.node == null ? process.id + ": crashed" : process.node.describe()).append('\n');
            if (process.node != null) {
                process.contenders.forEach((number, path) -> text.append("  ").append(path).append(' ')
                        .append(number).append(": ").append(process.node.explain(number)).append('\n'));
            }
        }
        log.stream().skip(Math.max(0, log.size() - 40)).forEach(change -> text.append(change).append('\n'));
        return text.toString();
    }

    // ---------------------------------------------------------------- the machinery

    private void deliver(VirtualProcess process, NodeEvent event) {
        if (process.node == null) {
            return;
        }
        if (process.isPaused) {
            long life = process.life;
            process.deferred.add(() -> {
                if (process.life == life) {
                    deliver(process, event);
                }
            });
            return;
        }
        perform(process, process.node.step(process.clock(now), event));
        scheduleWake(process);
    }

    /** At most one wake-up per process is pending that is not later than all others. */
    private void scheduleWake(VirtualProcess process) {
        if (process.node == null || process.isPaused) {
            return;
        }
        long at = Math.max(now, process.realOf(process.node.nextWake()));
        if (process.wakeLife == process.life && process.wakeAt <= at) {
            return;
        }
        process.wakeLife = process.life;
        process.wakeAt = at;
        long life = process.life;
        after(at, () -> {
            if (process.life == life && process.wakeAt == at) {
                process.wakeAt = Long.MAX_VALUE;
                wake(process);
            }
        });
    }

    private void wake(VirtualProcess process) {
        if (process.isPaused) {
            return;
        }
        if (process.node.nextWake() - process.clock(now) <= 0) {
            deliver(process, NodeEvent.Wake.INSTANCE);
        } else {
            // The clock was set to another rate meanwhile, or the conversion was rounded.
            after(now + 1, () -> scheduleWake(process));
        }
    }

    private void perform(VirtualProcess process, List<NodeEffect> effects) {
        for (NodeEffect effect : effects) {
            if (effect instanceof NodeEffect.Send send) {
                send(process, send);
            } else if (effect instanceof NodeEffect.ReserveTerms reserve) {
                reserve(process, reserve.upTo());
            } else if (effect instanceof NodeEffect.Granted granted) {
                onGranted(process, granted);
            } else if (effect instanceof NodeEffect.Revoked revoked) {
                onRevoked(process, revoked);
            } else if (effect instanceof NodeEffect.AdoptIncarnation adopt) {
                process.incarnationOnDisk = adopt.incarnation();
            } else if (effect instanceof NodeEffect.ConnectionChanged changed) {
                process.connections.add(changed.connection());
            } else if (effect instanceof NodeEffect.Failed failed) {
                process.failure = failed.cause();
            }
        }
    }

    private void send(VirtualProcess from, NodeEffect.Send send) {
        messages.merge(send.message().getClass().getSimpleName(), 1, Integer::sum);
        long incarnation = from.incarnationOnDisk;
        Flight flight = new Flight(from.id, send.to(), send.message());
        if (!processes.containsKey(send.to()) || drops.stream().anyMatch(rule -> rule.test(flight))) {
            return;
        }
        fly(flight, incarnation);
        if (random.nextInt(100) < duplicatePercent) {
            fly(flight, incarnation);
        }
    }

    private void fly(Flight flight, long incarnation) {
        after(now + random.nextLong(delayMin, delayMax + 1), () -> {
            if (drops.stream().noneMatch(rule -> rule.test(flight))) {
                deliver(processes.get(flight.to()), new NodeEvent.Received(flight.from(), incarnation,
                        flight.message()));
            }
        });
    }

    private void reserve(VirtualProcess process, long upTo) {
        long life = process.life;
        after(now + MILLI, () -> {
            if (process.life == life) {
                process.termsOnDisk = Math.max(process.termsOnDisk, upTo);
                deliver(process, new NodeEvent.TermsReserved(upTo));
            }
        });
    }

    private void onGranted(VirtualProcess process, NodeEffect.Granted granted) {
        Tenure tenure = granted.tenure();
        process.tenures.put(granted.number(), tenure);
        log.add(new Change(nowMillis(), process.id, tenure.path(), true, tenure.token()));
        Long highest = tokenMax.put(tenure.path(), tenure.token());
        if (highest != null && highest >= tenure.token()) {
            throw new AssertionError(tenure.path() + ": token " + tenure.token() + " after " + highest + "\n"
                    + describe());
        }
    }

    private void onRevoked(VirtualProcess process, NodeEffect.Revoked revoked) {
        process.tenures.remove(revoked.number(), revoked.tenure());
        log.add(new Change(nowMillis(), process.id, revoked.tenure().path(), false, revoked.tenure().token()));
        if (process.rejoinsByItself) {
            long life = process.life;
            after(now + MILLI, () -> {
                if (process.life == life) {
                    deliver(process, new NodeEvent.Rejoin(revoked.number()));
                }
            });
        }
    }

    private boolean isValid(VirtualProcess process, Tenure tenure) {
        return tenure.isValid(clock(process.id));
    }

    private void check() {
        Map<String, NodeId> leaderOf = new TreeMap<>();
        for (VirtualProcess process : processes.values()) {
            for (Tenure tenure : process.tenures.values()) {
                if (isValid(process, tenure)) {
                    NodeId other = leaderOf.put(tenure.path(), process.id);
                    if (other != null) {
                        throw new AssertionError("two leaders of " + tenure.path() + ": " + other + " and "
                                + process.id + "\n" + describe());
                    }
                }
            }
        }
    }

    private void after(long at, Runnable action) {
        queue.add(new Due(at, order++, action));
    }
}
