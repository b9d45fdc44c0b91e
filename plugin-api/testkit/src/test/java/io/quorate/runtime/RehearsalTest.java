package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.core.settings.LeaseTiming;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.Tenure;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.HighestUp;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A cluster in memory elects and hands over as a real one does, and leaves no trace. */
@Timeout(60)
class RehearsalTest {

    private static final long MILLI = 1_000_000;
    private static final long SUPPORT = 1000 * MILLI;
    private static final List<NodeId> NODES = List.of(new NodeId("a"), new NodeId("b"), new NodeId("c"));
    private static final NodeSettings SETTINGS = new NodeSettings(
            "real",
            new NodeId("n1"),
            List.of(new NodeId("n1")),
            new LeaseTiming(200 * MILLI, SUPPORT, 10),
            new Timing(20 * MILLI),
            RankOrder.JOIN_ORDER,
            0,
            false);

    /** What one node is told. */
    private static final class Told implements Engine.ContenderListener {
        private final List<Long> tokens = new ArrayList<>();
        private boolean leads;

        @Override
        public void granted(Tenure tenure) {
            leads = true;
            tokens.add(tenure.token());
        }

        @Override
        public void ended(Tenure tenure, String reason) {
            leads = false;
        }
    }

    private static Stage stage(Optional<ClusterSecret> secret, ElectionAlgorithm algorithm) {
        return new Stage(NODES, SETTINGS, secret, algorithm);
    }

    private static Optional<ClusterSecret> secret() {
        return Optional.of(
                ClusterSecret.of("sixteen bytes or more".getBytes(StandardCharsets.UTF_8), Optional.empty()));
    }

    // Under a secret, and without one: the voters keep quiet, one leads, hands over, and is cut off.
    @ParameterizedTest
    @EnumSource
    void aClusterInMemoryElectsHandsOverAndReplacesWhoIsCutOff(Frames frames) throws IOException {
        Stage stage = stage(frames == Frames.WITH_MAC ? secret() : Optional.empty(), new HighestUp());
        List<Told> told = new ArrayList<>();
        List<Engine.Candidacy> candidacies = new ArrayList<>();
        for (Engine engine : stage.engines()) {
            engine.start();
            told.add(new Told());
            candidacies.add(engine.contend("/p", "x", told.get(told.size() - 1)));
        }
        assertThat(stage.play(SUPPORT / 2, () -> told.stream().anyMatch(each -> each.leads)))
                .as("in the quarantine")
                .isFalse();
        int first = leader(stage, 2 * SUPPORT, told, -1);
        candidacies.get(first).leave();
        int second = leader(stage, MILLI, told, first);
        stage.cutOff(NODES.get(second), true);
        assertThat(stage.play(SUPPORT / 2, () -> !told.get(second).leads))
                .as("before its lease is over")
                .isFalse();
        int third = leader(stage, SUPPORT, told, second);
        assertThat(told.get(second).leads).isFalse();
        stage.cutOff(NODES.get(second), false);
        candidacies.get(second).rejoin();
        candidacies.get(third).leave();
        assertThat(leader(stage, SUPPORT, told, third)).as("healed").isEqualTo(second);
        List<Long> tokens = told.stream()
                .flatMap(each -> each.tokens.stream())
                .sorted()
                .distinct()
                .toList();
        assertThat(tokens).hasSize(4);
    }

    /** Who leads, other than the former, after so long at most. */
    private static int leader(Stage stage, long nanosMax, List<Told> told, int former) {
        Supplier<OptionalInt> found = () -> IntStream.range(0, told.size())
                .filter(i -> i != former && told.get(i).leads)
                .findFirst();
        assertThat(stage.play(nanosMax, () -> found.get().isPresent()))
                .as("a leader after node %d", former)
                .isTrue();
        return found.get().getAsInt();
    }

    private enum Frames {
        PLAIN,
        WITH_MAC
    }

