package io.quorate.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Fnv64Test {

    // The published test vectors of FNV-1a, behind which one byte follows that no UTF-8 text holds.
    @Test
    void sameOnEveryNode() {
        assertThat(new Fnv64().value()).isEqualTo(0xcbf29ce484222325L);
        long afterFoobar = 0x85944171f73967e8L;
        assertThat(new Fnv64().add("foobar").value()).isEqualTo((afterFoobar ^ 0xff) * 0x100000001b3L);
    }

    @Test
    void tellsApartWhereOneTextEnds() {
        assertThat(new Fnv64().add("ab").add("c").value())
                .isNotEqualTo(new Fnv64().add("a").add("bc").value());
        assertThat(new Fnv64().add(1).value()).isNotEqualTo(new Fnv64().add(256).value());
    }
}
