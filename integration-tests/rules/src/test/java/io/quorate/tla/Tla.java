package io.quorate.tla;

import io.quorate.spi.Mark;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Values of Java, written as values of TLA+. Processes count from 0 in Java, from 1 in TLA+. */
final class Tla {

    private Tla() {}

    /**
     * A record becomes a record with the same fields, and {@code type}, its name in capitals; a list becomes a
     * sequence; a mark becomes {@code <<term, process, incarnation>>}.
     */
    static String of(Object value) {
        if (value instanceof Mark mark) {
            return sequence(List.of(mark.term(), mark.process() + 1, mark.incarnation()));
        }
        if (value instanceof Boolean bool) {
            return bool ? "TRUE" : "FALSE";
        }
        if (value instanceof Number number) {
            return number.toString();
        }
        if (value instanceof String string) {
            return '"' + string + '"';
        }
        if (value instanceof List<?> list) {
            return sequence(list);
        }
        if (value instanceof Record fields) {
            return record(fields);
        }
        throw new AssertionError("no value of TLA+ for " + value);
    }

    private static String sequence(List<?> values) {
        return values.stream().map(Tla::of).collect(Collectors.joining(", ", "<<", ">>"));
    }

    private static String record(Record fields) {
        Stream<String> type = Stream.of("type |-> " + of(type(fields)));
        Stream<String> others = Stream.of(fields.getClass().getRecordComponents())
                .map(component -> component.getName() + " |-> " + of(component(fields, component)));
        return Stream.concat(type, others).collect(Collectors.joining(", ", "[", "]"));
    }

    static String type(Object value) {
        return value.getClass().getSimpleName().toUpperCase(Locale.ROOT);
    }

    /** The component of that name, which nobody else can see. */
    static Object component(Record fields, String name) {
        return Stream.of(fields.getClass().getRecordComponents())
                .filter(component -> component.getName().equals(name))
                .map(component -> component(fields, component))
                .findFirst()
                .orElseThrow();
    }

    /** The same record with another value of that component. */
    static Record with(Record fields, String name, Object value) {
        RecordComponent[] components = fields.getClass().getRecordComponents();
        try {
            Constructor<?> constructor = fields.getClass()
                    .getDeclaredConstructor(
                            Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true); // messages and states are not public
            return (Record) constructor.newInstance(Stream.of(components)
                    .map(component -> component.getName().equals(name) ? value : component(fields, component))
                    .toArray());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Object component(Record fields, RecordComponent component) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true); // messages and states are not public
            return accessor.invoke(fields);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
