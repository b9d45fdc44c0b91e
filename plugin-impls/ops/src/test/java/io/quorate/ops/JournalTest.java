package io.quorate.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ClientMonitor.Leader;
import io.quorate.ConnectionState;
import io.quorate.ops.Journal.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JournalTest {

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private long nanos;
    private final Journal journal = new Journal("n1", () -> now, () -> nanos);

    private static Optional<Leader> leader(String node, long token) {
        return Optional.of(new Leader("id of " + node, node, token));
    }

    private List<Kind> kinds() {
        return journal.changes().stream().map(Journal.Change::kind).toList();
    }

    @Test
    void aRowFollowsItsPath() {
        journal.leaderChanged("/a", Optional.empty(), Optional.empty());
        assertThat(journal.find("", 10).rows())
                .containsExactly(new Journal.Row("/a", Optional.empty(), now, "", false));
        assertThat(journal.changes()).as("to use a path is no change of it").isEmpty();
        now = now.plusSeconds(1);
        journal.leads("/a", 7);
        journal.leaderChanged("/a", Optional.empty(), leader("n1", 7));
        assertThat(journal.find("", 10).rows()).containsExactly(new Journal.Row("/a", leader("n1", 7), now, "", true));
        Instant led = now;
        now = now.plusSeconds(1);
        journal.leadsNoMore("/a", 7, "it resigned");
        assertThat(journal.find("", 10).rows())
                .containsExactly(new Journal.Row("/a", leader("n1", 7), led, "it resigned", false));
        journal.leaderChanged("/a", Optional.empty(), leader("n2", 8));
        assertThat(journal.find("", 10).rows())
                .containsExactly(new Journal.Row("/a", leader("n2", 8), now, "it resigned", false));
        assertThat(kinds())
                .as("what it leads is told once")
                .containsExactly(Kind.LEADS, Kind.LEADS_NO_MORE, Kind.LEADER);
        assertThat(journal.changes().get(1))
                .isEqualTo(new Journal.Change(2, now, Kind.LEADS_NO_MORE, "/a", Optional.empty(), 7, "it resigned"));
        journal.forgotten("/a", Optional.empty());
        assertThat(journal.find("", 10)).isEqualTo(new Journal.Found(0, List.of()));
    }

    @Test
    void firstEventOfALateJournalIsNotAChange() {
        journal.leaderChanged("/a", Optional.empty(), leader("n1", 7));
        journal.leads("/a", 7);
        assertThat(journal.find("", 10).rows().get(0).leads()).isTrue();
        assertThat(kinds()).containsExactly(Kind.LEADS);
    }

    @Test
    void rowsThatComeAndGoAreChangesOfThePage() {
        journal.leaderChanged("/a", Optional.empty(), leader("n1", 7));
        long before = journal.version();
        journal.forgotten("/a", Optional.empty());
        assertThat(journal.version()).isGreaterThan(before);
    }

    // After an internal error nobody tells the end of what was led.
    @Test
    void aNodeThatHasStoppedLeadsNothing() {
        journal.leaderChanged("/a", Optional.empty(), leader("n1", 7));
        journal.leads("/a", 7);
        journal.stopped("internal error");
        assertThat(journal.find("", 10).rows())
                .containsExactly(new Journal.Row("/a", leader("n1", 7), now, "internal error", false));
    }

    @Test
    void onlyTheLastChangesAreKept() {
        for (int i = 1; i <= Journal.CHANGES_MAX + 5; i++) {
            journal.connectionChanged(ConnectionState.SUSPENDED, "reason " + i);
        }
        assertThat(journal.changes()).hasSize(Journal.CHANGES_MAX);
        assertThat(journal.changes().get(0).reason()).isEqualTo("SUSPENDED: reason 6");
        assertThat(journal.changes().get(0).number()).isEqualTo(6);
        assertThat(journal.version()).isEqualTo(Journal.CHANGES_MAX + 5);
    }

    @Test
    void pathsAreFoundByPathLeaderAndNode() {
        journal.leaderChanged("/b", Optional.empty(), leader("n1", 1));
        journal.leaderChanged("/a", Optional.empty(), leader("n2", 2));
        journal.leaderChanged("/c", Optional.empty(), Optional.empty());
        assertThat(journal.find("/", 2).total()).isEqualTo(3);
        assertThat(journal.find("/", 2).rows()).extracting(Journal.Row::path).containsExactly("/a", "/b");
        assertThat(journal.find("id of n1", 9).rows())
                .extracting(Journal.Row::path)
                .containsExactly("/b");
        assertThat(journal.find("n2", 9).rows()).extracting(Journal.Row::path).containsExactly("/a");
        assertThat(journal.find("c", 9).rows()).extracting(Journal.Row::path).containsExactly("/c");
    }

    // Its meter says the same: both ask one class.
    @Test
    void theMarginIsThatOfRenewalsAndLosses() {
        assertThat(journal.margin().least()).isEmpty();
        journal.supportRenewed(Duration.ofMillis(500));
        journal.connectionChanged(ConnectionState.CONNECTED, "of the test");
        assertThat(journal.margin().least()).hasValue(Duration.ofMillis(500).toNanos());
        journal.connectionChanged(ConnectionState.SUSPENDED, "of the test");
        assertThat(journal.margin().least()).hasValue(0);
        nanos += Duration.ofMinutes(1).toNanos();
        journal.supportRenewed(Duration.ofMillis(300));
        assertThat(journal.margin().least()).hasValue(Duration.ofMillis(300).toNanos());
        journal.stopped("it is closed");
        assertThat(journal.margin().least()).hasValue(0);
    }

    @Test
    void slowCallbacksAndThoseThatThrowAreKept() {
        journal.callbackReturned("/a", "isLeader", Journal.SLOW_MIN.minusNanos(1), false);
        assertThat(journal.slow()).isEmpty();
        journal.callbackReturned("/a", "isLeader", Journal.SLOW_MIN, false);
        journal.callbackReturned("", "stateChanged", Duration.ZERO, true);
        journal.stalled(Duration.ofSeconds(1));
        assertThat(journal.slow())
                .containsExactly(
                        new Journal.Slow(now, "isLeader of /a", Journal.SLOW_MIN, false),
                        new Journal.Slow(now, "stateChanged", Duration.ZERO, true),
                        new Journal.Slow(now, "stall", Duration.ofSeconds(1), false));
        for (int i = 0; i < Journal.SLOW_MAX; i++) {
            journal.stalled(Duration.ofMillis(i));
        }
        assertThat(journal.slow()).hasSize(Journal.SLOW_MAX);
        assertThat(journal.slow().get(0).took()).isZero();
    }

    @Test
    void votersAndDroppedFramesAreThoseOfNow() {
        journal.voterHeard("n2", true);
        journal.voterHeard("n1", true);
        journal.framesDropped("unread", 0);
        journal.framesDropped("forged", 2);
        journal.framesDropped("forged", 5);
        assertThat(journal.hears()).containsExactly("n1", "n2");
        assertThat(journal.dropped()).containsExactly(Map.entry("forged", 5L));
        journal.voterHeard("n1", false);
        assertThat(journal.hears()).containsExactly("n2");
        journal.stopped("it is closed");
        assertThat(journal.hears()).isEmpty();
        assertThat(journal.changes().get(0).reason()).isEqualTo("it is closed");
    }
}
