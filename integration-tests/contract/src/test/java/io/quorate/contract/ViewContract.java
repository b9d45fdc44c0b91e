package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.LeaderLatch.CloseMode;
import io.quorate.Participant;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who leads and who contends, as others see it. */
abstract class ViewContract extends Contract {

    private static final Participant NOBODY = new Participant("", false);

    @Test
    void onAPathThatNobodyUsesNobodyLeads() throws Exception {
        Latch view = side.latch(connected(), path + "/unknown");
        assertThat(leader(view)).isEqualTo(NOBODY);
        assertThat(leader(view).getId()).isEmpty();
        assertThat(participants(view)).isEmpty();
    }

    @Test
    void afterTheLastHasLeftNobodyLeads() throws Exception {
        Client client = connected();
        Latch view = side.latch(connected(), path);
        Latch latch = leading(client, "only");
        side.eventually("it is seen", () -> leader(view).getId().equals("only"));
        latch.close();
        side.eventually("nobody is seen", () -> leader(view).equals(NOBODY));
        side.eventually("nobody contends", () -> participants(view).isEmpty());
    }

    @Test
    void participantsStandInTheOrderOfJoiningWithTheLeaderFirst() throws Exception {
        Latch first = leading(connected(), "z");
        Client client = connected();
        Latch second = joined(client, "m");
        Latch third = joined(connected(), "a");
        List<Participant> expected =
                List.of(new Participant("z", true), new Participant("m", false), new Participant("a", false));
        for (Latch latch : List.of(first, second, third)) {
            side.eventually("all are seen", () -> participants(latch).equals(expected));
            assertThat(leader(latch)).isEqualTo(new Participant("z", true));
        }
        first.close();
        side.eventually("the rest is seen", () -> participants(third)
                .equals(List.of(new Participant("m", true), new Participant("a", false))));
    }

    @Test
    void latchesOfOneClientContendWithEachOther() throws Exception {
        Client client = connected();
        Latch first = leading(client, "first");
        Latch second = joined(client, "second");
        assertThat(second.hasLeadership()).isFalse();
        assertThat(ids(second)).containsExactly("first", "second");
        first.close();
        leads(second);
    }

    @Test
    void returnedViewDoesNotChange() throws Exception {
        Client client = connected();
        Latch latch = leading(client, "first");
        Collection<?> before = latch.participantsAsTheyAre();
        assertThatThrownBy(before::clear).isInstanceOf(UnsupportedOperationException.class);
        joined(client, "second");
        assertThat(before).hasSize(1);
        assertThat(latch.participantsAsTheyAre()).hasSize(2);
    }

    @Test
    void idsNeedNotBeUnique() throws Exception {
        Client client = connected();
        leading(client, "same");
        Latch second = side.latch(connected(), path, "same");
        second.start();
        side.eventually("both are seen", () -> participants(second)
                .equals(List.of(new Participant("same", true), new Participant("same", false))));
    }

    @Test
    void anIdThatIsNotGivenIsSeenAsEmpty() throws Exception {
        Latch latch = side.latch(connected(), path);
        latch.start();
        leads(latch);
        side.eventually("it is seen", () -> leader(latch).equals(new Participant("", true)));
    }

    @Test
    void aLatchThatIsNeverStartedSees() throws Exception {
        leading(connected(), "leader");
        Latch observer = side.latch(connected(), path, "observer");
        side.eventually("it sees", () -> participants(observer).equals(List.of(new Participant("leader", true))));
        assertThat(leader(observer)).isEqualTo(new Participant("leader", true));
        assertThat(observer.getOurPath()).isNull();
    }

    @Test
    void aClientThatIsNotStartedSeesNothing() {
        Latch latch = side.latch(side.newClient(), path);
        assertThatIllegalStateException()
                .isThrownBy(latch::getLeader)
                .withMessage("Expected state [STARTED] was [LATENT]");
        assertThatIllegalStateException()
                .isThrownBy(latch::getParticipants)
                .withMessage("Expected state [STARTED] was [LATENT]");
    }

    @Test
    void aClosedClientSeesNothing() throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path);
        client.close();
        assertThatIllegalStateException()
                .isThrownBy(latch::getLeader)
                .withMessage("Expected state [STARTED] was [STOPPED]");
        assertThatIllegalStateException()
                .isThrownBy(latch::getParticipants)
                .withMessage("Expected state [STARTED] was [STOPPED]");
    }

    // ---------------------------------------------------------------- paths

    @Test
    void aLatchHasAPathWhileItContends() throws Exception {
        Client client = connected();
        Latch latch = side.latch(client, path, "leader");
        assertThat(latch.getOurPath()).isNull();
        assertThat(latch.getLastPathIsLeader()).isNull();
        leads(joined(client, latch));
        assertThat(latch.getOurPath()).matches(path + "/_c_[0-9a-f-]{36}-latch-\\d+");
        assertThat(latch.getLastPathIsLeader()).isEqualTo(latch.getOurPath());
        Latch follower = joined(client, "follower");
        assertThat(follower.getOurPath())
                .matches(path + "/_c_[0-9a-f-]{36}-latch-\\d+")
                .isNotEqualTo(latch.getOurPath());
        assertThat(follower.getLastPathIsLeader()).isNull();
    }

    @Test
    void theLastPathIsKept() throws Exception {
        Latch latch = leading(connected(), "leader");
        String last = latch.getLastPathIsLeader();
        latch.close();
        assertThat(latch.getOurPath()).isNull();
        assertThat(latch.getLastPathIsLeader()).isEqualTo(last);
    }

    @Test
    void theNumberOfTheLastPathRisesFromLeaderToLeader() throws Exception {
        long last = -1;
        Client client = connected();
        for (String id : List.of("first", "second", "third")) {
            Latch latch = leading(client, id);
            long number = number(latch.getLastPathIsLeader());
            assertThat(number).isGreaterThan(last);
            last = number;
            latch.close(CloseMode.SILENT);
        }
    }

    // ---------------------------------------------------------------- Participant

    @Test
    void participantsAreValues() {
        Object leader = side.participant("x", true);
        assertThat(leader)
                .isEqualTo(side.participant("x", true))
                .isNotEqualTo(side.participant("x", false))
                .isNotEqualTo(side.participant("y", true))
                .isNotEqualTo(null)
                .isNotEqualTo("x");
        assertThat(leader.hashCode()).isEqualTo(31 * "x".hashCode() + 1);
        assertThat(side.participant("x", false).hashCode()).isEqualTo(31 * "x".hashCode());
        assertThat(leader).hasToString("Participant{id='x', isLeader=true}");
    }

    @Test
    void aNullIdIsNoticedLate() {
        Object strange = side.participant(null, true);
        assertThat(strange).hasToString("Participant{id='null', isLeader=true}");
        assertThatThrownBy(strange::hashCode).isInstanceOf(NullPointerException.class);
        Object another = side.participant(null, true);
        assertThatThrownBy(() -> strange.equals(another)).isInstanceOf(NullPointerException.class);
    }
}
