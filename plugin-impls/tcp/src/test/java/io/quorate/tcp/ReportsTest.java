package io.quorate.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.tcp.Wire.Answer;
import io.quorate.testkit.CapturedLog;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a peer that was never reached, with the time under control. */
class ReportsTest {

    private static final String REFUSED = "Connection refused";

    private final CapturedLog log = CapturedLog.atInfo(TcpTransport.class);
    private final Peer peer = new Peer(new NodeId("b"));
    private long now;
    private final Reports reports = new Reports(new NodeId("a"), () -> now);

    ReportsTest() {
        peer.isListed = true;
        peer.address = Optional.of(new HostAndPort("10.0.0.2", 7401));
    }

    @AfterEach
    void close() {
        log.close();
    }

    // A peer that was stopped in the meantime refuses nothing.
    @Test
    void problemsEndWithTheRefusal() {
        reports.refused(peer, Answer.CLUSTER, "the node there is of cluster 'x'");
        assertThat(reports.problems())
                .containsExactly(
                        new Problem(Problem.Kind.MISMATCH, "b at 10.0.0.2:7401: the node there is of cluster 'x'"));
        reports.notSecured(peer, "no TLS within 2 s");
        assertThat(reports.problems())
                .containsExactly(new Problem(Problem.Kind.TLS, "no TLS with b at 10.0.0.2:7401: no TLS within 2 s"));
        lostAt(0);
        assertThat(reports.problems()).isEmpty();
        reports.refused(peer, Answer.BUSY, "busy");
        reports.secondProcess(peer, "is connected already");
        assertThat(reports.problems()).extracting(Problem::kind).containsOnly(Problem.Kind.SECOND_PROCESS);
        reports.reached(peer);
        assertThat(reports.problems()).extracting(Problem::text).containsExactly("b is connected already");
    }

    // Contenders come and go, and an operator who wants to know finds them in the log.
    @Test
    void refusalsOfNodesThatAreNotListedAreNoProblem() {
        peer.isListed = false;
        reports.refused(peer, Answer.NO_ROOM, "no room");
        reports.secondProcess(peer, "is connected already");
        assertThat(reports.problems()).isEmpty();
    }

    private void lostAt(long nanos) {
        now = nanos;
        reports.lost(peer, REFUSED);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -Reports.MISSING_NANOS / 2, Long.MAX_VALUE - Reports.MISSING_NANOS / 2})
    void aPeerThatIsNeverReachedIsToldOnceWithAddressAndCure(long begin) {
        lostAt(begin);
        lostAt(begin + Reports.MISSING_NANOS - 1);
        assertThat(log.lines()).hasSize(1);
        log.forget();
        lostAt(begin + Reports.MISSING_NANOS);
        assertThat(log.lines())
                .hasSize(1)
                .first()
                .asString()
                .startsWith("WARN ")
                .endsWith(
                        "a: b was never reached at 10.0.0.2:7401 in 60 s (Connection refused): start it, fix the reported"
                                + " error, or correct its address in the peers of this node; retrying");
        lostAt(begin + 10 * Reports.MISSING_NANOS);
        assertThat(log.lines()).hasSize(1);
    }

    @Test
    void aPeerThatCameInTimeIsNotToldOf() {
        lostAt(0);
        reports.reached(peer);
        log.forget();
        lostAt(2 * Reports.MISSING_NANOS);
        lostAt(4 * Reports.MISSING_NANOS);
        assertThat(log.lines("never reached")).isEmpty();
        assertThat(log.lines("cannot reach b at 10.0.0.2:7401 any more")).hasSize(1);
    }

    @Test
    void aPeerThatAnswersIsReached() {
        lostAt(0);
        reports.refused(peer, Answer.CLUSTER, "another cluster");
        lostAt(2 * Reports.MISSING_NANOS);
        assertThat(log.lines("never reached")).isEmpty();
    }
}
