package io.quorate.spring;

import io.quorate.LeaderLatch;
import org.jspecify.annotations.Nullable;

final class Tenure implements FencedContext {

    private final String role;
    /** Null if this never led. */
    private final @Nullable LeaderLatch latch;

    private final long token;

    private Tenure(String role, @Nullable LeaderLatch latch, long token) {
        this.role = role;
        this.latch = latch;
        this.token = token;
    }

    static Tenure none(String role) {
        return new Tenure(role, null, 0);
    }

    static Tenure of(String role, LeaderLatch latch, long token) {
        return new Tenure(role, latch, token);
    }

    @Override
    public boolean isLeader() {
        return latch != null
                && latch.leadership()
                        .filter(present -> present.fencingToken() == token)
                        .isPresent();
    }

    @Override
    public void yield() {
        if (latch != null && isLeader()) {
            latch.resign();
        }
    }

    @Override
    public String getRole() {
        return role;
    }

    @Override
    public long fencingToken() {
        if (token == 0) {
            throw new IllegalStateException("Not leading " + role + ": there is no fencing token");
        }
        return token;
    }

    @Override
    public String toString() {
        return "Context{role=" + role + ", token=" + token + ", isLeader=" + isLeader() + "}";
    }
}
