package io.quorate.runtime;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.step.Printable;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/**
 * Says in the log who begins and ceases to lead on this node, each with path, token and reason, and once each
 * leadership of another node that this one hears of. With thousands of paths, all but the first are in one line.
 * Confined to the driver's thread.
 */
final class LeadershipLog {

    /** The number of lines of each kind per second at INFO; further ones are DEBUG, and counted in one more line. */
    static final int LINES_PER_SECOND = 10;

    private static final long SECOND = 1_000_000_000;

    private final NodeId self;
    private final Logger log;
    private boolean isCounting;
    private long countingSince;
    private int lines;
    private int begun;
    private int ended;

    /** Counts lines about other leaders apart: a node that hears of many still logs what it leads itself. */
    private int linesOfOthers;

    private int heard;

    /** The last leader of each path of this node; the record is the one that the node has anyway. */
    private final Map<String, ContenderRecord> leaders = new HashMap<>();

    /** @param log of the driver: all lines of the node's thread have one logger */
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
        say(level, "{}: node {} no longer leads with token {}: {}", tenure, reason);
    }

    void leaves(Tenure tenure, String reason, long now) {
        say(level(now), "{}: node {} leaves with token {} when its work is done: {}", tenure, reason);
    }

    void stays(Tenure tenure, String reason, long now) {
        say(level(now), "{}: node {} leads on with token {}: {}", tenure, reason);
    }

    private void say(Level level, String line, Tenure tenure, String reason) {
        log.atLevel(level).log(line, Printable.of(tenure.path()), self, tenure.token(), Printable.of(reason));
    }

    /** Logs the leader of a path where this node contends or watches. */
    void hears(String path, Optional<ContenderRecord> leader, long now) {
        if (leader.isEmpty()) {
            return;
        }
        ContenderRecord next = leader.get();
        ContenderRecord last = leaders.get(path);
        // A late voter may still name a former leader.
        if (last != null && next.token() <= last.token()) {
            return;
        }
        leaders.put(path, next);
        if (!next.id().node().equals(self)) {
            begin(now);
            boolean hasLine = linesOfOthers++ < LINES_PER_SECOND;
            heard += hasLine ? 0 : 1;
            log.atLevel(hasLine ? Level.INFO : Level.DEBUG)
                    .log(
                            "{}: node {} hears that node {} leads with token {}",
                            Printable.of(path),
                            self,
                            next.id().node(),
                            next.token());
        }
    }

    void forgets(String path) {
        leaders.remove(path);
    }

    private Level level(long now) {
        begin(now);
        return lines++ < LINES_PER_SECOND ? Level.INFO : Level.DEBUG;
    }

    private void begin(long now) {
        turn(now);
        if (!isCounting) {
            isCounting = true;
            countingSince = now;
        }
    }

    /** Time passes: the summary of omitted lines is logged when the second is over. */
    void turn(long now) {
        if (isCounting && now - countingSince >= SECOND) {
            tellRest();
        }
    }

    /** Says how many lines were left out since the last time. */
    void tellRest() {
        if (begun > 0 || ended > 0) {
            log.info(
                    "node {} leads {} more paths and has ceased to lead {} others, within a second;"
                            + " DEBUG has a line for each",
                    self,
                    begun,
                    ended);
        }
        if (heard > 0) {
            log.info(
                    "node {} hears that others lead {} more paths, within a second; DEBUG has a line for each",
                    self,
                    heard);
        }
        isCounting = false;
        linesOfOthers = 0;
        heard = 0;
        lines = 0;
        begun = 0;
        ended = 0;
    }
}
