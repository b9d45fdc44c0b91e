package io.quorate.compare;

import java.util.List;
import java.util.Optional;

/**
 * What some nodes say of all latches that they opened at once.
 *
 * @param led       how many lead now
 * @param lastLed   when one came to lead last, 0 if none has
 * @param losses    how often one has lost its leadership since the last mark
 * @param suspended how often the connection of a node was SUSPENDED since its start
 * @param lost      how often it was LOST
 */
record Progress(long led, long lastLed, long losses, long suspended, long lost) {

    private static final Progress NONE = new Progress(0, 0, 0, 0, 0);

    static Progress of(List<NodeHandle> nodes) {
        Progress all = NONE;
        for (NodeHandle node : nodes) {
            long[] said = node.askNumbers("led");
            all = new Progress(
                    all.led + said[0],
                    Math.max(all.lastLed, said[2]),
                    all.losses + said[3],
                    all.suspended + said[4],
                    all.lost + said[5]);
        }
        return all;
    }

    /** What was counted since then, without a mark between. */
    Progress since(Progress earlier) {
        return new Progress(led, lastLed, losses - earlier.losses, suspended - earlier.suspended, lost - earlier.lost);
    }

    /** Waits until so many latches of these nodes lead; answers what they said then, empty if not in time. */
    static Optional<Progress> awaitLed(List<NodeHandle> nodes, int latches, long nanosMax, long pollMillis) {
        long deadline = System.nanoTime() + nanosMax;
        while (true) {
            Progress now = of(nodes);
            if (now.led >= latches) {
                return Optional.of(now);
            }
            if (System.nanoTime() - deadline > 0) {
                return Optional.empty();
            }
            Trials.sleep(pollMillis);
        }
    }
}
