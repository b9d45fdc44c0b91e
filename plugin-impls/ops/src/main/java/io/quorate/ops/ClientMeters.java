package io.quorate.ops;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import io.quorate.ClientMonitor;
import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.Health;
import io.quorate.Stage;
import io.quorate.spi.Problem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;

/**
 * The numbers of one client in one registry. The node's thread writes them, and the scraping thread reads them: neither
 * waits for the other.
 */
final class ClientMeters implements ClientMonitor, AutoCloseable {

    /** The kinds of callbacks that {@link ClientMonitor#callbackReturned} names. */
    private static final List<String> CALLBACKS = List.of("isLeader", "notLeader", "stateChanged", "leaderChanged");

    private static final String PEER = "peer";

    private final ElectionClient client;
    private final MeterRegistry registry;
    private final Tags tags;
    private final Clock clock;
    private final LateMeters late;

    private final Misplaced misplaced;
    private final SupportMargin margin;
    private final Map<String, Timer> callbacks = new ConcurrentHashMap<>();
    private final Counter callbacksFailed;
    private final Map<DrainOutcome, Timer> drains = new EnumMap<>(DrainOutcome.class);
    private final PathNumbers otherPaths = new PathNumbers();
    /** Those that are there from the beginning to the end. */
    private final List<Meter> lasting;

    // Confined to the node's thread.
    private final Map<String, PathNumbers> ownPaths = new HashMap<>();
    /**
     * The paths without a known leader. Led paths, which may be thousands, are not kept, and a tree keeps no room when
     * all are led.
     */
    private final Map<String, Leaderless> leaderless = new TreeMap<>();

    private final Map<String, AtomicLong> voters = new HashMap<>();
    private final Map<String, AtomicLong> dropped = new HashMap<>();

    /** The numbers that the meters of one path, or of several, show. */
    private static final class PathNumbers {
        private final AtomicLong led = new AtomicLong();
        private final AtomicLong known = new AtomicLong();
        private final AtomicLong changes = new AtomicLong();
        private final AtomicLong leaderless = new AtomicLong();
        private final AtomicLong leaderlessNanos = new AtomicLong();

        private void reset() {
            led.set(0);
            known.set(0);
        }
    }

    /**
     * A path has no known leader.
     *
     * @param since the clock's reading
     * @param token of the last leader that was known; 0 for none
     */
    private record Leaderless(long since, long token) {}

