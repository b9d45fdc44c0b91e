package io.quorate.spring;

import java.util.Optional;
import java.util.OptionalLong;
import org.springframework.context.ApplicationEvent;

/**
 * A role has a new leader, or its leader is no longer known. Each initiator of the role publishes it in its own
 * process, whether that leads or not; {@code OnGrantedEvent} and {@code OnRevokedEvent} are published by the process
 * that leads. It tells what the process has heard, so it must not decide about an action that only the leader may take.
 */
public final class LeaderChangedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    /** That of the candidate. */
    private final String role;

    /** Its id; empty if there is no token. */
    private final String leader;

    /** At least 1; 0 for nobody. */
    private final long token;

    /**
     * An event.
     *
     * @param source the initiator
     * @param role   the role of its candidate
     * @param leader the id of the candidate that leads; empty if no leader is known
     * @param token  its fencing token; 0 if no leader is known
     */
    LeaderChangedEvent(Object source, String role, String leader, long token) {
        super(source);
        this.role = role;
        this.leader = leader;
        this.token = token;
    }

    /** {@return the role that is led} */
    public String getRole() {
        return role;
    }

    /** {@return the id of the candidate that leads; empty if no leader is known} */
    public Optional<String> getLeader() {
        return token == 0 ? Optional.empty() : Optional.of(leader);
    }

    /** {@return the fencing token of that leadership; empty if no leader is known} */
    public OptionalLong getFencingToken() {
        return token == 0 ? OptionalLong.empty() : OptionalLong.of(token);
    }

    @Override
    public String toString() {
        return token == 0 ? "No leader of " + role : "'" + leader + "' leads " + role + " with token " + token;
    }
}
