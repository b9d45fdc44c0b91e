package io.quorate.testkit.simulation;

import java.lang.management.ManagementFactory;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * How many bytes the objects of each class take in this JVM, after a full collection: exact, unlike the size of the
 * heap. It counts the objects of all threads, and those of an earlier histogram that is still held.
 */
public final class Histogram {

    private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+\\d+\\s+(\\d+)\\s+(\\S+).*");

    private final Map<String, Long> bytes;

    private Histogram(Map<String, Long> bytes) {
        this.bytes = bytes;
    }

    /** Of this moment. */
    public static Histogram take() {
        String text;
        try {
            text = (String) ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            "gcClassHistogram",
                            new Object[] {null},
                            new String[] {String[].class.getName()});
        } catch (JMException e) {
            throw new AssertionError("this JVM has no class histogram", e);
        }
        Map<String, Long> bytes = new TreeMap<>();
        for (String line : text.split("\n")) {
            Matcher entry = LINE.matcher(line);
            if (entry.matches()) {
                bytes.merge(entry.group(2), Long.parseLong(entry.group(1)), Long::sum);
            }
        }
        return new Histogram(bytes);
    }

    /** Of the classes with such names only. */
    public Histogram where(Predicate<String> isCounted) {
        Map<String, Long> counted = new TreeMap<>(bytes);
        counted.keySet().removeIf(isCounted.negate());
        return new Histogram(counted);
    }

    /** Over all classes. */
    public long bytes() {
        return bytes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Of one class, under the name that the JVM has for it; {@code [B} is the arrays of bytes. */
    public long bytes(String name) {
        return bytes.getOrDefault(name, 0L);
    }

    /** The classes with the most bytes, and how many those are for each of {@code count}. */
    public String per(int count) {
        List<Map.Entry<String, Long>> most = bytes.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(30)
                .toList();
        return most.stream()
                .map(entry -> "%8.1f %s".formatted((double) entry.getValue() / count, entry.getKey()))
                .collect(Collectors.joining("\n", "\n", "\n"));
    }
}
