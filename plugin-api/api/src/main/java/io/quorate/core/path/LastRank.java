package io.quorate.core.path;

import java.util.Optional;

/** Whether the contenders of this node rank last because the application wants that, and why: ADR-0084. */
final class LastRank {

    private Optional<String> reason = Optional.empty();

    /** Why all contenders of this node rank last; empty if they rank as usual. */
    Optional<String> reason() {
        return reason;
    }

    /** Answers whether the rank changes with that; another reason alone changes none. */
    boolean set(Optional<String> next) {
        boolean isChange = next.isPresent() != reason.isPresent();
        reason = next;
        return isChange;
    }
}
