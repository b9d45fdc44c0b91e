package io.quorate.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of nodes and the addresses at which they are reached. */
class NodeIdTest {

    @Test
    void lettersDigitsDotsUnderscoresAndHyphensAreLegalAndNothingElse() {
        StringBuilder legal = new StringBuilder();
        for (char character = 0; character < 0x250; character++) {
            try {
                legal.append(new NodeId(String.valueOf(character)));
            } catch (IllegalArgumentException e) {
                assertThat(e)
                        .hasMessage("node id '" + character
                                + "': must be 1 to 64 characters out of letters, digits, '.', '_' and '-'");
            }
        }
        assertThat(legal).hasToString("-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");
    }

    @Test
    void aNameHasOneTo64Characters() {
        assertThat(new NodeId("n".repeat(64)).value()).hasSize(64);
        for (String illegal : new String[] {"", "n".repeat(65), "n 1", null}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new NodeId(illegal))
                    .withMessageStartingWith("node id '" + illegal + "': must be 1 to 64 characters");
        }
    }

    @Test
    void namesAreOrderedByTheirCharacters() {
        List<NodeId> nodes = new ArrayList<>();
        for (String name : List.of("n2", "n10", "N3", "n")) {
            nodes.add(new NodeId(name));
        }
        Collections.sort(nodes);
        assertThat(nodes).extracting(NodeId::value).containsExactly("N3", "n", "n10", "n2");
        assertThat(new NodeId("n2")).isNotEqualTo(new NodeId("n3")).isNotEqualTo("n2");
    }

    @ParameterizedTest
    @CsvSource({"h, 1, h:1", "h, 65535, h:65535", "::1, 80, [::1]:80", "10.0.0.1, 80, 10.0.0.1:80"})
    void anAddressShowsItselfAsItIsWritten(String host, int port, String text) {
        assertThat(new HostAndPort(host, port)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65536})
    void aPortIsFromOneTo65535(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new HostAndPort("h", port))
                .withMessage("port " + port + ": must be from 1 to 65535");
    }

    @Test
    void aHostIsOneWord() {
        for (String empty : new String[] {null, "", " "}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new HostAndPort(empty, 1))
                    .withMessage("host '" + empty + "': must not be empty");
        }
        for (String several : new String[] {"a b", "a\n", "a\u0007"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new HostAndPort(several, 1))
                    .withMessage("host '" + several + "': must be a name or an address, without blanks");
        }
    }

    @Test
    void aNodeThatListensHasAnAddressItself() {
        NodeId n1 = new NodeId("n1");
        HostAndPort at = new HostAndPort("0.0.0.0", 7400);
        assertThat(new TransportProvider.Settings("c", n1, Map.of()).addresses())
                .isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TransportProvider.Settings("c", n1, Map.of(), Optional.of(at), Optional.empty()))
                .withMessage("node n1: is not among the addresses {}, so no node would look for it at 0.0.0.0:7400");
    }
}
