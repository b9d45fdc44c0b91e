package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Variant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Messages and states in the words of a document. */
class LabWordsTest {

    private static final List<String> NAMES = List.of("P1", "P2", "P3");

    private static LabWords of(String algorithm, Variant variant) {
        return new LabWords(algorithm, variant, NAMES);
    }

    @Test
    void documentedMessageHasTheFieldsOfItsDocument() {
        String probe = "id=2, attempt=Attempt[incarnation=0, number=0], maxTerm=0, hops=1";
        assertThat(of("lcr", Variant.FAITHFUL).fields("PROBE", probe)).isEqualTo("id=P3");
        assertThat(of("lcr", Variant.HARDENED).fields("PROBE", probe))
                .isEqualTo("id=P3 attempt=(0,0) maxTerm=0 hops=1");
        assertThat(of("ballot", Variant.FAITHFUL).name("REQUEST")).isEqualTo("REQ");
        assertThat(of("ballot", Variant.FAITHFUL)
                        .fields("REQUEST", "round=3, bmax=Mark[term=1, process=0, incarnation=1], incarnation=1"))
                .isEqualTo("round=3 bmax=(1,P1)");
    }

    @Test
    void listsKeepTheirOrderAndSetsHaveBraces() {
        String state =
                "FaithfulTokenRingState[shared=RingState[leader=-1, participating=true, suspects=[2]], ring=[2, 0]]";
        assertThat(of("token-ring", Variant.FAITHFUL).state(state)).isEqualTo("leader=- ring=(P3,P1) part=true S={P3}");
    }

    // Text of others, and text that cannot be taken apart.
    @Test
    void otherTextStaysAsItIs() {
        assertThat(of("bully", Variant.FAITHFUL).state("cannot be written: x.Y["))
                .isEqualTo("cannot be written: x.Y[");
        assertThat(of("roll-call", Variant.FAITHFUL).state("State[leader=1]")).isEqualTo("State[leader=1]");
        assertThat(of("lcr", Variant.FAITHFUL).fields("PROBE", "id=2, attempt=Attempt[inc..."))
                .isEqualTo("id=2, attempt=Attempt[inc...");
    }

    @Test
    void numbersOutsideTheClusterStayNumbers() {
        assertThat(of("lcr", Variant.FAITHFUL).fields("SELECTED", "id=7, term=0, maxTerm=0, hops=0"))
                .isEqualTo("id=7");
    }
}
