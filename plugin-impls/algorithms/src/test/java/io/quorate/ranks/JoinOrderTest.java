package io.quorate.ranks;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.Participant;
import io.quorate.complaints.Contenders;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** First come, first to lead, over several nodes: the default, as with Curator. */
class JoinOrderTest {

    private static final Duration HANDOVER = Duration.ofMillis(100);
    private static final Duration OUTAGE = SUPPORT.multipliedBy(3);
    private static final List<String> SHUFFLED = List.of("c2", "n3", "n1", "c1", "n2");

    private static Contenders shuffled(ElectionAlgorithm algorithm) {
        Contenders contenders =
                new Contenders(ClusterSettings.ofVoters(3).contenders(2).algorithm(algorithm));
        SHUFFLED.forEach(contenders::join);
        return contenders;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void theOrderOfJoiningIsTheOrderOfLeading(ElectionAlgorithm algorithm) {
        try (Contenders contenders = shuffled(algorithm)) {
            for (String node : contenders.cluster().nodes()) {
                assertThat(contenders.queue(node)).as("seen by %s", node).isEqualTo(SHUFFLED);
            }
            for (String leader : SHUFFLED) {
                assertThat(contenders.leader()).contains(leader);
                contenders.leave(leader);
                contenders.watch(HANDOVER);
            }
            assertThat(contenders.leader()).isEmpty();
        }
    }

    // Nobody says good-bye here: the next leads when the lease of the dead one is over.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void theOrderHoldsWhenLeadersDie(ElectionAlgorithm algorithm) {
        try (Contenders contenders = shuffled(algorithm)) {
            for (String leader : SHUFFLED) {
                assertThat(contenders.leader()).contains(leader);
                contenders.cluster().crash(leader);
                contenders.watch(SUPPORT.plus(HANDOVER));
                contenders.join(leader, contenders.cluster().restart(leader));
                contenders.watch(SUPPORT.multipliedBy(2));
            }
            assertThat(contenders.leader()).as("all have died once").contains(SHUFFLED.get(0));
            assertThat(contenders.queue("n1")).isEqualTo(SHUFFLED);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void whoLostItsLeaseQueuesBehindAllOthers(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            List<String> leaders = new ArrayList<>();
            for (int turn = 0; turn < 6; turn++) {
                String leader = contenders.leader().orElseThrow();
                leaders.add(leader);
                contenders.cluster().isolate(leader);
                contenders.watch(OUTAGE);
                contenders.cluster().heal();
                contenders.watch(SUPPORT);
                assertThat(contenders.queue(leader)).last().isEqualTo(leader);
            }
            assertThat(leaders).containsExactly("n1", "n2", "n3", "n1", "n2", "n3");
        }
    }

    // Shorter than what a node that waits may believe at any time; the leader may for longer.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void aShortOutageKeepsRankIdentityAndLeadership(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            for (String node : List.of("n1", "n2", "n3")) {
                String path = contenders.latch(node).getOurPath();
                contenders.cluster().isolate(node);
                contenders.watch(Duration.ofMillis(360));
                contenders.cluster().heal();
                contenders.watch(SUPPORT);
                assertThat(contenders.latch(node).getOurPath()).isEqualTo(path);
                assertThat(contenders.queue(node)).containsExactly("n1", "n2", "n3");
            }
            assertThat(contenders.leader()).contains("n1");
            assertThat(contenders.grants()).isEqualTo(1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void aLongOutagePutsWhoWaitedAtTheTail(ElectionAlgorithm algorithm) {
        try (Contenders contenders = Contenders.three(algorithm)) {
            contenders.cluster().isolate("n2");
            contenders.watch(OUTAGE);
            contenders.cluster().heal();
            contenders.watch(SUPPORT);
            assertThat(contenders.queue("n1")).containsExactly("n1", "n3", "n2");
            contenders.leave("n1");
            contenders.watch(HANDOVER);
            assertThat(contenders.leader()).contains("n3");
        }
    }

    // ---------------------------------------------------------------- selectors

    /** Two selectors on each of three nodes; each leads until it is told to end its turn. */
    private static final class Rotation implements AutoCloseable {
        private final Contenders contenders;
        private final List<LeaderSelector> selectors = new ArrayList<>();
        private final List<String> leaders = new CopyOnWriteArrayList<>();
        private final Semaphore endOfTurn = new Semaphore(0);
        private final List<String> expected;

        private Rotation(Contenders contenders, List<String> expected) {
            this.contenders = contenders;
            this.expected = expected;
        }

        /** Waits for threads of the application, while time passes for them. */
        private void until(String what, BooleanSupplier condition) {
            long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10);
            while (!condition.getAsBoolean()) {
                // Justification: the deadline of ten minutes.
                assertThat(System.nanoTime() - deadline)
                        .as("still waiting: %s, %s %s", what, leaders, queue())
                        .isNegative();
                List<String> now = List.copyOf(leaders);
                assertThat(now).isEqualTo(expected.subList(0, now.size()));
                contenders.cluster().advance(Duration.ofMillis(1));
                // Justification: time passes step by step, and a slow machine takes more real time for it. A thread
                // that
                // sleeps is awake sooner on a busy machine than one that gives way.
                LockSupport.parkNanos(20_000);
            }
        }

        private List<String> queue() {
            try {
                return selectors.get(0).getParticipants().stream()
                        .map(Participant::getId)
                        .toList();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }

        private void open(String name, ElectionClient client) {
            LeaderSelector selector = new LeaderSelector(client, PATH, new LeaderSelectorListenerAdapter() {
                @Override
                public void takeLeadership(ElectionClient source) throws InterruptedException {
                    leaders.add(name);
                    endOfTurn.acquire();
                }
            });
            selectors.add(selector);
            selector.setId(name);
            selector.autoRequeue();
            selector.start();
            until(name + " queues", () -> {
                List<String> queue = queue();
                return queue.size() == selectors.size() && queue.contains(name);
            });
        }

        /** Ends the turn of who leads, and waits until it queues again. */
        private void turn(int number) {
            until("turn " + number, () -> leaders.size() == number);
            String leader = leaders.get(number - 1);
            endOfTurn.release();
            until(leader + " queues again", () -> {
                List<String> queue = queue();
                return queue.size() == selectors.size() && !queue.get(0).equals(leader);
            });
            // Joins within one round trip of each other are not ordered by time.
            contenders.watch(Duration.ofMillis(5));
        }

        @Override
        public void close() {
            selectors.forEach(LeaderSelector::close);
            contenders.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    void selectorsLeadInTurns(ElectionAlgorithm algorithm) {
        List<String> names = List.of("n2-a", "n1-a", "n3-a", "n1-b", "n3-b", "n2-b");
        List<String> thrice =
                Stream.generate(() -> names).limit(3).flatMap(List::stream).toList();
        try (Rotation rotation =
                new Rotation(new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm)), thrice)) {
            names.forEach(
                    name -> rotation.open(name, rotation.contenders.cluster().client(name.substring(0, 2))));
            for (int turn = 1; turn <= 2 * names.size(); turn++) {
                rotation.turn(turn);
            }
        }
    }
}
