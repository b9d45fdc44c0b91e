package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.VotersWanted;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What one node does at which moment: a contender o, or the voter n1. Heartbeat 100, support 1100, belief 900. */
class NodeTest {

    private static final String PATH = "/app/leader";
    private static final NodeId O = new NodeId("o");

    private static OneNode connected() {
        return new OneNode(O).acked(10, N1, 1, 1, N1, N3).acked(20, N2, 1, 1, N2, N3);
    }

    @Test
    void theMajorityIsFoundSuspendedAndLostInItsTime() {
        OneNode o = new OneNode(O).acked(10, N1, 1, 1, N1, N3);
        assertThat(o.connections()).isEmpty();
        assertThat(o.acked(20, N2, 1, 1, N2, N3).connections())
                .containsExactly("CONNECTED: supported by [n1, n2] of 3 voters");
        assertThat(o.heartbeat(N3).orElseThrow().connected()).as("at once").isTrue();
        assertThat(o.node.nextWake()).isEqualTo(120);
        assertThat(o.at(220).connections()).isEmpty();
        assertThat(o.node.nextWake()).as("n1 is silent").isEqualTo(311);
        assertThat(o.at(310).connections()).isEmpty();
        assertThat(o.at(311).connections())
                .containsExactly("SUSPENDED: no majority of voters was heard for 0 ms; heard: [n2]");
        assertThat(o.node.nextWake()).as("a quarter of a period after 311").isEqualTo(336);
        assertThat(o.acked(330, N1, 2, 1).at(899).connections()).isEmpty();
        assertThat(o.node.nextWake()).isEqualTo(900);
        assertThat(o.node.supporters()).isEqualTo(0b011);
        assertThat(o.at(900).connections())
                .containsExactly(
                        "LOST: no majority of voters supports this node any more; supported by [] of 3 voters");
        long last = o.at(1000).heartbeat(N1).orElseThrow().sequence();
        assertThat(o.acked(1010, N1, last, 2).acked(1010, N3, last, 1).connections())
                .containsExactly("RECONNECTED: supported by [n1, n3] of 3 voters");
    }

    // Whoever misses the suspension sees it before the loss all the same.
    @Test
    void answersThatComeTooLateEndTheConnection() {
        OneNode o = connected().acked(880, N1, 1, 1).acked(880, N2, 1, 1);
        assertThat(o.at(900).connections())
                .containsExactly(
                        "SUSPENDED: a majority of voters answers too late: an answer counts for 0 ms from the sending"
                                + " of the heartbeat that it answers; heard: [n1, n2]",
                        "LOST: no majority of voters supports this node any more; supported by [] of 3 voters");
    }

    @Test
    void reportOfAVoterEndsWithItsSilenceAndIsRequestedAgain() {
        OneNode o = connected().acked(30, N1, 2, 1, N1, N3).acked(30, N2, 2, 1, N2, N3);
        assertThat(o.node.isUp(N3)).isTrue();
        o.at(120).acked(130, N1, 3, 2).at(220);
        assertThat(o.heartbeat(N1).orElseThrow().upVersion()).isZero();
        assertThat(o.heartbeat(N2).orElseThrow().upVersion()).isEqualTo(5);
        o.at(430);
        assertThat(o.node.isUp(N3)).isTrue();
        o.at(530);
        assertThat(o.node.isUp(N3)).isFalse();
    }

    @Test
    void aNodeThatClosesSaysGoodbyeAndTakesNoEvents() {
        OneNode o = connected().at(30, new NodeEvent.Close());
        assertThat(o.connections()).containsExactly("LOST: closed");
        assertThat(Stream.of(N1, N2, N3).map(o::to)).containsOnly(List.of(new Goodbye()));
        assertThat(o.node.isStopped()).isTrue();
        assertThat(o.node.supporters()).isZero();
        assertThat(o.node.describe()).startsWith("node o of cluster 'test': closed");
        assertThat(o.asked(40, N1).effects).isEmpty();
        assertThat(new OneNode(O).at(30, new NodeEvent.Close()).connections())
                .as("it had no connection")
                .isEmpty();
    }

