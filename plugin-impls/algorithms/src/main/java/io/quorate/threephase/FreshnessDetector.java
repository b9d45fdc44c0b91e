package io.quorate.threephase;

import io.quorate.spi.Check;
import io.quorate.spi.WireWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Phase 1 at a process that follows a leader: until when the leader is trusted without another heartbeat. This is the
 * detector NFD-E of Chen, Toueg and Aguilera: the sender's clock is unknown, so the expected arrival of the next
 * heartbeat is an average over the last ones that came.
 *
 * @param highest  l: the highest heartbeat number received (G1: 0 before the first)
 * @param arrivals the last heartbeats received, oldest first; never changed
 */
record FreshnessDetector(long highest, List<Arrival> arrivals) {

    /** w: how many heartbeats the average is taken over. */
    static final int WINDOW = 32;

    /** G21: an older one says nothing about the next, and so no number that a peer makes up can cause an overflow. */
    static final long GAP_MAX = 1 << 16;

    /** L1-3. */
    static final FreshnessDetector INITIAL = new FreshnessDetector(0, List.of());

    /** Heartbeat {@code number} came at {@code time}. */
    record Arrival(long number, long time) {}

    FreshnessDetector {
        arrivals = List.copyOf(arrivals);
    }

    FreshnessDetector onHeartbeat(long number, long now) { // L12
        Check.state(number > highest, "heartbeat %d after %d", number, highest);
        List<Arrival> last = new ArrayList<>(arrivals);
        last.removeIf(arrival -> number - arrival.number > GAP_MAX);
        last.add(new Arrival(number, now));
        return new FreshnessDetector(number, last.subList(Math.max(0, last.size() - WINDOW), last.size()));
    }

    /** L13, G3: tau_{l+1} - now, rounded up, with tau_{l+1} = EA_{l+1} + T_D - T_hb. */
    long freshFor(long now, Times times) {
        Check.state(!arrivals.isEmpty(), "no heartbeat yet");
        // EA_{l+1} = avg(A_i - T_hb s_i) + (l+1) T_hb, with all terms in the sum and relative to now.
        long sum = 0;
        for (Arrival arrival : arrivals) {
            sum += arrival.time - now + times.heartbeat() * (highest + 1 - arrival.number);
        }
        long expected = -Math.floorDiv(-sum, (long) arrivals.size());
        return expected + times.detection() - times.heartbeat();
    }

    void writeTo(WireWriter out) {
        out.writeUnsigned(highest);
        out.writeByte(arrivals.size());
        for (Arrival arrival : arrivals) {
            out.writeUnsigned(arrival.number);
            out.writeLong(arrival.time);
        }
    }
}
