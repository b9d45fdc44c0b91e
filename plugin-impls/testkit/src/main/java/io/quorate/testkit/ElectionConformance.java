package io.quorate.testkit;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.PackageMatchers;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.Properties;
import io.quorate.testkit.picture.Words;
import io.quorate.testkit.simulation.ElectionCluster;
import io.quorate.testkit.simulation.ElectionRecorder;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.Simulation.Depth;
import io.quorate.testkit.simulation.Storms;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Tests that every election algorithm must pass. An author implements its one method, which makes the algorithm, and
 * runs it with JUnit 5 or 6. The tests are final. A test that fails names the picture of its run, which it writes beside
 * its report ({@code -Dquorate.pictures=DIRECTORY} for another place).
 *
 * <p>Each algorithm needs a legal name, elects in a cluster of one, gives the same effects for the same events also
 * after a restore, encodes states canonically, reads what it writes and refuses garbage, nominates the leader that it
 * names, and does not use a class that {@link Election} forbids. Under the lease there are never two leaders, and a
 * dead leader is replaced.
 *
 * <p>A process handles each message without an exception. The tests give each process messages of clusters of all
 * sizes, from each peer and in each state of a run with faults.
 *
 * <p>Each {@link Guarantee} is checked if the algorithm declares it. Processes agree after losses, copies and a crash;
 * after a restart and a partition; and on the highest. A process does not nominate with a lower mark than before. A
 * suspicion has no effect and does not change a state. There is one leader in every order of events.
 */
@ExtendWith(ElectionConformance.Pictures.class)
public abstract class ElectionConformance {

    private static final Timing TIMING = new Timing(1000);
    private static final int SEEDS = 25;
    private static final int SIZE_MAX = 5;
    private static final int MESSAGES_PER_STEP = 8;

    /** Long enough for any algorithm to settle after its last fault, in delta. */
    private static final int SETTLED_AFTER_DELTAS = 400;

    /** So that delta is drawn as 10 ms. */
    private static final long MICROS_PER_UNIT = 10;

    /** Looks on at the newest cluster of the test. */
    private Optional<ElectionRecorder> recorder = Optional.empty();

    /** For subclasses. */
    protected ElectionConformance() {}

    /** {@return the algorithm under test; it may be another object at each call} */
    protected abstract ElectionAlgorithm algorithm();

    /** Writes the picture of the run that has failed, if the test had one. */
    static final class Pictures implements TestExecutionExceptionHandler {
        @Override
        public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
            if (FailurePicture.isWanted(failure)) {
                // A nested class is no kit, and its tests have one around them.
                context.getRequiredTestInstances()
                        .findInstance(ElectionConformance.class)
                        .flatMap(test -> test.recorder)
                        .ifPresent(recorder ->
                                failure.addSuppressed(new AssertionError(picture(context, recorder, failure))));
            }
            throw failure;
        }

