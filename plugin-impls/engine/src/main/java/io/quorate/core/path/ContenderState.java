package io.quorate.core.path;

/**
 * What one contender of this node does about its path. {@link LocalContender#become} changes it, and nothing else does;
 * docs/architecture.md#contender-states has the picture.
 */
enum ContenderState {

    /** Its place in the join order is not known yet: a majority of voters has not confirmed it. */
    JOINING,
    /** It has its place, and there is nothing to do: somebody leads, another goes first, or no majority is heard. */
    RESTING,
    /** No leader is up: it takes part in an election, or waits until the successor has led or patience is over. */
    ELECTING,
    /**
     * It is about to claim, and waits for its back-off, its node's own vote, a fresh connection or the claims of other
     * paths.
     */
    WAITING,
    /** It asks the voters for their votes. */
    CLAIMING,
    /** It has a tenure. */
    LEADING,
    /** It has a tenure, which goes to another contender when its application has finished its work. */
    LEAVING,
    /** Its tenure has ended. When the application sends it back, it queues at the tail. */
    OUT,
    /** It gave its tenure up or handed it over. When the application sends it back, it has its old place. */
    ASIDE,
    /** It has left the path for good. */
    GONE;

    /** Whether it has its place in the order of rank. */
    boolean hasPlace() {
        return switch (this) {
            case RESTING, ELECTING, WAITING, CLAIMING, LEADING, LEAVING -> true;
            default -> false;
        };
    }

    /** Whether it has a tenure. */
    boolean leads() {
        return this == LEADING || this == LEAVING;
    }

    /** Whether it has its place, and neither claims nor leads. */
    boolean isIdle() {
        return this == RESTING || this == ELECTING || this == WAITING;
    }

    boolean isRegistered() {
        return this == JOINING || hasPlace();
    }

    /** Whether this state may follow. A state follows itself: that is no transition. */
    boolean mayBecome(ContenderState next) {
        if (next == this || next == GONE) {
            return true;
        }
        return switch (this) {
            case JOINING -> next == RESTING;
            // A hand-over or a claim may come at any time. A lost majority takes its place away.
            case RESTING, ELECTING, WAITING -> next.isIdle() || next == CLAIMING || next == JOINING;
            case CLAIMING -> next == LEADING || next == RESTING || next == JOINING;
            case LEADING -> next == LEAVING || next == OUT || next == ASIDE;
            case LEAVING -> next == LEADING || next == OUT || next == ASIDE;
            case OUT -> next == JOINING;
            case ASIDE -> next == RESTING || next == OUT;
            case GONE -> false;
        };
    }
}
