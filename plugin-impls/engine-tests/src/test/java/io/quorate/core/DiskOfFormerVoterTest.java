package io.quorate.core;

import static io.quorate.core.Contexts.list;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node says of its disk that voted when the write began, and does not vote when it fails; and when it does again. */
class DiskOfFormerVoterTest {

    private static final long MILLI = 1_000_000;

    private final List<String> notes = new ArrayList<>();
    private final Node node = new Node(
            VirtualCluster.settings(Contexts.N1, Contexts.VOTERS),
            new HighestUp(),
            new Birth(1, 0, true, 7, Optional.of(PaxosState.at(list(2, Contexts.N1, Contexts.N2, Contexts.N3)))),
            (min, max) -> min);
    private boolean writes;
    private long now;

    private void perform(List<NodeEffect> effects) {
        for (NodeEffect effect : effects) {
            if (effect instanceof NodeEffect.Note note) {
                notes.add(note.text());
            }
            writes |= effect instanceof NodeEffect.ReserveTerms;
        }
    }

    private void step(NodeEvent event) {
        perform(node.step(now, event));
    }

    private void writeFails() {
        assertThat(writes).isTrue();
        writes = false;
        step(new NodeEvent.ReserveFailed("no space left"));
    }

    private void decided(VoterList voters) {
        step(new NodeEvent.Received(Contexts.N2, 5, new DecidedVoters(voters)));
        assertThat(node.votes()).isEqualTo(voters.ids().contains(Contexts.N1));
    }

    @BeforeEach
    void start() {
        perform(node.start(now));
    }

    @Test
    void aNodeThatDoesNotVoteSaysNothingOfItsVotes() {
        decided(list(3, Contexts.N2, Contexts.N3));
        writeFails();
        assertThat(notes).noneMatch(note -> note.contains("this voter keeps"));
    }

    @Test
    void returningVoterReportsItsFullDisk() {
        writeFails();
        decided(list(3, Contexts.N2, Contexts.N3));
        notes.clear();
        decided(list(4, Contexts.N1, Contexts.N2, Contexts.N3));
        for (int i = 0; i < 100; i++) {
            now += 200 * MILLI;
            step(NodeEvent.Wake.INSTANCE);
            if (writes) {
                writeFails();
            }
        }
        assertThat(notes)
                .filteredOn(note -> note.contains("terms cannot be stored"))
                .hasSize(1);
    }
}
