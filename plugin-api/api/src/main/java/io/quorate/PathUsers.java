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
 * What a client carries, by path. Nearly every path has one user, which takes one entry. Ordered by when a path was
 * first used, and by when its users came, so that equal runs go alike.
 */
final class PathUsers extends AbstractCollection<PathUser> {

    private final Map<String, PathUser> first = new LinkedHashMap<>();
    /** Those beside the first, of paths that have any. */
    private final Map<String, Set<PathUser>> others = new LinkedHashMap<>();

    @Override
    public boolean add(PathUser user) {
        PathUser former = first.putIfAbsent(user.path(), user);
        if (former == user) {
            return false;
        }
        return former == null || others.computeIfAbsent(user.path(), path -> new LinkedHashSet<>()).add(user);
    }

    /** Answers whether it was there. */
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
