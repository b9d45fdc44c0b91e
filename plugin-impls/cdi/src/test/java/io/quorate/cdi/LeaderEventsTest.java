package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.ObservesAsync;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.spi.AfterBeanDiscovery;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Observers hear of each leadership in order, whatever another observer throws. */
class LeaderEventsTest {

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private Application on(String node, Class<?>... beans) {
        return Application.with(cluster.client(node), Map.of(), beans);
    }

    /** Throws each time, before the others are asked. */
    @Singleton
    static class Throwing {
        void any(@Observes @Priority(1) LeadershipGained event) {
            throw new IllegalStateException("thrown by the test");
        }

        void lost(@Observes @Priority(1) LeadershipLost event) {
            throw new NoClassDefFoundError("thrown by the test");
        }
    }

    @Singleton
    static class Ear {
        private final List<Object> ofA = new ArrayList<>();
        private final List<Object> all = new ArrayList<>();
        private final List<LeaderChanged> changes = new ArrayList<>();

        List<Object> ofA() {
            return ofA;
        }

        List<Object> all() {
            return all;
        }

        List<LeaderChanged> changes() {
            return changes;
        }

        void gained(@Observes @LeaderPath("/a") LeadershipGained event) {
            ofA.add(event);
        }

        void lost(@Observes @LeaderPath("/a") LeadershipLost event) {
            ofA.add(event);
        }

        void second(@Observes @LeaderPath("/b") LeadershipGained event) {
            // So that this process contends for it.
        }

        void gainedAny(@Observes LeadershipGained event) {
            all.add(event);
        }

        void lostAny(@Observes LeadershipLost event) {
            all.add(event);
        }

        void changed(@Observes @LeaderPath("/a") LeaderChanged event) {
            changes.add(event);
        }
    }

    /** Hears, and does not contend. */
    @Singleton
    static class Watcher {
        private final List<String> leaders = new ArrayList<>();

        List<String> leaders() {
            return leaders;
        }

        void changed(@Observes @LeaderPath("/a") LeaderChanged event) {
            leaders.add(event.leader().orElse("nobody"));
        }
    }

    @Test
    void eachLeadershipIsToldInOrderAlthoughAnotherObserverThrows() {
        Ear ear;
        try (Application application = on("n1", Throwing.class, Ear.class);
                Application watching = on("n2", Watcher.class)) {
            ear = application.get(Ear.class);
            Watcher watcher = watching.get(Watcher.class);
            cluster.awaitUntil("the first event", () -> ear.ofA().size() == 1);
            long first = ((LeadershipGained) ear.ofA().get(0)).fencingToken();
            cluster.awaitUntil("the watcher has heard", () -> watcher.leaders().contains("n1"));
            assertThat(watching.get(LeaderLatches.class).mayBegin("/a")).isFalse();

            cluster.isolate("n1");
            cluster.awaitUntil("its end is told", () -> ear.ofA().size() == 2);
            cluster.advance(Duration.ofSeconds(5));
            assertThat(cluster.leader("/a")).as("nobody else contends").isEmpty();
            cluster.heal();
            cluster.awaitUntil("the next one", () -> ear.ofA().size() == 3);
            long second = ((LeadershipGained) ear.ofA().get(2)).fencingToken();
            assertThat(second).isGreaterThan(first);
            assertThat(ear.ofA())
                    .containsExactly(
                            new LeadershipGained("/a", first),
                            new LeadershipLost("/a"),
                            new LeadershipGained("/a", second));
            cluster.awaitUntil("of both paths", () -> ear.all().size() >= 6);
            assertThat(ear.changes()).isNotEmpty().allSatisfy(change -> assertThat(change.path())
                    .isEqualTo("/a"));
            assertThat(ear.changes().get(0).leader()).contains("n1");
            assertThat(ear.changes().get(0).fencingToken()).hasValue(first);
        }
        assertThat(ear.ofA()).as("also at the end of the application").endsWith(new LeadershipLost("/a"));
        assertThat(ear.ofA()).hasSize(4);
    }

