package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Change.Watch;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Item.Listed;
import io.quorate.core.message.DirectoryMessage.Item.Snapshot;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.VoteMessage.Challenge;
import io.quorate.core.message.VoteMessage.Claim;
import io.quorate.core.message.VoteMessage.Nack;
import io.quorate.core.message.VoteMessage.Release;
import io.quorate.core.message.VoteMessage.Successor;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.vote.DurableTerms;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the voter n1 answers n2 and n3, which it has supported since 1110, for 1100 each time. */
class VoterTest {

    private static final String PATH = "/app/leader";

    private final OneNode n1 = new OneNode(N1);
    private final Epoch ofN2 = new Epoch(1, 1);
    private final Epoch ofN3 = new Epoch(1, 2);
    private final long sequence;
    private long now = 1110;
    private long batch;

    VoterTest() {
        n1.at(1, new NodeEvent.TermsReserved(DurableTerms.BLOCK)).at(1100);
        sequence = n1.heartbeat(N2).orElseThrow().sequence();
        n1.asked(1110, N2).asked(1110, N3);
    }

    private OneNode claims(NodeId node, long number, long term) {
        return n1.hears(++now, node, new Claim(PATH, number, term));
    }

    private static Vote vote(long term, Epoch epoch) {
        return new Vote(PATH, 1, term, epoch);
    }

    private static Join joining(NodeId node, long number) {
        return new Join(PATH, new ContenderRecord(new ContenderId(node, 1, number), "p", 1, 0, 0, 1), false);
    }

    private static Join leading(long token, long version) {
        return new Join(PATH, new ContenderRecord(new ContenderId(N2, 1, 1), "n2", 1, 0, token, version), false);
    }

    private void registers(NodeId node, Epoch epoch, Change change) {
        n1.hears(++now, node, new Registrations(epoch, ++batch, List.of(change)));
    }

    /** What n3 is told in this step, which it acknowledges. */
    private List<Item> toldN3() {
        List<Item> items = new ArrayList<>();
        for (Object message : n1.to(N3)) {
            if (message instanceof Listings listings) {
                items.addAll(listings.items());
                n1.hears(now, N3, new ListingsAck(listings.batch()));
            }
        }
        return items;
    }

    @Test
    void aVoteIsGivenOnceAndFreeAgainAfterItsRelease() {
        assertThat(claims(N2, 1, 1).to(N2)).containsExactly(vote(1, ofN2));
        claims(N3, 4, 2);
        assertThat(n1.to(N3)).containsExactly(new Nack(PATH, 4, 2, 1, 2210 - now));
        assertThat(n1.to(N2))
                .as("its holder may give it back")
                .containsExactly(new Challenge(PATH, new ContenderId(N2, 1, 1), 1));
        assertThat(claims(new NodeId("o"), 1, 9).effects)
                .as("it has no support")
                .isEmpty();
        assertThat(n1.node.pageCount()).isEqualTo(1);
        n1.hears(++now, N2, new Release(PATH, 1, 1, Optional.empty()));
        assertThat(n1.node.pageCount()).isZero();
        assertThat(claims(N3, 1, 1).to(N3)).containsExactly(new Nack(PATH, 1, 1, 1, 0));
        assertThat(n1.node.pageCount()).as("nothing is kept of a refusal").isZero();
        assertThat(claims(N3, 1, 2).to(N3)).containsExactly(vote(2, ofN3));
    }

    // Rule H4. The node n3 has been silent for three heartbeats, and the support for it goes on.
    @Test
    void releasedVoteDoesNotGoToASuccessorThatIsNotUp() {
        registers(N3, ofN3, joining(N3, 4));
        claims(N2, 1, 1);
        now = 1720;
        n1.asked(now, N2);
        Optional<Successor> named = Optional.of(new Successor(new ContenderId(N3, 1, 4), 2));
        n1.hears(++now, N2, new Release(PATH, 1, 1, named));
        assertThat(n1.to(N3)).isEmpty();
        assertThat(claims(N2, 1, 2).to(N2)).containsExactly(vote(2, ofN2));
        n1.asked(++now, N3);
        n1.hears(++now, N2, new Release(PATH, 1, 2, named.map(n3 -> new Successor(n3.claimer(), 3))));
        assertThat(n1.to(N3)).as("it is up again").contains(new Vote(PATH, 4, 3, ofN3));
    }

    // Perhaps its node does not hear this voter, and so could not renounce the vote, because it registers where it
    // hears.
    @Test
    void releasedVoteDoesNotGoToASuccessorThatIsNotRegistered() {
        claims(N2, 1, 1);
        Optional<Successor> named = Optional.of(new Successor(new ContenderId(N3, 1, 4), 2));
        n1.hears(++now, N2, new Release(PATH, 1, 1, named));
        assertThat(n1.to(N3)).isEmpty();
        claims(N2, 1, 2);
        registers(N3, ofN3, joining(N3, 4));
        n1.hears(++now, N2, new Release(PATH, 1, 2, named.map(n3 -> new Successor(n3.claimer(), 3))));
        assertThat(n1.to(N3)).contains(new Vote(PATH, 4, 3, ofN3));
    }

    @Test
    void aVoteAboveWhatIsDurableWaitsForTheDisk() {
        assertThat(claims(N2, 1, 70_000).effects)
                .containsExactly(new NodeEffect.ReserveTerms(70_000 + DurableTerms.BLOCK));
        n1.at(++now, new NodeEvent.TermsReserved(70_000 + DurableTerms.BLOCK));
        assertThat(claims(N2, 1, 70_000).to(N2)).containsExactly(vote(70_000, ofN2));
    }