    // A new voter cannot have been heard yet.
    @Test
    void aChangeOfTheVotersIsToldAtOnceAndSuspendsNobody() {
        VoterList next = list(7, new NodeId("n4"), new NodeId("n5"), new NodeId("n6"));
        OneNode o = connected();
        assertThat(o.hears(30, N1, new DecidedVoters(next)).effects).doesNotContain(new NodeEffect.VotersChanged(next));
        o.hears(30, new NodeId("n4"), new DecidedVoters(next)).hears(30, new NodeId("n5"), new DecidedVoters(next));
        assertThat(o.effects).contains(new NodeEffect.VotersChanged(next));
        assertThat(o.connections()).isEmpty();
        assertThat(o.heartbeat(new NodeId("n4")).orElseThrow().number()).isEqualTo(7);
        assertThat(o.at(320).connections()).hasSize(1);
    }

    @Test
    void theVotersOfAListThatOneMemberTellsAreReachedAndAsked() {
        NodeId n4 = new NodeId("n4");
        HostAndPort address = new HostAndPort("there", 7);
        VoterList next = new VoterList(
                2, 0, List.of(new Member(N1, 7, Optional.empty()), new Member(n4, 7, Optional.of(address))));
        OneNode o = connected().hears(30, N1, new DecidedVoters(next));
        assertThat(o.effects).contains(new NodeEffect.Reach(n4, address));
        assertThat(o.to(n4)).containsExactly(new VotersWanted(1));
        assertThat(o.hears(31, N1, new DecidedVoters(next)).effects).doesNotContain(new NodeEffect.Reach(n4, address));
        assertThat(o.hears(32, n4, new DecidedVoters(next)).effects).contains(new NodeEffect.VotersChanged(next));
    }

    @Test
    void aContenderDoesNotFollowTheListOfAPrepareThatOneMemberSends() {
        VoterList base = list(2, N1, new NodeId("n4"));
        OneNode o = connected().hears(30, N1, new Prepare(new Round(1, N1, 1), base));
        assertThat(o.effects).doesNotContain(new NodeEffect.VotersChanged(base));
    }

    // ADR-0005.
    @Test
    void aVoterPromisesNothingInItsQuarantineAndSupportsItselfAtItsEnd() {
        OneNode n1 = new OneNode(N1);
        assertThat(n1.node.describe()).contains("supported by [] of voters [n1, n2, n3], in quarantine");
        n1.at(100);
        Round round = new Round(1, N2, 1);
        assertThat(n1.hears(100, N2, new Prepare(round, n1.node.voters())).to(N2))
                .containsExactly(new NotPromised(2, round, Optional.empty(), 1000, ""));
        assertThat(n1.asked(150, N2).to(N2)).as("no support yet").isEmpty();
        n1.at(1050);
        assertThat(n1.node.describe()).contains("in quarantine");
        n1.at(1100);
        long first = n1.heartbeat(N2).orElseThrow().sequence();
        assertThat(n1.node.describe()).contains("supported by [n1] of").doesNotContain("quarantine");
        assertThat(n1.asked(1150, N2).to(N2)).singleElement().isInstanceOf(Ack.class);
        assertThat(n1.acked(1200, N2, first, 1).connections())
                .containsExactly("CONNECTED: supported by [n1, n2] of 3 voters");
    }

    // ADR-0004.
    @Test
    void aSecondProcessUnderTheIdEndsThisOne() {
        OneNode n1 = new OneNode(N1);
        for (int refusals = 0; refusals < 53; refusals++) {
            n1.at(50 + 100 * refusals, new NodeEvent.PlaceTaken(N2, 2, true));
            assertThat(n1.node.isStopped()).as("the life before may be over").isFalse();
        }
        n1.at(5350, new NodeEvent.PlaceTaken(N2, 2, true));
        assertThat(n1.effects).singleElement().isInstanceOf(NodeEffect.Failed.class);
        assertThat(n1.node.isStopped()).isTrue();
        assertThat(n1.node.describe()).contains("a second process runs under this node's id");
    }

