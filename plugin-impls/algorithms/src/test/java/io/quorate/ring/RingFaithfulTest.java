package io.quorate.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Machine;
import io.quorate.spi.Effect;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What one process does in F of either ring: docs/algorithms/lcr.md#faithful and docs/algorithms/token-ring.md#faithful. */
@ParameterizedClass
@EnumSource
class RingFaithfulTest {

    @Parameter
    private Ring ring;

    private Machine process(int id, int size) {
        return ring.process(id, size, Options.FAITHFUL);
    }

    @Test
    void startSendsTheOwnIdToTheSuccessor() {
        Machine p2 = process(2, 3);
        assertThat(p2.on("start")).containsExactly(ring.own(2) + " ->3");
        assertThat(p2.election().isParticipating()).isTrue();
        assertThat(process(3, 3).on("start")).containsExactly(ring.own(3) + " ->1");
    }

    @Test
    void configuredLeaderIsFollowedUntilItIsSuspected() {
        Machine p1 = process(1, 3);
        assertThat(p1.on("start leader=3")).isEmpty();
        assertThat(p1.leader()).isEqualTo(3);
        assertThat(p1.on("suspect(2)")).isEmpty();
        assertThat(p1.on("restore(2)")).isEmpty();
        assertThat(p1.on("suspect(3)")).containsExactly(ring.own(1) + " ->2");
        assertThat(p1.on("restore(3)")).isEmpty();
    }

    // Decision 2 of the token ring. Quirk 5 of LCR: the neighbour of source 001 is right only if the dead are the
    // highest.
    @Test
    void successorIsTheNextInTheRingThatIsNotSuspected() {
        Membership mixed = new Membership(3, 5, 0, List.of(2, 0, 3, 1, 4), Set.of());
        Machine p4 = ring.process(mixed, new Timing(10), Options.FAITHFUL);
        assertThat(p4.on("start")).containsExactly(ring.own(4) + " ->2");
        assertThat(receiverAfter(p4, "suspect(2)")).isEqualTo("5");
        assertThat(receiverAfter(p4, "suspect(5)")).isEqualTo("3");
        assertThat(receiverAfter(p4, "suspect(1)", "suspect(3)")).isEqualTo("4");
        assertThat(receiverAfter(p4, "restore(5)")).isEqualTo("5");
        assertThat(receiverAfter(p4, "restore(2)")).isEqualTo("2");
    }

    /** To whom a process forwards what 5 has begun. */
    private String receiverAfter(Machine process, String... events) {
        process.after(events);
        List<String> effects = process.on(ring.own(5) + " from 1");
        assertThat(effects).hasSize(1);
        return effects.get(0).replaceAll(".*->", "");
    }

    @Test
    void nominationsCarryNoMark() {
        Machine p1 = process(1, 1);
        p1.on("start");
        assertThat(p1.on(ring.notation(Variant.FAITHFUL).parseEvent(ring.own(1) + " from 1")))
                .contains(new Effect.Nominate(0, Mark.NONE));
    }
}
