package io.quorate.core.voters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Carries what is kept per voter over to another list, where each voter may have another place: a new voter has
 * nothing, and what was kept of a removed one is dropped.
 */
public final class VoterPlaces {

    /** The former place for each new one; -1 for a new voter. */
    private final int[] former;

    /** From one list to another. */
    public VoterPlaces(VoterList from, VoterList to) {
        former = to.ids().stream().mapToInt(from::indexOf).toArray();
    }

    /** Null for a new voter. */
    public <T> T[] carry(T[] kept) {
        T[] carried = Arrays.copyOf(kept, former.length);
        for (int place = 0; place < former.length; place++) {
            carried[place] = former[place] < 0 ? null : kept[former[place]];
        }
        return carried;
    }

    /** Something of its own for each new voter; in a list that can be changed. */
    public <T> List<T> carry(List<T> kept, Supplier<T> fresh) {
        List<T> carried = new ArrayList<>(former.length);
        for (int place : former) {
            carried.add(place < 0 ? fresh.get() : kept.get(place));
        }
        return carried;
    }
}
