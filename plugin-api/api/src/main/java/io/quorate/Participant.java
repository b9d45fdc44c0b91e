package io.quorate;

import java.util.Objects;

/** One contender of a path, as it was at one moment. An immutable value. */
public class Participant {

    private final String id;
    private final boolean isLeader;

    /**
     * A participant; both values are taken as they are.
     *
     * @param id     the id given to the latch; need not be unique. Null is accepted, as in Curator, but such an object
     *               can be neither compared nor hashed
     * @param leader whether it leads
     */
    public Participant(String id, boolean leader) {
        this.id = id;
        this.isLeader = leader;
    }

    /** {@return the id that was given to the latch; empty if none was given, or if this stands for nobody} */
    public String getId() {
        return id;
    }

    /** {@return whether this participant led at the moment that this object describes} */
    public boolean isLeader() {
        return isLeader;
    }

    /**
     * Compares class, id and {@link #isLeader}.
     *
     * @throws NullPointerException if the id of this object is null and nothing else tells the two apart
     */
    // As Curator's.
    @SuppressWarnings("EqualsGetClass")
    @Override
    public boolean equals(Object other) {
        if (this == other) {
            return true;
        }
        if (other == null || getClass() != other.getClass()) {
            return false;
        }
        Participant that = (Participant) other;
        return isLeader == that.isLeader && id.equals(that.id);
    }

    /**
     * A hash of the id and of {@link #isLeader}.
     *
     * @throws NullPointerException if the id is null
     */
    @Override
    public int hashCode() {
        return 31 * Objects.requireNonNull(id, "id").hashCode() + (isLeader ? 1 : 0);
    }

    @Override
    public String toString() {
        return "Participant{id='" + id + "', isLeader=" + isLeader + '}';
    }
}
