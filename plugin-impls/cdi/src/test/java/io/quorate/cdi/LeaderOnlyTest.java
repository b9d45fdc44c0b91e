package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.ClientMonitor;
import io.quorate.ClientMonitor.DrainOutcome;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Leadership;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.smallrye.reactive.messaging.annotations.Blocking;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.reactive.messaging.Incoming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A leader-only method runs where its path is led, and nowhere else. */
class LeaderOnlyTest {

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private Application on(String node, Class<?>... beans) {
        return Application.with(cluster.client(node), Map.of("app.name", "shop"), beans);
    }

    /** With a method of each kind. */
    @Singleton
    static class Work {

        final AtomicInteger runs = new AtomicInteger();

        int runs() {
            return runs.get();
        }

        @LeaderOnly("/work")
        void nothing() {
            runs.incrementAndGet();
        }

        @LeaderOnly("/work")
        String text() {
            return "done";
        }

        @LeaderOnly("/work")
        Optional<String> optional() {
            return Optional.of("done");
        }

        @LeaderOnly("/other")
        String other() {
            return "done";
        }

        @LeaderOnly("/${app.name}/${app.part:all}")
        String named() {
            return "done";
        }

        String free() {
            return "done";
        }
    }

    @Test
    void itRunsWhereItsPathIsLed() {
        try (Application first = on("n1", Work.class)) {
            assertThat(cluster.awaitLeader("/work")).isEqualTo("n1");
            try (Application second = on("n2", Work.class)) {
                Work led = first.get(Work.class);
                assertThat(led.text()).isEqualTo("done");
                assertThat(led.optional()).contains("done");

                Work skipped = second.get(Work.class);
                skipped.nothing();
                assertThat(skipped.runs()).isZero();
                assertThat(skipped.text()).isNull();
                assertThat(skipped.optional()).isEmpty();
                assertThat(skipped.free()).isEqualTo("done");

                cluster.isolate("n1");
                cluster.awaitLeaderOtherThan("n1", "/work");
                led.nothing();
                assertThat(led.runs()).isZero();
                skipped.nothing();
                assertThat(skipped.runs()).isEqualTo(1);
                cluster.heal();
            }
        }
    }

    // The bean need not have been called.
    @Test
    void itsPathsAreContendedForFromTheStart() {
        try (Application application = on("n1", Work.class)) {
            assertThat(cluster.awaitLeader("/work")).isEqualTo("n1");
            assertThat(cluster.awaitLeader("/other")).isEqualTo("n1");
            assertThat(cluster.awaitLeader("/shop/all")).isEqualTo("n1");
            assertThat(application.get(Work.class).named()).isEqualTo("done");
            LeaderLatches latches = application.get(LeaderLatches.class);
            assertThat(latches.latch("/work").getId()).isEqualTo("n1");
            assertThat(latches.latch("/work").fencingToken()).isPositive();
            assertThat(latches.latch("/work")).isSameAs(latches.latch("/work"));
            assertThatIllegalArgumentException().isThrownBy(() -> latches.latch("work"));
        }
    }

    /** With what another class has. */
    static class Base {
        @LeaderOnly("/inherited")
        String inherited() {
            return "done";
        }
    }

    @Singleton
    static class Derived extends Base {}

    /** A name of the application's own. */
    @Retention(RetentionPolicy.RUNTIME)
    @InterceptorBinding
    @LeaderOnly("/nightly")
    @interface Nightly {}

    @Singleton
    static class NightlyWork {
        @Nightly
        String work() {
            return "done";
        }
    }

    @Test
    void theAnnotationMayStandInASuperclassOrOnABinding() {
        try (Application application = on("n1", Derived.class, NightlyWork.class)) {
            assertThat(application.get(Derived.class).inherited()).isNull();
            assertThat(application.get(NightlyWork.class).work()).isNull();
            cluster.awaitLeader("/inherited");
            cluster.awaitLeader("/nightly");
            assertThat(application.get(Derived.class).inherited()).isEqualTo("done");
            assertThat(application.get(NightlyWork.class).work()).isEqualTo("done");
        }
    }

    // ---------------------------------------------------------------- what is refused

    @Singleton
    static class Receives {
        @Incoming("orders")
        @Incoming("bills")
        @LeaderOnly("/work")
        void work(String order) {}
    }

    @Singleton
    static class Unordered {
        @Incoming("orders")
        @Blocking(ordered = false)
        @LeaderOnly("/work")
        void work(String order) {}
    }

    @Singleton
    static class Virtual {
        @Incoming("orders")
        @RunOnVirtualThread
        @LeaderOnly("/work")
        void work(String order) {}
    }

    @Singleton
    @RunOnVirtualThread
    static class VirtualClass {
        @Incoming("orders")
        @LeaderOnly("/work")
        void work(String order) {}
    }

