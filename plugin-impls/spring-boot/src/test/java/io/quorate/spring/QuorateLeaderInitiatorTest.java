package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.ElectionClient;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.FakeEngine.FakeCandidacy;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ApplicationEvent;
import org.springframework.integration.leader.Candidate;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.leader.event.AbstractLeaderEvent;
import org.springframework.integration.leader.event.DefaultLeaderEventPublisher;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;
import org.springframework.integration.support.locks.DefaultLockRegistry;

/** An initiator calls its candidate and publishes its events as others of Spring Integration do. */
class QuorateLeaderInitiatorTest {

    private static final String ROLE = "reports";
    private static final String PATH = "/reports";

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private final List<QuorateLeaderInitiator> initiators = new ArrayList<>();

    @AfterEach
    void stopThreads() {
        initiators.forEach(QuorateLeaderInitiator::destroy);
    }

    /** Writes down what it hears, on whatever thread. */
    private class Recorder implements Candidate {
        final String id;
        final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();
        final LinkedBlockingQueue<FencedContext> contexts = new LinkedBlockingQueue<>();

        Recorder(String id) {
            this.id = id;
        }

        @Override
        public String getRole() {
            return ROLE;
        }

        @Override
        public String getId() {
            return id;
        }

        @Override
        public void onGranted(Context context) throws InterruptedException {
            FencedContext fenced = (FencedContext) context;
            contexts.add(fenced);
            heard.add("granted");
        }

        @Override
        public void onRevoked(Context context) {
            heard.add("revoked, leads " + context.isLeader());
        }

        void publish(ApplicationEvent event) {
            if (event instanceof AbstractLeaderEvent leader) {
                heard.add(event.getClass().getSimpleName() + " " + leader.getRole());
            } else if (event instanceof LeaderChangedEvent changed) {
                heard.add("leader " + changed.getLeader().orElse("none"));
            }
        }

        /** The candidate has a real thread, and the cluster virtual time: each waits for the other. */
        String next() {
            AtomicReference<String> word = new AtomicReference<>(heard.poll());
            Deadline.repeat(
                    () -> {
                        cluster.advance(Duration.ofMillis(10));
                        word.set(heard.poll());
                    },
                    () -> word.get() != null,
                    () -> "nothing was heard");
            return word.get();
        }

        /** The next of these words; what stands before it is left out. */
        void awaits(String word) {
            String next = next();
            while (!next.equals(word)) {
                next = next();
            }
        }
    }

    private QuorateLeaderInitiator initiator(Recorder candidate) {
        QuorateLeaderInitiator initiator = new QuorateLeaderInitiator(cluster.client(candidate.id), candidate);
        initiator.setApplicationEventPublisher(event -> candidate.publish((ApplicationEvent) event));
        initiators.add(initiator);
        return initiator;
    }

    private QuorateLeaderInitiator started(Recorder candidate) {
        QuorateLeaderInitiator initiator = initiator(candidate);
        initiator.start();
        return initiator;
    }

    // ---------------------------------------------------------------- order of calls and events

    @Test
    void theCandidateIsCalledThenTheEventIsPublished() {
        Recorder first = new Recorder("n1");
        QuorateLeaderInitiator initiator = started(first);
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("granted");
        first.awaits("OnGrantedEvent " + ROLE);
        FencedContext context = first.contexts.remove();
        assertThat(context.isLeader()).isTrue();
        assertThat(context.getRole()).isEqualTo(ROLE);
        assertThat(context.fencingToken())
                .isEqualTo(cluster.client("n1").health().leads().get(PATH));
        assertThat(initiator.getContext()).isSameAs(context);

        initiator.stop();
        first.awaits("revoked, leads false");
        first.awaits("OnRevokedEvent " + ROLE);
        assertThat(initiator.isRunning()).isFalse();
        assertThat(context.isLeader()).isFalse();
    }

    @Test
    void anotherTakesOverWithAHigherToken() {
        Recorder first = new Recorder("n1");
        Recorder second = new Recorder("n2");
        started(first);
        cluster.awaitLeader(PATH);
        started(second);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnGrantedEvent " + ROLE);

        cluster.isolate("n1");
        assertThat(cluster.awaitLeaderOtherThan("n1", PATH)).isEqualTo("n2");
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnRevokedEvent " + ROLE);
        second.awaits("OnGrantedEvent " + ROLE);
        FencedContext former = first.contexts.remove();
        FencedContext latter = second.contexts.remove();
        assertThat(former.isLeader()).isFalse();
        assertThat(latter.isLeader()).isTrue();
        assertThat(latter.fencingToken()).isGreaterThan(former.fencingToken());
    }

