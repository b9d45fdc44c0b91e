package io.quorate.testkit.simulation;

import io.quorate.engine.Epoch;
import io.quorate.engine.Lease;
import io.quorate.engine.Tenure;

/** Tenures under a test's control: what the core alone can make elsewhere. */
public final class TenureFixture {

    private TenureFixture() {}

    /** A tenure whose lease ends at {@code until}, in nanoseconds of the engine's clock. */
    public static Tenure tenure(String path, long token, long until) {
        return new Tenure(path, token, new Lease(new Epoch[0], until));
    }

    /** Moves the end of the lease, as a heartbeat's answer does. */
    public static void renew(Tenure tenure, long until) {
        tenure.lease().setUntil(until);
    }
}
