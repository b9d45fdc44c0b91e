package io.quorate.core.voters;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One object for each voter, by its place in the list. {@code StepContext} makes it, and seats all objects anew when
 * the voters change, before anybody asks for one: a voter that stays keeps its object, and a new one gets a fresh one.
 */
public final class PerVoter<T> {

    private final Supplier<T> fresh;
    private List<T> seats = new ArrayList<>();

    /** A fresh one for each of so many voters. */
    public PerVoter(int voters, Supplier<T> fresh) {
        this.fresh = fresh;
        for (int voter = 0; voter < voters; voter++) {
            seats.add(fresh.get());
        }
    }

    /** The voters have changed. */
    public void onVoters(VoterPlaces places) {
        seats = places.carry(seats, fresh);
    }

    /** That of the voter at this place. */
    public T of(int voter) {
        return seats.get(voter);
    }

    /** Those of all voters, by place. */
    public List<T> all() {
        return seats;
    }

    /** How many vote. */
    public int size() {
        return seats.size();
    }
}