    // spring-integration's initiators tell the leader alone.
    @Test
    void everyProcessHearsWhoLeads() {
        Recorder first = new Recorder("n1");
        Recorder second = new Recorder("n2");
        started(first);
        cluster.awaitLeader(PATH);
        started(second);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("leader n1");
        second.awaits("leader n1");
        cluster.crash("n1");
        cluster.awaitLeaderOtherThan("n1", PATH);
        cluster.advance(Duration.ofSeconds(1));
        second.awaits("leader n2");
    }

    @Test
    void failedToAcquireIsPublishedIfWanted() {
        Recorder first = new Recorder("n1");
        Recorder second = new Recorder("n2");
        started(first);
        cluster.awaitLeader(PATH);
        QuorateLeaderInitiator initiator = initiator(second);
        assertThat(initiator.isPublishFailedEvents()).isFalse();
        initiator.setPublishFailedEvents(true);
        initiator.start();
        cluster.advance(Duration.ofSeconds(1));
        second.awaits("OnFailedToAcquireMutexEvent " + ROLE);
        assertThat(first.heard).noneMatch(word -> word.startsWith("OnFailed"));
    }

    // ---------------------------------------------------------------- yield

    @Test
    void yieldingLeaderQueuesBehindTheOthers() {
        Recorder first = new Recorder("n1");
        Recorder second = new Recorder("n2");
        started(first);
        cluster.awaitLeader(PATH);
        started(second);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnGrantedEvent " + ROLE);

        FencedContext yielded = first.contexts.remove();
        yielded.yield();
        assertThat(cluster.awaitLeaderOtherThan("n1", PATH)).isEqualTo("n2");
        assertThat(yielded.isLeader()).isFalse();
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnRevokedEvent " + ROLE);
        second.awaits("OnGrantedEvent " + ROLE);
        second.contexts.remove().yield();
        assertThat(cluster.awaitLeaderOtherThan("n2", PATH)).isEqualTo("n1");
        // A former leadership has nothing to give up.
        yielded.yield();
        assertThat(cluster.leader(PATH)).contains("n1");
    }

    @Test
    void withoutLeadershipThereIsNoToken() {
        QuorateLeaderInitiator initiator = initiator(new Recorder("n1"));
        assertThat(initiator.getContext().isLeader()).isFalse();
        assertThat(initiator.getContext().getRole()).isEqualTo(ROLE);
        assertThatIllegalStateException()
                .isThrownBy(() -> initiator.getContext().fencingToken());
        initiator.getContext().yield();
    }

    // ---------------------------------------------------------------- candidates of all kinds