    /** With latches of each form. */
    @Singleton
    static class Latches {
        private final LeaderLatch first;
        private final Instance<LeaderLatch> second;

        @Inject
        @LeaderPath("/c")
        LeaderLatch third;

        @Inject
        Latches(@LeaderPath("/a") LeaderLatch first, @LeaderPath("/${part:b}") Instance<LeaderLatch> second) {
            this.first = first;
            this.second = second;
        }

        List<LeaderLatch> all() {
            return List.of(first, second.get(), third);
        }

        void observe(@Observes LeaderChanged event, @LeaderPath("/d") LeaderLatch fourth) {
            assertThat(fourth.getId()).isEqualTo("n1");
        }
    }

    // The bean has not been made yet.
    @Test
    void pathsOfLatchesAreContendedForFromTheStart() {
        try (Application application = on("n1", Latches.class)) {
            for (String path : List.of("/a", "/b", "/c", "/d")) {
                assertThat(cluster.awaitLeader(path)).isEqualTo("n1");
            }
            LeaderLatches latches = application.get(LeaderLatches.class);
            assertThat(application.get(Latches.class).all())
                    .containsExactly(latches.latch("/a"), latches.latch("/b"), latches.latch("/c"))
                    .allSatisfy(latch -> assertThat(latch.hasLeadership()).isTrue());
        }
    }

    // The path is watched for an observer, and asked for at run time then.
    @Test
    void eachChangeIsToldOnceAlthoughTheWatchedPathIsLedLater() {
        try (Application application = on("n1", Watcher.class)) {
            application.get(LeaderLatches.class).latch("/a");
            Watcher watcher = application.get(Watcher.class);
            cluster.awaitUntil("it has heard", () -> watcher.leaders().contains("n1"));
            cluster.advance(Duration.ofSeconds(5));
            assertThat(watcher.leaders()).containsOnlyOnce("n1");
        }
    }

    /** Of anything, on another thread. */
    @Singleton
    static class OfAnythingAsynchronously {
        private final List<Object> heard = new ArrayList<>();

        List<Object> heard() {
            return heard;
        }

        void any(@ObservesAsync Object event) {
            heard.add(event);
        }
    }

    @Test
    void asyncObserversAreNotNotifiedOnThisThread() {
        try (Application application = on("n1", Ear.class, OfAnythingAsynchronously.class)) {
            Ear ear = application.get(Ear.class);
            cluster.awaitUntil("the first event", () -> !ear.ofA().isEmpty());
            assertThat(application.get(OfAnythingAsynchronously.class).heard()).isEmpty();
        }
    }

    /** Adds an observer that has no method. */
    static class OfAnotherLibrary implements Extension {
        void add(@Observes AfterBeanDiscovery event) {
            event.addObserverMethod()
                    .beanClass(OfAnotherLibrary.class)
                    .observedType(String.class)
                    .notifyWith(context -> {});
            event.addObserverMethod()
                    .beanClass(OfAnotherLibrary.class)
                    .observedType(LeadershipGained.class)
                    .notifyWith(context -> {});
        }
    }

    @Test
    void observersWithoutAMethodFailNoStart() {
        try (Application application = Application.beside(new OfAnotherLibrary())) {
            assertThat(application.get(LeaderLatches.class)).isNotNull();
        }
    }

    // ---------------------------------------------------------------- what is refused

    @Singleton
    static class Asynchronous {
        void gained(@ObservesAsync LeadershipGained event) {}
    }

    @Singleton
    static class WithPlaceholder {
        void gained(@Observes @LeaderPath("/${app.name}") LeadershipGained event) {}
    }

    @Test
    void observersThatWouldMissEventsFailTheStart() {
        assertThatThrownBy(() -> on("n1", Asynchronous.class).close())
                .hasMessageContaining(Asynchronous.class.getName() + ".gained: must have @Observes");
        assertThatThrownBy(() -> on("n1", WithPlaceholder.class).close())
                .hasMessageContaining("@LeaderPath(\"/${app.name}\"): must not have a placeholder");
    }
}
