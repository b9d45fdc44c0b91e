package io.quorate.testkit.simulation;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.temporal.TemporalAmount;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.Stream;

/**
 * How much is in each collection, map and array that can be reached from an object, by the field that holds it: over all
 * objects of that class together. A new collection is counted without being listed anywhere.
 *
 * <p>Fields of this project's classes are read by reflection. A collection of the JDK is asked for its size and its
 * elements, so that nothing depends on the release; a class of the JDK that may hide others is an error until it is
 * named here.
 */
final class Holdings {

    private static final String OURS = "io.quorate.";

    /**
     * A buffer grows by doubling, to what it had to take once. Its bytes are counted in so many, of which the doubling of
     * a buffer of 16 kB, about a batch of directory changes, is less than what a test lets a collection grow by.
     */
    private static final int BYTES = 256;

    /** They hold nothing of ours, or have one size. */
    private static final List<Class<?>> LEAVES = List.of(
            CharSequence.class,
            Number.class,
            Boolean.class,
            Character.class,
            Enum.class,
            Class.class,
            ClassLoader.class,
            Thread.class,
            Throwable.class,
            TemporalAmount.class,
            OptionalInt.class,
            OptionalLong.class,
            java.nio.Buffer.class,
            java.nio.charset.Charset.class,
            java.util.BitSet.class,
            java.util.Random.class,
            java.util.concurrent.CountDownLatch.class,
            java.util.concurrent.atomic.AtomicBoolean.class,
            java.util.concurrent.atomic.AtomicIntegerFieldUpdater.class,
            java.util.concurrent.atomic.AtomicLongArray.class,
            java.util.concurrent.locks.Condition.class,
            java.util.concurrent.locks.Lock.class,
            java.util.regex.Pattern.class,
            org.slf4j.Logger.class);

    /** What a node runs in, which knows all of the cluster; and their lambdas, which a node is given. */
    private static final List<String> SURROUNDINGS = Stream.of(
                    NodeHost.class, DriverHost.class, VirtualProcess.class, VirtualThreads.class, SimulatedWorld.class)
            .map(Class::getName)
            .toList();

    private record Reached(Object thing, String field) {}

    private final Map<String, Long> sizes = new TreeMap<>();
    private final Set<String> unknown = new TreeSet<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Reached> next = new ArrayDeque<>();

    private Holdings() {}

    /**
     * Of everything that can be reached from these objects, but for the test kit.
     *
     * @throws AssertionError if something of the JDK is reached that may hide a collection
     */
    static Holdings of(Collection<?> roots) {
        Holdings holdings = new Holdings();
        roots.forEach(root -> holdings.reach(root, "root"));
        while (!holdings.next.isEmpty()) {
            holdings.visit(holdings.next.remove());
        }
        if (!holdings.unknown.isEmpty()) {
            throw new AssertionError("what these hold is not counted: " + holdings.unknown);
        }
        return holdings;
    }

    /** The size of each collection, under the class and the field that hold it. */
    Map<String, Long> sizes() {
        return Collections.unmodifiableMap(sizes);
    }

    /** Those that hold by more than {@code by} things more than in {@code before}, one a line. */
    List<String> grownSince(Holdings before, long by) {
        List<String> grown = new ArrayList<>();
        sizes.forEach((field, size) -> {
            long was = before.sizes.getOrDefault(field, 0L);
            if (size - was > by) {
                grown.add(field + ": " + was + " -> " + size);
            }
        });
        return grown;
    }

    private void reach(Object thing, String field) {
        if (thing != null) {
            next.add(new Reached(thing, field));
        }
    }

    private void visit(Reached reached) {
        Object thing = reached.thing;
        Class<?> type = thing.getClass();
        if (LEAVES.stream().anyMatch(leaf -> leaf.isInstance(thing)) || !seen.add(thing)) {
            return;
        }
        if (type.isArray()) {
            int length = Array.getLength(thing);
            count(reached.field, thing instanceof byte[] ? length / BYTES : length);
            if (thing instanceof Object[] elements) {
                reachAll(Arrays.asList(elements), reached);
            }
        } else if (thing instanceof Map<?, ?> map) {
            count(reached.field, map.size());
            map.forEach((key, value) -> {
                reach(key, reached.field + ".key");
                reach(value, reached.field + ".value");
            });
        } else if (thing instanceof Collection<?> collection) {
            count(reached.field, collection.size());
            reachAll(collection, reached);
        } else if (thing instanceof Optional<?> optional) {
            optional.ifPresent(value -> reach(value, reached.field));
        } else if (thing instanceof AtomicReference<?> reference) {
            reach(reference.get(), reached.field);
        } else if (thing instanceof AtomicReferenceArray<?> references) {
            count(reached.field, references.length());
            for (int i = 0; i < references.length(); i++) {
                reach(references.get(i), reached.field + "[]");
            }
        } else if (thing instanceof CompletableFuture<?> future) {
            count(reached.field + ".dependents", future.getNumberOfDependents());
            if (future.isDone() && !future.isCompletedExceptionally()) {
                reach(future.join(), reached.field);
            }
        } else if (type.getName().startsWith(OURS)) {
            reachFields(thing, type);
        } else if (!type.isHidden() && type != Object.class) {
            // A hidden one is a lambda of the JDK, a comparator say.
            unknown.add(type.getName() + " of " + reached.field);
        }
    }

    private void reachAll(Collection<?> elements, Reached holder) {
        elements.forEach(element -> reach(element, holder.field + "[]"));
    }

    private void count(String field, int size) {
        sizes.merge(field, (long) size, Long::sum);
    }

    private void reachFields(Object thing, Class<?> type) {
        if (SURROUNDINGS.stream().anyMatch(type.getName()::startsWith)) {
            return;
        }
        for (Class<?> each = type; each != null && each.getName().startsWith(OURS); each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (!field.getType().isPrimitive()) {
                    reach(read(field, Modifier.isStatic(field.getModifiers()) ? null : thing), name(each, field));
                }
            }
        }
    }

    private static Object read(Field field, Object thing) {
        try {
            field.setAccessible(true);
            return field.get(thing);
        } catch (IllegalAccessException e) {
            throw new AssertionError(field.toString(), e);
        }
    }

    private static String name(Class<?> type, Field field) {
        return type.getName().substring(OURS.length()).replaceFirst("\\$\\$Lambda.*", "\\$\\$Lambda") + "."
                + field.getName();
    }
}