    // Before the first change, the settings may name other voters.
    @Test
    void aSeatCountsUnderTheListThatItIsOf() {
        VoterList settings = VoterList.first(Contexts.VOTERS);
        VoterList former = VoterList.first(List.of(N1, N2));
        Round high = new Round(5, N3, 1);
        Round low = new Round(1, N2, 1);
        OneNode moved = born(PaxosState.at(former));
        assertThat(moved.node.voters()).isEqualTo(settings);
        moved.at(1100).hears(1200, N2, new Prepare(low, settings));
        assertThat(moved.effects)
                .contains(new NodeEffect.StorePaxosState(
                        7, PaxosState.at(settings).promise(2, low)));
        OneNode bound =
                born(PaxosState.at(settings).promise(2, high)).at(1100).hears(1200, N2, new Prepare(low, settings));
        assertThat(bound.to(N2)).contains(new NotPromised(2, low, Optional.of(high), 0, ""));
    }

    private static OneNode born(PaxosState paxos) {
        return new OneNode(Contexts.of(N1).settings(), new Birth(1, 0, true, 7, Optional.of(paxos)));
    }

    @Test
    void nodeWithoutAMajorityUnderALaterListAsksForTheList() {
        OneNode o = new OneNode(O);
        assertThat(o.to(N1)).as("heartbeats are answered with a later list").doesNotContain(new VotersWanted(1));
        o.hears(10, N1, new DecidedVoters(list(3, N1)));
        assertThat(o.to(N2)).contains(new VotersWanted(3));
        o.acked(20, N1, o.heartbeat(N1).orElseThrow().sequence(), 1);
        assertThat(o.connections()).hasSize(1);
        assertThat(o.at(200).to(N2)).doesNotContain(new VotersWanted(3));
        OneNode joining = new OneNode(Contexts.of(O).settings().joining());
        assertThat(joining.to(N2)).containsExactly(new VotersWanted(0));
        assertThat(joining.node.describe()).contains("waits to be told who votes");
    }

    @Test
    void nodeWithAnOlderNumberIsSentTheList() {
        VoterList second = list(2, N1, N2, N3);
        OneNode n1 = new OneNode(N1).at(1100);
        assertThat(n1.hears(1110, O, new VotersWanted(1)).to(O)).isEmpty();
        n1.hears(1120, N2, new DecidedVoters(second));
        assertThat(n1.hears(1130, O, new VotersWanted(1)).to(O)).containsExactly(new DecidedVoters(second));
        assertThat(n1.hears(1140, O, new VotersWanted(2)).to(O)).isEmpty();
        assertThat(n1.asked(1150, N2).to(N2))
                .as("no support under the former number")
                .containsExactly(new DecidedVoters(second));
    }

    @Test
    void aListFarAboveAllIsNotFollowed() {
        VoterList far = list(2 + (1L << 40), N1);
        OneNode o = connected().hears(30, N1, new DecidedVoters(far));
        assertThat(o.notes())
                .containsExactly(
                        "ignoring " + far + ", which is far above number 1: [n1, n2, n3]: no honest node sends it");
        assertThat(o.node.voters().number()).isEqualTo(1);
    }

    @Test
    void aRefusalStandsInTheDescription() {
        OneNode o = connected().hears(30, N3, new Refused(true, "full"));
        assertThat(o.node.describe()).contains("supported by [n1, n2] of voters [n1, n2, n3], refused by n3: full");
        assertThat(o.node.describe()).doesNotContain("quarantine");
    }

    // A node that does not vote has promised no terms.
    @Test
    void theHighestTermTravelsWithHeartbeatsOfVoters() {
        NodeMessage ack = new Ack(1, 1, new Epoch(1, 1), 80, 5, Optional.empty());
        OneNode n1 = new OneNode(N1).hears(10, N2, ack).at(100);
        assertThat(n1.heartbeat(N3).orElseThrow().termMax()).isEqualTo(80);
        OneNode o = new OneNode(O).hears(10, N2, ack).at(100);
        assertThat(o.heartbeat(N3).orElseThrow().termMax()).isZero();
    }

