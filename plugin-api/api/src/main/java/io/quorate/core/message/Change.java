package io.quorate.core.message;

/** One change that a node reports of itself. */
public sealed interface Change {
    /** Applies each kind of change. */
    interface Handler {

        void on(Join join);

        void on(Leave leave);

        void on(Watch watch);
    }

    /** Calls the method of the handler that is for this kind. */
    void dispatch(Handler handler);

    /** The path that it is about. */
    String path();

    /** Whether the sender is to be told of the path because of this. */
    default boolean isWanted() {
        return true;
    }

    /** Whether the sender lacks the voter's list of the path, and wants it whole. */
    boolean asks();

    /** As {@link NodeMessage#isInRange}. */
    boolean isInRange();

    /**
     * The contender is as given; {@code registration.id()} is one of the sender's.
     *
     * @param asks as in {@link Change#asks}
     */
    record Join(String path, ContenderRecord registration, boolean asks) implements Change {
        @Override
        public boolean isInRange() {
            return Ranges.isRegistration(registration);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The contender does not contend.
     *
     * @param isGone whether that is for good: then it needs no vote any more, and what it holds is free
     * @param stays  whether the sender wants to hear of the path further on
     */
    record Leave(String path, long number, boolean isGone, boolean stays) implements Change {
        @Override
        public boolean isWanted() {
            return false;
        }

        @Override
        public boolean asks() {
            return false;
        }

        @Override
        public boolean isInRange() {
            return Ranges.isNumber(number);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The sender wants the listings of a path on which it does not contend, or no longer.
     *
     * @param asks as in {@link Change#asks}
     */
    record Watch(String path, boolean isWanted, boolean asks) implements Change {
        @Override
        public boolean isInRange() {
            return true;
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }
}
