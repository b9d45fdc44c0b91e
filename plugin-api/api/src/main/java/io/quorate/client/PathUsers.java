package io.quorate.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The latches, selectors and observers of a client, by path. Nearly every path has one user, which takes one entry. The
 * order is that in which paths were first used, and in which their users came, so that equal runs go alike.
 */
public final class PathUsers {

    private final Map<String, PathUser> first = new LinkedHashMap<>();
    /** All users of a path but the first, if it has more than one. */
    private final Map<String, Set<PathUser>> others = new LinkedHashMap<>();

    /** Adds a user, unless it is there. */
    public void add(PathUser user) {
        PathUser former = first.putIfAbsent(user.path(), user);
        if (former != null && former != user) {
            others.computeIfAbsent(user.path(), path -> new LinkedHashSet<>()).add(user);
        }
    }

    /** Removes a user. Answers whether it was there. */
    public boolean drop(PathUser user) {
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

    public boolean isUsed(String path) {
        return first.containsKey(path);
    }

    /** Those of a path, in the order in which they came. */
    public List<PathUser> of(String path) {
        List<PathUser> users = new ArrayList<>();
        Optional.ofNullable(first.get(path)).ifPresent(users::add);
        users.addAll(others.getOrDefault(path, Set.of()));
        return users;
    }

    /** The present users. */
    public List<PathUser> all() {
        List<PathUser> all = new ArrayList<>(first.values());
        others.values().forEach(all::addAll);
        return all;
    }
}