        private static String picture(ExtensionContext context, ElectionRecorder recorder, Throwable failure) {
            return FailurePicture.write(context, name -> {
                recorder.mark("FAILED: " + failure.getMessage());
                return recorder.recording(name, "delta is 10 ms");
            });
        }
    }

    private boolean promises(Guarantee guarantee) {
        return algorithm().guarantees(Variant.HARDENED).contains(guarantee);
    }

    /** None runs yet. Messages take half of delta to delta; that and the timers are drawn. */
    private ElectionCluster cluster(int size, SplittableRandom random, boolean isWritten) {
        ElectionAlgorithm algorithm = algorithm();
        ElectionCluster cluster = new ElectionCluster(
                algorithm,
                size,
                size,
                process -> algorithm.create(Membership.of(process, size), TIMING, Options.HARDENED));
        cluster.lenient();
        if (!isWritten) {
            cluster.withoutCodec();
        }
        cluster.latency(() -> random.nextLong(TIMING.delta() / 2, TIMING.delta()));
        cluster.timerDelay(timer -> random.nextLong(timer.delayMin(), timer.delayMax() + 1));
        recorder = Optional.of(new ElectionRecorder(cluster, 0, MICROS_PER_UNIT, Words.PLAIN));
        return cluster;
    }

    private static void startAll(ElectionCluster cluster) {
        for (int process = 0; process < cluster.contenders(); process++) {
            cluster.start(process);
        }
    }

    private static void advance(ElectionCluster cluster, int deltas) {
        cluster.runUntil(cluster.now() + TIMING.deltas(deltas));
    }

    private static void setFaults(ElectionCluster cluster, SplittableRandom random, int lossPercent, int copyPercent) {
        cluster.loss((from, to) -> random.nextInt(100) < lossPercent);
        cluster.duplication((from, to) -> random.nextInt(100) < copyPercent);
    }

    /** Everybody suspects the process three delta later. */
    private static void crash(ElectionCluster cluster, int process) {
        cluster.crash(process);
        cluster.at(cluster.now() + TIMING.deltas(3), () -> cluster.running()
                .forEach(observer -> cluster.setSuspected(observer, process, true)));
    }

    /** One event at one process, its effects and the state after it. */
    private record Step(long now, int process, Event event, List<Effect> effects, Election.State after) {}

    /** The steps of a run, and the same without the states, to be compared. */
    private record Run(int size, List<String> log, List<Step> steps) {}

    /**
     * A run with losses, copies, wrong suspicions and a crash.
     *
     * @param isWritten  whether each message goes through the codec
     * @param isRestored whether each machine is replaced by a new one, in the same state, before each event
     */
    private Run faulty(long seed, boolean isWritten, boolean isRestored) {
        int size = 1 + (int) (seed % SIZE_MAX);
        SplittableRandom random = new SplittableRandom(seed);
        ElectionCluster cluster = cluster(size, random, isWritten);
        Run run = new Run(size, new ArrayList<>(), new ArrayList<>());
        cluster.observe(new ElectionCluster.Observer() {
            @Override
            public void before(int process, Event event) {
                if (isRestored && !(event instanceof Event.Start)) {
                    cluster.restore(process);
                }
            }

            @Override
            public void after(int process, Event event, List<Effect> effects) {
                run.log.add(cluster.now() + " P" + process + " " + event + " | " + effects);
                run.steps.add(new Step(
                        cluster.now(),
                        process,
                        event,
                        effects,
                        cluster.election(process).snapshot()));
            }
        });
        startAll(cluster);
        setFaults(cluster, random, 15, 15);
        advance(cluster, 40);
        for (int process = 0; size > 1 && process < size; process++) {
            cluster.setSuspected(process, (process + 1) % size, true);
            cluster.setSuspected(process, (process + 2) % size, true);
            advance(cluster, 5);
            cluster.setSuspected(process, (process + 1) % size, false);
        }
        if (size > 2) {
            crash(cluster, (int) (seed % size));
        }
        advance(cluster, 80);
        return run;
    }

    @Test
    final void nameIsLegal() {
        assertTrue(
                algorithm().name().matches("[a-z0-9-]+"),
                () -> "name " + algorithm().name() + ": must be of a-z, 0-9, -");
    }

    @Test
    final void oneProcessElectsItself() {
        ElectionCluster cluster = cluster(1, new SplittableRandom(1), false);
        startAll(cluster);
        advance(cluster, SETTLED_AFTER_DELTAS);
        assertEquals(OptionalInt.of(0), cluster.election(0).leader());
    }

    // The same events must give the same effects in the same order, in every JVM and at any time.
    @Test
    final void sameEventsGiveTheSameEffects() {
        Seeds.each(
                SEEDS,
                1,
                seed -> assertEquals(
                        faulty(seed, false, false).log(),
                        faulty(seed, false, false).log()));
    }

    @Test
    final void restoredMachineGoesOnAsIfNothingHadHappened() {
        Seeds.each(
                SEEDS,
                1,
                seed -> assertEquals(
                        faulty(seed, false, false).log(),
                        faulty(seed, false, true).log()));
    }

    @Test
    final void encodingTellsStatesApartAndNothingElse() {
        Map<Election.State, String> encodings = new HashMap<>();
        Map<String, Election.State> decodings = new HashMap<>();
        Seeds.each(SEEDS, 1, seed -> {
            for (Step step : faulty(seed, false, false).steps()) {
                Election.State state = step.after();
                WireWriter out = new WireWriter();
                state.writeTo(out);
                String bytes = Arrays.toString(out.toBytes());
                assertEquals(bytes, encodings.computeIfAbsent(state, first -> bytes));
                assertEquals(state, decodings.computeIfAbsent(bytes, first -> state));
            }
        });
        assertTrue(encodings.size() > SIZE_MAX, () -> "too few states to tell: " + encodings.size());
    }

    @Test
    final void everyMessageSurvivesTheWire() {
        Seeds.each(SEEDS, 1, seed -> faulty(seed, true, false));
    }

    @Test
    final void garbageIsRefusedAndNeverThrowsAnythingElse() {
        Seeds.each(1, 1, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < 20_000; i++) {
                byte[] bytes = new byte[random.nextInt(24)];
                random.nextBytes(bytes);
                try {
                    assertNotNull(algorithm().readMessage(new WireReader(bytes)));
                } catch (MalformedInputException expected) {
                    assertFalse(String.valueOf(expected.getMessage()).contains("null"), expected::toString);
                }
            }
        });
    }

    // The lease hears nominations only, and goes on without them, which takes it longer.
    @Test
    final void everyProcessNominatesTheLeaderThatItNames() {
        for (int size = 1; size <= SIZE_MAX; size++) {
            ElectionCluster cluster = cluster(size, new SplittableRandom(size), false);
            Map<Integer, Integer> nominees = new HashMap<>();
            cluster.observe((process, event, effects) -> effects.forEach(effect -> {
                if (effect instanceof Effect.Nominate nominate) {
                    nominees.put(process, nominate.nominee());
                }
            }));
            startAll(cluster);
            advance(cluster, SETTLED_AFTER_DELTAS);
            for (int process = 0; process < size; process++) {
                OptionalInt leader = cluster.election(process).leader();
                Integer nominee = nominees.get(process);
                assertTrue(
                        leader.isPresent() && Integer.valueOf(leader.getAsInt()).equals(nominee),
                        "process " + process + " of " + size + " names " + leader + ", and nominated " + nominee);
            }
        }
    }

    @Test
    final void declaredAgreementIsReachedAfterFaults() {
        if (!promises(Guarantee.EVENTUAL_AGREEMENT)) {
            return;
        }
        Seeds.each(SEEDS, 1, seed -> {
            int size = 3 + (int) (seed % 3);
            SplittableRandom random = new SplittableRandom(seed);
            ElectionCluster cluster = cluster(size, random, false);
            startAll(cluster);
            setFaults(cluster, random, promises(Guarantee.SELF_HEALING) ? 20 : 0, 10);
            advance(cluster, 60);
            crash(cluster, size - 1);
            advance(cluster, 60);
            setFaults(cluster, random, 0, 0);
            advance(cluster, SETTLED_AFTER_DELTAS);
            assertAgreement(cluster, Guarantee.EVENTUAL_AGREEMENT);
        });
    }

    private void assertAgreement(ElectionCluster cluster, Guarantee declared) {
        List<Integer> running = cluster.running();
        Map<Integer, OptionalInt> named = new TreeMap<>();
        running.forEach(process -> named.put(process, cluster.election(process).leader()));
        Set<OptionalInt> leaders = new HashSet<>(named.values());
        String end = " is declared; of " + cluster.contenders() + " processes those that run name at the end " + named;
        assertTrue(
                running.stream().anyMatch(process -> leaders.equals(Set.of(OptionalInt.of(process)))), declared + end);
        if (promises(Guarantee.HIGHEST_LEADS)) {
            OptionalInt highest = OptionalInt.of(running.get(running.size() - 1));
            assertEquals(Set.of(highest), leaders, Guarantee.HIGHEST_LEADS + end);
        }
    }

    @Test
    final void declaredHealingFollowsARestartAndAPartition() {
        if (!promises(Guarantee.SELF_HEALING)) {
            return;
        }
        Seeds.each(SEEDS, 1, seed -> {
            int size = 2 + (int) (seed % (SIZE_MAX - 1));
            int chosen = (int) (seed % size);
            ElectionCluster cluster = cluster(size, new SplittableRandom(seed), false);
            cluster.detector(() -> TIMING.deltas(3));
            startAll(cluster);
            advance(cluster, 60);
            if (seed % 3 == 0) {
                cluster.cut((from, to) -> from <= chosen != to <= chosen);
                advance(cluster, 60);
                cluster.cut((from, to) -> false);
            } else {
                cluster.crash(chosen);
                // It is back before the others suspect it, or afterwards.
                advance(cluster, seed % 3 == 1 ? 1 : 60);
                cluster.start(chosen);
            }
            advance(cluster, SETTLED_AFTER_DELTAS);
            assertAgreement(cluster, Guarantee.SELF_HEALING);
        });
    }

    @Test
    final void declaredMarksDoNotDecrease() {
        if (!promises(Guarantee.MONOTONIC_MARKS)) {
            return;
        }
        Seeds.each(SEEDS, 1, seed -> {
            Map<Integer, Effect.Nominate> last = new HashMap<>();
            for (Step step : faulty(seed, false, false).steps()) {
                for (Effect effect : step.effects()) {
                    if (effect instanceof Effect.Nominate next) {
                        Effect.Nominate before = last.put(step.process(), next);
                        assertTrue(
                                before == null || before.mark().compareTo(next.mark()) <= 0,
                                () -> Guarantee.MONOTONIC_MARKS + " is declared; after " + before + " came " + step);
                    }
                }
            }
        });
    }

    @Test
    final void declaredIndifferenceToSuspicionsIsKept() {
        if (!promises(Guarantee.NEEDS_NO_DETECTOR)) {
            return;
        }
        Seeds.each(SEEDS, 1, seed -> {
            Map<Integer, Election.State> states = new HashMap<>();
            for (Step step : faulty(seed, false, false).steps()) {
                Election.State before = states.put(step.process(), step.after());
                boolean isOfDetector = step.event() instanceof Event.Suspected || step.event() instanceof Event.Trusted;
                assertTrue(
                        !isOfDetector
                                || step.effects().isEmpty() && step.after().equals(before),
                        () -> Guarantee.NEEDS_NO_DETECTOR + " is declared; from " + before + " came " + step);
            }
        });
    }

    // A peer from another life or another cluster may send each message at any time.
    @Test
    final void noMessageOfAPeerMakesAProcessThrow() {
        List<Run> runs = new ArrayList<>();
        Set<Message> sent = new LinkedHashSet<>();
        Seeds.each(SEEDS, 1, seed -> runs.add(faulty(seed, false, false)));
        runs.forEach(run -> run.steps().forEach(step -> step.effects().forEach(effect -> {
            if (effect instanceof Effect.Send send) {
                sent.add(send.message());
            }
        })));
        // A single process has no peers.
        runs.removeIf(run -> run.size() == 1 || sent.isEmpty());
        List<Message> messages = List.copyOf(sent);
        SplittableRandom random = new SplittableRandom(1);
        for (Run run : runs) {
            for (Step step : run.steps()) {
                for (int i = 0; i < MESSAGES_PER_STEP; i++) {
                    int from = (step.process() + random.nextInt(1, run.size())) % run.size();
                    Message message = messages.get(random.nextInt(messages.size()));
                    assertNothingIsThrown(run.size(), step, new Event.Received(from, message));
                }
            }
        }
    }

    private void assertNothingIsThrown(int size, Step step, Event event) {
        Election election = algorithm().create(Membership.of(step.process(), size), TIMING, Options.HARDENED);
        election.restore(step.after());
        assertDoesNotThrow(
                () -> election.on(step.now(), event),
                () -> "Election.on must not throw because of a peer's message; process " + step.process() + " of "
                        + size + " in " + step.after() + " at " + event);
    }

    @Test
    final void declaredSingleLeaderHoldsInEveryOrderOfEvents() {
        if (promises(Guarantee.ONE_LEADER_IF_FAIL_STOP)) {
            ModelChecker.of(algorithm(), Options.HARDENED, 3)
                    .crashes(1)
                    .statesMax(60_000)
                    .stopAtStatesMax()
                    .always("OneLeader", Properties::oneLeader)
                    .verify(10);
        }
    }

    // Whole nodes under the lease, with crashes, pauses, cuts, losses and copies.
    @Test
    final void underTheLeaseThereAreNeverTwoLeadersAndOneInTheEnd() {
        Storms.run(SEEDS, 1, algorithm(), Depth.NODE);
    }

    @Test
    final void underTheLeaseADeadLeaderIsFollowed() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 1, algorithm());
        List<NodeId> nodes = new ArrayList<>(List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3")));
        nodes.forEach(node -> cluster.contend(node, "/p"));
        cluster.await("a leader", 4000, () -> cluster.leader("/p").isPresent());
        cluster.advance(1000);
        cluster.crash(cluster.leader("/p").orElseThrow());
        cluster.await("another leader, within four leases", 4000, () -> cluster.leader("/p")
                .isPresent());
    }

    // Clock, randomness, threads, files and logs belong to the driver; so does everything that orders by hash.
    @Test
    final void nothingForbiddenIsUsed() throws ClassNotFoundException {
        Set<String> forbidden = Set.of(
                "java.util.Random",
                "java.util.SplittableRandom",
                "java.lang.Thread",
                "java.time.Clock",
                "java.lang.System",
                "java.util.HashMap",
                "java.util.HashSet",
                "java.util.IdentityHashMap",
                "java.util.UUID");
        PackageMatchers forbiddenPackages = PackageMatchers.of(
                "java.util.concurrent..",
                "java.io..",
                "java.nio.file..",
                "java.net..",
                "org.slf4j..",
                // No module exports these to others.
                "io.quorate.[client|core|engine|jvm|runtime|settings|transport]..");
        Set<String> uses = new TreeSet<>();
        for (Dependency dependency : ofTheAlgorithm()) {
            JavaClass used = dependency.getTargetClass().getBaseComponentType();
            if (forbidden.contains(used.getName()) || forbiddenPackages.test(used.getPackageName())) {
                uses.add(dependency.getDescription());
            }
        }
        assertEquals(Set.of(), uses, "uses that Election forbids");
    }

    /** The dependencies of the algorithm's class, and of every class of its package that it uses, directly or not. */
    private List<Dependency> ofTheAlgorithm() throws ClassNotFoundException {
        Class<?> type = algorithm().getClass();
        List<Dependency> dependencies = new ArrayList<>();
        Set<String> seen = new HashSet<>(Set.of(type.getName()));
        Deque<String> toLookAt = new ArrayDeque<>(seen);
        while (!toLookAt.isEmpty()) {
            Class<?> next = Class.forName(toLookAt.remove(), false, type.getClassLoader());
            // To resolve what else the class names would be most of the work.
            JavaClass read = ArchConfiguration.withThreadLocalScope(configuration -> {
                configuration.setResolveMissingDependenciesFromClassPath(false);
                return new ClassFileImporter().importClass(next);
            });
            for (Dependency dependency : read.getDirectDependenciesFromSelf()) {
                dependencies.add(dependency);
                JavaClass used = dependency.getTargetClass().getBaseComponentType();
                if (used.getPackageName().equals(type.getPackageName()) && seen.add(used.getName())) {
                    toLookAt.add(used.getName());
                }
            }
        }
        return dependencies;
    }
}
