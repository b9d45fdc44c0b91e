package io.quorate.core.collection;

import java.util.ArrayList;
import java.util.List;

/** Lists that do not change, mostly of one element: so they take the least room, which counts with many paths. */
public final class SmallLists {

    private SmallLists() {}

    /** The list with one element more, at its end. */
    public static <T> List<T> with(List<T> list, T element) {
        List<T> more = new ArrayList<>(list);
        more.add(element);
        return List.copyOf(more);
    }

    /** The list without the first such element, if there is one. */
    public static <T> List<T> without(List<T> list, T element) {
        List<T> left = new ArrayList<>(list);
        left.remove(element);
        return List.copyOf(left);
    }
}
