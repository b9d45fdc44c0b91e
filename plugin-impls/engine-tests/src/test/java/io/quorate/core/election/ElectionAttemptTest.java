package io.quorate.core.election;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.core.Contexts;
import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.spi.Effect;
import io.quorate.spi.Event;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.NodeId;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.RecordingAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an attempt of n2 passes on. By rank o1 comes first, then n2, then n3: they are 2, 1 and 0; n1 is witness 3. */
class ElectionAttemptTest {

    private static final NodeId O1 = new NodeId("o1");
    private static final long ID = 77;
    private static final long BIRTH = 5;
    private static final Message PING = new HighestUp.Ping(1);

    private final RecordingAlgorithm algorithm = new RecordingAlgorithm();
    private final List<String> told = new ArrayList<>();
    private StepContext context;
    private ElectionAttempt attempt;

    @BeforeEach
    void begins() {
        algorithm.countVoters();
        context = new StepContext(
                Contexts.of(N2).settings(), algorithm, (min, max) -> min + (max - min) / 4, Trace.NONE, 1);
        context.setNow(0);
        attempt = new ElectionAttempt(context, ID, BIRTH, List.of(O1, N2, N3), new Timing(10));
        attempt.join(listener("first"));
        attempt.start(Set.of());
        algorithm.forget();
    }

    private static Effect nominate(int nominee) {
        return new Effect.Nominate(nominee, Mark.NONE);
    }

    private ElectionAttempt.Listener listener(String name) {
        return new ElectionAttempt.Listener() {
            @Override
            public void onNominee() {
                told.add(name + ": " + attempt.nominee().orElse(null));
            }

            @Override
            public void onFailure(String reason) {
                told.add(name + ": " + reason);
            }
        };
    }

    private void wants(Effect... effects) {
        algorithm.wants(effects);
        attempt.suspected(O1);
        algorithm.forget();
    }

    private void at(long now) {
        context.setNow(now);
        context.timers().run(now);
    }

    private void hear(NodeId sender, int from, int to, long birth) {
        attempt.onMessage(sender, new Elect(ID, birth, from, to, false, PING));
    }

    @Test
    void theWorstRankIsNumberZeroAndVotersThatDoNotContendComeLast() {
        assertThat(algorithm.memberships()).containsExactly(new Membership(1, 3, 1, List.of(1, 0, 2), Set.of(0, 1, 3)));
    }

    @Test
    void downNodesAreSuspectedFromTheBeginningWhateverTheirRank() {
        attempt.start(Set.of(N3));
        assertThat(algorithm.events()).hasSize(2).last().isEqualTo(new Event.Suspected(0));
        attempt.trusted(N3);
        attempt.suspected(O1);
        // Neither this node, nor a witness, nor a stranger is a contender that it could suspect.
        Stream.of(N2, N1, new NodeId("o9")).forEach(node -> {
            attempt.suspected(node);
            attempt.trusted(node);
        });
        assertThat(algorithm.events().subList(2, algorithm.events().size()))
                .containsExactly(new Event.Trusted(0), new Event.Suspected(2));
    }

    @Test
    void membersAreHeardUnderTheirOwnNumbersOnly() {
        hear(O1, 2, 1, BIRTH);
        hear(N1, 3, 1, BIRTH);
        assertThat(algorithm.events()).containsExactly(new Event.Received(2, PING), new Event.Received(3, PING));
        hear(N3, 2, 1, BIRTH);
        hear(O1, 2, 0, BIRTH);
        hear(O1, 4, 1, BIRTH);
        hear(O1, 2, 4, BIRTH);
        assertThat(algorithm.events()).hasSize(2);
    }

    @Test
    void aContenderIsHeardUnlessItHasBegunAnewSince() {
        hear(O1, 2, 1, 9);
        hear(O1, 2, 1, 9);
        hear(O1, 2, 1, 8);
        hear(N3, 0, 1, 8);
        assertThat(algorithm.events())
                .containsExactly(new Event.Received(2, PING), new Event.Received(2, PING), new Event.Received(0, PING));
    }

    // It answers in the name of the attempt that asked.
    @Test
    void aWitnessAnswersThisAttemptOnly() {
        hear(N1, 3, 1, BIRTH - 1);
        hear(N1, 3, 1, BIRTH + 1);
        assertThat(algorithm.events()).isEmpty();
    }

    @Test
    void messagesSayWhetherTheReceiverIsAWitness() {
        wants(new Effect.Send(0, PING), new Effect.Send(3, PING));
        assertThat(context.takeEffects())
                .containsExactly(
                        new NodeEffect.Send(N3, new Elect(ID, BIRTH, 1, 0, false, PING)),
                        new NodeEffect.Send(N1, new Elect(ID, BIRTH, 1, 3, true, PING)));
    }

    @Test
    void aTimerFiresOnceAtAnInstantOfItsRangeUnlessItIsSetAnewOrCancelled() {
        wants(new Effect.SetTimer("t", 100, 200), new Effect.SetTimer("gone", 50));
        wants(new Effect.SetTimer("t", 300, 400), new Effect.CancelTimer("gone"));
        at(324);
        assertThat(algorithm.events()).isEmpty();
        at(325);
        at(1_000);
        assertThat(algorithm.events()).containsExactly(new Event.TimerFired("t"));
    }

    @Test
    void nothingIsPendingAndNothingIsHeardAfterTheEnd() {
        wants(new Effect.SetTimer("t", 100));
        attempt.stop();
        assertThat(context.timers().size()).isZero();
        hear(O1, 2, 1, BIRTH);
        assertThat(algorithm.events()).isEmpty();
    }

    @Test
    void pathsAreToldOfEachOtherNomineeAndOfNone() {
        wants(nominate(2), nominate(2), new Effect.NoNominee(), nominate(0));
        attempt.join(listener("second"));
        attempt.join(new PathNomination(context, null, null, "/path"));
        assertThat(told).containsExactly("first: o1", "first: null", "first: n3", "second: n3");
        assertThat(context.agenda().isEmpty()).as("its path is evaluated").isFalse();
    }

    static List<Effect> wrong() {
        return List.of(new Effect.Send(4, PING), new Effect.Send(-1, PING), nominate(3), nominate(-1));
    }

    // Else the node itself would fail, in the middle of its step.
    @ParameterizedTest
    @MethodSource("wrong")
    void anEffectThatNamesNoMemberEndsTheElectionAlone(Effect effect) {
        wants(new Effect.SetTimer("t", 100), nominate(2));
        wants(effect);
        assertThat(told)
                .hasSize(2)
                .last()
                .asString()
                .contains("highest-up failed at Suspected[process=2]", "there are");
        assertThat(attempt.nominee()).isEmpty();
        assertThat(context.timers().size()).isZero();
        attempt.suspected(N3);
        assertThat(algorithm.events()).as("told to the machine").isEmpty();
        attempt.join(listener("second"));
        assertThat(told).hasSize(3).last().asString().startsWith("second: algorithm highest-up failed");
    }

    @Test
    void fatalErrorsAreRethrown() {
        algorithm.wants(() -> {
            throw new OutOfMemoryError("on purpose");
        });
        assertThatThrownBy(() -> attempt.suspected(O1)).isInstanceOf(OutOfMemoryError.class);
        assertThat(told).isEmpty();
    }
}