    @Singleton
    static class Constructed {
        @PostConstruct
        @LeaderOnly("/work")
        void work() {}
    }

    @Singleton
    static class Destroyed {
        @PreDestroy
        @LeaderOnly("/work")
        void work() {}
    }

    @Singleton
    static class ReturnsNumber {
        @LeaderOnly("/work")
        int count() {
            return 1;
        }
    }

    @Singleton
    static class Private {
        @LeaderOnly("/work")
        private void work() {}
    }

    @Singleton
    static class Final {
        @LeaderOnly("/work")
        final void work() {}
    }

    @Singleton
    static class Static {
        @LeaderOnly("/work")
        static void work() {}
    }

    @Singleton
    static final class FinalClass {
        @LeaderOnly("/work")
        void work() {}
    }

    @Singleton
    static class ReturnsStage {
        @LeaderOnly("/work")
        CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    @Singleton
    static class ReturnsFlow {
        @LeaderOnly("/work")
        Flow.Publisher<String> work() {
            return subscriber -> {};
        }
    }

    @Singleton
    static class Blank {
        @LeaderOnly(" ")
        void work() {}
    }

    /** CDI does not look here. */
    interface Task {
        @LeaderOnly("/work")
        void work();
    }

    @Singleton
    static class OfAnInterface implements Task {
        @Override
        public void work() {}
    }

    @Singleton
    static class Overrides extends Base {
        @Override
        String inherited() {
            return "done";
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @LeaderOnly("/nightly")
    @interface NoBinding {}

    @Singleton
    static class OfNoBinding {
        @NoBinding
        void work() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Constructed.class,
                Destroyed.class,
                ReturnsNumber.class,
                Private.class,
                Final.class,
                Static.class,
                FinalClass.class,
                ReturnsStage.class,
                ReturnsFlow.class,
                Receives.class,
                Unordered.class,
                Virtual.class,
                VirtualClass.class,
                Blank.class,
                OfAnInterface.class,
                Overrides.class,
                OfNoBinding.class
            })
    void aMethodThatCannotBeSkippedFailsTheStart(Class<?> type) {
        String rule =
                switch (type.getSimpleName()) {
                    case "Constructed", "Destroyed" -> "must not be @PostConstruct or @PreDestroy";
                    case "ReturnsNumber" -> "must not return int, which cannot say that the method was skipped";
                    case "ReturnsStage" -> "must not return CompletableFuture, whose work goes on";
                    case "ReturnsFlow" -> "must not return Publisher, whose work goes on";
                    case "Receives" ->
                        "must not receive messages: one that is skipped counts as processed, and is lost";
                    case "Unordered", "Virtual", "VirtualClass" ->
                        "must not take messages with @Blocking(ordered = false) or @RunOnVirtualThread: those that wait";
                    case "Blank" -> "the path must not be blank";
                    case "OfAnInterface", "Overrides" -> "must stand on the method of the bean's class itself";
                    case "OfNoBinding" -> "must be an @InterceptorBinding too";
                    // Weld refuses these by itself.
                    case "Final", "FinalClass" -> "cannot be declared final";
                    default -> "must not be private, static or final, nor in a final class";
                };
        assertThatThrownBy(() -> on("n1", type).close())
                .hasMessageContaining(type.getName())
                .hasMessageContaining(rule);
    }

    @Singleton
    static class NoPath {
        @LeaderOnly("work")
        void work() {}
    }

    @Test
    void aPathThatIsNotLegalFailsTheStart() {
        assertThatThrownBy(() -> on("n1", NoPath.class).close())
                .hasStackTraceContaining("path 'work' of a bean: ")
                .hasStackTraceContaining("must start with /");
    }

    // ---------------------------------------------------------------- without a client

    @Test
    void withoutAClientNothingRuns() {
        try (Application application = Application.of(Map.of("quorate.enabled", "false"), Work.class)) {
            assertThat(application.get(Work.class).text()).isNull();
            assertThatIllegalStateException()
                    .isThrownBy(() -> application.get(LeaderLatches.class).latch("/work"))
                    .withMessageContaining("quorate.enabled=false");
            assertThatThrownBy(() -> application.get(ElectionClient.class).nodeId())
                    .hasStackTraceContaining("quorate.enabled=false");
        }
    }

    // ---------------------------------------------------------------- a leader that leaves

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Runs until it is told to end, and calls another leader-only method of its path then. */
    @Singleton
    static class LongWork {
        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch end = new CountDownLatch(1);
        private final List<String> parts = new ArrayList<>();
        private final Part part;

        @Inject
        LongWork(Part part) {
            this.part = part;
        }

        AtomicInteger runs() {
            return runs;
        }

        List<String> parts() {
            return parts;
        }

        void awaitBegin() {
            await(begun);
        }

        void end() {
            end.countDown();
        }

