package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Mark;
import io.quorate.spi.Message;
import io.quorate.spi.Variant;
import io.quorate.spi.WireWriter;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Messages and states in the words of a document. Only the names of the records matter, and those of their components. */
class LabWordsTest {

    private static final List<String> NAMES = List.of("P1", "P2", "P3");

    private interface Sent extends Message {
        @Override
        default void writeTo(WireWriter out) {}
    }

    private record Attempt(long incarnation, long number) {}

    private record Probe(int id, Attempt attempt, long maxTerm, int hops) implements Sent {}

    private record Request(long round, Mark bmax, long incarnation) implements Sent {}

    private record Priorities(TreeMap<Integer, Long> byProcess) {}

    private record Version(long epoch, long timestamp) {}

    private record Held(Priorities list, Version version) {}

    private record Report(long key, Held held, long ownPriority) implements Sent {}

    private record Heartbeat(String said) {}

    private record RingState(int leader, boolean participating, Set<Integer> suspects) {}

    private record FaithfulTokenRingState(RingState shared, List<Integer> ring) {}

    private static LabWords of(String algorithm, Variant variant) {
        return new LabWords(algorithm, variant, NAMES);
    }

    private static final Probe PROBE = new Probe(2, new Attempt(0, 0), 0, 0);

    @Test
    void documentedMessageHasTheFieldsOfItsDocument() {
        assertThat(of("lcr", Variant.FAITHFUL).of(PROBE).fields()).isEqualTo("id=P3");
        assertThat(of("lcr", Variant.HARDENED).of(PROBE).fields()).isEqualTo("id=P3 attempt=(0,0) maxTerm=0 hops=0");
        assertThat(of("ballot", Variant.FAITHFUL)
                        .of(new Request(3, new Mark(1, 0, 1), 1))
                        .text())
                .isEqualTo("REQ round=3 bmax=(1,P1)");
        assertThat(of("ballot", Variant.HARDENED)
                        .of(new Request(3, Mark.NONE, 1))
                        .text())
                .isEqualTo("REQ round=3 bmax=- life=1");
    }

    @Test
    void listsKeepTheirOrderAndSetsHaveBraces() {
        Object state = new FaithfulTokenRingState(new RingState(-1, true, Set.of(2)), List.of(2, 0));
        assertThat(of("token-ring", Variant.FAITHFUL).state(state)).isEqualTo("leader=- ring=(P3,P1) part=true S={P3}");
    }

    // In the words of a record it is longer than what is kept of one.
    @Test
    void longMessageIsTakenApart() {
        TreeMap<Integer, Long> list = new TreeMap<>();
        for (int process = 0; process < 9; process++) {
            list.put(process, -2_000_000_000L);
        }
        Report report = new Report(1, new Held(new Priorities(list), new Version(0, 4)), -2_000_000_000L);
        assertThat(of("three-phase", Variant.FAITHFUL).of(report).fields())
                .startsWith("sender=P2 list={P1:-2000000000,")
                .endsWith(",8:-2000000000} timestamp=4");
    }

    // The lease has a HEARTBEAT too.
    @Test
    void messageOfTheLeaseKeepsItsName() {
        assertThat(of("three-phase", Variant.HARDENED)
                        .of(new Heartbeat("a, b=[c]"))
                        .text())
                .isEqualTo("HEARTBEAT said=a, b=[c]");
    }

    // Text of others, and what is no record.
    @Test
    void otherTextStaysAsItIs() {
        assertThat(of("bully", Variant.FAITHFUL).state("x.Y[")).isEqualTo("x.Y[");
        assertThat(of("roll-call", Variant.FAITHFUL).state(new Attempt(1, 2)))
                .isEqualTo("Attempt[incarnation=1, number=2]");
        assertThat(of("roll-call", Variant.FAITHFUL).of(PROBE).fields()).startsWith("id=2, attempt=Attempt[");
    }

    @Test
    void numbersOutsideTheClusterStayNumbers() {
        assertThat(of("lcr", Variant.FAITHFUL)
                        .of(new Probe(7, new Attempt(0, 0), 0, 0))
                        .fields())
                .isEqualTo("id=7");
    }
}