    @Test
    void onlyItsOwnNodesAreOnTheStage() {
        Stage stage = stage(Optional.empty(), new HighestUp());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stage.cutOff(new NodeId("n1"), true))
                .withMessage("node n1: is none of [a, b, c]");
    }

    @Test
    void nothingOfARehearsalIsInTheLog() {
        try (CapturedLog log = CapturedLog.atInfo(ElectionDriver.class)) {
            int changes = 0;
            // On a busy machine the first ones may be over before somebody leads.
            while (changes == 0) {
                changes = new Rehearsal(SETTINGS, secret(), new HighestUp()).play();
            }
            assertThat(log.text()).isEmpty();
            assertThatTheLogIsTaken(log);
        }
    }

    /** Else there would be nothing in it whatever a rehearsal writes. */
    private static void assertThatTheLogIsTaken(CapturedLog log) {
        Surroundings.REAL.log(ElectionDriver.class).info("control");
        assertThat(log.lines("control")).hasSize(1);
    }

    @Test
    void aRehearsalThatIsOverChangesNothingMore() {
        Rehearsal rehearsal = new Rehearsal(SETTINGS, Optional.empty(), new HighestUp());
        rehearsal.end();
        assertThat(rehearsal.play()).isZero();
    }

    // Whoever's algorithm it is: it fails where it counts too, and somebody is told of it there.
    @ParameterizedTest
    @EnumSource
    void anAlgorithmThatFailsLeavesNoLine(BrokenAlgorithm.Fault fault) throws IOException {
        try (CapturedLog log = CapturedLog.atInfo(ElectionDriver.class)) {
            Stage stage = stage(Optional.empty(), new BrokenAlgorithm(fault));
            try {
                for (Engine engine : stage.engines()) {
                    engine.start();
                    engine.contend("/p", "x", new Told());
                }
                stage.play(3 * SUPPORT, () -> false);
            } catch (RuntimeException | Error e) {
                // That a rehearsal ends in this way is all that happens.
                assertThat(e).isNotInstanceOf(VirtualMachineError.class);
            }
            assertThat(log.text()).isEmpty();
            assertThatTheLogIsTaken(log);
        }
    }

    private enum Thrown {
        EXCEPTION(new IllegalStateException("broken")),
        ENDLESS_RECURSION(new StackOverflowError("broken")),
        FULL_HEAP(new OutOfMemoryError("broken")),
        LINKAGE(new NoClassDefFoundError("broken"));

        private final Throwable thrown;

        Thrown(Throwable thrown) {
            this.thrown = thrown;
        }
    }

    // Its thread has nobody above it: what it throws on would reach the application's handler of uncaught exceptions.
    @ParameterizedTest
    @EnumSource
    void whateverAnAlgorithmThrowsEndsTheRehearsalAndNothingElse(Thrown thrown) {
        ElectionAlgorithm broken = algorithm((method, arguments) -> {
            throw thrown.thrown;
        });
        assertThat(new Rehearsal(SETTINGS, Optional.empty(), broken).play()).isZero();
    }

    // A process that was stopped in the middle: it would pause three times as long as it seems to have been busy.
    @Test
    void nobodyPausesWhoHasNothingMoreToDo() {
        long[] busy = new long[1];
        long before = System.nanoTime();
        HighestUp sound = new HighestUp();
        ElectionAlgorithm busyOne = algorithm((method, arguments) -> {
            while (System.nanoTime() - before < 400 * MILLI) {
                Thread.onSpinWait();
            }
            busy[0] = busy[0] == 0 ? System.nanoTime() - before : busy[0];
            return method.invoke(sound, arguments);
        });
        new Rehearsal(SETTINGS, Optional.empty(), busyOne).play();
        assertThat(System.nanoTime() - before).isLessThan(3 * busy[0]);
    }

    // A client keeps its rehearsal, and must not keep three nodes with it; here one that ends in an election.
    @Test
    void nothingOfItIsKept() {
        HighestUp sound = new HighestUp();
        List<WeakReference<Object>> machines = new ArrayList<>();
        AtomicReference<Rehearsal> rehearsal = new AtomicReference<>();
        ElectionAlgorithm watched = algorithm((method, arguments) -> {
            Object result = method.invoke(sound, arguments);
            if (method.getName().equals("create")) {
                machines.add(new WeakReference<>(result));
                rehearsal.get().end();
            }
            return result;
        });
        // On a busy machine the first ones may be over before there is an election.
        while (machines.isEmpty()) {
            rehearsal.set(new Rehearsal(SETTINGS, Optional.empty(), watched));
            rehearsal.get().play();
        }
        for (int i = 0; i < 100 && machines.stream().anyMatch(machine -> machine.get() != null); i++) {
            System.gc();
        }
        assertThat(machines).allSatisfy(machine -> assertThat(machine.get()).isNull());
        Reference.reachabilityFence(rehearsal.get());
    }

    private interface Behaviour {
        Object of(Method method, Object[] arguments) throws Throwable;
    }

    private static ElectionAlgorithm algorithm(Behaviour behaviour) {
        return (ElectionAlgorithm) Proxy.newProxyInstance(
                RehearsalTest.class.getClassLoader(),
                new Class<?>[] {ElectionAlgorithm.class},
                (proxy, method, arguments) -> behaviour.of(method, arguments));
    }
}
