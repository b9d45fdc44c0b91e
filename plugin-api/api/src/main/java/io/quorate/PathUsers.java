package io.quorate;

import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The latches, selectors and observers of a client, by path. Nearly every path has one user, which takes one entry. The
 * order is that in which paths were first used, and in which their users came, so that equal runs go alike.
 */
final class PathUsers extends AbstractCollection<PathUser> {

    private final Map<String, PathUser> first = new LinkedHashMap<>();
    /** All users of a path but the first, if it has more than one. */
    private final Map<String, Set<PathUser>> others = new LinkedHashMap<>();

    @Override
    public boolean add(PathUser user) {
        PathUser former = first.putIfAbsent(user.path(), user);
        if (former == user) {
            return false;
        }
        return former == null
                || others.computeIfAbsent(user.path(), path -> new LinkedHashSet<>())
                        .add(user);
    }

    /** Removes a user. Answers whether it was there. */
    boolean drop(PathUser user) {
        String path = user.path();
        Set<PathUser> beside = others.getOrDefault(path, Set.of());
        if (first.get(path) != user) {
            boolean wasThere = beside.contains(user) && beside.remove(user);
            forgetIfEmpty(path);
            return wasThere;
        }
        if (beside.isEmpty()) {
            first.remove(path);
        } else {
            PathUser next = beside.iterator().next();
            beside.remove(next);
            first.put(path, next);
            forgetIfEmpty(path);
        }
        return true;
    }

    private void forgetIfEmpty(String path) {
        if (others.containsKey(path) && others.get(path).isEmpty()) {
            others.remove(path);
        }
    }

    boolean isUsed(String path) {
        return first.containsKey(path);
    }

    @Override
    public Iterator<PathUser> iterator() {
        List<PathUser> all = new ArrayList<>(first.values());
        others.values().forEach(all::addAll);
        return List.copyOf(all).iterator();
    }

    @Override
    public int size() {
        return first.size() + others.values().stream().mapToInt(Set::size).sum();
    }

    @Override
    public void clear() {
        first.clear();
        others.clear();
    }
}