    @Test
    void aClaimThatIsMadeUpIsRefusedAndNoted() {
        assertThat(claims(N2, 1, 1L << 33).effects)
                .containsExactly(new NodeEffect.Note(
                        true,
                        PATH + ": the claim of term 8589934592 by " + new ContenderId(N2, 1, 1)
                                + " is refused: it is too far above 0, the highest term that is known here"));
        n1.hears(++now, N3, new Claim("/".repeat(2 * 1024 * 1024 + 1), 1, 1));
        assertThat(n1.effects).as("a path that fills the room for names").hasSize(1);
        assertThat(n1.notes()).hasSize(1);
    }

    // Whoever watches the path learns that a leader has this vote, and once.
    @Test
    void aTokenIsToldWithTheVoteForIt() {
        registers(N3, ofN3, new Watch(PATH, true, true));
        toldN3();
        registers(N2, ofN2, leading(5, 1));
        toldN3();
        assertThat(claims(N2, 1, 5).to(N2)).containsExactly(vote(5, ofN2));
        assertThat(toldN3()).containsExactly(new Listed(PATH, leading(5, 1).registration()));
        assertThat(claims(N2, 1, 5).to(N2)).containsExactly(vote(5, ofN2));
        assertThat(toldN3()).as("a repetition").isEmpty();
        registers(N2, ofN2, leading(6, 2));
        toldN3();
        assertThat(claims(N2, 1, 6).to(N2)).containsExactly(vote(6, ofN2));
        assertThat(toldN3()).containsExactly(new Listed(PATH, leading(6, 2).registration()));
    }

    @Test
    void formerVoterForgetsRegistrations() {
        registers(N2, ofN2, leading(0, 1));
        assertThat(n1.node.pageCount()).isEqualTo(1);
        n1.hears(++now, N2, new DecidedVoters(list(2, N2, N3)));
        assertThat(n1.node.votes()).isFalse();
        n1.hears(++now, N2, new DecidedVoters(list(3, N1, N2, N3)));
        assertThat(n1.node.votes()).isTrue();
        assertThat(n1.node.pageCount()).isZero();
    }

    @Test
    void aDiskThatFailedIsAskedAgainWithTheNextHeartbeat() {
        OneNode failing = new OneNode(N1).at(10, new NodeEvent.ReserveFailed("full"));
        assertThat(failing.node.describe()).contains("cannot store terms: full");
        assertThat(failing.at(100).effects).contains(new NodeEffect.ReserveTerms(DurableTerms.BLOCK));
    }

    // A former life may have voted in any term that is in use, and without a disk nothing tells in which.
    @Test
    void aVoterWithoutADiskBeginsAboveTheTermsThatItHearsInItsQuarantine() {
        Ack ack = new Ack(1, 1, new Epoch(1, 1), 70, 5, Optional.empty());
        OneNode diskless = new OneNode(Contexts.of(N1).settings(), new Birth(1, 50, false));
        diskless.hears(10, N2, ack).at(1100).asked(1110, N2);
        assertThat(diskless.hears(1120, N2, new Claim(PATH, 1, 60)).to(N2))
                .containsExactly(new Nack(PATH, 1, 60, 70, 0));
        assertThat(diskless.hears(1130, N2, new Claim(PATH, 1, 71)).to(N2)).containsExactly(vote(71, ofN2));
        n1.hears(++now, N2, ack);
        assertThat(claims(N2, 1, 60).to(N2)).as("with a disk").containsExactly(vote(60, ofN2));
    }

    /** n1 contends too, and n2, which supports it and has all of the list, lists n1 alone. */
    private OneNode n1Contends() {
        ContenderRecord own = new ContenderRecord(new ContenderId(N1, 1, 1), "n1", 1, 0, 0, 1);
        n1.at(++now, new NodeEvent.Contend(PATH, 1, "n1"))
                .acked(++now, N2, sequence, 1)
                .at(++now);
        return n1.hears(
                ++now, N2, new Listings(new Epoch(1, 1), 1, List.of(new Snapshot(PATH, 0, true, List.of(own)))));
    }

    // Its release may be lost, so its holder is asked.
    @Test
    void theOwnContenderClaimsInALaterTermWhenTheOwnVoteIsFree() {
        claims(N2, 1, 5);
        assertThat(n1Contends().to(N2))
                .contains(new Challenge(PATH, new ContenderId(N2, 1, 1), 5))
                .noneMatch(Claim.class::isInstance);
        n1.hears(++now, N2, new Release(PATH, 1, 5, Optional.empty()));
        assertThat(n1.to(N2)).contains(new Claim(PATH, 1, 6));
    }

    @Test
    void noLeadershipBeginsBeforeASuspensionIsOver() {
        assertThat(n1Contends().to(N2)).contains(new Claim(PATH, 1, 1));
        assertThat(n1.at(1500).connections()).singleElement().asString().startsWith("SUSPENDED");
        n1.hears(1510, N2, new Vote(PATH, 1, 1, new Epoch(1, 1)));
        assertThat(n1.effects).noneMatch(NodeEffect.Granted.class::isInstance);
        n1.acked(1520, N2, sequence, 1);
        assertThat(n1.connections()).singleElement().asString().startsWith("RECONNECTED");
        assertThat(n1.effects).anyMatch(NodeEffect.Granted.class::isInstance);
    }
}
