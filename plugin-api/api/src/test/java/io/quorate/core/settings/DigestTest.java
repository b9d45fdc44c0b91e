package io.quorate.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DigestTest {

    // The published test vectors of FNV-1a, behind which one byte follows that no UTF-8 text holds.
    @Test
    void sameOnEveryNode() {
        assertThat(new Digest().value()).isEqualTo(0xcbf29ce484222325L);
        long afterFoobar = 0x85944171f73967e8L;
        assertThat(new Digest().add("foobar").value()).isEqualTo((afterFoobar ^ 0xff) * 0x100000001b3L);
    }

    @Test
    void tellsApartWhereOneTextEnds() {
        assertThat(new Digest().add("ab").add("c").value()).isNotEqualTo(new Digest().add("a").add("bc").value());
        assertThat(new Digest().add(1).value()).isNotEqualTo(new Digest().add(256).value());
    }
}
