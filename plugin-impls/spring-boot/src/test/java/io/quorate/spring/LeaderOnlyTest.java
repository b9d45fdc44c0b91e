package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.ElectionClient;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import kotlin.coroutines.Continuation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.support.AbstractApplicationContext;
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

    private static Work target(org.springframework.context.ApplicationContext context) throws Exception {
        return (Work) ((org.springframework.aop.framework.Advised) context.getBean(Work.class))
                .getTargetSource()
                .getTarget();
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

    /** As the compiler of Kotlin makes it. */
    static class Suspends {
        @LeaderOnly("/work")
        Object work(String text, Continuation<String> rest) {
            return text;
        }
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
                Suspends.class,
                Blank.class
            })
    void aMethodThatCannotBeSkippedFailsTheStart(Class<?> type) {
        String rule =
                switch (type.getSimpleName()) {
                    case "ReturnsNumber" -> "must not return int, which cannot say that the method was skipped";
                    case "ReturnsStage" -> "must not return CompletableFuture, whose work goes on";
                    case "ReturnsFlow" -> "must not return Publisher, whose work goes on";
                    case "AsyncMethod", "AsyncClass" -> "must not be @Async: its work begins when";
                    case "Suspends" -> "must not be a suspend function, whose work goes on";
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
                .hasMessageStartingWith("@LeaderOnly(\"work\"): ")
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
            Scheduling scheduling =
                    (Scheduling) ((org.springframework.aop.framework.Advised) context.getBean(Scheduling.class))
                            .getTargetSource()
                            .getTarget();
            assertThat(scheduling.called.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(scheduling.calls).hasValue(0);
        });
    }

    /** Runs until it is told to end. */
    static class LongWork {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch end = new CountDownLatch(1);

        @LeaderOnly("/long")
        void work() throws InterruptedException {
            begun.countDown();
            end.await(30, TimeUnit.SECONDS);
        }
    }

    @Test
    void leadershipIsHandedOverWhenTheLastMethodHasReturned() {
        with("n1").withBean(LongWork.class).run(context -> {
            assertThat(cluster.awaitLeader("/long")).isEqualTo("n1");
            LongWork proxy = context.getBean(LongWork.class);
            LongWork target = (LongWork) ((org.springframework.aop.framework.Advised) proxy)
                    .getTargetSource()
                    .getTarget();
            LeaderLatches latches = context.getBean(LeaderLatches.class);
            List<String> order = new ArrayList<>();
            Thread worker = new Thread(() -> {
                try {
                    proxy.work();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            worker.start();
            assertThat(target.begun.await(30, TimeUnit.SECONDS)).isTrue();

            CountDownLatch stopped = new CountDownLatch(1);
            latches.stop(() -> {
                order.add("stopped, leads " + latches.latch("/long").hasLeadership());
                stopped.countDown();
            });
            assertThat(order).isEmpty();
            // No method begins any more.
            assertThat(latches.enter("/long")).isFalse();
            target.end.countDown();
            assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(order).containsExactly("stopped, leads true");
            worker.join();

            latches.start();
            assertThat(latches.enter("/long")).isTrue();
            latches.leave();
            assertThat(((AbstractApplicationContext) context.getSourceApplicationContext()).isActive())
                    .isTrue();
        });
    }
}
