package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.simulation.TenureFixture;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Ten lines a second, and one for all the others. */
class LeadershipLogTest {

    private static final long SECOND = 1_000_000_000;
    private static final String REST = "node n1 leads %d more paths and has ceased to lead %d others, within a second;"
            + " DEBUG has a line for each";

    private final CapturedLog captured = CapturedLog.atInfo(LeadershipLog.class);
    private final LeadershipLog log = new LeadershipLog(new NodeId("n1"), LoggerFactory.getLogger(LeadershipLog.class));

    @AfterEach
    void restore() {
        captured.close();
    }

    private static Tenure tenure(int number) {
        return TenureFixture.tenure("/p" + number, number, 0);
    }

    private List<String> lines() {
        List<String> lines = captured.lines("INFO").stream()
                .map(line -> line.substring(line.indexOf(" - ") + " - ".length()))
                .toList();
        captured.forget();
        return lines;
    }

    @Test
    void beginningAndEndAreSaidWithTokenAndReason() {
        log.begins(tenure(7), 0);
        log.ends(tenure(7), "its lease\nran out", 1);
        log.tellRest();
        assertThat(lines())
                .containsExactly(
                        "/p7: node n1 leads with token 7",
                        "/p7: node n1 no longer leads with token 7: its lease\\u000aran out");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -SECOND / 2, Long.MAX_VALUE - SECOND / 2})
    void whatIsBeyondTenLinesIsCountedUntilTheSecondIsOver(long begun) {
        for (int path = 1; path <= 12; path++) {
            log.begins(tenure(path), begun + path - 1);
        }
        for (int path = 1; path <= 3; path++) {
            log.ends(tenure(path), "closed", begun + SECOND - 1);
        }
        assertThat(lines())
                .hasSize(LeadershipLog.LINES_PER_SECOND)
                .last()
                .isEqualTo("/p10: node n1 leads with token 10");
        log.turn(begun + SECOND - 1);
        assertThat(lines()).isEmpty();
        log.turn(begun + SECOND);
        assertThat(lines()).containsExactly(String.format(REST, 2, 3));
        log.turn(begun + 2 * SECOND);
        log.tellRest();
        assertThat(lines()).as("once").isEmpty();
    }

    // ---------------------------------------------------------------- of others

    private static Optional<ContenderRecord> leader(String node, long token) {
        ContenderId id = new ContenderId(new NodeId(node), 1, 1);
        return Optional.of(new ContenderRecord(id, node, 1, 0, token, token));
    }

    @Test
    void theLeaderElsewhereIsSaidOncePerLeadership() {
        log.hears("/p", Optional.empty(), 0);
        log.hears("/p", leader("n2", 7), 1);
        log.hears("/p", leader("n2", 7), 2);
        log.hears("/p", Optional.empty(), 3);
        log.hears("/p", leader("n2", 7), 4);
        assertThat(lines()).containsExactly("/p: node n1 hears that node n2 leads with token 7");
        log.hears("/p", leader("n3", 8), 5);
        log.hears("/p", leader("n2", 7), 6);
        assertThat(lines())
                .as("a voter that is late names the former leader")
                .containsExactly("/p: node n1 hears that node n3 leads with token 8");
        log.hears("/p", leader("n3", 9), 7);
        assertThat(lines()).containsExactly("/p: node n1 hears that node n3 leads with token 9");
    }

    @Test
    void ownLeadershipHasExactlyOneLine() {
        log.begins(tenure(7), 0);
        log.hears("/p7", leader("n1", 7), 0);
        log.hears("/p7", leader("n2", 6), 1);
        assertThat(lines()).containsExactly("/p7: node n1 leads with token 7");
    }

    @Test
    void aPathThatIsForgottenIsSaidAnew() {
        log.hears("/p", leader("n2", 7), 0);
        log.forgets("/p");
        log.hears("/p", leader("n2", 7), 1);
        assertThat(lines()).hasSize(2);
    }

    @Test
    void manyLeadersElsewhereTakeNoLineFromThoseHere() {
        for (int path = 1; path <= 12; path++) {
            log.hears("/p" + path, leader("n2", path), 0);
        }
        for (int path = 21; path <= 32; path++) {
            log.begins(tenure(path), 1);
        }
        log.turn(SECOND);
        assertThat(lines())
                .hasSize(2 * LeadershipLog.LINES_PER_SECOND + 2)
                .contains("/p10: node n1 hears that node n2 leads with token 10", "/p30: node n1 leads with token 30")
                .endsWith(
                        String.format(REST, 2, 0),
                        "node n1 hears that others lead 2 more paths, within a second; DEBUG has a line for each");
    }

    @Test
    void theNextSecondHasItsOwnLines() {
        for (int path = 1; path <= 11; path++) {
            log.begins(tenure(path), 0);
        }
        log.ends(tenure(1), "closed", SECOND);
        assertThat(lines())
                .hasSize(12)
                .endsWith(String.format(REST, 1, 0), "/p1: node n1 no longer leads with token 1: closed");
        for (int path = 1; path <= 9; path++) {
            log.ends(tenure(path), "closed", 2 * SECOND - 1);
        }
        assertThat(lines()).hasSize(9);
        log.ends(tenure(10), "closed", 2 * SECOND - 1);
        assertThat(lines()).isEmpty();
        log.tellRest();
        assertThat(lines()).containsExactly(String.format(REST, 0, 1));
    }
}