    /** Registers what is there from the beginning. */
    ClientMeters(ElectionClient client, MeterRegistry registry, Tags tags) {
        this.client = client;
        misplaced = new Misplaced(client);
        this.registry = registry;
        this.tags = tags;
        clock = registry.config().clock();
        margin = new SupportMargin(clock::monotonicTime);
        late = new LateMeters("quorate-meters-" + client.nodeId(), registry);
        CALLBACKS.forEach(this::callbackTimer);
        callbacksFailed = Counter.builder("quorate.callbacks.failed")
                .description("Callbacks of listeners that have thrown")
                .tags(tags)
                .register(registry);
        for (DrainOutcome outcome : DrainOutcome.values()) {
            drains.put(
                    outcome,
                    Timer.builder("quorate.drain")
                            .description("How long leaders held up planned ends to finish their work")
                            .tags(tags.and(
                                    "outcome",
                                    outcome.name().toLowerCase(Locale.ROOT).replace('_', '-')))
                            .register(registry));
        }
        Gauge support = Gauge.builder("quorate.supporters", client, asked -> asked.probe()
                        .supporters()
                        .size())
                .description("Voters that support this node")
                .tags(tags)
                .register(registry);
        TimeGauge least = TimeGauge.builder("quorate.support.margin", margin, TimeUnit.NANOSECONDS, left -> left.least()
                        .orElse(0))
                .description("The least that was left of the majority's support in the last minute")
                .tags(tags)
                .register(registry);
        TimeGauge turnAge = TimeGauge.builder("quorate.turn.age", client, TimeUnit.NANOSECONDS, asked -> asked.turnAge()
                        .toNanos())
                .description("How long ago the thread of the node last had a turn")
                .tags(tags)
                .register(registry);
        // A time, so that an alert needs no second meter; a scrape knows what time it is.
        Gauge certificateEnd = Gauge.builder("quorate.certificate.end", client, asked -> asked.certificateEnd()
                        .map(end -> (double) end.getEpochSecond())
                        .orElse(0.0))
                .baseUnit("seconds")
                .description("When the first certificate of the own chain ends, in seconds since 1970; 0 without TLS")
                .tags(tags)
                .register(registry);
        Gauge version = Gauge.builder("quorate.version", () -> 1)
                .description("1, with the version of the library as its tag")
                .tags(tags.and("version", Objects.requireNonNullElse(Views.version(), "unknown")))
                .register(registry);
        Gauge outranked = Gauge.builder("quorate.paths.misplaced", misplaced, asked -> asked.count().stream()
                        .asDoubleStream()
                        .findFirst()
                        .orElse(Double.NaN))
                .description("Paths that this client leads although a contender of a better rank is up")
                .tags(tags)
                .register(registry);
        Gauge oneOfTwo = Gauge.builder("quorate.paths.one.of.two", client, asked -> asked.stages().values().stream()
                        .filter(Stage::isOneOfTwo)
                        .count())
                .description(
                        "Paths on which one of the two sides of a tandem or shadow leads here, and the other does not")
                .tags(tags)
                .register(registry);
        lasting = new ArrayList<>(
                List.of(oneOfTwo, outranked, callbacksFailed, support, least, turnAge, certificateEnd, version));
        for (Health.State state : Health.State.values()) {
            lasting.add(Gauge.builder(
                            "quorate.state", client, asked -> asked.probe().state() == state ? 1 : 0)
                    .description("1 for the state that the client is in, else 0")
                    .tags(tags.and("state", state.name()))
                    .register(registry));
        }
        for (Problem.Kind kind : Problem.Kind.values()) {
            lasting.add(Gauge.builder("quorate.problems", client, asked -> asked.problems().stream()
                            .filter(problem -> problem.kind() == kind)
                            .count())
                    .description("Faults of this node that last until an operator repairs them")
                    .tags(tags.and("kind", kind.tag()))
                    .register(registry));
        }
        lasting.addAll(drains.values());
        lasting.addAll(pathMeters(QuorateMeters.OTHER_PATHS, otherPaths));
    }

    private Timer callbackTimer(String kind) {
        return callbacks.computeIfAbsent(kind, added -> Timer.builder("quorate.callbacks")
                .description("How long listeners take for a callback")
                .tags(tags.and("kind", added))
                .register(registry));
    }

    /**
     * A node that lost its voters leads nothing and knows no leader, even if its stuck thread has not reported that.
     */
    private static double unlessLost(ElectionClient client, AtomicLong number) {
        boolean isLost = client.connectionState().equals(Optional.of(ConnectionState.LOST));
        return isLost ? 0 : number.get();
    }

    private List<Meter> pathMeters(String path, PathNumbers numbers) {
        Tags own = tags.and("path", path);
        return List.of(
                Gauge.builder("quorate.leader", client, asked -> unlessLost(asked, numbers.led))
                        .description("Whether this client leads the path")
                        .tags(own)
                        .register(registry),
                Gauge.builder("quorate.leader.known", client, asked -> unlessLost(asked, numbers.known))
                        .description("Whether this client knows who leads the path")
                        .tags(own)
                        .register(registry),
                FunctionCounter.builder("quorate.leader.changes", numbers.changes, AtomicLong::get)
                        .description("Leaders that came, as this client has learnt of them")
                        .tags(own)
                        .register(registry),
                FunctionTimer.builder(
                                "quorate.leaderless",
                                numbers,
                                each -> each.leaderless.get(),
                                each -> each.leaderlessNanos.get(),
                                TimeUnit.NANOSECONDS)
                        .description("Periods without a known leader that are over")
                        .tags(own)
                        .register(registry));
    }

    // ---------------------------------------------------------------- paths

