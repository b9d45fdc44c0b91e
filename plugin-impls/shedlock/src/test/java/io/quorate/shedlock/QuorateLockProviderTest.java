package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ClientMonitor;
import io.quorate.ElectionSettings;
import io.quorate.shedlock.QuorateLockProvider.Limits;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers on the nodes of a cluster in virtual time. ShedLock's own tests run on real nodes, in fault-tests. */
class QuorateLockProviderTest {

    private static final String NAME = "daily report";
    private static final String PATH = "/shedlock/daily+report";
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final Duration IDLE = Duration.ofMinutes(1);
    /** A look in real time would find names that are idle in virtual time. So each test looks by itself. */
    private static final Duration NEVER = Duration.ofDays(1);

    private static final int NAMES_MAX = 3;
    /** Time stands still in a call, so no election can end in it. */
    private static final Limits LIMITS = new Limits(Duration.ZERO, IDLE, NEVER, NAMES_MAX);

    private static final Duration DRAIN = ElectionSettings.DEFAULT_DRAIN_TIMEOUT;

    @RegisterExtension
    SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private final Map<String, QuorateLockProvider> providers = new TreeMap<>();

    @AfterEach
    void close() {
        providers.values().forEach(QuorateLockProvider::close);
    }

    /** Replaces the cluster by one whose leaders leave without waiting. */
    private void hasty() {
        cluster.close();
        cluster = new SimulatedCluster(ClusterSettings.ofVoters(3).drainTimeout(Duration.ZERO));
    }

    private QuorateLockProvider provider(String node) {
        return providers.computeIfAbsent(
                node,
                id -> new QuorateLockProvider(cluster.client(id), "/shedlock", LIMITS, () -> cluster.now()
                        .toNanos()));
    }

    private static LockConfiguration configuration(String name, Duration atMost, Duration atLeast) {
        return new LockConfiguration(Instant.EPOCH, name, atMost, atLeast);
    }

    private Optional<SimpleLock> lock(String node, Duration atMost, Duration atLeast) {
        return provider(node).lock(configuration(NAME, atMost, atLeast));
    }

    private QuorateLock locked(String node, Duration atMost, Duration atLeast) {
        return (QuorateLock) lock(node, atMost, atLeast)
                .orElseThrow(() -> new AssertionError(node + " does not get the lock: " + cluster.describe()));
    }

    private QuorateLock locked(String node) {
        return locked(node, LONG, Duration.ZERO);
    }

    private void assertLocked(String node) {
        assertThat(lock(node, LONG, Duration.ZERO)).isEmpty();
    }

    private void assertFree(String node) {
        locked(node).unlock();
    }

    /** All nodes have asked for the lock, and one of them leads. */
    private String elected() {
        cluster.nodes().forEach(node -> {
            lock(node, LONG, Duration.ZERO).ifPresent(SimpleLock::unlock);
            cluster.advance(Duration.ofSeconds(2));
        });
        return cluster.awaitLeader(PATH);
    }

    private List<String> others(String leader) {
        List<String> others = new ArrayList<>(cluster.nodes());
        others.remove(leader);
        return others;
    }

    // ---------------------------------------------------------------- who gets it

    @Test
    void theLockIsWhereThePathIsLed() {
        String leader = elected();
        others(leader).forEach(this::assertLocked);
        QuorateLock lock = locked(leader);
        assertThat(lock.isHeld()).isTrue();
        assertThat(lock.fencingToken())
                .isEqualTo(cluster.client(leader).health().leads().get(PATH));
        assertLocked(leader);
        lock.unlock();
        assertThat(lock.isHeld()).isFalse();
        others(leader).forEach(this::assertLocked);
        assertFree(leader);
    }

    @Test
    void twoNamesAreTwoLocks() {
        String leader = elected();
        QuorateLock first = locked(leader);
        LockConfiguration other = configuration("other", LONG, Duration.ZERO);
        assertThat(provider(leader).lock(other)).isEmpty();
        cluster.awaitLeader("/shedlock/other");
        Optional<SimpleLock> second = provider(leader).lock(other);
        assertThat(second).isPresent();
        assertThat(first.isHeld()).isTrue();
        second.get().unlock();
        first.unlock();
    }