    // As Spring Integration allows: it works in onGranted until it is interrupted.
    @Test
    void aCandidateThatWorksInItsCallbackIsInterrupted() {
        CountDownLatch works = new CountDownLatch(1);
        Recorder blocking = new Recorder("n1") {
            @Override
            public void onGranted(Context context) throws InterruptedException {
                heard.add("granted");
                works.countDown();
                try {
                    new CountDownLatch(1).await(600, TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    heard.add("interrupted, leads " + context.isLeader());
                    throw e;
                }
            }
        };
        QuorateLeaderInitiator initiator = started(blocking);
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        blocking.awaits("granted");
        initiator.stop();
        blocking.awaits("interrupted, leads true");
        blocking.awaits("revoked, leads false");
        blocking.awaits("OnRevokedEvent " + ROLE);
        assertThat(blocking.heard).doesNotContain("OnGrantedEvent " + ROLE);
    }

    static Stream<Throwable> anything() {
        return Stream.of(
                new IllegalStateException("no disk"),
                new NoClassDefFoundError("no class"),
                new OutOfMemoryError("no memory"),
                // As Kotlin throws it, or Lombok.
                new IOException("no disk"));
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @ParameterizedTest
    @MethodSource("anything")
    void aCandidateThatThrowsGivesLeadershipUp(Throwable thrown) {
        Recorder broken = new Recorder("n1") {
            @Override
            public void onGranted(Context context) {
                heard.add("granted");
                QuorateLeaderInitiatorTest.<RuntimeException>sneak(thrown);
            }

            @Override
            public void onRevoked(Context context) {
                super.onRevoked(context);
                QuorateLeaderInitiatorTest.<RuntimeException>sneak(thrown);
            }
        };
        Recorder second = new Recorder("n2");
        started(broken);
        broken.awaits("granted");
        started(second);
        broken.awaits("revoked, leads false");
        broken.awaits("OnRevokedEvent " + ROLE);
        second.awaits("OnGrantedEvent " + ROLE);
        assertThat(cluster.leader(PATH)).contains("n2");
    }

    // A wait for itself would end after 30 s only, and onRevoked would come late.
    @Test
    void aCandidateMayStopItsInitiator() {
        QuorateLeaderInitiator[] initiator = {null};
        Recorder stopping = new Recorder("n1") {
            @Override
            public void onGranted(Context context) {
                initiator[0].stop();
                heard.add("stopped, leads " + context.isLeader());
            }
        };
        initiator[0] = started(stopping);
        stopping.awaits("stopped, leads true");
        stopping.awaits("revoked, leads false");
        assertThat(initiator[0].isRunning()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("anything")
    void aListenerThatThrowsCostsNoLeadership(Throwable thrown) {
        Recorder first = new Recorder("n1");
        QuorateLeaderInitiator initiator = initiator(first);
        initiator.setApplicationEventPublisher(event -> {
            first.publish((ApplicationEvent) event);
            QuorateLeaderInitiatorTest.<RuntimeException>sneak(thrown);
        });
        initiator.start();
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnGrantedEvent " + ROLE);
        assertThat(first.contexts.remove().isLeader()).isTrue();
    }

    @Test
    void publisherThatIsSetWhileItRunsPublishesTheNextEvent() {
        Recorder first = new Recorder("n1");
        QuorateLeaderInitiator initiator = started(first);
        BlockingQueue<String> published = new LinkedBlockingQueue<>();
        initiator.setLeaderEventPublisher(new DefaultLeaderEventPublisher(
                event -> published.add(event.getClass().getSimpleName())));
        cluster.awaitLeader(PATH);
        Deadline.repeat(
                () -> cluster.advance(Duration.ofMillis(1)),
                () -> published.contains("OnGrantedEvent"),
                published::toString);
    }

    // ---------------------------------------------------------------- with a drain time-out

    /** Works until it is interrupted, and returns when it may. */
    private final class Stubborn extends Recorder {
        final CountDownLatch mayReturn = new CountDownLatch(1);

        Stubborn() {
            super("fake");
        }

        @Override
        public void onGranted(Context context) throws InterruptedException {
            super.onGranted(context);
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                heard.add("interrupted, leads " + context.isLeader());
            }
            assertThat(mayReturn.await(600, TimeUnit.SECONDS)).isTrue();
        }

        void hears(String... words) {
            try {
                for (String word : words) {
                    assertThat(heard.poll(600, TimeUnit.SECONDS)).isEqualTo(word);
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private interface Ending {
        void begin(FakeCandidacy candidacy, FencedContext context, QuorateLeaderInitiator initiator);
    }

    /** The test is its engine. The candidate works when the ending begins, and returns later. */
    private void endsWhenItsCandidateHasReturned(Ending ending) {
        endsWhenItsCandidateHasReturned(ending, (candidacy, context, initiator) -> {});
    }

    private void endsWhenItsCandidateHasReturned(Ending ending, Ending meanwhile) {
        FakeEngine engine = new FakeEngine();
        ElectionClient client = Clients.over(
                engine, Clients.config().drainTimeout(Duration.ofHours(1)).build());
        client.start();
        Stubborn stubborn = new Stubborn();
        QuorateLeaderInitiator initiator = new QuorateLeaderInitiator(client, stubborn);
        initiator.setApplicationEventPublisher(event -> stubborn.publish((ApplicationEvent) event));
        initiator.start();
        try {
            FakeCandidacy candidacy = engine.last();
            candidacy.grant(3);
            stubborn.hears("granted");
            FencedContext context = stubborn.contexts.remove();
            ending.begin(candidacy, context, initiator);
            stubborn.hears("interrupted, leads true");
            meanwhile.begin(candidacy, context, initiator);
            assertThat(context.isLeader()).isTrue();
            assertThat(stubborn.heard).isEmpty();
            stubborn.mayReturn.countDown();
            stubborn.hears("OnGrantedEvent " + ROLE);
            await(() -> !context.isLeader());
            if (initiator.isRunning()) {
                // The tenure ends before the engine is told.
                await(() -> !candidacy.resigned().isEmpty());
                assertThat(candidacy.resigned()).hasSize(1);
                candidacy.end();
            }
            stubborn.hears("revoked, leads false", "OnRevokedEvent " + ROLE);
        } finally {
            stubborn.mayReturn.countDown();
            initiator.destroy();
            client.close();
        }
    }

    private static void await(BooleanSupplier condition) {
        Deadline.await(condition, () -> "another thread");
    }

    @Test
    void aPlannedEndWaitsForTheCandidate() {
        endsWhenItsCandidateHasReturned((candidacy, context, initiator) ->
                assertThat(candidacy.leave("it was transferred")).isTrue());
    }

    // Its candidate works no longer, so it does not lead on.
    @Test
    void aCandidateThatWasInterruptedGivesLeadershipUp() {
        endsWhenItsCandidateHasReturned(
                (candidacy, context, initiator) -> candidacy.leave("its client is on standby"),
                (candidacy, context, initiator) -> candidacy.stay());
    }

    @Test
    void yieldWaitsForTheCandidate() {
        endsWhenItsCandidateHasReturned((candidacy, context, initiator) -> context.yield());
    }

    @Test
    void aStopWaitsForTheCandidate() {
        endsWhenItsCandidateHasReturned(
                (candidacy, context, initiator) -> new Thread(initiator::stop, "stops " + ROLE).start());
    }

    // ---------------------------------------------------------------- life

    @Test
    void itStartsAgainAfterAStop() {
        Recorder first = new Recorder("n1");
        QuorateLeaderInitiator initiator = started(first);
        initiator.start();
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnGrantedEvent " + ROLE);
        initiator.stop();
        initiator.stop();
        first.awaits("OnRevokedEvent " + ROLE);
        initiator.start();
        assertThat(initiator.isRunning()).isTrue();
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnGrantedEvent " + ROLE);
        long before = first.contexts.remove().fencingToken();
        assertThat(first.contexts.remove().fencingToken()).isGreaterThan(before);
    }

    @Test
    void itEndsWithItsClient() {
        Recorder first = new Recorder("n1");
        QuorateLeaderInitiator initiator = started(first);
        cluster.awaitLeader(PATH);
        cluster.advance(Duration.ofSeconds(1));
        first.awaits("OnGrantedEvent " + ROLE);
        cluster.client("n1").close();
        first.awaits("OnRevokedEvent " + ROLE);
        assertThat(initiator.isRunning()).isFalse();
        initiator.destroy();
    }

    @Test
    void itStartsAndStopsWhereOthersDo() {
        QuorateLeaderInitiator initiator = initiator(new Recorder("n1"));
        LockRegistryLeaderInitiator other = new LockRegistryLeaderInitiator(new DefaultLockRegistry());
        assertThat(initiator.getPhase()).isEqualTo(other.getPhase());
        assertThat(initiator.isAutoStartup()).isEqualTo(other.isAutoStartup());
        initiator.setPhase(7);
        initiator.setAutoStartup(false);
        assertThat(initiator.getPhase()).isEqualTo(7);
        assertThat(initiator.isAutoStartup()).isFalse();
        other.destroy();
    }

    @Test
    void aRoleThatIsNoPathIsRefused() {
        QuorateLeaderInitiator initiator =
                new QuorateLeaderInitiator(cluster.client("n1"), new DefaultCandidate("n1", "a//b"));
        assertThatIllegalArgumentException().isThrownBy(initiator::start).withMessageContaining("/a//b");
        assertThat(initiator.isRunning()).isFalse();
        assertThatNullPointerException().isThrownBy(() -> new QuorateLeaderInitiator(cluster.client("n1"), null));
        assertThatNullPointerException().isThrownBy(() -> new QuorateLeaderInitiator(null));
    }

    @Test
    void theEventsOfOthersAreNotNeeded() {
        QuorateLeaderInitiator quiet = new QuorateLeaderInitiator(cluster.client("n1"));
        initiators.add(quiet);
        quiet.start();
        cluster.awaitLeader("/leader");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(quiet.getContext().isLeader()).isTrue();
    }
}
