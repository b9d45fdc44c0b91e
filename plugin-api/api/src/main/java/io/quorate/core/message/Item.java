package io.quorate.core.message;

import java.util.List;

/** One change of a voter's listings. */
public sealed interface Item {
    /** Applies each kind of item. */
    interface Handler {

        void on(Listed listed);

        void on(Unlisted unlisted);

        void on(Snapshot snapshot);

        void on(Complete complete);
    }

    /** Calls the method of the handler that is for this kind. */
    void dispatch(Handler handler);

    /** The path that it is about. */
    String path();

    /** The highest term on the path that the voter tells of with this; 0 if it tells none. */
    default long term() {
        return 0;
    }

    /** As {@link NodeMessage#isInRange}. */
    boolean isInRange();

    /** The voter lists this contender, or this is new of it. */
    record Listed(String path, ContenderRecord registration) implements Item {
        @Override
        public boolean isInRange() {
            return Ranges.isRegistration(registration);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The voter does not list this contender. */
    record Unlisted(String path, ContenderId contender) implements Item {
        @Override
        public boolean isInRange() {
            return Ranges.isContender(contender);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * What the voter lists on the path, in the place of everything that it told of the path before.
     *
     * @param term       the highest term that the voter voted in or closed, on this path
     * @param isComplete whether that is all; else {@link Listed} follow, and then {@link Complete}
     */
    record Snapshot(String path, long term, boolean isComplete, List<ContenderRecord> registrations) implements Item {
        public Snapshot {
            registrations = List.copyOf(registrations);
        }

        @Override
        public boolean isInRange() {
            for (ContenderRecord registration : registrations) {
                if (!Ranges.isRegistration(registration)) {
                    return false;
                }
            }
            return Ranges.isNumber(term);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Everything that the voter lists on the path has been sent.
     *
     * @param term the highest term that the voter voted in or closed, on this path
     */
    record Complete(String path, long term) implements Item {
        @Override
        public boolean isInRange() {
            return Ranges.isNumber(term);
        }

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }
}
