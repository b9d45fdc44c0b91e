package io.quorate.camel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.ClientMonitor;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterView;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a view tells, on the nodes of a cluster in virtual time. Routes run on it in fault-tests. */
class QuorateClusterViewTest {

    private static final String NAMESPACE = "orders/eu";
    private static final String PATH = "/camel/orders%2Feu";
    private static final Duration A_WHILE = Duration.ofSeconds(5);
    /** Since JDK 25 the common pool has one thread on two processors, and the tasks of a test wait for each other. */
    private static final Executor THREADS = work -> new Thread(work).start();

    @RegisterExtension
    SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** Writes down who leads, and whether the local member did at that moment. */
    private static final class Told implements CamelClusterEventListener.Leadership {
        private final List<String> events = new CopyOnWriteArrayList<>();

        @Override
        public void leadershipChanged(CamelClusterView view, CamelClusterMember leader) {
            events.add((leader == null ? "nobody" : leader.getId())
                    + (view.getLocalMember().isLeader() ? ", here" : ""));
        }
    }

    private QuorateClusterService service(String node) {
        return service(node, Duration.ofHours(1));
    }

    private QuorateClusterService service(String node, Duration lossAgain) {
        QuorateClusterService service =
                new QuorateClusterService(cluster.client(node), QuorateClusterService.DEFAULT_BASE_PATH, lossAgain);
        service.start();
        return service;
    }

