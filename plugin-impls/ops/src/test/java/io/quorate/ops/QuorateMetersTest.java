package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quorate.ClientMonitor;
import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Profile;
import io.quorate.Voters;
import io.quorate.spi.Problem;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** docs/metrics.md: what a scrape gets. The cluster lives in virtual time, the sockets are real. */
class QuorateMetersTest {

    private static final String PATH = "/app/leader";

    private final SimulatedCluster cluster =
            new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()));
    private final Map<String, Scrape> scrapes = new TreeMap<>();
    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient fake = Clients.over(engine);

    @AfterEach
    void close() {
        scrapes.values().forEach(Scrape::close);
        fake.close();
        cluster.close();
    }

    private Scrape scrape(String node) {
        return scrapes.computeIfAbsent(node, name -> new Scrape(cluster.client(name)));
    }

    private static String of(String name, String path) {
        return name + "{path=\"" + path + "\"}";
    }

    private double value(String node, String name) {
        return scrape(node).value(of(name, PATH));
    }

    private void contend() {
        for (String node : cluster.nodes()) {
            scrape(node);
            Web.latch(cluster.client(node), PATH, "id-of-" + node);
            cluster.awaitLeader(PATH);
            scrape(node).awaitPath(PATH);
        }
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    // ---------------------------------------------------------------- a cluster

    // On a node that cannot reach the others: each meter is there, and nothing has happened.
    @Test
    void everyMeterIsThereWithZeroBeforeTheFirstElection() {
        cluster.isolate("n1");
        Scrape n1 = scrape("n1");
        Web.latch(cluster.client("n1"), PATH, "n1");
        cluster.advance(Duration.ofSeconds(5));
        Map<String, Double> series = n1.awaitPath(PATH);
        assertThat(n1.names())
                .containsExactlyInAnyOrder(
                        "quorate_callbacks_failed_total",
                        "quorate_callbacks_seconds_count",
                        "quorate_callbacks_seconds_max",
                        "quorate_callbacks_seconds_sum",
                        "quorate_certificate_end_seconds",
                        "quorate_drain_seconds_count",
                        "quorate_drain_seconds_max",
                        "quorate_drain_seconds_sum",
                        "quorate_frames_dropped_total",
                        "quorate_leader",
                        "quorate_leader_changes_total",
                        "quorate_leader_known",
                        "quorate_leaderless_seconds_count",
                        "quorate_leaderless_seconds_sum",
                        "quorate_paths_misplaced",
                        "quorate_paths_one_of_two",
                        "quorate_peer_connected",
                        "quorate_problems",
                        "quorate_state",
                        "quorate_support_margin_seconds",
                        "quorate_supporters",
                        "quorate_turn_age_seconds",
                        "quorate_version");
        // It hears itself, and votes for itself.
        assertThat(series)
                .containsEntry("quorate_peer_connected{peer=\"n1\"}", 1.0)
                .containsEntry("quorate_peer_connected{peer=\"n2\"}", 0.0)
                .containsEntry("quorate_peer_connected{peer=\"n3\"}", 0.0);
        assertThat(series).containsEntry("quorate_state{state=\"JOINING\"}", 1.0);
        assertThat(series.entrySet())
                .filteredOn(each -> !each.getKey().equals("quorate_peer_connected{peer=\"n1\"}")
                        && !each.getKey().equals("quorate_state{state=\"JOINING\"}")
                        && !each.getKey().startsWith("quorate_version{version=\"")
                        && !List.of("quorate_supporters", "quorate_turn_age_seconds")
                                .contains(each.getKey()))
                .allSatisfy(each -> assertThat(each.getValue()).isZero());
    }

    // Its thread can say nothing, and another node leads by now.
    @Test
    void aNodeWhoseThreadIsStuckLeadsNothing() {
        contend();
        assertThat(cluster.leader(PATH)).contains("n1");
        Scrape n1 = scrape("n1");
        n1.awaitPath(PATH);
        cluster.pause("n1");
        cluster.advance(Duration.ofSeconds(11));
        assertThat(n1.value("quorate_leader{path=\"" + PATH + "\"}")).isZero();
        assertThat(n1.value("quorate_leader_known{path=\"" + PATH + "\"}")).isZero();
        assertThat(n1.value("quorate_supporters")).isZero();
        assertThat(n1.value("quorate_turn_age_seconds")).isBetween(10.8, 11.2);
        cluster.resume("n1");
        cluster.advance(Duration.ofSeconds(5));
        assertThat(n1.value("quorate_leader_known{path=\"" + PATH + "\"}")).isEqualTo(1);
        assertThat(n1.value("quorate_supporters")).isEqualTo(3);
        assertThat(n1.value("quorate_turn_age_seconds")).isLessThan(0.3);
    }

    // The rule of docs/metrics.md#alerts, on what Prometheus has scraped of those that are left.
    @Test
    void theAlertThatNobodyLeadsFiresWhenTheMajorityIsLost() throws IOException {
        assertThat(Files.readString(Path.of("../../plugin-api/docs/metrics.md")))
                .contains("alert: QuorateNoKnownLeader\n"
                        + "        expr: max by (job, path) (quorate_leader_known{path!=\"*\"}) == 0\n");
        contend();
        assertThat(firesNoKnownLeader(cluster.nodes())).isFalse();
        cluster.crash("n1");
        cluster.crash("n2");
        cluster.advance(Profile.DEFAULT.supportDuration().multipliedBy(2));
        assertThat(firesNoKnownLeader(List.of("n3"))).isTrue();
        cluster.advance(Duration.ofMinutes(10));
        assertThat(firesNoKnownLeader(List.of("n3"))).isTrue();
    }

    private boolean firesNoKnownLeader(List<String> living) {
        return living.stream()
                        .mapToDouble(node -> value(node, "quorate_leader_known"))
                        .max()
                        .orElseThrow()
                == 0;
    }

    @Test
    void exactlyOneStateHolds() {
        contend();
        Scrape n1 = scrape("n1");
        assertThat(inStates(n1)).containsExactly("quorate_state{state=\"UP\"}");
        cluster.client("n1").close();
        assertThat(inStates(n1)).containsExactly("quorate_state{state=\"CLOSED\"}");
    }

    private static List<String> inStates(Scrape scrape) {
        return scrape.series().entrySet().stream()
                .filter(each -> each.getKey().startsWith("quorate_state{") && each.getValue() == 1)
                .map(Map.Entry::getKey)
                .toList();
    }

    @Test
    void theEndOfTheCertificateIsATime() {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine);
                Scrape scrape = new Scrape(client)) {
            assertThat(scrape.value("quorate_certificate_end_seconds")).isZero();
            engine.certificateEndsAt(Instant.ofEpochSecond(1_900_000_000));
            assertThat(scrape.value("quorate_certificate_end_seconds")).isEqualTo(1_900_000_000);
        }
    }

    @Test
    void problemsAreCountedByKind() throws Exception {
        FakeEngine engine = new FakeEngine();
        try (ElectionClient client = Clients.over(engine);
                Scrape scrape = new Scrape(client)) {
            client.start();
            assertThat(scrape.value("quorate_problems{kind=\"secret\"}")).isZero();
            engine.hasProblems(
                    new Problem(Problem.Kind.SECRET, "n1"),
                    new Problem(Problem.Kind.SECRET, "n2"),
                    new Problem(Problem.Kind.KEYS, "k"));
            assertThat(scrape.value("quorate_problems{kind=\"secret\"}")).isEqualTo(2);
            assertThat(scrape.value("quorate_problems{kind=\"keys\"}")).isEqualTo(1);
            engine.hasProblems();
            assertThat(scrape.value("quorate_problems{kind=\"secret\"}")).isZero();
        }
    }

    @Test
    void leaderAndFollowersAreSeen() {
        contend();
        assertThat(cluster.leader(PATH)).contains("n1");
        for (String node : cluster.nodes()) {
            assertThat(value(node, "quorate_leader")).as(node).isEqualTo(node.equals("n1") ? 1 : 0);
            assertThat(value(node, "quorate_leader_known")).as(node).isEqualTo(1);
            assertThat(value(node, "quorate_leader_changes_total")).as(node).isEqualTo(1);
            assertThat(scrape(node).value("quorate_supporters")).isEqualTo(3);
        }
    }

    @Test
    void aLostLeaderIsAChangeAndAPeriodWithoutALeader() {
        contend();
        double before = value("n2", "quorate_leaderless_seconds_count");
        cluster.crash("n1");
        cluster.awaitUntil("n1 leads no more", () -> !cluster.leader(PATH).equals(Optional.of("n1")));
        cluster.awaitLeader(PATH);
        cluster.advance(Profile.DEFAULT.supportDuration());
        assertThat(value("n2", "quorate_leader") + value("n3", "quorate_leader"))
                .isEqualTo(1);
        for (String node : List.of("n2", "n3")) {
            assertThat(value(node, "quorate_leader_changes_total")).as(node).isEqualTo(2);
            assertThat(scrape(node).value("quorate_supporters")).as(node).isEqualTo(2);
            assertThat(scrape(node).value("quorate_peer_connected{peer=\"n1\"}"))
                    .as(node)
                    .isZero();
        }
        assertThat(value("n2", "quorate_leaderless_seconds_count")).isEqualTo(before + 1);
    }

    private void changeVoters(long number, String... voters) {
        CompletableFuture<Voters> change =
                cluster.client("n1").changeVoters(number, voters).toCompletableFuture();
        cluster.awaitUntil("the voters are " + List.of(voters), change::isDone);
        assertThat(change).isCompleted();
        cluster.advance(Profile.DEFAULT.supportDuration());
    }

    private static List<String> peers(Map<String, Double> series) {
        return series.keySet().stream()
                .filter(name -> name.startsWith("quorate_peer_connected"))
                .map(name -> name.replaceAll(".*peer=\"(.*)\".*", "$1"))
                .toList();
    }

    // The alert QuorateFewSupporters takes their number for that of the voters.
    @Test
    void thePeersAreTheVotersOfNow() {
        Scrape n1 = scrape("n1");
        n1.await(series -> peers(series).equals(List.of("n1", "n2", "n3")));
        changeVoters(1, "n1", "n2");
        n1.await(series -> peers(series).equals(List.of("n1", "n2")));
        changeVoters(2, "n1", "n2", "n3");
        Map<String, Double> series = n1.await(now -> peers(now).equals(List.of("n1", "n2", "n3")));
        assertThat(series)
                .containsEntry("quorate_peer_connected{peer=\"n3\"}", 1.0)
                .containsEntry("quorate_supporters", 3.0);
    }

    // Whoever is near to losing its connection sees it here first. The registry has the cluster's time.
    @Test
    void theMarginIsTheLeastOfTheLastMinute() throws Exception {
        Clock virtual = new Clock() {
            @Override
            public long wallTime() {
                return cluster.now().toMillis();
            }

            @Override
            public long monotonicTime() {
                return cluster.now().toNanos();
            }
        };
        SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, virtual);
        double whole = Profile.DEFAULT.supportDuration().toMillis();
        Duration longer = Profile.DEFAULT.supportDuration().multipliedBy(4);
        Duration minute = Duration.ofSeconds(61);
        try (QuorateMeters meters = new QuorateMeters(cluster.client("n1"))) {
            meters.bindTo(registry);
            cluster.advance(minute);
            cluster.advance(minute);
            double usual = marginMillis(registry);
            assertThat(usual).isBetween(whole / 4, whole);
            cluster.pause("n1");
            cluster.advance(Duration.ofMillis(300));
            cluster.resume("n1");
            cluster.advance(longer);
            double paused = marginMillis(registry);
            assertThat(paused).isGreaterThan(0).isLessThan(usual - 100);
            assertThat(marginMillis(registry)).isEqualTo(paused);
            cluster.advance(minute);
            assertThat(marginMillis(registry)).isCloseTo(usual, within(whole / 10));
            cluster.isolate("n1");
            cluster.advance(longer);
            assertThat(marginMillis(registry)).isZero();
            cluster.heal();
            cluster.advance(longer);
            assertThat(marginMillis(registry)).isZero();
            cluster.advance(minute);
            assertThat(marginMillis(registry)).isCloseTo(usual, within(whole / 10));
        }
    }

    private static double marginMillis(MeterRegistry registry) {
        return registry.get("quorate.support.margin").timeGauge().value(TimeUnit.MILLISECONDS);
    }

    @Test
    void callbacksAreTimed() {
        Scrape n1 = scrape("n1");
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), PATH, "n1");
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                throw new IllegalStateException("of the test");
            }

            @Override
            public void notLeader() {
                cluster.advance(Duration.ofSeconds(2));
            }
        });
        start(latch);
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(n1.value("quorate_callbacks_seconds_count{kind=\"isLeader\"}"))
                .isEqualTo(1);
        assertThat(n1.value("quorate_callbacks_failed_total")).isEqualTo(1);
        // It leads again after that, and throws again.
        latch.resign();
        cluster.advance(Duration.ofSeconds(5));
        assertThat(n1.value("quorate_callbacks_seconds_count{kind=\"notLeader\"}"))
                .isEqualTo(1);
        assertThat(n1.value("quorate_callbacks_seconds_count{kind=\"leaderChanged\"}"))
                .isZero();
        assertThat(n1.value("quorate_callbacks_seconds_sum{kind=\"notLeader\"}"))
                .isCloseTo(2, within(0.5));
        assertThat(n1.value("quorate_callbacks_failed_total")).isEqualTo(2);
    }

    private static void start(LeaderLatch latch) {
        try {
            latch.start();
        } catch (Exception e) {
            throw new AssertionError("never thrown", e);
        }
    }

    @Test
    void aPathThatIsNotUsedAnyMoreHasNoMeters() throws Exception {
        Scrape n1 = scrape("n1");
        LeaderLatch latch = Web.latch(cluster.client("n1"), PATH, "n1");
        cluster.awaitLeader(PATH);
        n1.awaitPath(PATH);
        latch.close();
        cluster.advance(Duration.ofSeconds(1));
        n1.awaitNoPath(PATH);
        // And again.
        Web.latch(cluster.client("n1"), PATH, "n1");
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        n1.awaitPath(PATH);
        assertThat(value("n1", "quorate_leader")).isEqualTo(1);
        assertThat(value("n1", "quorate_leader_changes_total")).isEqualTo(1);
    }

    // Each leader would be a series of its own for ever, and each token too.
    @Test
    void noTagHasAnIdOfALeaderOrAToken() {
        contend();
        for (Meter meter : scrape("n2").registry.getMeters()) {
            List<Tag> tags = meter.getId().getTags();
            assertThat(tags)
                    .extracting(Tag::getKey)
                    .isSubsetOf("path", "kind", "outcome", "peer", "reason", "state", "version");
            assertThat(tags).extracting(Tag::getValue).noneMatch(value -> value.contains("id-of-"));
        }
    }

    @Test
    void ofAClosedClientNothingIsShownAsThere() {
        contend();
        cluster.client("n1").close();
        Map<String, Double> series = scrape("n1").series();
        assertThat(series)
                .containsEntry("quorate_supporters", 0.0)
                .containsEntry("quorate_support_margin_seconds", 0.0)
                .containsEntry("quorate_peer_connected{peer=\"n1\"}", 0.0);
        assertThat(series.getOrDefault(of("quorate_leader", PATH), 0.0)).isZero();
        assertThat(series.getOrDefault(of("quorate_leader_known", PATH), 0.0)).isZero();
    }

    // ---------------------------------------------------------------- many paths

    private ClientMonitor monitor() {
        return engine.monitors().get(0);
    }

    private Scrape ofFake() {
        return scrapes.computeIfAbsent("fake", name -> new Scrape(fake));
    }

    private static Optional<ClientMonitor.Leader> leader(long token) {
        return Optional.of(new ClientMonitor.Leader("n1", "n1", token));
    }

    @Test
    void pathsBeyondAHundredAreSums() {
        Scrape all = ofFake();
        for (int i = 0; i < 130; i++) {
            monitor().leaderChanged("/p" + i, Optional.empty(), i % 2 == 0 ? leader(1) : Optional.empty());
        }
        monitor().leads("/p0", 1);
        monitor().leads("/p128", 1);
        monitor().leaderChanged("/p128", leader(1), leader(2));
        all.awaitPath("/p99");
        Map<String, Double> series = all.series();
        assertThat(series.keySet().stream().filter(name -> name.startsWith("quorate_leader{")))
                .hasSize(QuorateMeters.PATHS_MAX + 1);
        assertThat(series)
                .containsEntry(of("quorate_leader", "/p0"), 1.0)
                .containsEntry(of("quorate_leader", "/p2"), 0.0)
                .containsEntry(of("quorate_leader_known", "/p98"), 1.0)
                .containsEntry(of("quorate_leader_known", "/p99"), 0.0)
                .containsEntry(of("quorate_leader", "*"), 1.0)
                .containsEntry(of("quorate_leader_known", "*"), 15.0)
                .containsEntry(of("quorate_leader_changes_total", "*"), 16.0);
        monitor().leadsNoMore("/p128", 1, "of the test");
        monitor().leaderChanged("/p128", leader(2), Optional.empty());
        monitor().forgotten("/p126", leader(1));
        monitor().forgotten("/p127", Optional.empty());
        assertThat(all.series())
                .containsEntry(of("quorate_leader", "*"), 0.0)
                .containsEntry(of("quorate_leader_known", "*"), 13.0);
    }

    @Test
    void aForgottenPathMakesRoomForAnother() {
        Scrape all = ofFake();
        for (int i = 0; i < QuorateMeters.PATHS_MAX + 1; i++) {
            monitor().leaderChanged("/p" + i, Optional.empty(), leader(1));
        }
        monitor().forgotten("/p7", leader(1));
        monitor().leaderChanged("/p100", leader(1), leader(2));
        monitor().leaderChanged("/next", Optional.empty(), leader(1));
        all.awaitNoPath("/p7");
        all.awaitPath("/next");
        assertThat(all.value(of("quorate_leader_known", "*"))).isEqualTo(1);
    }

    // A model that keeps everything says what must be seen.
    @Test
    void sumsAreRightAfterEachEvent() {
        Seeds.each(20, 1, seed -> {
            Random random = new Random(seed);
            FakeEngine other = new FakeEngine();
            ElectionClient client = Clients.over(other);
            MockClock clock = new MockClock();
            SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
            try (QuorateMeters meters = new QuorateMeters(client)) {
                meters.bindTo(registry);
                Model model = new Model(other.monitors().get(0), clock);
                for (int step = 0; step < 2_000; step++) {
                    model.step(random);
                }
                soon().untilAsserted(() -> {
                    assertThat(sum(registry, "quorate.leader")).isEqualTo(model.led());
                    assertThat(sum(registry, "quorate.leader.known")).isEqualTo(model.known());
                    assertThat(registry.find("quorate.leader").gauges()).hasSize(model.own() + 1);
                });
                assertThat(registry.getMeters().size())
                        .isLessThanOrEqualTo(4 * 101 + 21 + Problem.Kind.values().length);
            } finally {
                client.close();
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    /** Waits for the thread that registers meters. */
    private static ConditionFactory soon() {
        return Awaitility.await()
                .atMost(Duration.ofMinutes(10))
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5));
    }

    private static double sum(MeterRegistry registry, String name) {
        return registry.find(name).gauges().stream()
                .mapToDouble(gauge -> gauge.value())
                .sum();
    }

    /** What a client might do with 130 paths. */
    private static final class Model {
        private final ClientMonitor told;
        private final MockClock clock;
        private final Map<String, Long> leaders = new HashMap<>();
        private final TreeSet<String> led = new TreeSet<>();
        private final TreeSet<String> own = new TreeSet<>();
        private long token;

        private Model(ClientMonitor told, MockClock clock) {
            this.told = told;
            this.clock = clock;
        }

        private void step(Random random) {
            String path = "/p" + random.nextInt(130);
            clock.add(Duration.ofMillis(random.nextInt(100)));
            switch (random.nextInt(8)) {
                case 0 -> forget(path);
                case 1, 2 -> change(path, 0);
                case 3 -> lead(path);
                default -> change(path, ++token);
            }
        }

        private void change(String path, long next) {
            use(path);
            if (next == 0 && led.remove(path)) {
                told.leadsNoMore(path, leaders.get(path), "of the test");
            }
            Optional<ClientMonitor.Leader> former = known(path);
            leaders.put(path, next);
            told.leaderChanged(path, former, known(path));
        }

        private Optional<ClientMonitor.Leader> known(String path) {
            long last = leaders.getOrDefault(path, 0L);
            return last == 0 ? Optional.empty() : leader(last);
        }

        private void lead(String path) {
            if (!leaders.containsKey(path)) {
                change(path, 0);
            }
            if (led.add(path)) {
                told.leads(path, ++token);
            }
        }

        private void use(String path) {
            if (!leaders.containsKey(path) && own.size() < QuorateMeters.PATHS_MAX) {
                own.add(path);
            }
        }

        private void forget(String path) {
            if (led.remove(path)) {
                told.leadsNoMore(path, leaders.get(path), "of the test");
            }
            Optional<ClientMonitor.Leader> former = known(path);
            if (leaders.remove(path) != null) {
                own.remove(path);
                told.forgotten(path, former);
            }
        }

        private int own() {
            return own.size();
        }

        private double led() {
            return led.size();
        }

        private double known() {
            return leaders.values().stream().filter(each -> each > 0).count();
        }
    }

    // ---------------------------------------------------------------- times and counts

    private final MockClock clock = new MockClock();
    private final SimpleMeterRegistry simple = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);

    private double count(String name, String path) {
        soon().until(() -> simple.find("quorate.leaderless").tag("path", path).functionTimer() != null);
        return name.endsWith("changes")
                ? simple.get(name).tag("path", path).functionCounter().count()
                : simple.get(name).tag("path", path).functionTimer().count();
    }

    private double leaderlessMillis() {
        return simple.get("quorate.leaderless")
                .tag("path", PATH)
                .functionTimer()
                .totalTime(TimeUnit.MILLISECONDS);
    }

    @Test
    void periodsWithoutALeaderAreMeasured() {
        try (QuorateMeters meters = new QuorateMeters(fake)) {
            meters.bindTo(simple);
            monitor().leaderChanged(PATH, Optional.empty(), Optional.empty());
            clock.add(Duration.ofMillis(300));
            monitor().leaderChanged(PATH, Optional.empty(), leader(1));
            clock.add(Duration.ofMillis(1000));
            // One leader after the other is no period.
            monitor().leaderChanged(PATH, leader(1), leader(2));
            monitor().leaderChanged(PATH, leader(2), Optional.empty());
            clock.add(Duration.ofMillis(50));
            // The same leader again is no change.
            monitor().leaderChanged(PATH, Optional.empty(), leader(2));
            monitor().leaderChanged(PATH, leader(2), Optional.empty());
            clock.add(Duration.ofMillis(7));
            assertThat(count("quorate.leaderless", PATH)).isEqualTo(2);
            assertThat(leaderlessMillis()).isEqualTo(350);
            assertThat(count("quorate.leader.changes", PATH)).isEqualTo(2);
        }
    }

    // Who has led before it looked cannot tell for how long nobody had.
    @Test
    void aLeaderThatIsThereAtTheBeginningEndsNoPeriod() {
        try (QuorateMeters meters = new QuorateMeters(fake)) {
            meters.bindTo(simple);
            clock.add(Duration.ofMillis(10));
            monitor().leaderChanged(PATH, Optional.empty(), leader(1));
            monitor().leads(PATH, 1);
            assertThat(count("quorate.leaderless", PATH)).isZero();
            assertThat(leaderlessMillis()).isZero();
        }
    }

    @Test
    void framesThatWereDroppedAreCountedByReason() {
        Scrape all = ofFake();
        monitor().framesDropped("other-secret", 0);
        monitor().framesDropped("other-cluster", 0);
        all.await(series -> series.containsKey("quorate_frames_dropped_total{reason=\"other-cluster\"}"));
        monitor().framesDropped("other-secret", 3);
        all.await(series -> series.containsKey("quorate_frames_dropped_total{reason=\"other-secret\"}"));
        assertThat(all.series())
                .containsEntry("quorate_frames_dropped_total{reason=\"other-secret\"}", 3.0)
                .containsEntry("quorate_frames_dropped_total{reason=\"other-cluster\"}", 0.0);
    }

    @Test
    void eachReaderSeesTheLeastMarginOfTheLastMinute() {
        try (QuorateMeters meters = new QuorateMeters(fake)) {
            meters.bindTo(simple);
            assertThat(margin()).isZero();
            monitor().supportRenewed(Duration.ofNanos(900));
            monitor().supportRenewed(Duration.ofNanos(400));
            monitor().supportRenewed(Duration.ofNanos(800));
            assertThat(margin()).isEqualTo(400);
            assertThat(margin()).isEqualTo(400);
            clock.add(Duration.ofSeconds(30));
            monitor().supportRenewed(Duration.ofNanos(700));
            clock.add(Duration.ofSeconds(29));
            assertThat(margin()).isEqualTo(400);
            clock.add(Duration.ofSeconds(1));
            assertThat(margin()).isEqualTo(700);
            monitor().connectionChanged(ConnectionState.SUSPENDED, "of the test");
            monitor().connectionChanged(ConnectionState.RECONNECTED, "of the test");
            monitor().supportRenewed(Duration.ofNanos(600));
            assertThat(margin()).isZero();
            clock.add(Duration.ofSeconds(59));
            monitor().supportRenewed(Duration.ofNanos(500));
            clock.add(Duration.ofSeconds(1));
            assertThat(margin()).isEqualTo(500);
            clock.add(Duration.ofSeconds(60));
            assertThat(margin()).isZero();
        }
    }

    private double margin() {
        return Math.rint(simple.get("quorate.support.margin").timeGauge().value(TimeUnit.NANOSECONDS));
    }

    // ---------------------------------------------------------------- registries

    @Test
    void eachRegistryIsToldOfEverything() {
        MeterRegistry other = new SimpleMeterRegistry();
        try (QuorateMeters meters = new QuorateMeters(fake)) {
            meters.bindTo(simple);
            meters.bindTo(other);
            meters.bindTo(other);
            assertThat(engine.monitors()).hasSize(2);
            engine.monitors().forEach(each -> each.supportRenewed(Duration.ofNanos(400)));
            assertThat(margin()).isEqualTo(400);
            assertThat(other.get("quorate.support.margin").timeGauge().value(TimeUnit.NANOSECONDS))
                    .isCloseTo(400, within(0.01));
        }
        assertThat(engine.monitors()).isEmpty();
    }

    @Test
    void clientsOfOneProcessAreToldApartByTags() {
        try (QuorateMeters meters = new QuorateMeters(fake, Tags.of("cluster", "blue"))) {
            meters.bindTo(simple);
            monitor().leaderChanged(PATH, Optional.empty(), leader(1));
            count("quorate.leader.changes", PATH);
            assertThat(simple.getMeters()).isNotEmpty().allMatch(meter -> "blue"
                    .equals(meter.getId().getTag("cluster")));
        }
    }

    @Test
    void nothingIsLeftOfClosedMeters() throws InterruptedException {
        QuorateMeters meters = new QuorateMeters(fake);
        meters.bindTo(simple);
        ClientMonitor late = monitor();
        late.leaderChanged(PATH, Optional.empty(), leader(1));
        count("quorate.leader.changes", PATH);
        List<Thread> own = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("quorate-meters-fake"))
                .toList();
        assertThat(own).isNotEmpty().allMatch(Thread::isDaemon);
        meters.close();
        meters.close();
        assertThat(simple.getMeters()).isEmpty();
        // A call that was under way.
        late.leaderChanged("/late", Optional.empty(), leader(1));
        for (Thread thread : own) {
            thread.join();
        }
        assertThat(simple.getMeters()).isEmpty();
    }

    // A registry's listener that throws must reach neither the node nor the other meters.
    @Test
    void aRegistryThatThrowsHurtsNobody() {
        try (QuorateMeters meters = new QuorateMeters(fake)) {
            meters.bindTo(simple);
            simple.config().onMeterAdded(meter -> {
                if ("/bad".equals(meter.getId().getTag("path"))) {
                    throw new IllegalStateException("of the test");
                }
            });
            monitor().leaderChanged("/bad", Optional.empty(), leader(1));
            monitor().leaderChanged("/good", Optional.empty(), leader(1));
            assertThat(count("quorate.leader.changes", "/good")).isEqualTo(1);
        }
    }

    @Test
    void manyPathsThatComeAndGoLeaveNothing() {
        Scrape all = ofFake();
        int before = all.registry.getMeters().size();
        for (int i = 0; i < 100_000; i++) {
            monitor().leaderChanged("/job-" + i, Optional.empty(), leader(1));
            monitor().forgotten("/job-" + i, leader(1));
        }
        all.await(series -> series.keySet().stream().noneMatch(name -> name.contains("job-")));
        assertThat(all.registry.getMeters()).hasSize(before);
    }

    // ---------------------------------------------------------------- over HTTP

    @Test
    void theAnswerIsWhatPrometheusReads() {
        var answer = Web.get(ofFake().server(), "/metrics");
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.body()).contains("# TYPE quorate_supporters gauge\n");
    }

    @Test
    void withoutARegistryThereIsNoSuchEndpoint() {
        try (OpsServer server = OpsServer.builder(fake).port(0).start()) {
            assertThat(Web.get(server, "/metrics").statusCode()).isEqualTo(404);
        }
        assertThatNullPointerException()
                .isThrownBy(() -> OpsServer.builder(fake).metrics(null))
                .withMessage("metrics");
    }

    @Test
    void aScrapeThatThrowsIsAnError() {
        try (OpsServer server = OpsServer.builder(fake)
                .port(0)
                .metrics(() -> {
                    throw new IllegalStateException("of the test");
                })
                .start()) {
            var answer = Web.get(server, "/metrics");
            assertThat(answer.statusCode()).isEqualTo(500);
            assertThat(answer.body()).isEqualTo("{\"error\":\"internal error: the log of the node has the reason\"}\n");
        }
    }

    @Test
    void nullIsRefused() {
        assertThatNullPointerException()
                .isThrownBy(() -> new QuorateMeters(null))
                .withMessage("client");
        assertThatNullPointerException()
                .isThrownBy(() -> new QuorateMeters(fake, null))
                .withMessage("tags");
        assertThatNullPointerException()
                .isThrownBy(() -> new QuorateMeters(fake).bindTo(null))
                .withMessage("registry");
    }
}
