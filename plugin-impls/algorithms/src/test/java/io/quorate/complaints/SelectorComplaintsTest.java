package io.quorate.complaints;

import static io.quorate.complaints.Contenders.PATH;
import static io.quorate.complaints.Contenders.SUPPORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderSelector;
import io.quorate.LeaderSelectorListenerAdapter;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.ManualExecutor;
import io.quorate.testkit.RecordingListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users of Curator's selector reported: it stops contending, or takes a leadership that is over. */
class SelectorComplaintsTest {

    private static final Duration OUTAGE = SUPPORT.multipliedBy(3);

    private final ManualExecutor attempts = new ManualExecutor();
    private final List<String> taken = new ArrayList<>();

    /** What takeLeadership does in each of its turns, and nothing afterwards. */
    private LeaderSelector selector(ElectionClient client, Runnable... actions) {
        LeaderSelector[] created = new LeaderSelector[1];
        created[0] = new LeaderSelector(client, PATH, attempts, new LeaderSelectorListenerAdapter() {
            @Override
            public void takeLeadership(ElectionClient source) {
                taken.add("leads=" + created[0].hasLeadership() + " interrupted=" + Thread.interrupted());
                if (taken.size() <= actions.length) {
                    actions[taken.size() - 1].run();
                }
            }
        });
        return created[0];
    }

    @AfterEach
    void leaveNoInterrupt() {
        assertThat(Thread.interrupted())
                .as("an interrupt that was meant for an attempt")
                .isFalse();
    }

    private static Contenders cluster(ElectionAlgorithm algorithm) {
        return new Contenders(ClusterSettings.ofVoters(3).algorithm(algorithm));
    }

    private static final String LEADS = "leads=true interrupted=false";

    // Lost while it leads, lost while it waits, lost before its thread has begun: it contends again each time.
    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-15, #536, CURATOR-16, #537, CURATOR-73, #594, CURATOR-104, #625, CURATOR-573, #1092, PR #74, "
            + "Netflix #53: a selector does not silently stop contending")
    void aSelectorContendsAgainAfterEachLoss(ElectionAlgorithm algorithm) {
        try (Contenders contenders = cluster(algorithm)) {
            ElectionClient client = contenders.cluster().client("n1");
            LeaderSelector selector = selector(client, () -> cut(contenders));
            selector.autoRequeue();
            selector.start();
            attempts.runNext();
            assertThat(taken).containsExactly(LEADS);
            cutWhileItWaits(contenders);
            cut(contenders);
            attempts.runNext();
            attempts.runNext();
            assertThat(taken).as("after all losses").containsExactly(LEADS, LEADS);
            assertThat(attempts.waiting()).isEqualTo(1);
            selector.close();
        }
    }

    private static void cut(Contenders contenders) {
        contenders.cluster().isolate("n1");
        contenders.cluster().advance(OUTAGE);
        contenders.cluster().heal();
    }

    /** Another leads first, and its callback cuts the selector's node off. */
    private void cutWhileItWaits(Contenders contenders) {
        LeaderLatch other = new LeaderLatch(contenders.cluster().client("n2"), PATH);
        other.addListener(new RecordingListener() {
            @Override
            public void isLeader() {
                // Longer than a heartbeat: the selector's node is back from its first outage.
                contenders.cluster().advance(Duration.ofMillis(200));
                cut(contenders);
            }
        });
        Contenders.start(other);
        attempts.runNext();
        assertThat(taken).as("cancelled while it waited").containsExactly(LEADS);
        try {
            other.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        contenders.cluster().advance(OUTAGE);
    }

    @Test
    @DisplayName("CURATOR-73, CURATOR-573: without autoRequeue() the application queues again, and it works")
    void withoutAutoRequeueTheApplicationQueues() {
        try (Contenders contenders = cluster(Contenders.algorithms().findFirst().orElseThrow())) {
            LeaderSelector selector = selector(contenders.cluster().client("n1"), () -> cut(contenders));
            selector.start();
            attempts.runNext();
            assertThat(attempts.waiting()).isZero();
            assertThat(selector.requeue()).isTrue();
            assertThat(selector.requeue()).as("it is queued").isFalse();
            attempts.runNext();
            assertThat(taken).containsExactly(LEADS, LEADS);
            selector.close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-518, #1038, PR #446, CURATOR-671, #1186, PR #462: two interruptLeadership() in a row end one "
            + "attempt, and requeue() adds none")
    void twoInterruptionsEndOneAttempt(ElectionAlgorithm algorithm) {
        try (Contenders contenders = cluster(algorithm)) {
            LeaderSelector[] selector = new LeaderSelector[1];
            List<Boolean> requeued = new ArrayList<>();
            Runnable interruptsTwice = () -> {
                requeued.add(selector[0].requeue());
                selector[0].interruptLeadership();
                selector[0].interruptLeadership();
                taken.add("still leads=" + selector[0].hasLeadership());
            };
            selector[0] = selector(contenders.cluster().client("n1"), interruptsTwice);
            selector[0].autoRequeue();
            selector[0].start();
            for (int turn = 1; turn <= 3; turn++) {
                attempts.runNext();
                assertThat(attempts.waiting()).as("turn %d", turn).isEqualTo(1);
                requeued.add(selector[0].requeue());
                assertThat(attempts.waiting()).as("turn %d", turn).isEqualTo(1);
            }
            assertThat(taken).containsExactly(LEADS, "still leads=false", LEADS, LEADS);
            assertThat(requeued).containsOnly(false);
            selector[0].close();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("io.quorate.complaints.Contenders#algorithms")
    @DisplayName("CURATOR-54, #575, Netflix #68: what is LOST before takeLeadership begins is not taken")
    void whatIsLostBeforeItBeginsIsNotTaken(ElectionAlgorithm algorithm) {
        try (Contenders contenders = cluster(algorithm)) {
            LeaderSelector selector = selector(contenders.cluster().client("n1"));
            selector.start();
            cut(contenders);
            contenders.cluster().advance(OUTAGE);
            attempts.runNext();
            assertThat(taken).isEmpty();
            assertThat(selector.requeue()).isTrue();
            attempts.runNext();
            assertThat(taken).containsExactly(LEADS);
            selector.close();
        }
    }
}
