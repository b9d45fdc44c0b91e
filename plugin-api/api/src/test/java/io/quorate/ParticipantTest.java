package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;

/** Who contends, as Curator shows it. */
class ParticipantTest {

    @Test
    void equalPartsAreEqualParticipants() {
        Participant leader = new Participant("a", true);
        assertThat(leader)
                .isEqualTo(leader)
                .isEqualTo(new Participant("a", true))
                .hasSameHashCodeAs(new Participant("a", true))
                .isNotEqualTo(new Participant("a", false))
                .isNotEqualTo(new Participant("b", true))
                .isNotEqualTo(null)
                .isNotEqualTo("a");
    }

    @Test
    void theHashIsCurators() {
        assertThat(new Participant("a", true).hashCode()).isEqualTo(31 * "a".hashCode() + 1);
        assertThat(new Participant("a", false).hashCode()).isEqualTo(31 * "a".hashCode());
    }

    @Test
    void itShowsBothParts() {
        assertThat(new Participant("a", true)).hasToString("Participant{id='a', isLeader=true}");
    }

    @Test
    void withoutAnIdItCanBeReadAndNotHashed() {
        Participant nameless = new Participant(null, false);
        assertThat(nameless.getId()).isNull();
        assertThatNullPointerException().isThrownBy(nameless::hashCode);
    }
}
