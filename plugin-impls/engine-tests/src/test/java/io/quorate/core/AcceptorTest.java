package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.Acceptance;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.NotPromised;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.Promise;
import io.quorate.core.message.VotersMessage.Ready;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the acceptor of n2 writes and answers, and what it keeps when its disk fails. Its directory is 7. */
class AcceptorTest {

    private static final NodeId N4 = new NodeId("n4");

    private static final class Owner implements Acceptor.Owner {
        private final List<VoterList> decided = new ArrayList<>();
        private final List<VoterList> leftOpen = new ArrayList<>();
        private long olderSupport;
        private long quarantineLeft;

        @Override
        public void onTold(NodeId from, VoterList later) {
            decided.add(later);
        }

        @Override
        public long olderSupport() {
            return olderSupport;
        }

        @Override
        public long quarantineLeft() {
            return quarantineLeft;
        }

        @Override
        public Optional<String> exclusion() {
            return Optional.empty();
        }

        @Override
        public void onLeftOpen(VoterList value) {
            leftOpen.add(value);
        }

        @Override
        public long termMax() {
            return 5;
        }
    }

    private final Owner owner = new Owner();
    private final StepContext context = Contexts.of(N2);
    private final VoterList base = context.voters();
    private final VoterList next = list(2, N1, N2);
    private final Round round = new Round(1, N3, 1);
    private final Round lower = new Round(0, N1, 1);
    private final PaxosState promised = PaxosState.at(base).promise(2, round);
    private final PaxosState accepted = promised.accept(2, round, next);
    private final Acceptor acceptor = new Acceptor(context, 7, PaxosState.at(base), true, owner);

    private static NodeEffect send(NodeId to, NodeMessage message) {
        return new NodeEffect.Send(to, message);
    }

    private void does(NodeEffect... effects) {
        assertThat(context.takeEffects()).containsExactly(effects);
    }

    // docs/reconfiguration.md, R4 and R5.
    @Test
    void noAnswerLeavesBeforeItIsDurable() {
        acceptor.onPrepare(N3, new Prepare(round, base));
        does(new NodeEffect.StorePaxosState(7, promised));
        acceptor.onPrepare(N1, new Prepare(new Round(2, N1, 1), base));
        acceptor.onStored(promised);
        does(send(N3, new Promise(2, round, 5, Optional.empty())));
        acceptor.onPrepare(N1, new Prepare(lower, base));
        does(send(N1, new NotPromised(2, lower, Optional.of(round), 0, "")));
        acceptor.onAccept(N3, new Accept(round, base, next));
        does(new NodeEffect.StorePaxosState(7, accepted));
        acceptor.onStored(accepted);
        does(send(N3, new Acceptance(2, round)));
        acceptor.onAccept(N3, new Accept(round, base, next));
        does(send(N3, new Acceptance(2, round)));
        acceptor.onAccept(N1, new Accept(lower, base, next));
        does(send(N1, new NotPromised(2, lower, Optional.of(round), 0, "")));
        assertThat(owner.decided).isEmpty();
    }

    @Test
    void nothingIsPromisedWhileOlderSupportLives() {
        owner.olderSupport = 300;
        acceptor.onPrepare(N3, new Prepare(round, base));
        does(send(N3, new NotPromised(2, round, Optional.empty(), 300, "")));
    }

    @Test
    void acceptorSendsNewerListsAndLearnsThem() {
        acceptor.onPrepare(N3, new Prepare(round, VoterList.NONE));
        does(send(N3, new DecidedVoters(base)));
        acceptor.onPrepare(N3, new Prepare(round, next));
        does();
        assertThat(owner.decided).containsExactly(next);
    }

    // One message with a round that is made up could use up all rounds.
    @Test
    void aRoundFarAboveAllIsFollowedStepByStep() {
        Round far = new Round(1L << 40, N3, 1);
        Round near = far.following(0);
        acceptor.onPrepare(N3, new Prepare(far, base));
        PaxosState step = PaxosState.at(base).promise(2, near);
        does(
                new NodeEffect.Note(
                        true,
                        far + " of n3 is far above 0: it is made up, or outbids one that is, and is followed step by"
                                + " step"),
                new NodeEffect.StorePaxosState(7, step));
        acceptor.onStored(step);
        does(send(N3, new NotPromised(2, far, Optional.of(near), 0, "")));
    }

