package io.quorate.contract;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/**
 * Something that each group of the contract has one of, so that the groups can run at the same time. The tests of one
 * group share it, and run one after another.
 *
 * @param <T> may be stopped by a test
 */
final class PerGroup<T extends Closeable> implements Closeable {

    private final Supplier<T> maker;
    private final Map<Class<?>, T> made = new ConcurrentHashMap<>();

    PerGroup(Supplier<T> maker) {
        this.maker = maker;
    }

    /** That of this group; made when it is asked for first. */
    T of(Class<?> group) {
        return made.computeIfAbsent(group, ignored -> maker.get());
    }

    @Override
    public void close() throws IOException {
        for (T one : List.copyOf(made.values())) {
            one.close();
        }
    }

    /** A lock for each group: what holds one runs its tests in one thread. */
    static final class Locks implements ResourceLocksProvider {
        @Override
        public Set<Lock> provideForNestedClass(List<Class<?>> enclosing, Class<?> group) {
            return Set.of(new Lock(group.getName()));
        }
    }
}
