package io.quorate.core.directory;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The pages of one node, in the order in which it subscribed to them. A page that is left keeps its place until half of
 * the places are such, so that each change takes constant time, and a page four bytes.
 */
final class Subscriptions<P> {

    private static final int LEFT_MIN = 64;

    private final Predicate<P> isSubscribed;
    private List<P> places = new ArrayList<>();
    private int left;

    /** @param isSubscribed whether the node is subscribed to the page now */
    Subscriptions(Predicate<P> isSubscribed) {
        this.isSubscribed = isSubscribed;
    }

    /** The node has subscribed to a page; it may have left it before. */
    void add(P page) {
        places.add(page);
    }

    void leave() {
        left++;
        if (left >= LEFT_MIN && 2 * left > places.size()) {
            places = new ArrayList<>(pages());
            left = 0;
        }
    }

    /** The pages that the node is subscribed to, each once, where it subscribed last. */
    List<P> pages() {
        Set<P> current = new LinkedHashSet<>();
        for (P page : places) {
            if (isSubscribed.test(page)) {
                current.remove(page);
                current.add(page);
            }
        }
        return List.copyOf(current);
    }

    /** All places, in their order: a page may have several, or be left. */
    List<P> places() {
        return places;
    }

    /** How many places are taken. */
    int size() {
        return places.size();
    }
}
