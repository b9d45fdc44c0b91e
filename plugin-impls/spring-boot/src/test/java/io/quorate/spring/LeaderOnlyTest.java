package io.quorate.spring;

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
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.kafka.annotation.KafkaHandler;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.annotation.KafkaListeners;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A leader-only method runs where its path is led, and nowhere else. */
class LeaderOnlyTest {

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private ApplicationContextRunner with(String node) {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(QuorateAutoConfiguration.class))
                .withBean(ElectionClient.class, () -> cluster.client(node));
    }

    /** With a method of each kind. */
    static class Work {

        int runs;

        @LeaderOnly("/work")
        void nothing() {
            runs++;
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

        String free() {
            return "done";
        }
    }

    @Test
    void itRunsWhereItsPathIsLed() {
        with("n1")
                .withBean(Work.class, Work::new)
                .run(first -> with("n2").withBean(Work.class, Work::new).run(second -> {
                    Work led = first.getBean(Work.class);
                    assertThat(AopUtils.isAopProxy(led)).isTrue();
                    assertThat(cluster.awaitLeader("/work")).isEqualTo("n1");
                    assertThat(led.text()).isEqualTo("done");
                    assertThat(led.optional()).contains("done");

                    Work skipped = second.getBean(Work.class);
                    skipped.nothing();
                    assertThat(target(second).runs).isZero();
                    assertThat(skipped.text()).isNull();
                    assertThat(skipped.optional()).isEmpty();
                    assertThat(skipped.free()).isEqualTo("done");

                    cluster.isolate("n1");
                    cluster.awaitLeaderOtherThan("n1", "/work");
                    led.nothing();
                    assertThat(target(first).runs).isZero();
                    skipped.nothing();
                    assertThat(target(second).runs).isEqualTo(1);
                    cluster.heal();
                }));
    }

    private static Work target(ApplicationContext context) throws Exception {
        return (Work) ((Advised) context.getBean(Work.class)).getTargetSource().getTarget();
    }

    // The bean need not have been called.
    @Test
    void itsPathsAreContendedForFromTheStart() {
        with("n1").withBean(Work.class, Work::new).run(context -> {
            assertThat(cluster.awaitLeader("/work")).isEqualTo("n1");
            assertThat(cluster.awaitLeader("/other")).isEqualTo("n1");
            LeaderLatches latches = context.getBean(LeaderLatches.class);
            assertThat(latches.latch("/work").getId()).isEqualTo("n1");
            assertThat(latches.latch("/work").fencingToken()).isPositive();
            assertThat(latches.latch("/work")).isSameAs(latches.latch("/work"));
            assertThatIllegalArgumentException().isThrownBy(() -> latches.latch("work"));
        });
    }

    /** With the path elsewhere. */
    static class Named {
        @LeaderOnly("/${app.name}/#{1 + 1}")
        String work() {
            return "done";
        }
    }

    @Test
    void placeholdersAndExpressionsAreResolved() {
        with("n1")
                .withPropertyValues("app.name=shop")
                .withBean(Named.class, Named::new)
                .run(context -> {
                    assertThat(cluster.awaitLeader("/shop/2")).isEqualTo("n1");
                    assertThat(context.getBean(Named.class).work()).isEqualTo("done");
                });
    }

    /** A name of the application's own. */
    @Retention(RetentionPolicy.RUNTIME)
    @LeaderOnly("/nightly")
    @interface Nightly {}

    /** Says by an interface what is leader-only. */
    interface Task {
        @LeaderOnly("/task")
        String run();
    }

    static class NightlyTask implements Task {
        @Override
        public String run() {
            return "task";
        }

        @Nightly
        String nightly() {
            return "nightly";
        }
    }

    @Test
    void theAnnotationMayStandOnAnInterfaceOrAnotherAnnotation() {
        with("n1").withBean(NightlyTask.class, NightlyTask::new).run(context -> {
            NightlyTask task = context.getBean(NightlyTask.class);
            assertThat(task.run()).isNull();
            assertThat(task.nightly()).isNull();
            cluster.awaitLeader("/task");
            cluster.awaitLeader("/nightly");
            assertThat(task.run()).isEqualTo("task");
            assertThat(task.nightly()).isEqualTo("nightly");
        });
    }

    // ---------------------------------------------------------------- what is refused

    static class ReturnsNumber {
        @LeaderOnly("/work")
        int count() {
            return 1;
        }
    }

    static class Private {
        @LeaderOnly("/work")
        private void work() {}
    }

    static class Final {
        @LeaderOnly("/work")
        final void work() {}
    }

    static class Static {
        @LeaderOnly("/work")
        static void work() {}
    }

    static final class FinalClass {
        @LeaderOnly("/work")
        void work() {}
    }

    static class ReturnsStage {
        @LeaderOnly("/work")
        CompletableFuture<String> work() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class ReturnsFlow {
        @LeaderOnly("/work")
        Flow.Publisher<String> work() {
            return subscriber -> {};
        }
    }

    static class AsyncMethod {
        @Async
        @LeaderOnly("/work")
        void work() {}
    }

    @Async
    static class AsyncClass {
        @LeaderOnly("/work")
        void work() {}
    }

    static class Activates {
        @ServiceActivator(inputChannel = "orders")
        @LeaderOnly("/work")
        void work(String order) {}
    }

    interface Listener {
        @KafkaListener(topics = "orders")
        void work(String order);
    }

    static class Listens implements Listener {
        @Override
        @LeaderOnly("/work")
        public void work(String order) {}
    }

    @KafkaListener(topics = "orders")
    static class HandlesOnClass {
        @KafkaHandler
        @LeaderOnly("/work")
        void work(String order) {}
    }

    static class ListensTwice {
        @KafkaListeners({@KafkaListener(topics = "orders"), @KafkaListener(topics = "returns")})
        @LeaderOnly("/work")
        void work(String order) {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @KafkaListener(topics = "orders")
    @interface Orders {}

    static class ListensByMeta {
        @Orders
        @LeaderOnly("/work")
        void work(String order) {}
    }

    static class Inherits extends Listens {
        @Override
        @LeaderOnly("/work")
        public void work(String order) {}
    }

    /** As the compiler of Kotlin makes it. */
    static class Suspends {
        @LeaderOnly("/work")
        Object work(String text, Continuation<String> rest) {
            return text;
        }
    }

    static class AtTheStart {
        @PostConstruct
        @LeaderOnly("/work")
        void work() {}
    }

    static class AtTheEnd {
        @PreDestroy
        @LeaderOnly("/work")
        void work() {}
    }

    static class Blank {
        @LeaderOnly(" ")
        void work() {}
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ReturnsNumber.class,
                Private.class,
                Final.class,
                Static.class,
                FinalClass.class,
                ReturnsStage.class,
                ReturnsFlow.class,
                AsyncMethod.class,
                AsyncClass.class,
                Activates.class,
                Listens.class,
                HandlesOnClass.class,
                ListensTwice.class,
                ListensByMeta.class,
                Inherits.class,
                Suspends.class,
                AtTheStart.class,
                AtTheEnd.class,
                Blank.class
            })
    void aMethodThatCannotBeSkippedFailsTheStart(Class<?> type) {
        String rule =
                switch (type.getSimpleName()) {
                    case "ReturnsNumber" -> "must not return int, which cannot say that the method was skipped";
                    case "ReturnsStage" -> "must not return CompletableFuture, whose work goes on";
                    case "ReturnsFlow" -> "must not return Publisher, whose work goes on";
                    case "AsyncMethod", "AsyncClass" -> "must not be @Async: its work begins when";
                    case "Activates", "Listens", "HandlesOnClass", "ListensTwice", "ListensByMeta", "Inherits" ->
                        "must not receive messages: one that is skipped counts as processed, and is lost";
                    case "Suspends" -> "must not be a suspend function, whose work goes on";
                    case "AtTheStart", "AtTheEnd" -> "must not be @PostConstruct or @PreDestroy";
                    case "Blank" -> "the path must not be blank";
                    default -> "must not be private, static or final, nor in a final class";
                };
        with("n1").withBean("work", type).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .rootCause()
                .hasMessageStartingWith("@LeaderOnly of bean 'work': ")
                .hasMessageContaining(type.getSimpleName() + ".")
                .hasMessageContaining(rule));
    }

    static class NoPath {
        @LeaderOnly("work")
        void work() {}
    }

    @Test
    void aPathThatIsNotLegalFailsTheStart() {
        with("n1").withBean(NoPath.class, NoPath::new).run(context -> assertThat(context)
                .hasFailed()
                .getFailure()
                .cause()
                .hasMessageStartingWith("path 'work' of a bean: ")
                .hasMessageContaining("must start with /"));
    }

    // ---------------------------------------------------------------- without a client

    @Test
    void withoutAClientNothingRuns() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(QuorateAutoConfiguration.class))
                .withPropertyValues("quorate.enabled=false")
                .withBean(Work.class, Work::new)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(Work.class).text()).isNull();
                    assertThatIllegalStateException()
                            .isThrownBy(
                                    () -> context.getBean(LeaderLatches.class).latch("/work"))
                            .withMessageContaining("quorate.enabled=false");
                });
    }

    // ---------------------------------------------------------------- scheduling, and the end

    /** Counts what the scheduler calls. */
    @EnableScheduling
    static class Scheduling {
        final AtomicInteger calls = new AtomicInteger();
        final CountDownLatch called = new CountDownLatch(3);

        @Scheduled(fixedDelay = 1)
        @LeaderOnly("/scheduled")
        void leaderOnly() {
            calls.incrementAndGet();
        }

        @Scheduled(fixedDelay = 1)
        void everywhere() {
            called.countDown();
        }
    }

    // The scheduler calls the proxy, though the method stands in no interface and is not public.
    @Test
    void aScheduledMethodIsSkippedToo() {
        with("n1").withBean(Scheduling.class).run(context -> {
            Scheduling scheduling = (Scheduling) ((Advised) context.getBean(Scheduling.class))
                    .getTargetSource()
                    .getTarget();
            assertThat(scheduling.called.await(600, TimeUnit.SECONDS)).isTrue();
            assertThat(scheduling.calls).hasValue(0);
        });
    }

    // ---------------------------------------------------------------- a leader that leaves

    /** Runs until it is told to end. */
    static class LongWork {
        final AtomicInteger runs = new AtomicInteger();
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        @LeaderOnly("/long")
        void work() {
            runs.incrementAndGet();
            begun.countDown();
            await(end);
        }

        @LeaderOnly("/other")
        String other() {
            return "done";
        }
    }

    /** A thread in {@link LongWork#work} on n1, which leads; n2 contends. */
    private final class Running {
        final LongWork proxy;
        final LongWork target;
        final LongWork successor;
        final Thread worker;
        final List<DrainOutcome> outcomes = new ArrayList<>();

        Running(ApplicationContext first, ApplicationContext second) throws Exception {
            assertThat(cluster.awaitLeader("/long")).isEqualTo("n1");
            cluster.advance(Duration.ofSeconds(2));
            proxy = first.getBean(LongWork.class);
            target = (LongWork) ((Advised) proxy).getTargetSource().getTarget();
            successor = (LongWork)
                    ((Advised) second.getBean(LongWork.class)).getTargetSource().getTarget();
            successor.end.countDown();
            worker = new Thread(proxy::work);
            worker.start();
            await(target.begun);
            cluster.client("n1").addMonitor(new ClientMonitor() {
                @Override
                public void drained(String path, DrainOutcome outcome, Duration took) {
                    outcomes.add(outcome);
                }
            });
        }

        void end() throws InterruptedException {
            target.end.countDown();
            worker.join();
        }
    }

    private interface Check {
        void on(Running running, ApplicationContext first, ApplicationContext second) throws Exception;
    }

    private void whileItRuns(Check check) {
        ApplicationContextRunner first = with("n1").withBean(LongWork.class);
        first.run(one -> {
            cluster.awaitLeader("/long");
            with("n2").withBean(LongWork.class).run(two -> {
                Running running = new Running(one, two);
                try {
                    check.on(running, one, two);
                } finally {
                    running.end();
                }
            });
        });
    }

    /** As an operator does it. In virtual time nothing happens while the endpoint waits. */
    private void transferToN2() {
        QuorateEndpoint endpoint = new QuorateEndpoint(cluster.client("n1"), Duration.ofMillis(50));
        assertThatThrownBy(() -> endpoint.transfer(new String[] {"long"}, "n2"))
                .hasMessageContaining("the transfer goes on");
    }

    @Test
    void aTransferWaitsForTheMethodThatRuns() {
        whileItRuns((running, first, second) -> {
            transferToN2();
            cluster.advance(Duration.ofSeconds(10));
            assertThat(cluster.leader("/long")).contains("n1");
            second.getBean(LongWork.class).work();
            assertThat(running.successor.runs).hasValue(0);
            running.proxy.work();
            assertThat(running.target.runs).as("a tick in between").hasValue(1);
            assertThat(running.proxy.other()).as("of another path").isEqualTo("done");

            running.end();
            assertThat(cluster.awaitLeaderOtherThan("n1", "/long")).isEqualTo("n2");
            assertThat(running.outcomes).containsExactly(DrainOutcome.DONE);
            second.getBean(LongWork.class).work();
            assertThat(running.successor.runs).hasValue(1);
        });
    }

    @Test
    void theDrainBoundsTheWait() {
        whileItRuns((running, first, second) -> {
            transferToN2();
            cluster.advance(Duration.ofSeconds(29));
            assertThat(cluster.leader("/long")).contains("n1");
            cluster.advance(Duration.ofSeconds(2));
            assertThat(cluster.leader("/long")).contains("n2");
            assertThat(running.outcomes).containsExactly(DrainOutcome.TIMED_OUT);
        });
    }

    @Test
    void standbyWaitsAndWhoIsBackInTimeWorksOn() {
        whileItRuns((running, first, second) -> {
            cluster.client("n1").standby(true);
            cluster.advance(Duration.ofSeconds(5));
            running.proxy.work();
            assertThat(running.target.runs).hasValue(1);
            cluster.client("n1").standby(false);
            cluster.advance(Duration.ofSeconds(5));
            running.end();
            assertThat(cluster.leader("/long")).contains("n1");
            running.proxy.work();
            assertThat(running.target.runs).hasValue(2);
        });
    }

    /** What its method does on this test's thread, which lets time pass. */
    static class Guided {
        Runnable work = () -> {};

        @LeaderOnly("/guided")
        String work() {
            work.run();
            return "done";
        }
    }

    @Test
    void leadershipIsHandedOverWhenTheLastMethodHasReturned() {
        with("n1").withBean(Guided.class).run(context -> {
            assertThat(cluster.awaitLeader("/guided")).isEqualTo("n1");
            new LeaderLatch(cluster.client("n2"), "/guided", "n2").start();
            cluster.advance(Duration.ofSeconds(2));
            Guided proxy = context.getBean(Guided.class);
            LeaderLatch latch = context.getBean(LeaderLatches.class).latch("/guided");
            Thread closing = new Thread(context.getSourceApplicationContext()::close);
            ((Guided) ((Advised) proxy).getTargetSource().getTarget()).work = () -> {
                closing.start();
                passTimeUntil(
                        () -> latch.leadership().filter(Leadership::isLeaving).isPresent());
                cluster.advance(Duration.ofSeconds(10));
                assertThat(cluster.leader("/guided")).contains("n1");
                assertThat(CompletableFuture.supplyAsync(proxy::work).join())
                        .as("none begins while the context closes")
                        .isNull();
            };
            assertThat(proxy.work()).isEqualTo("done");
            assertThat(cluster.awaitLeaderOtherThan("n1", "/guided")).isEqualTo("n2");
            passTimeUntil(() -> !closing.isAlive());
        });
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

    private static void await(CountDownLatch gate) {
        try {
            assertThat(gate.await(600, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Calls another leader-only method of its path in the middle of its work. */
    static class Outer {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch goesOn = new CountDownLatch(1);
        private final ObjectProvider<Inner> inner;

        Outer(ObjectProvider<Inner> inner) {
            this.inner = inner;
        }

        @LeaderOnly("/nested")
        String work() {
            begun.countDown();
            await(goesOn);
            return "with " + inner.getObject().part();
        }
    }

    static class Inner {
        @LeaderOnly("/nested")
        String part() {
            return "part";
        }
    }

    @Test
    void nestedCallsBelongToTheRunningWork() {
        with("n1").withBean(Outer.class).withBean(Inner.class).run(context -> {
            new LeaderLatch(cluster.client("n2"), "/nested", "n2").start();
            cluster.client("n2").standby(true);
            assertThat(cluster.awaitLeader("/nested")).isEqualTo("n1");
            cluster.client("n2").standby(false);
            cluster.advance(Duration.ofSeconds(2));
            Outer proxy = context.getBean(Outer.class);
            Outer target = (Outer) ((Advised) proxy).getTargetSource().getTarget();
            CompletableFuture<String> work = CompletableFuture.supplyAsync(proxy::work);
            await(target.begun);
            LeaderLatch latch = context.getBean(LeaderLatches.class).latch("/nested");
            latch.transferTo("n2");
            cluster.advance(Duration.ofSeconds(1));
            assertThat(latch.leadership().orElseThrow().isLeaving()).isTrue();
            assertThat(context.getBean(Inner.class).part()).as("new work").isNull();
            target.goesOn.countDown();
            assertThat(work.get(600, TimeUnit.SECONDS)).isEqualTo("with part");
            assertThat(cluster.awaitLeaderOtherThan("n1", "/nested")).isEqualTo("n2");
        });
    }
}
