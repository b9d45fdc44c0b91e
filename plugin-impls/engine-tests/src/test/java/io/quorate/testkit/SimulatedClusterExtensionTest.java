package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.State;
import io.quorate.testkit.simulation.HighestUp;
import java.io.File;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The cluster as an extension of JUnit, shown on small test classes of which some fail; and without JUnit. */
class SimulatedClusterExtensionTest {

    private static final String PATH = "/p";
    private static final List<LeaderLatch> LATCHES = new ArrayList<>();
    private static final List<Duration> TIMES = new ArrayList<>();

    private static SimulatedClusterExtension cluster() {
        return new SimulatedClusterExtension(
                ClusterSettings.ofVoters(3).algorithm(new HighestUp()).seed(77));
    }

    private static void lead(SimulatedCluster cluster) throws Exception {
        LeaderLatch latch = new LeaderLatch(cluster.client("n1"), PATH);
        latch.start();
        latch.await();
        LATCHES.add(latch);
    }

    private static void breakARule(SimulatedCluster cluster) throws Exception {
        lead(cluster);
        LeaderLatch other = new LeaderLatch(cluster.client("n2"), PATH);
        other.start();
        cluster.advance(Duration.ofSeconds(1));
        cluster.clockRate("n1", 50);
        cluster.advance(Duration.ofSeconds(1));
        cluster.isolate("n1");
        cluster.advance(Duration.ofSeconds(3));
    }

    /** A field of the test's instance; the cluster is used before the test too. */
    static class OfInstance {
        @RegisterExtension
        final SimulatedCluster cluster = cluster();

        @BeforeEach
        void latch() throws Exception {
            TIMES.add(cluster.now());
            lead(cluster);
        }

        @RepeatedTest(2)
        void leads() {
            assertThat(cluster.leader(PATH)).contains("n1");
        }
    }

    /** One object for all tests of the class. */
    static class OfClass {
        @RegisterExtension
        static final SimulatedCluster CLUSTER = cluster();

        @RepeatedTest(2)
        void leads() throws Exception {
            TIMES.add(CLUSTER.now());
            lead(CLUSTER);
        }
    }

    /** Its own assertion fails. */
    static class Failing {
        @RegisterExtension
        final SimulatedCluster cluster = cluster();

        @Test
        void fails() throws Exception {
            lead(cluster);
            throw new IllegalStateException("the application's own");
        }
    }

    /** It fails before it begins, and has not used the cluster, which could not be made here either. */
    static class FailingBefore {
        @RegisterExtension
        final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

        @BeforeEach
        void prepare() {
            throw new IllegalStateException("not prepared");
        }

        @Test
        void isNotReached() {
            cluster.awaitLeader(PATH);
        }
    }

    /** It catches what it should not. */
    static class Swallowing {
        @RegisterExtension
        final SimulatedCluster cluster = cluster();

        @Test
        void passesByItself() throws Exception {
            assertThatThrownBy(() -> breakARule(cluster)).isInstanceOf(AssertionError.class);
        }
    }