    // Messages on which leases depend may wait behind this one.
    @Test
    void pathsWaitForTheStepAfterAnAnswerOfAVoter() {
        OneNode o = new OneNode(O).at(5, new NodeEvent.Contend(PATH, 1, "o")).acked(10, N1, 1, 1);
        assertThat(o.acked(20, N2, 1, 1).node.nextWake()).isEqualTo(20);
        assertThat(o.at(20).node.nextWake()).isGreaterThan(20);
    }

    @Test
    void contendersLeaveBeforeTheGoodbye() {
        OneNode o = connected().at(30, new NodeEvent.Contend(PATH, 1, "o"));
        long batch = ((Registrations) o.to(N1).get(0)).batch();
        o.hears(40, N1, new RegistrationsAck(batch)).at(50, new NodeEvent.Close());
        assertThat(o.to(N1))
                .containsExactly(
                        new Registrations(new Epoch(1, 1), batch + 2, List.of(new Change.Leave(PATH, 1, true, false))),
                        new Goodbye());
    }

    @Test
    void aSoleVoterLeadsInTheStepInWhichItIsConnected() {
        OneNode sole = new OneNode(Contexts.of(N1, List.of(N1)).settings());
        sole.at(1, new NodeEvent.TermsReserved(100)).at(10, new NodeEvent.Contend(PATH, 1, "n1"));
        assertThat(sole.at(1100).effects)
                .extracting(Object::getClass)
                .contains(NodeEffect.ConnectionChanged.class, NodeEffect.Granted.class);
    }

    @Test
    void viewsAreToldAnewWhenTheConnectionBeginsAndEnds() {
        OneNode o = new OneNode(O)
                .at(5, new NodeEvent.WatchPath(PATH, true))
                .acked(10, N1, 1, 1)
                .at(15);
        o.acked(20, N2, 1, 1);
        assertThat(o.connections()).hasSize(1);
        assertThat(o.effects).contains(new NodeEffect.ViewChanged(PATH));
        assertThat(o.at(890).at(900).effects).contains(new NodeEffect.ViewChanged(PATH));
    }

    // During each change some nodes learn of it before others.
    @Test
    void aHigherNumberIsNotedWhenItLastsForTenSupportTimes() {
        NodeId n9 = new NodeId("n9");
        Heartbeat higher = new Heartbeat(2, 4711, 1, Optional.empty(), true, true, 0, 7, true, -1);
        OneNode o = new OneNode(O).hears(10, n9, new DecidedVoters(list(1, N1)));
        assertThat(o.hears(20, n9, higher).notes()).isEmpty();
        assertThat(o.hears(11_019, n9, higher).notes())
                .as("its list is no news")
                .isEmpty();
        assertThat(o.hears(11_120, n9, higher).notes())
                .singleElement()
                .asString()
                .startsWith("node n9 goes by voters of number 2, and this node goes by number 1: [n1, n2, n3]")
                .contains("quorate voters adopt");
        assertThat(o.effects)
                .noneMatch(effect -> effect instanceof NodeEffect.Send send
                        && send.to().equals(n9)
                        && send.message() instanceof VotersWanted);
    }

    @Test
    void effectOfAChangeOnThisNodeIsNoted() {
        OneNode n1 = new OneNode(N1).at(1100).hears(1110, N2, new DecidedVoters(list(2, N1, N2, N3, O)));
        assertThat(n1.notes()).containsExactly("voters are number 2: [n1, n2, n3, o]; [o] joined");
        OneNode joining = new OneNode(Contexts.of(O).settings().joining());
        assertThat(joining.hears(10, N1, new DecidedVoters(VoterList.first(List.of(N1, O))))
                        .notes())
                .last()
                .asString()
                .startsWith("number 1: [n1, o] does not name the data directory of this node: it does not vote. It ");
    }

    @Test
    void theLeastThatWasLeftOfTheSupportIsAnsweredOnce() {
        VirtualCluster cluster = VirtualCluster.ofVoters(3, 7, new HighestUp());
        cluster.advance(2000);
        Node node = cluster.node(N2);
        assertThat(node.takeMargin().orElseThrow()).isBetween(1L, 900_000_000L);
        assertThat(node.takeMargin()).as("since the last question").isEmpty();
    }
}