        @LeaderOnly("/long")
        void work() {
            runs.incrementAndGet();
            begun.countDown();
            await(end);
            parts.add(String.valueOf(part.part()));
        }

        @LeaderOnly("/other")
        String other() {
            return "done";
        }
    }

    @Singleton
    static class Part {
        @LeaderOnly("/long")
        String part() {
            return "part";
        }
    }

    /** A thread in {@link LongWork#work} on n1, which leads; n2 contends. */
    private final class Running implements AutoCloseable {
        final Application first;
        final Application second;
        final LongWork work;
        final LongWork successor;
        final Thread worker;
        final List<DrainOutcome> outcomes = new ArrayList<>();

        Running() {
            first = on("n1", LongWork.class, Part.class);
            assertThat(cluster.awaitLeader("/long")).isEqualTo("n1");
            second = on("n2", LongWork.class, Part.class);
            cluster.advance(Duration.ofSeconds(2));
            work = first.get(LongWork.class);
            successor = second.get(LongWork.class);
            successor.end();
            worker = new Thread(work::work);
            worker.start();
            work.awaitBegin();
            cluster.client("n1").addMonitor(new ClientMonitor() {
                @Override
                public void drained(String path, DrainOutcome outcome, Duration took) {
                    outcomes.add(outcome);
                }
            });
        }

        void transfer() {
            cluster.client("n1").transferTo("/long", "n2");
        }

        void end() {
            work.end();
            try {
                worker.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            end();
            second.close();
            first.close();
        }
    }

    @Test
    void aTransferWaitsForTheMethodThatRuns() {
        try (Running running = new Running()) {
            running.transfer();
            cluster.advance(Duration.ofSeconds(10));
            assertThat(cluster.leader("/long")).contains("n1");
            running.successor.work();
            assertThat(running.successor.runs()).hasValue(0);
            running.work.work();
            assertThat(running.work.runs()).as("a tick in between").hasValue(1);
            assertThat(running.work.other()).as("of another path").isEqualTo("done");

            running.end();
            assertThat(running.work.parts())
                    .as("what it calls itself is part of it")
                    .containsExactly("part");
            assertThat(cluster.awaitLeaderOtherThan("n1", "/long")).isEqualTo("n2");
            assertThat(running.outcomes).containsExactly(DrainOutcome.DONE);
            running.successor.work();
            assertThat(running.successor.runs()).hasValue(1);
        }
    }

    @Test
    void theDrainBoundsTheWait() {
        try (Running running = new Running()) {
            running.transfer();
            cluster.advance(Duration.ofSeconds(29));
            assertThat(cluster.leader("/long")).contains("n1");
            cluster.advance(Duration.ofSeconds(2));
            assertThat(cluster.leader("/long")).contains("n2");
            assertThat(running.outcomes).containsExactly(DrainOutcome.TIMED_OUT);
        }
    }

    /** What its method does on this test's thread, which lets time pass. */
    @Singleton
    static class Guided {
        private Runnable work = () -> {};

        void guide(Runnable by) {
            work = by;
        }

        @LeaderOnly("/guided")
        String work() {
            work.run();
            return "done";
        }
    }

    @Test
    void leadershipIsHandedOverWhenTheLastMethodHasReturned() {
        Application application = on("n1", Guided.class);
        assertThat(cluster.awaitLeader("/guided")).isEqualTo("n1");
        new Contender(cluster.client("n2")).start();
        cluster.advance(Duration.ofSeconds(2));
        Guided guided = application.get(Guided.class);
        LeaderLatch latch = application.get(LeaderLatches.class).latch("/guided");
        Thread closing = new Thread(application::close);
        guided.guide(() -> {
            closing.start();
            passTimeUntil(() -> latch.leadership().filter(Leadership::isLeaving).isPresent());
            cluster.advance(Duration.ofSeconds(10));
            assertThat(cluster.leader("/guided")).contains("n1");
            assertThat(CompletableFuture.supplyAsync(guided::work).join())
                    .as("none begins while the application stops")
                    .isNull();
        });
        assertThat(guided.work()).isEqualTo("done");
        assertThat(cluster.awaitLeaderOtherThan("n1", "/guided")).isEqualTo("n2");
        passTimeUntil(() -> !closing.isAlive());
    }

    /** Without an application. */
    private record Contender(ElectionClient client) {
        void start() {
            try {
                new LeaderLatch(client, "/guided", "n2").start();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }

    /**
     * The other thread has real time, and the cluster virtual time: a second of it for 20 s, and hardly more for a busy
     * machine, so that no bound of the work is over.
     */
    private void passTimeUntil(BooleanSupplier condition) {
        AtomicInteger steps = new AtomicInteger();
        Deadline.repeat(
                () -> cluster.advance(Duration.ofNanos(steps.getAndIncrement() < 20_000 ? 50_000 : 500)),
                condition,
                cluster::describe);
    }
}
