package io.quorate.runtime;

import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.spi.NodeId;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;

/**
 * Warns once of each outage of a node, if it lasts. The lines that it begins with are INFO, because others may lead on;
 * a node that stays without a majority leads nothing until somebody acts. Confined to the driver's thread.
 */
final class OutageLog {

    static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final NodeId self;
    private final Logger log;
    private long since;
    private boolean isOver;

    /** The node starts now. */
    OutageLog(NodeId self, Logger log, long now) {
        this.self = self;
        this.log = log;
        since = now;
    }

    void onConnectionChanged(Connection connection, long now) {
        since = now;
        isOver = connection != Connection.LOST;
    }

    void turn(Engine.Support support, long now) {
        if (isOver || now - since < PATIENCE) {
            return;
        }
        isOver = true;
        log.warn(
                "node {}: no majority of voters has supported this node for {} s, so it leads nothing: supported by {} of"
                        + " {}. Start the voters that do not answer, or fix the faults that the lines above report",
                self,
                TimeUnit.NANOSECONDS.toSeconds(PATIENCE),
                support.supporters(),
                support.voters());
    }
}
