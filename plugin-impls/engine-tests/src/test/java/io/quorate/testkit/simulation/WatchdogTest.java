package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.quorate.core.voters.VoterList;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.simulation.BrokenRule.Rule;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Each rule of the watchdog, broken by hand; and beside it what is just not broken. Leases last 100 ms. */
class WatchdogTest {

    private static final String PATH = "/a";
    private static final long LEASE = 100 * VirtualTime.MILLI;
    private static final List<NodeId> VOTERS = List.of(new NodeId("n1"), new NodeId("n2"), new NodeId("n3"));

    private final VirtualTime time = new VirtualTime();
    private final Watchdog watchdog = new Watchdog();
    private final VirtualProcess n1 = process(0);
    private final VirtualProcess n2 = process(1);

    private VirtualProcess process(int index) {
        return new VirtualProcess(
                VirtualCluster.settings(VOTERS.get(index), VOTERS),
                time,
                watchdog,
                new Keyed(index),
                new ArrayList<>(),
                new RunDigest());
    }

    private Tenure tenure(VirtualProcess process, long token) {
        return TenureFixture.tenure(PATH, token, process.clock.nanoTime() + LEASE);
    }

    private Tenure lead(VirtualProcess process, int number, long token) {
        Tenure tenure = tenure(process, token);
        watchdog.granted(process, number, tenure);
        process.tenures.put(number, tenure);
        return tenure;
    }

    private static void assertBreaks(Rule rule, ThrowingCallable deed) {
        assertThatThrownBy(deed)
                .isInstanceOfSatisfying(
                        BrokenRule.class, broken -> assertThat(broken.rule()).isEqualTo(rule))
                .hasMessageStartingWith(rule + ": ");
    }

    private static void assertKeepsAll(ThrowingCallable deed) {
        assertThatCode(deed).doesNotThrowAnyException();
    }

    // ---------------------------------------------------------------- ONE_LEADER

    @Test
    void twoValidTenuresAreTwoLeaders() {
        lead(n1, 1, 1);
        lead(n2, 2, 2);
        assertThat(watchdog.leaders(PATH)).containsExactly(n1, n2);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
    }

    @Test
    void twoTenuresOfOneProcessAreTwoLeadersToo() {
        lead(n1, 1, 1);
        lead(n1, 2, 2);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
    }

    @Test
    void aTenureMayBeginAtTheInstantAtWhichAnotherLapses() {
        lead(n1, 1, 1);
        time.advanceTo(LEASE);
        Tenure next = lead(n2, 2, 2);
        assertKeepsAll(() -> watchdog.stepped());
        assertKeepsAll(() -> watchdog.believed(n2, next));
        assertThat(watchdog.leaders(PATH)).containsExactly(n2);
    }

    @Test
    void aTenureMayNotBeginBefore() {
        lead(n1, 1, 1);
        time.advanceTo(LEASE - 1);
        lead(n2, 2, 2);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
        time.advanceTo(LEASE);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
    }

    // An overlap can also begin when a tenure is extended.
    @Test
    void anExtendedTenureOverlapsTheNextOne() {
        Tenure first = lead(n1, 1, 1);
        time.advanceTo(LEASE);
        lead(n2, 2, 2);
        assertKeepsAll(() -> watchdog.stepped());
        TenureFixture.renew(first, n1.clock.nanoTime() + 1);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
    }

