package io.quorate.testkit.picture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A run as text. */
class TranscriptTest {

    private static String text(Recording recording, Focus focus) {
        return Transcript.of(recording, focus);
    }

    @Test
    void changesAreShown() {
        Recording run = Runs.ofTwo();
        assertThat(text(run, Focus.onChanges(List.of(run))))
                .isEqualTo(
                        """
                two <processes>
                a & b

                     0.000          cut a-b
                    10.000  a -> b  ASK, arrives 12.000
                    12.000  a       ASK from b => leader=a
                    12.000  a       takes a for the leader
                    12.000  a       LEADS
                    30.000  b -> a  ANSWER term=1, LOST
                    40.000  b       timer T => leader=b
                    40.000  b       takes b for the leader
                    40.000  b       LEADS with token 4
                    40.000          TOGETHER LEAD a and b
                           ... 1740.000 ms without a change
                  1900.000  b       is gone
                  1900.000  b       no longer leads with token 4
                  1950.000  a       suspects b
                  2000.000  a -> b  ASK term=2, arrives 2001.000, where nobody runs
                           ... 880.000 ms without a change

                In the end, at 3000.000 ms, a leads. There were 2 leaders at one instant; two or more for 1860.000 ms.
                """);
    }

    @Test
    void theWholeHasHeartbeatsToo() {
        Recording run = Runs.ofTwo();
        assertThat(text(run, Focus.onChanges(List.of(run)))).doesNotContain("HEARTBEAT");
        assertThat(text(run, Focus.whole(List.of(run))))
                .contains("    20.000  a -> b  HEARTBEAT, arrives 22.000")
                .doesNotContain("without a change");
    }

    @Test
    void aConflictLastsAsLongAsBothLead() {
        assertThat(Runs.ofTwo().conflicts())
                .containsExactly(new Recording.Conflict(40 * Runs.MILLI, 1900 * Runs.MILLI, "/p", List.of("a", "b")));
    }

    @Test
    void namesAreThoseOfTheDocuments() {
        record LeaderAck(long epoch) {}
        assertThat(Naming.of(new LeaderAck(3))).isEqualTo(new Naming("LEADER-ACK", "epoch=3"));
        assertThat(Naming.of("x".repeat(999)).fields()).hasSizeLessThan(300).endsWith("...");
    }

    // A message of somebody else has its line, and moves nothing on a terminal.
    @Test
    void foreignTextStaysInItsLine() {
        Recording.Message message =
                new Recording.Message("a", "b", 0, 1, Recording.Fate.ARRIVED, "ASK", "x\u001b[2J\nb LEADS", false);
        Recording run = new Recording(
                "t\u0007",
                "s\n",
                List.of("a", "b"),
                5,
                List.of(message),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0);
        assertThat(text(run, Focus.whole(List.of(run))))
                .startsWith("t\\u0007\ns\\u000a\n")
                .contains("ASK x\\u001b[2J\\u000ab LEADS, arrives")
                .doesNotContain("\u001b", "\nb LEADS");
    }

    @Test
    void aMessageThatCannotBeWrittenIsNoReasonToStop() {
        Object message = new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("never");
            }
        };
        assertThat(Naming.of(message).fields()).isEqualTo("cannot be written: java.lang.IllegalStateException");
    }

    // Between two times that are shown, each message is counted once, and none of their ends.
    @Test
    void messagesOfAWaitAreCounted() {
        List<Recording.Message> messages = new ArrayList<>();
        for (int number = 0; number < 400; number++) {
            long sent = number / 2 * 10 * Runs.MILLI;
            messages.add(new Recording.Message(
                    "a", "b", sent, sent + 1, Recording.Fate.ARRIVED, "ASK", "", number % 5 == 0));
        }
        List<Recording.Mark> marks = List.of(
                new Recording.Mark(600 * Runs.MILLI, Optional.empty(), "one"),
                new Recording.Mark(1400 * Runs.MILLI, Optional.empty(), "two"));
        Recording run = new Recording(
                "",
                "",
                List.of("a", "b"),
                2000 * Runs.MILLI,
                messages,
                marks,
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                0);
        String text = text(run, Focus.onChanges(List.of(run)));
        int counted = Pattern.compile(", ([0-9]+) messages")
                .matcher(text)
                .results()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .sum();
        long shown = text.lines().filter(line -> line.contains("ASK")).count();
        assertThat(text.lines().filter(line -> line.contains(" messages"))).hasSize(3);
        assertThat(counted + shown).isEqualTo(320);
    }
}