    // Not after lockAtMostFor, which is five minutes here.
    @Test
    void aCrashFreesTheLockAfterALease() {
        String crashed = elected();
        QuorateLock lost = locked(crashed);
        cluster.crash(crashed);
        assertThat(lost.isHeld()).isFalse();
        Duration before = cluster.now();
        String next = cluster.awaitLeaderOtherThan(crashed, PATH);
        assertThat(cluster.now().minus(before)).isLessThan(Duration.ofSeconds(3));
        assertThat(locked(next).fencingToken()).isGreaterThan(lost.fencingToken());
    }

    @Test
    void aLockWhoseLeaseIsOverSaysSo() {
        String cut = elected();
        QuorateLock lost = locked(cut);
        cluster.isolate(cut);
        String next = cluster.awaitLeaderOtherThan(cut, PATH);
        QuorateLock other = locked(next);
        assertThat(lost.isHeld()).isFalse();
        assertThat(lost.extend(LONG, Duration.ZERO)).isEmpty();
        assertThatIllegalStateException().isThrownBy(lost::unlock).withMessageContaining(NAME);
        assertThat(other.isHeld()).isTrue();
    }

    @Test
    void unlockingAfterTheLeaseHarmsNobody() {
        String cut = elected();
        QuorateLock lost = locked(cut);
        cluster.isolate(cut);
        String next = cluster.awaitLeaderOtherThan(cut, PATH);
        QuorateLock other = locked(next);
        try (CapturedLog log = new CapturedLog()) {
            lost.unlock();
            assertThat(log.lines("WARN", NAME, "its leadership had ended")).hasSize(1);
        }
        assertThat(other.isHeld()).isTrue();
        assertLocked(next);
        assertThat(lost.toString()).contains(NAME).contains(String.valueOf(lost.fencingToken()));
    }

    // The job of the former leadership may still run.
    @Test
    void newTenureWaitsForItsOwnJob() {
        String cut = elected();
        QuorateLock lost = locked(cut);
        cluster.isolate(cut);
        String next = cluster.awaitLeaderOtherThan(cut, PATH);
        cluster.heal();
        cluster.advance(Duration.ofSeconds(5));
        others(cut).forEach(node -> provider(node).close());
        cluster.awaitUntil(
                cut + " leads again after " + next,
                () -> cluster.leader(PATH).filter(cut::equals).isPresent());
        assertLocked(cut);
        assertThat(lost.isHeld()).isFalse();
        lost.unlock();
        assertThat(locked(cut).fencingToken()).isGreaterThan(lost.fencingToken());
    }

    // A job that is told that its lock is lost may still run.
    @Test
    void newTenureWaitsForItsOwnUnextendedJob() {
        String cut = elected();
        QuorateLock lost = locked(cut);
        cluster.isolate(cut);
        cluster.awaitLeaderOtherThan(cut, PATH);
        assertThat(lost.extend(SHORT, Duration.ZERO)).isEmpty();
        others(cut).forEach(node -> provider(node).close());
        cluster.heal();
        cluster.advance(Duration.ofSeconds(2));
        assertThat(cluster.awaitLeader(PATH)).isEqualTo(cut);
        assertLocked(cut);
        cluster.advance(LONG);
        assertFree(cut);
    }

    // ---------------------------------------------------------------- the two durations

    @Test
    void lockAtMostForEndsIt() {
        String leader = elected();
        QuorateLock first = locked(leader, SHORT, Duration.ZERO);
        cluster.advance(SHORT.minusMillis(1));
        assertThat(first.isHeld()).isTrue();
        assertLocked(leader);
        cluster.advance(Duration.ofMillis(1));
        assertThat(first.isHeld()).isFalse();
        QuorateLock second = locked(leader);
        try (CapturedLog log = new CapturedLog()) {
            first.unlock();
            assertThat(log.lines("WARN", NAME, "lockAtMostFor had passed")).hasSize(1);
            log.forget();
            assertThat(second.isHeld()).isTrue();
            assertLocked(leader);
            second.unlock();
            assertThat(log.text()).isEmpty();
        }
    }

    @Test
    void lockAtLeastForIsKeptAfterUnlock() {
        String leader = elected();
        locked(leader, LONG, SHORT).unlock();
        cluster.advance(SHORT.minusMillis(1));
        cluster.nodes().forEach(this::assertLocked);
        cluster.advance(Duration.ofMillis(1));
        assertFree(leader);
    }

    // docs/shedlock.md, its first line.
    @Test
    void lockAtLeastForDoesNotSurviveACrash() {
        String crashed = elected();
        locked(crashed, LONG, LONG).unlock();
        cluster.crash(crashed);
        assertFree(cluster.awaitLeaderOtherThan(crashed, PATH));
    }