    private static QuorateClusterView view(QuorateClusterService service) {
        try {
            return service.getView(NAMESPACE).unwrap(QuorateClusterView.class);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private QuorateClusterView view(String node) {
        return view(service(node));
    }

    private static Told listening(CamelClusterView view) {
        Told told = new Told();
        view.addEventListener(told);
        return told;
    }

    /** A view that leads. */
    private QuorateClusterView leading(String node) {
        QuorateClusterView view = view(node);
        assertThat(cluster.awaitLeader(PATH)).isEqualTo(node);
        cluster.advance(A_WHILE);
        return view;
    }

    // ---------------------------------------------------------------- who leads

    @Test
    void theLeaderAndTheOthersKnowWhoLeads() {
        QuorateClusterView first = leading("n1");
        QuorateClusterView second = view("n2");
        cluster.advance(A_WHILE);
        assertThat(first.getLocalMember().isLeader()).isTrue();
        assertThat(first.getLeader()).contains(first.getLocalMember());
        assertThat(first.getLocalMember().isLocal()).isTrue();
        assertThat(first.fencingToken())
                .hasValue(cluster.client("n1").health().leads().get(PATH));
        assertThat(second.getLocalMember().isLeader()).isFalse();
        assertThat(second.getLocalMember().getId()).isEqualTo("n2");
        assertThat(second.fencingToken()).isEmpty();
        assertThat(second.getLeader()).hasValueSatisfying(leader -> {
            assertThat(leader.getId()).isEqualTo("n1");
            assertThat(leader.isLeader()).isTrue();
            assertThat(leader.isLocal()).isFalse();
        });
        assertThat(second.getMembers().stream().map(CamelClusterMember::getId)).containsExactlyInAnyOrder("n1", "n2");
        assertThat(second.getMembers()).contains(second.getLocalMember());
    }

    @Test
    void theServiceSaysWhetherItLeadsANamespace() {
        QuorateClusterService service = service("n1");
        assertThat(service.isLeader(NAMESPACE)).isFalse();
        QuorateClusterView view = view(service);
        cluster.awaitLeader(PATH);
        assertThat(service.isLeader(NAMESPACE)).isTrue();
        assertThat(service.isLeader("orders")).isFalse();
        assertThat(view(service)).isSameAs(view);
        assertThat(service.getNamespaces()).containsExactly(NAMESPACE);
    }

    // ---------------------------------------------------------------- what is told

    // A loss that is told while the member still leads leaves the route running.
    @Test
    void theMemberLeadsNoMoreWhenItsLossIsTold() {
        Told told = listening(leading("n1"));
        view("n2");
        cluster.isolate("n1");
        cluster.awaitLeaderOtherThan("n1", PATH);
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("n1, here", "nobody");
    }

    // A master consumer of Camel before 4.22 forgets a loss in the second before it starts: CAMEL-24583.
    @Test
    void aLossIsToldOnceMore() throws InterruptedException {
        QuorateClusterView view = view(service("n1", Duration.ofMillis(1)));
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        Told told = listening(view);
        cluster.isolate("n1");
        cluster.advance(A_WHILE);
        Deadline.until(() -> told.events.size() >= 3, told.events);
        assertThat(told.events).containsExactly("n1, here", "nobody", "nobody");
    }

    // Of a process that stood still: nobody could tell it.
    @Test
    void theMemberLeadsNoMoreBeforeItsLossIsTold() {
        QuorateClusterView view = leading("n1");
        Told told = listening(view);
        view("n2");
        cluster.pause("n1");
        cluster.awaitLeaderOtherThan("n1", PATH);
        assertThat(told.events).containsExactly("n1, here");
        assertThat(view.getLocalMember().isLeader()).isFalse();
        assertThat(view.getLeader()).isEmpty();
        cluster.resume("n1");
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("n1, here", "nobody", "n2");
    }

    // Leadership is lost and taken back around an outage.
    @Test
    void aLossAReturnAndAStopAreOneEventEach() throws InterruptedException {
        QuorateClusterView view = view("n1");
        Told told = new Told();
        // Catch-up tells that nobody leads yet.
        view.addEventListener(told);
        told.events.clear();
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        cluster.isolate("n1");
        cluster.advance(A_WHILE);
        cluster.heal();
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        view.stop();
        Deadline.until(() -> told.events.size() >= 4, told.events);
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("n1, here", "nobody", "n1, here", "nobody");
        assertThat(view.getLeader()).isEmpty();
        assertThat(view.getLocalMember().isLeader()).isFalse();
    }

    @Test
    void theOthersHearOfEachLeader() {
        QuorateClusterView first = leading("n1");
        QuorateClusterView second = view("n2");
        Told told = listening(second);
        cluster.advance(A_WHILE);
        first.stop();
        cluster.awaitLeaderOtherThan("n1", PATH);
        cluster.advance(A_WHILE);
        assertThat(told.events.get(0)).isEqualTo("nobody");
        assertThat(told.events.get(1)).isEqualTo("n1");
        assertThat(told.events.get(told.events.size() - 1)).isEqualTo("n2, here");
    }

    @Test
    void aClientThatClosesTellsTheEnd() {
        Told told = listening(leading("n1"));
        cluster.client("n1").close();
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("n1, here", "nobody");
    }

    // ---------------------------------------------------------------- catch-up

    @Test
    void lateListenerIsNotifiedImmediately() {
        QuorateClusterView first = leading("n1");
        assertThat(listening(first).events).containsExactly("n1, here");
        QuorateClusterView second = view("n2");
        assertThat(listening(second).events).containsExactly("nobody");
        cluster.advance(A_WHILE);
        assertThat(listening(second).events).containsExactly("n1");
    }

    @Test
    void earlyListenerIsNotifiedOfTheFirstLeader() {
        QuorateClusterService service = new QuorateClusterService(cluster.client("n1"));
        Told told = listening(view(service));
        assertThat(told.events).isEmpty();
        service.start();
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("n1, here");
    }

    @Test
    void membersAreToldWhenAListenerIsAdded() {
        QuorateClusterView first = leading("n1");
        view("n2");
        cluster.advance(A_WHILE);
        List<String> members = new ArrayList<>();
        first.addEventListener(new CamelClusterEventListener.Membership() {
            @Override
            public void memberAdded(CamelClusterView view, CamelClusterMember member) {
                members.add(member.getId() + (member.isLocal() ? ", local" : ""));
            }

            @Override
            public void memberRemoved(CamelClusterView view, CamelClusterMember member) {
                members.add("removed");
            }
        });
        assertThat(members).containsExactlyInAnyOrder("n1, local", "n2");
    }

    @Test
    void withoutAMajorityTheLocalMemberIsTheOnlyOne() {
        QuorateClusterView view = leading("n1");
        view("n2");
        cluster.isolate("n1");
        cluster.advance(A_WHILE);
        assertThat(view.getMembers()).containsExactly(view.getLocalMember());
    }

    // ---------------------------------------------------------------- listeners

    @Test
    void aListenerThatThrowsHarmsNobody() {
        QuorateClusterView view = view("n1");
        List<String> thrown = new ArrayList<>();
        view.addEventListener((CamelClusterEventListener.Leadership) (told, leader) -> {
            thrown.add("thrown");
            throw new AssertionError("thrown by the test");
        });
        Told told = listening(view);
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        assertThat(thrown).hasSize(2);
        assertThat(told.events).containsExactly("nobody", "n1, here");
    }

    @Test
    void aRemovedListenerHearsNothing() {
        QuorateClusterView view = view("n1");
        view.addEventListener(null);
        Told removed = listening(view);
        Told kept = listening(view);
        view.removeEventListener(removed);
        view.removeEventListener(new Told());
        view.removeEventListener(null);
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        assertThat(removed.events).containsExactly("nobody");
        assertThat(kept.events).containsExactly("nobody", "n1, here");
    }

    // Also if its turn would come next.
    @Test
    void aListenerThatAnotherOneRemovesHearsNothing() {
        QuorateClusterView view = view("n1");
        Told removed = new Told();
        view.addEventListener((CamelClusterEventListener.Leadership) (told, leader) -> {
            if (leader != null) {
                told.removeEventListener(removed);
            }
        });
        view.addEventListener(removed);
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        assertThat(removed.events).containsExactly("nobody");
    }

    @Test
    void aListenerThatAnotherThreadHasAddedHearsWhatFollows() {
        QuorateClusterView view = view("n1");
        Told told = new Told();
        assertThat(CompletableFuture.runAsync(() -> view.addEventListener(told), THREADS))
                .succeedsWithin(600, TimeUnit.SECONDS);
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("nobody", "n1, here");
    }

    // A consumer that stops removes its listener while it has a lock that the listener waits for.
    @Test
    void aRemovalWaitsForNoCall() throws InterruptedException {
        QuorateClusterView view = leading("n1");
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch removed = new CountDownLatch(1);
        CamelClusterEventListener.Leadership slow = (told, leader) -> {
            called.countDown();
            try {
                assertThat(removed.await(600, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        };
        CompletableFuture<Void> adding = CompletableFuture.runAsync(() -> view.addEventListener(slow), THREADS);
        assertThat(called.await(600, TimeUnit.SECONDS)).isTrue();
        view.removeEventListener(slow);
        assertThat(adding).isNotDone();
        view.stop();
        removed.countDown();
        assertThat(adding).succeedsWithin(600, TimeUnit.SECONDS);
    }

    // ---------------------------------------------------------------- start and stop

    @Test
    void aViewThatStartsAgainContendsAgain() throws Exception {
        QuorateClusterService service = service("n1");
        QuorateClusterView view = view(service);
        cluster.awaitLeader(PATH);
        service.stopView(NAMESPACE);
        cluster.awaitUntil("nobody leads", () -> cluster.leader(PATH).isEmpty());
        service.startView(NAMESPACE);
        Told told = listening(view);
        cluster.awaitLeader(PATH);
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("nobody", "n1, here");
        List<String> forgotten = new ArrayList<>();
        cluster.client("n1").addMonitor(new ClientMonitor() {
            @Override
            public void forgotten(String path, Optional<Leader> former) {
                forgotten.add(path);
            }
        });
        service.releaseView(view);
        cluster.awaitUntil("nobody leads", () -> cluster.leader(PATH).isEmpty());
        cluster.awaitUntil("nobody of this client uses the path", () -> forgotten.equals(List.of(PATH)));
        assertThat(cluster.client("n1").explain(PATH)).isEmpty();
    }

    // Its listener has stopped its work with the view, and begins again with the leadership.
    @Test
    void aListenerThatStaysHearsOfTheFirstLeaderAfterARestart() throws InterruptedException {
        QuorateClusterView view = leading("n1");
        Told told = listening(view);
        view.stop();
        Deadline.until(() -> told.events.size() >= 2, told.events);
        cluster.awaitUntil("nobody leads", () -> cluster.leader(PATH).isEmpty());
        view.start();
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        cluster.advance(A_WHILE);
        assertThat(told.events).containsExactly("n1, here", "nobody", "n1, here");
    }

    @Test
    void aClosedClientLeadsNothing() {
        QuorateClusterView view = leading("n1");
        cluster.client("n1").close();
        assertThat(view.getLocalMember().isLeader()).isFalse();
        view.stop();
        view.start();
        assertThat(view.getLeader()).isEmpty();
        assertThat(view.getMembers()).containsExactly(view.getLocalMember());
        view.stop();
    }

    // ---------------------------------------------------------------- paths

    @Test
    void eachNamespaceHasAPathOfItsOwn() throws Exception {
        QuorateClusterService service = new QuorateClusterService(cluster.client("n1"), "/");
        service.start();
        for (String namespace : List.of("a", "a b", ".", "..", "a/b", "a%2Fb")) {
            service.getView(namespace);
        }
        for (String path : List.of("/a", "/a+b", "/%2E", "/%2E%2E", "/a%2Fb", "/a%252Fb")) {
            assertThat(cluster.awaitLeader(path)).isEqualTo("n1");
        }
    }

    @Test
    void theBasePathIsChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QuorateClusterService(cluster.client("n1"), "camel"))
                .withMessageContaining("must start with /");
        assertThatNullPointerException().isThrownBy(() -> new QuorateClusterService(null));
    }

    // ---------------------------------------------------------------- planned ends

    // In virtual time callbacks run where time passes, so what a listener does takes no time there.
    @Test
    void listenersHaveStoppedBeforeTheNextOneLeads() {
        QuorateClusterView view = leading("n1");
        List<String> events = new ArrayList<>();
        view.addEventListener(
                (CamelClusterEventListener.Leadership) (source, leader) -> events.add(source.getLocalMember()
                                .isLeader() + ", led by " + cluster.leader(PATH).orElse("nobody")));
        view("n2");
        cluster.advance(A_WHILE);
        cluster.client("n1").transferTo(PATH, "n2");
        cluster.advance(A_WHILE);
        assertThat(events).startsWith("true, led by n1", "false, led by n1");
        assertThat(cluster.leader(PATH)).contains("n2");
        assertThat(view.getLeader().orElseThrow().getId()).isEqualTo("n2");
    }

    // A consumer that stops has a lock that its listener waits for.
    @Test
    void toStopWaitsForNoListenerThatHearsThatItsLeaderLeaves() throws InterruptedException {
        QuorateClusterView view = leading("n1");
        CountDownLatch called = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        view.addEventListener((CamelClusterEventListener.Leadership) (source, leader) -> {
            if (!source.getLocalMember().isLeader()) {
                called.countDown();
                try {
                    assertThat(stopped.await(600, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        });
        view("n2");
        cluster.advance(A_WHILE);
        cluster.client("n1").transferTo(PATH, "n2");
        CompletableFuture<Void> passing = CompletableFuture.runAsync(() -> cluster.advance(A_WHILE), THREADS);
        assertThat(called.await(600, TimeUnit.SECONDS)).isTrue();
        CompletableFuture<Void> stopping = CompletableFuture.runAsync(view::stop, THREADS);
        assertThat(stopping).succeedsWithin(600, TimeUnit.SECONDS);
        assertThat(passing).isNotDone();
        stopped.countDown();
        assertThat(passing).succeedsWithin(600, TimeUnit.SECONDS);
    }

    @Test
    void listenersHearThatALeaderStaysWhichWasToLeave() throws InterruptedException {
        QuorateClusterView view = leading("n1");
        Told told = listening(view);
        view("n2");
        cluster.advance(A_WHILE);
        cluster.client("n1").standby(true);
        cluster.advance(Duration.ofMillis(10));
        assertThat(told.events).containsExactly("n1, here", "nobody");
        cluster.client("n1").standby(false);
        cluster.advance(A_WHILE);
        assertThat(cluster.leader(PATH)).contains("n1");
        // Nobody tells that, so the view looks after a second, which is one of real time.
        Deadline.until(() -> told.events.size() >= 3, told.events);
        assertThat(told.events).containsExactly("n1, here", "nobody", "n1, here");
        assertThat(view.getLocalMember().isLeader()).isTrue();
    }
}
