package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VoteMessage.Elect;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.spi.Message;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** ADR-0025: a voter answers algorithms that count voters although it does not contend. */
class WitnessTest {

    private final Node voter = new Node(
            Contexts.of(N1).settings(),
            new HighestUp() {
                @Override
                public boolean countsVoters() {
                    return true;
                }

                @Override
                public Optional<Message> answerAsWitness(int self, Message asked) {
                    if (((Ping) asked).number() == 0) {
                        throw new AssertionError("broken on purpose");
                    }
                    return Optional.of(asked);
                }
            },
            new Birth(5_000_000, 0, true),
            (min, max) -> min);

    private List<NodeEffect> ask(int ping) {
        return voter.step(1200, new NodeEvent.Received(N2, 1, new Elect(7, 1, 1, 0, true, new HighestUp.Ping(ping))));
    }

    @Test
    void algorithmThatThrowsIsNotedOnceAndAnswersTheNextQuestion() {
        voter.start(0);
        voter.step(600, NodeEvent.Wake.INSTANCE);
        voter.step(1150, NodeEvent.Wake.INSTANCE);
        List<NodeEffect> effects = new ArrayList<>(ask(0));
        effects.addAll(ask(0));
        assertThat(effects)
                .filteredOn(NodeEffect.Note.class::isInstance)
                .singleElement()
                .satisfies(effect -> assertThat(((NodeEffect.Note) effect).text())
                        .contains("highest-up", "n2", "broken on purpose"));
        assertThat(ask(1))
                .anyMatch(effect -> effect instanceof NodeEffect.Send send && send.message() instanceof Elect);
    }
}