    @Test
    void aListThatIsLearnedIsWrittenUntilItIsDurable() {
        PaxosState second = PaxosState.at(next);
        PaxosState third = PaxosState.at(list(3, N2));
        acceptor.learn(next);
        does(new NodeEffect.StorePaxosState(7, second));
        acceptor.learn(third.config());
        does();
        acceptor.onStored(second);
        does(new NodeEffect.StorePaxosState(7, third));
        context.setVoters(third.config(), 7);
        acceptor.onFailed("full");
        context.takeEffects();
        acceptor.onHeartbeatPeriod();
        does(new NodeEffect.StorePaxosState(7, third));
    }

    @Test
    void futureVoterIsReadyAfterItsQuarantineWithANamedDirectory() {
        StepContext context = Contexts.of(N4);
        Acceptor newcomer = new Acceptor(context, 7, PaxosState.at(base), false, owner);
        long hash = context.clusterHash();
        owner.quarantineLeft = 1;
        newcomer.onReadyQuery(N1, new ReadyQuery(1));
        assertThat(context.takeEffects()).isEmpty();
        StepContext first = Contexts.of(N1);
        new Acceptor(first, 7, PaxosState.at(base), true, owner).onReadyQuery(N2, new ReadyQuery(1));
        assertThat(first.takeEffects())
                .as("another process may vote under its id")
                .isEmpty();
        VoterList other = new VoterList(2, 0, List.of(new VoterList.Member(N1, 8, Optional.empty())));
        first.setVoters(other, 7);
        new Acceptor(first, 7, PaxosState.at(other), true, owner).onReadyQuery(N2, new ReadyQuery(1));
        assertThat(first.takeEffects())
                .as("it may have to leave first")
                .containsExactly(send(N2, new Ready(1, 7, 2, first.clusterHash(), "")));
        owner.quarantineLeft = 0;
        newcomer.onReadyQuery(N1, new ReadyQuery(2));
        assertThat(context.takeEffects()).containsExactly(new NodeEffect.StorePaxosState(7, PaxosState.at(base)));
        newcomer.onFailed("full");
        context.takeEffects();
        newcomer.onReadyQuery(N1, new ReadyQuery(3));
        assertThat(context.takeEffects())
                .containsExactly(
                        new NodeEffect.StorePaxosState(7, PaxosState.at(base)),
                        send(N1, new Ready(3, 0, 1, hash, "full")));
        newcomer.onStored(PaxosState.at(base));
        context.takeEffects();
        newcomer.onReadyQuery(N1, new ReadyQuery(4));
        assertThat(context.takeEffects()).containsExactly(send(N1, new Ready(4, 7, 1, hash, "")));
    }

    // R11: after two support times of 1,100, and each voter a heartbeat of 100 after the one before it.
    @ParameterizedTest
    @CsvSource({"n1, 2200", "n2, 2300"})
    void whatIsLeftOpenIsTakenUpInTurn(String self, long first) {
        StepContext context = Contexts.of(new NodeId(self));
        Acceptor acceptor = new Acceptor(context, 7, accepted, true, owner);
        for (long end : new long[] {0, first, first + 2200}) {
            int before = owner.leftOpen.size();
            context.setNow(Math.max(0, end - 1));
            acceptor.onHeartbeatPeriod();
            assertThat(owner.leftOpen).hasSize(before);
            context.setNow(end);
            acceptor.onHeartbeatPeriod();
        }
        assertThat(owner.leftOpen).containsExactly(next, next);
    }

    // The addresses in the settings are others after a restart, and the list is the same.
    @Test
    void aFailedWriteTakesNoPromiseBackBecauseAnAddressChanged() {
        VoterList before = VoterList.first(Contexts.VOTERS, Map.of(N2, new HostAndPort("before", 7400)));
        PaxosState promised = PaxosState.at(before).promise(2, new Round(1, N3, 1));
        Acceptor acceptor = new Acceptor(context, 7, promised, true, owner);
        acceptor.onFailed("no space left");
        context.takeEffects();
        acceptor.onHeartbeatPeriod();
        assertThat(context.takeEffects())
                .as("a write that replaces the promise")
                .isEmpty();
    }
}
