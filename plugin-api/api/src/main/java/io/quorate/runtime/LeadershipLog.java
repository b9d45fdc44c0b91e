package io.quorate.runtime;

import io.quorate.core.step.Printable;
import io.quorate.core.step.Tenure;
import io.quorate.spi.NodeId;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Says in the log who begins and ceases to lead on this node: each with path, token and reason, and a node that wins or
 * loses thousands of paths in one line for all but the first. Of the driver's thread alone.
 */
final class LeadershipLog {

    /** So many lines per second are INFO; those beyond are DEBUG, and counted in one more line. */
    static final int LINES_PER_SECOND = 10;

    private static final long SECOND = 1_000_000_000;

    private final NodeId self;
    private final Logger log;
    private boolean isCounting;
    private long countingSince;
    private int lines;
    private int begun;
    private int ended;

    /** @param log of the driver: what happens on the node's thread has one logger */
    LeadershipLog(NodeId self, Logger log) {
        this.self = self;
        this.log = log;
    }

    void begins(Tenure tenure, long now) {
        Level level = level(now);
        begun += level == Level.DEBUG ? 1 : 0;
        log.atLevel(level).log("{}: node {} leads with token {}", Printable.of(tenure.path()), self, tenure.token());
    }

    void ends(Tenure tenure, String reason, long now) {
        Level level = level(now);
        ended += level == Level.DEBUG ? 1 : 0;
        log.atLevel(level)
                .log(
                        "{}: node {} no longer leads with token {}: {}",
                        Printable.of(tenure.path()),
                        self,
                        tenure.token(),
                        Printable.of(reason));
    }

    private Level level(long now) {
        turn(now);
        if (!isCounting) {
            isCounting = true;
            countingSince = now;
        }
        return lines++ < LINES_PER_SECOND ? Level.INFO : Level.DEBUG;
    }

    /** Time passes: what was left out is told when the second is over. */
    void turn(long now) {
        if (isCounting && now - countingSince >= SECOND) {
            tellRest();
        }
    }

    /** Says how many lines were left out since the last time. */
    void tellRest() {
        int more = begun;
        int fewer = ended;
        if (more > 0 || fewer > 0) {
            log.info(
                    "node {} leads {} more paths and has ceased to lead {} others, within a second;"
                            + " DEBUG has a line for each",
                    self,
                    more,
                    fewer);
        }
        isCounting = false;
        lines = 0;
        begun = 0;
        ended = 0;
    }
}