    @Test
    void noDurationIsTooLong() {
        String leader = elected();
        QuorateLock lock = locked(leader, Duration.ofSeconds(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE));
        cluster.advance(Duration.ofSeconds(1));
        assertThat(lock.isHeld()).isTrue();
        lock.unlock();
        assertLocked(leader);
    }

    // ---------------------------------------------------------------- jobs that run seldom

    // A node that leaves a path leaves it to one that has asked before, and does not ask again soon.
    @ParameterizedTest
    @ValueSource(ints = {15, 60, 24 * 60})
    void aJobRunsInEachPeriodThoughEachNodeAsksAtATimeOfItsOwn(int periodMinutes) {
        int periods = 10;
        Duration third = Duration.ofSeconds(5);
        long clockPerTime = Duration.ofMinutes(periodMinutes).dividedBy(third.multipliedBy(3));
        cluster.nodes()
                .forEach(node -> providers.put(
                        node,
                        new QuorateLockProvider(
                                cluster.client(node),
                                "/shedlock",
                                new Limits(Duration.ZERO, Limits.DEFAULT.idle(), NEVER, NAMES_MAX),
                                () -> cluster.now().toNanos() * clockPerTime)));
        elected();
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < periods; i++) {
            for (String node : cluster.nodes()) {
                Optional<SimpleLock> atOnce = lock(node, LONG, Duration.ZERO);
                // As long as a provider waits for the first leader.
                cluster.advance(Duration.ofSeconds(1));
                atOnce.or(() -> lock(node, LONG, Duration.ZERO)).ifPresent(lock -> {
                    lock.unlock();
                    runs.add(node);
                });
                for (int second = 1; second < third.toSeconds(); second++) {
                    providers.values().forEach(QuorateLockProvider::leaveIdleNames);
                    cluster.advance(Duration.ofSeconds(1));
                }
            }
        }
        assertThat(runs).hasSizeGreaterThanOrEqualTo(periods);
    }

    // ---------------------------------------------------------------- extending

    @Test
    void anExtendedLockOutlivesTheFirst() {
        String leader = elected();
        QuorateLock first = locked(leader, SHORT, Duration.ZERO);
        Optional<SimpleLock> second = first.extend(LONG, Duration.ZERO);
        assertThat(first.isHeld()).isFalse();
        cluster.advance(SHORT);
        assertLocked(leader);
        second.orElseThrow().unlock();
        assertFree(leader);
    }

    @Test
    void anExtensionHasItsOwnLockAtLeastFor() {
        String leader = elected();
        SimpleLock extended = locked(leader).extend(LONG, Duration.ofSeconds(9)).orElseThrow();
        extended.unlock();
        cluster.advance(Duration.ofSeconds(8));
        assertLocked(leader);
        cluster.advance(Duration.ofSeconds(1));
        assertFree(leader);
    }

    @Test
    void expiredLockCannotBeExtended() {
        String leader = elected();
        QuorateLock expired = locked(leader, SHORT, Duration.ZERO);
        cluster.advance(SHORT);
        assertThat(expired.extend(LONG, Duration.ZERO)).isEmpty();
        assertFree(leader);

        QuorateLock unlocked = locked(leader);
        unlocked.unlock();
        assertThatIllegalStateException().isThrownBy(() -> unlocked.extend(LONG, Duration.ZERO));
        QuorateLock extended = locked(leader);
        assertThat(extended.extend(LONG, Duration.ZERO)).isPresent();
        assertThatIllegalStateException().isThrownBy(() -> extended.extend(LONG, Duration.ZERO));
        assertThatIllegalStateException().isThrownBy(extended::unlock);
    }

    // ---------------------------------------------------------------- nothing grows

    @Test
    void aNameThatNobodyAsksForIsLeft() {
        String leader = elected();
        List<String> forgotten = new ArrayList<>();
        cluster.client(leader).addMonitor(new ClientMonitor() {
            @Override
            public void forgotten(String path, Optional<Leader> former) {
                forgotten.add(path);
            }
        });
        QuorateLockProvider provider = provider(leader);
        assertFree(leader);
        cluster.advance(IDLE.minusMillis(1));
        provider.leaveIdleNames();
        assertThat(provider.size()).isEqualTo(1);
        cluster.advance(Duration.ofMillis(1));
        provider.leaveIdleNames();
        assertThat(provider.size()).isZero();
        assertThat(cluster.awaitLeaderOtherThan(leader, PATH)).isIn(others(leader));
        assertThat(cluster.client(leader).health().leads()).isEmpty();
        assertThat(forgotten).containsExactly(PATH);
    }

    @Test
    void aNameThatIsLockedOrAskedForIsNotLeft() {
        String leader = elected();
        String other = others(leader).get(0);
        QuorateLock lock = locked(leader, IDLE.multipliedBy(3), IDLE.multipliedBy(3));
        for (int i = 0; i < 3; i++) {
            assertLocked(other);
            cluster.advance(IDLE.minusMillis(1));
            provider(leader).leaveIdleNames();
            provider(other).leaveIdleNames();
        }
        assertThat(lock.isHeld()).isTrue();
        lock.unlock();
        assertLocked(leader);
        assertThat(provider(other).size()).isEqualTo(1);
    }

    @Test
    void leftPathIsContendedForAgain() {
        String leader = elected();
        cluster.advance(IDLE);
        cluster.nodes().forEach(node -> provider(node).leaveIdleNames());
        cluster.awaitUntil("nobody leads it", () -> cluster.leader(PATH).isEmpty());
        assertLocked(leader);
        assertThat(cluster.awaitLeader(PATH)).isEqualTo(leader);
        assertFree(leader);
    }

    @Test
    void oneNameMoreTakesThePlaceOfTheOneThatWasAskedForLongestAgo() {
        QuorateLockProvider provider = provider("n1");
        List<LockConfiguration> names = List.of("a", "b", "c", "d").stream()
                .map(name -> configuration(name, LONG, Duration.ZERO))
                .toList();
        names.subList(0, NAMES_MAX).forEach(name -> {
            assertThat(provider.lock(name)).isEmpty();
            cluster.awaitLeader("/shedlock/" + name.getName());
        });
        SimpleLock first = provider.lock(names.get(0)).orElseThrow();
        assertThat(provider.lock(names.get(3))).isEmpty();
        assertThat(provider.size()).isEqualTo(NAMES_MAX);
        cluster.awaitUntil(
                "the path of b is left", () -> cluster.leader("/shedlock/b").isEmpty());
        assertThat(((QuorateLock) first).isHeld()).isTrue();

        cluster.awaitLeader("/shedlock/d");
        provider.lock(names.get(2)).orElseThrow();
        provider.lock(names.get(3)).orElseThrow();
        assertThatThrownBy(() -> provider.lock(names.get(1)))
                .isInstanceOf(LockException.class)
                .hasMessageContaining("" + NAMES_MAX);
        first.unlock();
        assertThat(provider.lock(names.get(1))).isEmpty();
    }

    // ---------------------------------------------------------------- ends, and bad input

    @Test
    void aClosedProviderGivesNoLock() {
        hasty();
        String leader = elected();
        QuorateLock lock = locked(leader);
        LockConfiguration free = configuration("free", SHORT, Duration.ZERO);
        provider(leader).lock(free);
        cluster.awaitLeader("/shedlock/free");
        provider(leader).lock(free).orElseThrow();
        cluster.advance(SHORT);
        try (CapturedLog log = new CapturedLog()) {
            provider(leader).close();
            // Not the one whose time has passed.
            assertThat(log.lines("WARN", "[" + NAME + "]")).hasSize(1);
            log.forget();
            provider(leader).close();
            assertThat(log.text()).isEmpty();
        }
        assertThat(lock.isHeld()).isFalse();
        assertLocked(leader);
        String next = cluster.awaitLeaderOtherThan(leader, PATH);
        assertFree(next);
        lock.unlock();
        provider(leader).leaveIdleNames();
        assertThat(provider(leader).size()).isZero();
    }

    @Test
    void aClosedClientGivesNoLockAndKeepsNoName() {
        String leader = elected();
        QuorateLock lock = locked(leader);
        cluster.client(leader).close();
        assertThat(lock.isHeld()).isFalse();
        assertLocked(leader);
        provider(leader).leaveIdleNames();
        assertThat(provider(leader).size()).isEqualTo(1);
        lock.unlock();
        provider(leader).leaveIdleNames();
        assertThat(provider(leader).size()).isZero();
    }

    // ---------------------------------------------------------------- planned ends

    private void aPlannedEndWaitsForTheJob(Consumer<String> end) {
        String leader = elected();
        QuorateLock lock = locked(leader, LONG, Duration.ofSeconds(20));
        end.accept(leader);
        cluster.advance(Duration.ofSeconds(10));
        assertThat(lock.isHeld()).as("it is held while its leader leaves").isTrue();
        others(leader).forEach(this::assertLocked);
        QuorateLock extended = (QuorateLock)
                lock.extend(LONG, Duration.ofSeconds(15)).orElseThrow(() -> new AssertionError("not extended"));
        extended.unlock();
        cluster.advance(Duration.ofSeconds(10));
        assertThat(lock(leader, LONG, Duration.ZERO))
                .as("nothing begins on a leader that leaves")
                .isEmpty();
        assertThat(cluster.leader(PATH)).as("lockAtLeastFor has not passed").contains(leader);
        cluster.advance(DRAIN);
        assertFree(cluster.awaitLeaderOtherThan(leader, PATH));
    }

    @Test
    void aTransferWaitsForTheJob() {
        aPlannedEndWaitsForTheJob(
                leader -> cluster.client(leader).transferTo(PATH, others(leader).get(0)));
    }

    @Test
    void aCloseOfTheProviderWaitsForTheJobInTheBackground() {
        try (CapturedLog log = new CapturedLog()) {
            aPlannedEndWaitsForTheJob(leader -> provider(leader).close());
            assertThat(log.text()).doesNotContain("Closed while jobs hold");
        }
    }

    // lockAtLeastFor is 0, so that nothing but the job is waited for.
    @Test
    void theNextNodeGetsTheLockAsSoonAsTheJobEnds() {
        String leader = elected();
        QuorateLock lock = locked(leader);
        cluster.client(leader).transferTo(PATH, others(leader).get(0));
        cluster.advance(Duration.ofSeconds(10));
        assertThat(cluster.leader(PATH)).contains(leader);
        lock.unlock();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.leader(PATH)).contains(others(leader).get(0));
    }

    @Test
    void aLeaderWithoutAJobLeavesAtOnce() {
        String leader = elected();
        cluster.client(leader).transferTo(PATH, others(leader).get(0));
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.leader(PATH)).contains(others(leader).get(0));
    }

    @Test
    void aLeaderThatStaysGivesLocksAgain() {
        String leader = elected();
        QuorateLock lock = locked(leader);
        cluster.client(leader).standby(true);
        cluster.advance(Duration.ofSeconds(5));
        cluster.client(leader).standby(false);
        cluster.advance(Duration.ofSeconds(5));
        assertThat(lock.isHeld()).isTrue();
        lock.unlock();
        assertFree(leader);
    }

    @Test
    void aNameThatMakesThePathTooLongIsRefused() {
        QuorateLockProvider provider = provider("n1");
        LockConfiguration longest = configuration("x".repeat(2048), LONG, Duration.ZERO);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> provider.lock(longest))
                .withMessageContaining("2048");
        assertThat(provider.size()).isZero();
    }

    @Test
    void aNameThatIsRefusedTakesNoRoom() {
        QuorateLockProvider provider = provider("n1");
        List<LockConfiguration> names = List.of("a", "b", "c").stream()
                .map(name -> configuration(name, LONG, Duration.ZERO))
                .toList();
        names.forEach(name -> {
            assertThat(provider.lock(name)).isEmpty();
            cluster.awaitLeader("/shedlock/" + name.getName());
        });
        LockConfiguration longest = configuration("x".repeat(2048), LONG, Duration.ZERO);
        assertThatIllegalArgumentException().isThrownBy(() -> provider.lock(longest));
        assertThat(provider.size()).isEqualTo(NAMES_MAX);
        names.forEach(name -> assertThat(provider.lock(name)).as(name.getName()).isPresent());
    }

    @Test
    void theNamespaceIsChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuorateLockProvider(cluster.client("n1"), "jobs"))
                .withMessageContaining("must start with /");
        assertThatNullPointerException().isThrownBy(() -> new QuorateLockProvider(null, "/jobs"));
    }

    @Test
    void theRootIsANamespaceToo() {
        try (QuorateLockProvider provider = new QuorateLockProvider(
                cluster.client("n1"), "/", LIMITS, () -> cluster.now().toNanos())) {
            assertThat(provider.lock(configuration("job", LONG, Duration.ZERO))).isEmpty();
            assertThat(cluster.awaitLeader("/job")).isEqualTo("n1");
        }
    }
}