    @Test
    void eachTenureIsJudgedByTheClockOfItsHolder() {
        n1.clock.rate(0.5);
        lead(n1, 1, 1);
        time.advanceTo(LEASE / 2);
        lead(n2, 2, 2);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.stepped());
        time.advanceTo(2 * LEASE - 1);
        assertThat(watchdog.leaders(PATH)).containsExactly(n1);
    }

    @Test
    void secondLeaderIsFound() {
        Tenure first = lead(n1, 1, 1);
        assertKeepsAll(() -> watchdog.believed(n1, first));
        Tenure second = lead(n2, 2, 2);
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.believed(n1, first));
        assertBreaks(Rule.ONE_LEADER, () -> watchdog.believed(n2, second));
        first.end();
        assertKeepsAll(() -> watchdog.believed(n2, second));
    }

    @Test
    void theTenuresOfAProcessThatIsGoneDoNotCount() {
        lead(n1, 1, 1);
        watchdog.gone(n1);
        lead(n2, 2, 2);
        assertKeepsAll(() -> watchdog.stepped());
        assertThat(watchdog.leaders(PATH)).containsExactly(n2);
    }

    @Test
    void leadersOfDifferentPathsAreNoTwoLeaders() {
        lead(n1, 1, 1);
        Tenure other = TenureFixture.tenure("/b", 1, LEASE);
        watchdog.granted(n2, 2, other);
        n2.tenures.put(2, other);
        assertKeepsAll(() -> watchdog.stepped());
    }

    // ---------------------------------------------------------------- TOKENS_RISE

    @Test
    void anEqualTokenDoesNotRise() {
        Tenure first = lead(n1, 1, 5);
        watchdog.revoked(n1, 1, first);
        assertBreaks(Rule.TOKENS_RISE, () -> lead(n2, 2, 5));
    }

    // Its process was stopped between the beginning of the tenure and the moment at which it was told.
    @Test
    void aTenureThatWasOverBeforeItsHolderWasToldMayHaveALowerToken() {
        lead(n1, 1, 5);
        Tenure over = TenureFixture.tenure(PATH, 4, n2.clock.nanoTime());
        assertKeepsAll(() -> watchdog.granted(n2, 2, over));
        assertThat(watchdog.leaders(PATH)).containsExactly(n1);
    }

    @Test
    void aLowerTokenDoesNotRiseEvenAfterARestart() {
        lead(n1, 1, 5);
        watchdog.gone(n1);
        assertBreaks(Rule.TOKENS_RISE, () -> lead(n1, 2, 4));
        assertKeepsAll(() -> lead(n1, 2, 6));
    }

    // ---------------------------------------------------------------- NO_STALE_WRITE

    @Test
    void aWriteOfAnEarlierTenureIsRefusedByTheResource() {
        lead(n1, 1, 5);
        lead(n2, 2, 8);
        assertKeepsAll(() -> watchdog.write(PATH, 5));
        assertKeepsAll(() -> watchdog.write(PATH, 8));
        assertKeepsAll(() -> watchdog.write(PATH, 5));
        assertKeepsAll(() -> watchdog.write(PATH, 8));
    }

    @Test
    void aTokenThatNoTenureHasIsNeverTaken() {
        assertBreaks(Rule.NO_STALE_WRITE, () -> watchdog.write(PATH, 1));
        lead(n1, 1, 5);
        watchdog.write(PATH, 5);
        assertBreaks(Rule.NO_STALE_WRITE, () -> watchdog.write(PATH, 6));
    }

    // ---------------------------------------------------------------- CALLS_ALTERNATE

    @Test
    void aContenderIsNotGrantedTwice() {
        lead(n1, 1, 1);
        assertBreaks(Rule.CALLS_ALTERNATE, () -> lead(n1, 1, 2));
    }

    @Test
    void anEndIsToldOnceAndToItsHolder() {
        Tenure tenure = lead(n1, 1, 1);
        assertBreaks(Rule.CALLS_ALTERNATE, () -> watchdog.revoked(n2, 1, tenure));
        assertBreaks(Rule.CALLS_ALTERNATE, () -> watchdog.revoked(n1, 2, tenure));
        assertKeepsAll(() -> watchdog.revoked(n1, 1, tenure));
        assertBreaks(Rule.CALLS_ALTERNATE, () -> watchdog.revoked(n1, 1, tenure));
        assertKeepsAll(() -> lead(n1, 1, 2));
    }

    // ---------------------------------------------------------------- ONE_DECISION, LAST_TWO_LISTS

    private static VoterList list(long number, int voters) {
        return new VoterList(
                number, 0, VoterList.first(VOTERS.subList(0, voters)).members());
    }

    private static void knows(VirtualProcess process, VoterList list) {
        VirtualHost host = mock(VirtualHost.class);
        when(host.voters()).thenReturn(list);
        process.host(host);
    }

    @Test
    void twoListsUnderOneNumberAreTwoDecisions() {
        watchdog.votersAre(n1, list(2, 2));
        assertKeepsAll(() -> watchdog.votersAre(n2, list(2, 2)));
        assertBreaks(Rule.ONE_DECISION, () -> watchdog.votersAre(n2, list(2, 1)));
    }

    @Test
    void aLeaseCountsUntilTheSecondListAfterItsOwn() {
        knows(n1, list(1, 3));
        lead(n1, 1, 1);
        assertKeepsAll(() -> watchdog.votersAre(n2, list(2, 2)));
        assertBreaks(Rule.LAST_TWO_LISTS, () -> watchdog.votersAre(n2, list(3, 1)));
    }

    @Test
    void aLeaseThatIsOverCountsUnderNoList() {
        knows(n1, list(1, 3));
        lead(n1, 1, 1);
        watchdog.votersAre(n2, list(2, 2));
        time.advanceTo(LEASE);
        assertKeepsAll(() -> watchdog.votersAre(n2, list(3, 1)));
    }

    @Test
    void noLeaseBeginsUnderAnOlderList() {
        watchdog.votersAre(n2, list(2, 2));
        watchdog.votersAre(n2, list(3, 1));
        knows(n1, list(2, 2));
        Tenure tenure = lead(n1, 1, 1);
        assertKeepsAll(() -> watchdog.believed(n1, tenure));
        knows(n1, list(1, 3));
        assertBreaks(Rule.LAST_TWO_LISTS, () -> watchdog.believed(n1, tenure));
        assertBreaks(Rule.LAST_TWO_LISTS, () -> lead(n1, 2, 2));
    }
}
