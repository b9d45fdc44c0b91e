package io.quorate.core.voters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VoterListTest {

    /** As text: {@code n1 n2:7} are n1 with any store and n2 with store 7. */
    private static VoterList config(long number, long floor, String members) {
        return new VoterList(
                number,
                floor,
                Stream.of(members.split(" "))
                        .map(word -> word.split(":"))
                        .map(parts -> new Member(
                                new NodeId(parts[0]),
                                parts.length == 1 ? 0 : Long.parseLong(parts[1]),
                                Optional.empty()))
                        .toList());
    }

    @ParameterizedTest
    @CsvSource({
        "n1 n2 n3, n1 n2 n3 n4, true",
        "n1 n2 n3, n1 n2, true",
        "n1, n1 n2, true",
        // The first change fills in the stores that number 1 has not.
        "n1 n2 n3, n1:1 n2:2, true",
        "n1 n2 n3, n1:1 n2:2 n3:3 n4:4, true",
        "n1 n2 n3, n1 n2 n3, false",
        "n1 n2 n3, n1:1 n2:2 n3:3, false",
        "n1 n2 n3, n1 n2 n4, false",
        "n1 n2 n3, n1, false",
        // A new directory under an old name is another voter: one out and one in.
        "n1:1 n2:2 n3:3, n1:1 n2:2 n3:9, false",
        "n1:1 n2:2 n3:3, n1:1 n2:2 n3:3 n4:4, true",
    })
    void oneVoterIsTheStep(String from, String to, boolean mayBecome) {
        assertThat(config(7, 5, from).mayBecome(config(8, 5, to))).isEqualTo(mayBecome);
    }

    @Test
    void theNumberIsTheNextAndTheFloorNeverFalls() {
        VoterList three = config(7, 5, "n1 n2 n3");
        assertThat(three.mayBecome(config(8, 6, "n1 n2"))).isTrue();
        assertThat(three.mayBecome(config(8, 4, "n1 n2"))).isFalse();
        assertThat(three.mayBecome(config(7, 6, "n1 n2"))).isFalse();
        assertThat(three.mayBecome(config(9, 6, "n1 n2"))).isFalse();
    }

    // docs/reconfiguration.md, section on safety: this is what a step of one voter is for.
    @Test
    void majoritiesOfNeighboursMeet() {
        for (int size = 1; size <= 6; size++) {
            VoterList one = config(1, 0, names(size));
            VoterList next = config(2, 0, names(size + 1));
            for (int some = 0; some < 1 << size + 1; some++) {
                int others = ~some & (1 << size + 1) - 1;
                int inOne = Integer.bitCount(some & (1 << size) - 1);
                assertThat(one.isMajority(inOne) && next.isMajority(Integer.bitCount(others)))
                        .as("%d voters, %s against the others", size, Integer.toBinaryString(some))
                        .isFalse();
            }
        }
    }

    private static String names(int size) {
        return String.join(
                " ", IntStream.rangeClosed(1, size).mapToObj(i -> "n" + i).toList());
    }

    @Test
    void aNodeWithAnotherDirectoryIsNoVoter() {
        VoterList config = config(2, 0, "n1:1 n2");
        assertThat(config.names(new NodeId("n1"), 1)).isTrue();
        assertThat(config.names(new NodeId("n1"), 2)).isFalse();
        assertThat(config.names(new NodeId("n1"), 0)).as("without a directory").isFalse();
        assertThat(config.names(new NodeId("n2"), 2))
                .as("nobody knows its directory")
                .isFalse();
        assertThat(config.names(new NodeId("n2"), 0)).isFalse();
        assertThat(config.names(new NodeId("n3"), 1)).isFalse();
        VoterList first = VoterList.first(List.of(new NodeId("n1")));
        assertThat(first.names(new NodeId("n1"), 0)).isTrue();
        assertThat(first.names(new NodeId("n1"), 7)).isTrue();
    }

    @Test
    void theDigestIsOfNumberFloorAndVotersButNotOfAddresses() {
        VoterList config = config(2, 3, "n1:1 n2:2");
        assertThat(config.hash()).isEqualTo(config(2, 3, "n2:2 n1:1").hash());
        assertThat(Stream.of(config(3, 3, "n1:1 n2:2"), config(2, 4, "n1:1 n2:2"), config(2, 3, "n1:1 n2:3"))
                        .map(VoterList::hash))
                .doesNotContain(config.hash());
        List<Member> moved = new ArrayList<>(config.members());
        moved.set(0, new Member(new NodeId("n1"), 1, Optional.of(new HostAndPort("elsewhere", 1))));
        assertThat(new VoterList(2, 3, moved).hash()).isEqualTo(config.hash());
    }

    @Test
    void wrongListsAreRefusedWithTheirValues() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new VoterList(2, 0, List.of()))
                .withMessage("voters []: must be 1 to 15");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(2, 0, names(16)))
                .withMessageEndingWith(": must be 1 to 15");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(2, 0, "n1 n1"))
                .withMessage("voters [n1, n1]: each must be given once");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(-1, 0, "n1"))
                .withMessage("number -1: must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> config(1, -1, "n1"))
                .withMessage("floor -1: must not be negative");
        assertThat(VoterList.NONE.isMajority(0)).isFalse();
    }

    @Test
    void encodedListIsDecoded() throws MalformedInputException {
        VoterList written = config(7, 5, "n1:3 n2");
        WireWriter out = new WireWriter();
        written.writeTo(out);
        VoterList read = VoterList.read(new WireReader(out.toBytes()));
        assertThat(read).isEqualTo(written).hasSameHashCodeAs(written).isNotSameAs(written);
        assertThat(read.floor()).isEqualTo(5);
        assertThat(Stream.of(config(8, 5, "n1:3 n2"), config(7, 6, "n1:3 n2"), config(7, 5, "n1:4 n2"), "n1"))
                .doesNotContain(read);
        assertThat(List.of(config(8, 5, "n1:3 n2"), config(7, 6, "n1:3 n2"), config(7, 5, "n1:4 n2")))
                .noneMatch(other -> other.hashCode() == read.hashCode());
    }

    @Test
    void numbersOfAListHaveARange() {
        long max = WireReader.NUMBER_MAX;
        assertThat(config(1, 0, "n1").isInRange()).isTrue();
        assertThat(config(max, VoterList.FLOOR_MAX, "n1:" + max).isInRange()).isTrue();
        assertThat(VoterList.NONE.isInRange()).isFalse();
        assertThat(config(1, VoterList.FLOOR_MAX + 1, "n1").isInRange()).isFalse();
        assertThat(List.of(VoterList.isFloor(0), VoterList.isFloor(-1))).containsExactly(true, false);
        assertThat(IntStream.of(0, 1, 15, 16).mapToObj(VoterList::isSize)).containsExactly(false, true, true, false);
    }

    @Test
    void aListThatIsTooFarAboveWasMadeUp() {
        assertThat(config(7, 0, "n1").isFarBelow(config(7 + (1L << 40), 0, "n1")))
                .isFalse();
        assertThat(config(7, 0, "n1").isFarBelow(config(8 + (1L << 40), 0, "n1")))
                .isTrue();
    }
}
