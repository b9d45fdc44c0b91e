package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.quorate.algorithms.Foreign;
import io.quorate.algorithms.Machine;
import io.quorate.spi.Event;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes from peers is never an exception; what only the host can do wrong is one. */
class ThreePhaseInputTest {

    // Peer input is never an exception: from nobody, from ourselves, of nobody, or of another algorithm.
    @ParameterizedTest
    @EnumSource(Variant.class)
    void messagesThatMakeNoSenseAreIgnored(Variant variant) {
        Machine p1 = Machines.of(1, "5,7,9", new Options(variant, true, false));
        p1.on("start");
        Object state = p1.election().snapshot();
        String rest = variant == Variant.HARDENED ? ",7" : "";
        String[] messages = {
            "START(7)",
            "OK(7,(0,1,2))",
            "ACK(0)",
            "COLLECT(0)",
            "ACK_REPORT({0:1},0)",
            "LACK(0)",
            "HBACK(1)",
            "MESSAGE(1,{0:1},0" + rest + ")",
            variant == Variant.HARDENED ? "LEADER(0,7,{})" : "LEADER(0)"
        };
        for (String message : messages) {
            for (int from : new int[] {-1, 1, 3, 1000}) {
                assertThat(p1.on(message + " from " + from))
                        .as("%s from %d", message, from)
                        .isEmpty();
            }
        }
        for (String message : new String[] {
            "OK(0,(0,1,3)) from 0",
            "OK(1,(0,1,2)) from 0",
            "COLLECT(0) from 2",
            "MESSAGE(1,{3:1},0" + rest + ") from 0",
            "LACK(0) from 0",
            "HBACK(1) from 0",
            variant == Variant.HARDENED ? "LEADER(3,7,{}) from 0" : "LEADER(3) from 0"
        }) {
            assertThat(p1.on(message)).as(message).isEmpty();
        }
        assertThat(p1.on(new Event.Received(0, new Foreign()))).isEmpty();
        assertThat(p1.after("suspect(0)", "suspect(9)", "restore(0)"))
                .as("E has its own detector")
                .isEmpty();
        assertThat(p1.election().snapshot()).isEqualTo(state);
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void bugsOfTheHostAreFound(Variant variant) {
        Machine p1 = Machines.of(1, "5,7,9", new Options(variant, false, false));
        p1.on("start");
        assertThatIllegalStateException().isThrownBy(() -> p1.on("start"));
        assertThatIllegalStateException().isThrownBy(() -> p1.on("timer TASK0")).withMessageContaining("TASK0");
        assertThatIllegalStateException().isThrownBy(() -> p1.on("timer X")).withMessageContaining("X");
        Machine other = Machines.of(1, "5,7,9", new Options(variant, false, false));
        assertThatIllegalStateException().isThrownBy(() -> other.on("start leader=3"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Machines.setup(Membership.of(0, 2), new Options(variant, false, false), "1,2,3"));
    }
}
