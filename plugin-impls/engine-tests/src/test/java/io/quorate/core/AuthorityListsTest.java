package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.VoteMessage.Vote;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whom n1 believes, by the lists of voters that it has gone by; support lasts 1100, so ten of them 11000. */
class AuthorityListsTest {

    private static final Vote VOTE = new Vote("/p", 1, 1, new Epoch(1, 1));

    /** The lists name this directory. */
    private static final long STORE = 7;

    private final StepContext context = Contexts.of(N1);
    private final Authority authority = new Authority(context);

    /** This node contends and does not vote. */
    private final Authority outside = new Authority(Contexts.of(new NodeId("o"), Contexts.VOTERS));

    private static NodeId node(int number) {
        return new NodeId("n" + number);
    }

    private static VoterList list(long number, int... voters) {
        return Contexts.list(
                number, IntStream.of(voters).mapToObj(AuthorityListsTest::node).toArray(NodeId[]::new));
    }

    private void change(long time, VoterList next) {
        VoterList before = context.voters();
        context.setNow(time);
        context.setVoters(next, 7);
        authority.onVoters(before);
    }

    private boolean follows(int from, VoterList told) {
        return follows(authority, from, told);
    }

    private static boolean follows(Authority authority, int from, VoterList told) {
        return authority.believes(node(from), 1, new DecidedVoters(told))
                && authority.follow(node(from), told, STORE).isPresent();
    }

    private int notesAbout(long time, long incarnation, NodeMessage message) {
        context.setNow(time);
        authority.believes(N3, incarnation, message);
        return context.takeEffects().size();
    }

    // Two contenders replaced all voters of a node that did not reach a majority.
    @Test
    void aListIsNotBelievedBecauseItsVotersSayIt() {
        VoterList later = list(5, 4, 5);
        assertThat(follows(4, later)).isFalse();
        assertThat(follows(5, later)).isFalse();
        change(100, list(2, 1, 2, 3));
        assertThat(follows(4, later)).isFalse();
        assertThat(follows(5, later)).isFalse();
        assertThat(follows(2, later)).as("a voter of the list that it knows").isTrue();
    }

    @Test
    void aVoterFollowsEachVoterOfTheFirstList() {
        assertThat(follows(2, list(5, 1, 4, 5))).isTrue();
        assertThat(follows(3, list(5, 4, 5))).as("it has to leave").isTrue();
        assertThat(follows(4, list(5, 4, 5))).isFalse();
    }

    @Test
    void aContenderFollowsWhatMostOfTheVotersSayAndAMemberSaysToo() {
        VoterList later = list(5, 2, 4, 5);
        assertThat(follows(outside, 4, later)).as("no member has said it").isFalse();
        assertThat(follows(outside, 2, later)).as("one of three").isFalse();
        assertThat(follows(outside, 9, later)).as("does not vote there").isFalse();
        assertThat(follows(outside, 4, list(5, 2, 4, 6))).as("another list").isFalse();
        assertThat(follows(outside, 5, later)).as("two of three").isTrue();
    }

    @Test
    void othersAreHeardOnlyWhileAMemberSaysTheSame() {
        VoterList later = list(5, 2, 4, 5, 6);
        assertThat(follows(outside, 2, later)).isFalse();
        assertThat(follows(outside, 4, later)).isFalse();
        assertThat(follows(outside, 2, list(6, 4, 5, 6))).isFalse();
        assertThat(follows(outside, 5, later))
                .as("the member says something else by now")
                .isFalse();
        assertThat(follows(outside, 2, later))
                .as("the others have to say it again")
                .isFalse();
        assertThat(follows(outside, 4, later)).as("two of four").isFalse();
        assertThat(follows(outside, 6, later)).as("three of four").isTrue();
    }

    @Test
    void aVoterThatJoinsFollowsAMember() {
        VoterList later = Contexts.list(5, N2, node(4), new NodeId("o"));
        assertThat(follows(outside, 4, later)).isFalse();
        assertThat(follows(outside, 2, later)).isTrue();
    }

    @Test
    void aStrangerIsNotBelievedBeforeAMemberSaysTheSame() {
        DecidedVoters later = new DecidedVoters(list(5, 2, 4, 5));
        assertThat(outside.believes(node(4), 1, later)).isFalse();
        assertThat(outside.told()).isEmpty();
        follows(outside, 2, later.config());
        assertThat(outside.believes(node(4), 1, later)).isTrue();
    }

    @Test
    void theAddressesAreThoseThatAMemberHasTold() {
        VoterList told = at(new HostAndPort("right", 1));
        assertThat(outside.follow(N2, told, STORE)).isEmpty();
        assertThat(outside.follow(node(4), at(new HostAndPort("wrong", 2)), STORE))
                .contains(told);
    }

    private static VoterList at(HostAndPort address) {
        return new VoterList(
                5,
                0,
                List.of(
                        new VoterList.Member(N2, STORE, Optional.of(address)),
                        new VoterList.Member(node(4), STORE, Optional.of(address))));
    }

    @Test
    void aMemberAndItsConfirmersTakeABoundedPlace() {
        for (int number = 5; number < 100; number++) {
            VoterList later = list(number, 2, 4, 5, 100 + number);
            assertThat(follows(outside, 2, later)).isFalse();
            assertThat(follows(outside, 100 + number, later)).isFalse();
        }
        assertThat(outside.told())
                .as("the last list of each member, and who confirms it")
                .hasSize(2);
    }

    @Test
    void formerVotersAreKnownForTenSupportTimes() {
        change(0, list(2, 1, 2, 4));
        assertThat(authority.left()).containsExactly(N3);
        change(100, list(3, 1, 4));
        assertThat(authority.left()).containsExactlyInAnyOrder(N2, N3);
        context.setNow(10_999);
        assertThat(authority.left()).containsExactlyInAnyOrder(N2, N3);
        context.setNow(11_000);
        assertThat(authority.left()).containsExactly(N2);
        change(20_000, list(4, 1, 5));
        assertThat(authority.left()).containsExactly(node(4));
        change(40_000, list(6, 1, 7));
        assertThat(authority.left())
                .as("in between the nodes of the settings may have left")
                .containsExactlyInAnyOrder(node(5), N2, N3);
    }

    // It may have sent it before it learned that it no longer votes.
    @Test
    void messagesOfAFormerVoterAreNotedAfterOneSupportTime() {
        change(0, list(2, 1, 2));
        assertThat(notesAbout(1, 1, new DecidedVoters(list(2, 1, 2)))).isZero();
        assertThat(notesAbout(1099, 1, VOTE)).isZero();
        assertThat(notesAbout(1100, 1, VOTE)).isEqualTo(1);
    }

    @Test
    void aLaterListOfAFormerVoterIsNotedAtOnce() {
        change(0, list(2, 1, 2));
        assertThat(notesAbout(1, 1, new DecidedVoters(list(4, 1, 2)))).isEqualTo(1);
    }

    @Test
    void aNumberThatNoHonestNodeSendsIsNotedAtOnce() {
        change(0, list(2, 1, 2));
        assertThat(notesAbout(1, 0, VOTE)).isEqualTo(1);
        assertThat(authority.believes(N2, NodeMessage.NUMBER_MAX, new Goodbye()))
                .isTrue();
    }
}
