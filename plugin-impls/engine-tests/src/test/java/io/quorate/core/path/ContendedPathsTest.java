package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.LoneNode;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.RankOrder;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the application, the voters and a lost majority do to the contenders of n1. */
class ContendedPathsTest {

    private static final String PATH = "/app/leader";
    private static final String OTHER = "/app/other";
    private static final String LOST = ": this node has lost the majority of voters";
    /** A belief, from the sending of the last heartbeat that is answered. */
    private static final long BELIEF_MILLIS = 818;

    private final LoneNode lone = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0);

    private List<String> revoked() {
        return lone.seen(NodeEffect.Revoked.class).stream()
                .map(NodeEffect.Revoked::reason)
                .toList();
    }

    // ---------------------------------------------------------------- the application

    @Test
    void newContenderRegistersItsFirstVersionAndRequestsTheList() {
        lone.unanswered(send -> send.message() instanceof Registrations);
        lone.contend(7, PATH);
        assertThat(lone.seen(NodeEffect.ViewChanged.class)).containsExactly(new NodeEffect.ViewChanged(PATH));
        ContenderRecord first = new ContenderRecord(new ContenderId(N1, 1, 7), "p7", 0, 0, 0, 1);
        assertThat(lone.sent(N2, Registrations.class))
                .containsExactly(new Registrations(lone.epoch(), 1, List.of(new Join(PATH, first, true))));
    }

    @Test
    void contenderThatGaveUpKeepsItsPlace() {
        lone.contend(1, PATH);
        long place = lone.registration(PATH, 1).stamp();
        lone.step(new NodeEvent.TenureSeenEnded(1, lone.tenure(1)));
        lone.unanswered(send -> send.message() instanceof Registrations);
        lone.step(new NodeEvent.Rejoin(1));
        lone.advance(100);
        assertThat(lone.states())
                .endsWith(
                        "0 ms 1 Aside: it was given up",
                        "0 ms 1 Resting: the application sent it back",
                        "0 ms 1 Electing: no leader is up, and it is not nominated",
                        "80 ms 1 Claiming: it is nominated",
                        "80 ms 1 Leading: a majority of voters backs its claim");
        lone.unanswered(send -> false);
        lone.advance(2_000);
        assertThat(lone.registration(PATH, 1).stamp()).isEqualTo(place);
    }

    @Test
    void theEndOfAFormerTenureIsNoEndOfThePresentOne() {
        lone.contend(1, PATH);
        Tenure former = lone.tenure(1);
        lone.step(new NodeEvent.Resign(1, former));
        lone.step(new NodeEvent.Rejoin(1));
        lone.advance(1_000);
        lone.step(new NodeEvent.TenureSeenEnded(1, former));
        lone.step(new NodeEvent.Resign(1, former));
        lone.step(new NodeEvent.Leave(1, former, "test"));
        assertThat(revoked()).containsExactly("it resigned");
        assertThat(lone.states()).last().asString().contains("Leading");
    }

    @Test
    void aPathIsHereWhileThisNodeContendsOrWatches() {
        lone.contend(1, PATH);
        lone.step(new NodeEvent.WatchPath(OTHER, true));
        List<String> here = new ArrayList<>();
        lone.node().eachPath(here::add);
        assertThat(here).containsExactly(PATH, OTHER);
        lone.forget();
        lone.step(new NodeEvent.WatchPath(OTHER, false));
        assertThat(lone.seen(NodeEffect.ViewChanged.class)).contains(new NodeEffect.ViewChanged(OTHER));
        assertThat(lone.node().isHere(OTHER)).isFalse();
        assertThat(lone.node().isHere(PATH)).isTrue();
    }

    // Those that claim would lead, and who withdraws hears of nothing any more.
    @Test
    void aNodeThatClosesEndsAllTenuresAndClaimsBeforeItsContendersLeaveInPortions() {
        int last = 300;
        IntStream.rangeClosed(1, last).forEach(i -> lone.contend(i, PATH + i));
        lone.unanswered(send -> send.message() instanceof Claim);
        lone.contend(last + 1, OTHER);
        lone.forget();
        lone.step(new NodeEvent.Close());
        assertThat(lone.tenure(last).isEnded()).isTrue();
        String closed = ": its client was closed";
        assertThat(lone.states())
                .startsWith("0 ms 301 Gone" + closed, "0 ms 1 Gone" + closed)
                .doesNotContain("0 ms 300 Gone" + closed);
        lone.step(new NodeEvent.Withdraw(last));
        assertThat(lone.states()).last().isEqualTo("0 ms 300 Gone" + closed);
        lone.contend(last + 2, OTHER);
        assertThat(lone.node().isHere(OTHER)).isFalse();
    }

    @Test
    void nextContenderOfTheNodeFollowsOneThatGaveUp() {
        lone.contend(1, PATH);
        lone.contend(2, PATH);
        lone.unanswered(send -> send.message() instanceof Registrations);
        lone.step(new NodeEvent.TenureSeenEnded(1, lone.tenure(1)));
        lone.advance(100);
        assertThat(lone.states()).last().isEqualTo("80 ms 2 Leading: a majority of voters backs its claim");
    }

    // ---------------------------------------------------------------- the voters

    // Can happen only if a clock is wrong or a voter has forgotten.
    @Test
    void aLeaderThatHearsOfAHigherTokenEndsAndSaysWhatMustBeWrong() {
        lone.contend(1, PATH);
        lone.list(PATH, N2, 9, 0, 5);
        assertThat(lone.tenure(1).isEnded()).isTrue();
        assertThat(revoked()).containsExactly("n2#1 leads with token 5, and this one with 1");
        assertThat(lone.states()).last().isEqualTo("0 ms 1 Out: n2#1 leads with token 5, and this one with 1");
        assertThat(lone.notes())
                .containsExactly("warning: /app/leader: n2#1 leads with token 5, and this node with 1: an assumption of"
                        + " the lease does not hold. Look whether two processes may run under one voter's id, at the"
                        + " clocks of all nodes, and whether data directories were restored or exchanged");
    }

    @Test
    void aVoterThatGivesNoSupportIsNoted() {
        lone.receive(N2, new Refused(true, "it is full"));
        lone.receive(N2, new Refused(true, "it is full"));
        assertThat(lone.notes()).containsExactly("warning: voter n2 does not support this node: it is full");
    }

    private List<Boolean> asks() {
        return lone.sent(N3, Registrations.class).stream()
                .flatMap(batch -> batch.changes().stream())
                .map(change -> ((Join) change).asks())
                .toList();
    }

    @Test
    void aVoterIsAskedWhoIsThereUntilItHasTold() {
        lone.contend(1, PATH);
        assertThat(asks()).containsExactly(true, false, false);
        lone.unanswered(send -> send.to().equals(N3));
        lone.advance(200);
        lone.forget();
        lone.advance(200);
        lone.beginsAnew(N3);
        assertThat(asks()).containsExactly(true);
    }

    @Test
    void aVoterThatWasNotToldOfWhoHasLeftNeedNotBeTold() {
        lone.unanswered(send -> send.to().equals(N3));
        lone.advance(2_000);
        lone.contend(1, PATH);
        lone.step(new NodeEvent.Withdraw(1));
        lone.unanswered(send -> false);
        lone.advance(1_000);
        assertThat(lone.sent(N2, Registrations.class)).isNotEmpty();
        assertThat(lone.sent(N3, Registrations.class)).isEmpty();
    }

    // The versions of its list count from 0 again.
    @Test
    void aVoterIsAskedForItsWholeListOfLiveNodesIfItHasBegunAnew() {
        lone.unanswered(send -> send.to().equals(N3));
        lone.advance(1_000);
        lone.unanswered(send -> false);
        lone.advance(200);
        lone.unanswered(send -> send.to().equals(N3));
        lone.forget();
        lone.advance(200);
        lone.beginsAnew(N3);
        lone.advance(200);
        assertThat(lone.sent(N3, Heartbeat.class))
                .extracting(Heartbeat::upVersion)
                .containsExactly(1L, 0L);
    }

    @Test
    void theViewChangesWithWhatVotersTell() {
        lone.contend(1, PATH);
        lone.forget();
        lone.list(PATH, N3, 9, 0, 0);
        assertThat(lone.seen(NodeEffect.ViewChanged.class)).contains(new NodeEffect.ViewChanged(PATH));
        assertThat(lone.node().view(PATH).orElseThrow().contenders())
                .extracting(PathView.Entry::participantId)
                .containsExactly("p1", "n3");
        assertThat(lone.node().holder(PATH)).map(ContenderRecord::participantId).contains("p1");
    }

    @Test
    void contenderHasAPlaceWhenItsFewVotersBecomeAMajority() {
        lone.unanswered(
                send -> send.message() instanceof Registrations && !send.to().equals(N2));
        lone.contend(1, PATH);
        assertThat(lone.states()).isEmpty();
        Member left = new Member(N2, 7, Optional.empty());
        lone.receive(N2, new DecidedVoters(new VoterList(3, 0, List.of(left))));
        assertThat(lone.states()).startsWith("0 ms 1 Resting: a majority of voters lists it");
        assertThat(lone.tenure(1).token()).isEqualTo(1);
    }

    // It has not answered anybody as a voter, and leads by the votes of the others.
    @Test
    void aNodeWhoseIdIsInUseEndsItsTenureAndFails() {
        LoneNode voter = new LoneNode(new HighestUp(), RankOrder.JOIN_ORDER, 0, List.of(N1, N2, N3));
        voter.contend(1, PATH);
        voter.advance(500);
        Tenure tenure = voter.tenure(1);
        for (int refused = 0; refused <= 49; refused++) {
            voter.step(new NodeEvent.PlaceTaken(N2, 99, true));
            voter.advance(refused < 49 ? 100 : 0);
        }
        String reason = "a second process runs under this node's id";
        assertThat(voter.states()).last().isEqualTo("5400 ms 1 Gone: " + reason);
        assertThat(voter.seen(NodeEffect.Revoked.class)).containsExactly(new NodeEffect.Revoked(1, tenure, reason));
        assertThat(tenure.isEnded()).isTrue();
        assertThat(voter.seen(NodeEffect.Failed.class)).hasSize(1);
    }

    // ---------------------------------------------------------------- a majority that is lost

    @Test
    void lostMajorityPutsContendersOutOrAtTheTail() {
        lone.contend(1, PATH);
        lone.list(OTHER, N2, 1, 0, 1);
        lone.contend(2, OTHER);
        lone.contend(3, PATH + 3);
        lone.step(new NodeEvent.TenureSeenEnded(3, lone.tenure(3)));
        lone.unanswered(send -> send.message() instanceof Claim);
        lone.contend(4, PATH + 4);
        lone.forget();
        lone.unanswered(send -> true);
        lone.advance(2_000);
        assertThat(revoked()).containsExactly("its lease has run out");
        assertThat(lone.states())
                .contains(
                        BELIEF_MILLIS + " ms 2 Joining" + LOST,
                        BELIEF_MILLIS + " ms 3 Out" + LOST,
                        BELIEF_MILLIS + " ms 4 Joining" + LOST);
        assertThat(lone.node().pendingTimers()).as("the heartbeat alone").isEqualTo(1);
        lone.unanswered(send -> false);
        lone.advance(1_000);
        assertThat(lone.registration(OTHER, 2).stamp()).isEqualTo(2);
        assertThat(lone.tenure(4).token()).isEqualTo(2);
    }

    // There may be no voter left that would tell of the end of the last one.
    @Test
    void whileNoMajorityIsHeardNobodyIsKnownToLead() {
        lone.list(PATH, N2, 1, 0, 1);
        lone.step(new NodeEvent.WatchPath(PATH, true));
        assertThat(lone.node().holder(PATH)).isPresent();
        lone.forget();
        lone.unanswered(send -> true);
        lone.advance(2_000);
        assertThat(lone.seen(NodeEffect.ViewChanged.class)).contains(new NodeEffect.ViewChanged(PATH));
        assertThat(lone.node().holder(PATH)).isEmpty();
        assertThat(lone.node().view(PATH).orElseThrow().leader()).isEmpty();
        lone.unanswered(send -> false);
        lone.areUp(N1, N2);
        lone.advance(1_000);
        assertThat(lone.node().holder(PATH)).isPresent();
    }
}