    private static TestExecutionSummary run(Class<?> test) {
        LATCHES.clear();
        TIMES.clear();
        Launcher launcher = LauncherFactory.create();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectClass(test))
                        .build(),
                listener);
        return listener.getSummary();
    }

    private static Throwable failure(Class<?> test) {
        TestExecutionSummary summary = run(test);
        assertThat(summary.getFailures()).hasSize(1);
        return summary.getFailures().get(0).getException();
    }

    @Test
    void eachTestHasANewClusterWhichIsClosedAfterIt() {
        for (Class<?> test : List.of(OfInstance.class, OfClass.class)) {
            assertThat(run(test).getTestsSucceededCount()).isEqualTo(2);
            assertThat(TIMES).containsExactly(Duration.ZERO, Duration.ZERO);
            assertThat(LATCHES).hasSize(2).allMatch(latch -> latch.getState() == State.CLOSED);
        }
    }

    @Test
    void aFailedTestSaysTheSeedAndWhereTheNodesStand() {
        Throwable failure = failure(Failing.class);
        assertThat(failure).hasMessage("the application's own");
        assertThat(failure.getSuppressed()).hasSize(1);
        assertThat(failure.getSuppressed()[0])
                .hasMessageContainingAll("seed=77", "n1 /p leads with token 1", "rerun: mvn test -Dseed=77");
    }

    // The page stands beside the report, and shows what led to the failure.
    @Test
    void aFailedTestNamesItsPicture() throws Exception {
        String message = failure(Failing.class).getSuppressed()[0].getMessage();
        Path picture = Path.of(message.replaceAll("(?s).*The picture of this run: (\\S+\\.html).*", "$1"));
        assertThat(picture.getParent()).hasFileName("surefire-reports");
        assertThat(Files.readString(picture))
                .contains("FAILED: the application's own", "n1 leads with token 1", "FRAME", "seed 77");
    }

    @Test
    void aFailureOfItsOwnIsNeverHidden() {
        Throwable failure = failure(FailingBefore.class);
        assertThat(failure).hasMessage("not prepared");
        assertThat(failure.getSuppressed()[0]).hasMessageContaining("seed=" + ClusterSettings.DEFAULT_SEED);
    }

    @Test
    void aBrokenRuleFailsTheTestAlsoIfItWasCaught() {
        assertThat(failure(Swallowing.class)).hasMessageContaining("ONE_LEADER");
    }

    /** Loaded by itself, where there is no JUnit. */
    static final class WithoutJUnit implements Callable<String> {
        @Override
        public String call() throws Exception {
            ClusterSettings settings = ClusterSettings.ofVoters(3).algorithm(new HighestUp());
            try (SimulatedCluster cluster = new SimulatedCluster(settings)) {
                LeaderLatch latch = new LeaderLatch(cluster.client("n1"), "/p");
                latch.start();
                FakeLeaderLatch fake = new FakeLeaderLatch("/p");
                fake.start();
                fake.grant();
                return cluster.awaitLeader("/p") + " " + fake.hasLeadership();
            }
        }
    }

    @Test
    void theClusterAndTheFakeLatchNeedNoJUnit() throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.contains("junit") && !entry.contains("opentest4j")) {
                classPath.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> Class.forName(Test.class.getName(), false, loader))
                    .isInstanceOf(ClassNotFoundException.class);
            assertThatThrownBy(() -> Class.forName(SimulatedClusterExtension.class.getName(), false, loader))
                    .isInstanceOf(NoClassDefFoundError.class);
            Constructor<?> constructor =
                    Class.forName(WithoutJUnit.class.getName(), true, loader).getDeclaredConstructor();
            constructor.setAccessible(true);
            assertThat(((Callable<?>) constructor.newInstance()).call()).isEqualTo("n1 true");
        }
    }

    /** Does not run everywhere. */
    static class Skipped {
        @RegisterExtension
        final SimulatedCluster cluster = cluster();

        @Test
        void isNotForThisMachine() throws Exception {
            cluster.client("n1");
            Assumptions.abort("not here");
        }
    }

    @Test
    void aSkippedTestHasNoPicture() {
        assertThat(run(Skipped.class).getTestsAbortedCount()).isEqualTo(1);
        assertThat(Path.of(
                        "target",
                        "surefire-reports",
                        Skipped.class.getName().replace('$', '-') + "-isNotForThisMachine-.html"))
                .doesNotExist();
        assertThat(Path.of(
                        "target",
                        "surefire-reports",
                        Skipped.class.getName().replace('$', '-') + "-isNotForThisMachine.html"))
                .doesNotExist();
    }

    /** Each of two tests fails for the same parameter. */
    static class Twice {
        @RegisterExtension
        final SimulatedCluster cluster = cluster();

        @RepeatedTest(1)
        void one() {
            cluster.client("n1");
            throw new IllegalStateException("one");
        }

        @RepeatedTest(1)
        void two() {
            cluster.client("n1");
            throw new IllegalStateException("two");
        }
    }

    @Test
    void eachFailedTestHasAPictureOfItsOwn() {
        assertThat(run(Twice.class).getFailures())
                .extracting(failure -> failure.getException().getSuppressed()[0].getMessage())
                .extracting(message -> message.replaceAll("(?s).*The picture of this run: (\\S+\\.html).*", "$1"))
                .hasSize(2)
                .doesNotHaveDuplicates();
    }
}