    @Override
    public void leaderChanged(String path, Optional<Leader> former, Optional<Leader> leader) {
        Leaderless period = leaderless.get(path);
        if (former.isEmpty() && period == null) {
            begin(path);
        }
        PathNumbers numbers = numbers(path);
        long last = period != null ? period.token : former.map(Leader::token).orElse(0L);
        if (leader.isEmpty()) {
            leaderless.putIfAbsent(path, new Leaderless(clock.monotonicTime(), last));
        } else if (period != null) {
            // A leader that is there at the beginning ends no period: it may have led for long.
            leaderless.remove(path);
            numbers.leaderless.incrementAndGet();
            numbers.leaderlessNanos.addAndGet(clock.monotonicTime() - period.since);
        }
        numbers.known.addAndGet((leader.isPresent() ? 1 : 0) - (former.isPresent() ? 1 : 0));
        if (leader.isPresent() && leader.get().token() != last) {
            numbers.changes.incrementAndGet();
        }
    }

    /** A path that is new has meters of its own if it is among the first. */
    private void begin(String path) {
        if (ownPaths.size() < QuorateMeters.PATHS_MAX) {
            PathNumbers numbers = new PathNumbers();
            ownPaths.put(path, numbers);
            late.put("path " + path, () -> pathMeters(path, numbers));
        }
    }

    private PathNumbers numbers(String path) {
        return ownPaths.getOrDefault(path, otherPaths);
    }

    @Override
    public void forgotten(String path, Optional<Leader> former) {
        leaderless.remove(path);
        if (former.isPresent()) {
            numbers(path).known.decrementAndGet();
        }
        if (ownPaths.remove(path) != null) {
            late.remove("path " + path);
        }
    }

    @Override
    public void leads(String path, long token) {
        numbers(path).led.incrementAndGet();
    }

    @Override
    public void leadsNoMore(String path, long token, String reason) {
        numbers(path).led.decrementAndGet();
    }

    // ---------------------------------------------------------------- the node

    @Override
    public void connectionChanged(ConnectionState state, String reason) {
        margin.connectionChanged(state);
    }

    @Override
    public void supportRenewed(Duration left) {
        margin.renewed(left.toNanos());
    }

    @Override
    public void voterHeard(String voter, boolean isHeard) {
        voters.computeIfAbsent(voter, added -> late(PEER, added, this::peerConnected))
                .set(isHeard ? 1 : 0);
    }

    @Override
    public void voterLeft(String voter) {
        voters.remove(voter);
        late.remove(PEER + " " + voter);
    }

    @Override
    public void framesDropped(String reason, long count) {
        dropped.computeIfAbsent(reason, added -> late("reason", added, this::droppedFrames))
                .set(count);
    }

    /** A number that has a meter from its first use on. */
    private AtomicLong late(String tag, String value, BiFunction<AtomicLong, Tags, Meter> meter) {
        AtomicLong number = new AtomicLong();
        Tags own = tags.and(tag, value);
        late.put(tag + " " + value, () -> List.of(meter.apply(number, own)));
        return number;
    }

    private Meter peerConnected(AtomicLong number, Tags own) {
        return Gauge.builder("quorate.peer.connected", number, AtomicLong::get)
                .description("Whether this node hears the voter")
                .tags(own)
                .register(registry);
    }

    private Meter droppedFrames(AtomicLong number, Tags own) {
        return FunctionCounter.builder("quorate.frames.dropped", number, AtomicLong::get)
                .description("Frames that this node did not take")
                .tags(own)
                .register(registry);
    }

    // ---------------------------------------------------------------- callbacks and the end

    @Override
    public void callbackReturned(String path, String callback, Duration took, boolean hasThrown) {
        callbackTimer(callback).record(took);
        if (hasThrown) {
            callbacksFailed.increment();
        }
    }

    @Override
    public void drained(String path, DrainOutcome outcome, Duration took) {
        Timer timer = drains.get(outcome);
        if (timer != null) {
            timer.record(took);
        }
    }

    @Override
    public void stopped(String reason) {
        margin.lost();
        ownPaths.values().forEach(PathNumbers::reset);
        otherPaths.reset();
        ownPaths.clear();
        leaderless.clear();
        voters.values().forEach(heard -> heard.set(0));
    }

    /** Takes all meters out of the registry. */
    @Override
    public void close() {
        late.close();
        lasting.forEach(registry::remove);
        callbacks.values().forEach(registry::remove);
    }
}
