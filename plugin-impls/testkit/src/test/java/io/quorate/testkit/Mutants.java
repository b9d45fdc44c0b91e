package io.quorate.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Proves that a test can fail: a class is changed in its byte code ({@link CodeChange}), and the test is run against
 * the result. The test must fail then, and pass against the unchanged class.
 */
public final class Mutants {

    /** No bound of a killer's time: what hangs without a fault hangs in its own test too. */
    private static final Duration SOUND_LIMIT = Duration.ofMinutes(30);

    /** A mutant may wait for what never comes. It has this, and some times what its killer takes without it. */
    private static final Duration MUTANT_LIMIT_MIN = Duration.ofSeconds(30);

    private static final int MUTANT_LIMIT_FACTOR = 10;

    /**
     * One fault.
     *
     * @param fault   what is wrong, in words
     * @param changes one or more that make it
     * @param killer  {@code package.Class}, or {@code package.Class#method}: the test that must fail
     */
    public record Mutant(String fault, List<CodeChange> changes, String killer) {

        @Override
        public String toString() {
            return fault + " " + changes;
        }
    }

    private Mutants() {}

    /** A mutant of these changes. */
    public static Mutant mutant(String fault, String killer, CodeChange... changes) {
        return new Mutant(fault, List.of(changes), killer);
    }

    /**
     * One test for each killer, that it passes against the unchanged classes, and one for each mutant. These come last:
     * a killer that takes minutes is not ended before it has looked.
     */
    public static Stream<DynamicTest> tests(List<Mutant> mutants) {
        Map<String, Duration> took = new ConcurrentHashMap<>();
        Stream<DynamicTest> sound = mutants.stream()
                .map(Mutant::killer)
                .distinct()
                .sorted()
                .map(killer -> DynamicTest.dynamicTest(killer, () -> {
                    // Justification: a mutant is given a multiple of it, so a slow machine gives it more.
                    long begin = System.nanoTime();
                    assertPassesUnmutated(killer);
                    took.put(killer, Duration.ofNanos(System.nanoTime() - begin));
                }));
        return Stream.concat(
                sound,
                mutants.stream()
                        .map(mutant -> DynamicTest.dynamicTest(
                                mutant.toString(),
                                () -> assertKilled(mutant, took.getOrDefault(mutant.killer(), Duration.ZERO)))));
    }

    /**
     * For every build: that the classes and methods are there, and that each change changes something. Takes
     * milliseconds for each.
     *
     * @throws AssertionError with all that cannot be made
     */
    public static void assertCanBeMade(List<Mutant> mutants) {
        List<String> faults = new ArrayList<>();
        for (Mutant mutant : mutants) {
            try {
                changed(mutant.changes());
                Class<?> test = Class.forName(mutant.killer().split("#")[0], false, Mutants.class.getClassLoader());
                if (mutant.killer().contains("#")) {
                    method(test, mutant.killer().split("#")[1]);
                }
            } catch (AssertionError | ClassNotFoundException e) {
                faults.add(mutant.fault() + ": " + e.getMessage());
            }
        }
        if (!faults.isEmpty()) {
            throw new AssertionError(String.join("\n", faults));
        }
    }

    /** @throws AssertionError if the mutant cannot be made, or survives */
    public static void assertKilled(Mutant mutant) {
        assertKilled(mutant, Duration.ZERO);
    }

    private static void assertKilled(Mutant mutant, Duration took) {
        TestExecutionSummary withMutant = run(
                mutant.killer(),
                changed(mutant.changes()),
                MUTANT_LIMIT_MIN.plus(took.multipliedBy(MUTANT_LIMIT_FACTOR)));
        if (withMutant.getTestsStartedCount() == 0) {
            throw new AssertionError(mutant + ": " + mutant.killer() + " is no test");
        }
        if (withMutant.getTotalFailureCount() == 0) {
            throw new AssertionError(mutant + ": survives " + mutant.killer());
        }
    }

    /**
     * For what is defended twice: nothing is found unless both defences are gone.
     *
     * @throws AssertionError also if one of them is enough
     */
    public static void assertKilledOnlyTogether(Mutant one, Mutant other) {
        assertSurvives(one);
        assertSurvives(other);
        assertKilled(new Mutant(
                one.fault() + ", and " + other.fault(),
                Stream.of(one, other)
                        .flatMap(mutant -> mutant.changes().stream())
                        .toList(),
                one.killer()));
    }

    private static void assertSurvives(Mutant mutant) {
        if (run(mutant.killer(), changed(mutant.changes()), SOUND_LIMIT).getTotalFailureCount() > 0) {
            throw new AssertionError(mutant + ": is found alone by " + mutant.killer());
        }
    }

    /** @throws AssertionError if the test does not pass against the unchanged classes, run in the same way */
    public static void assertPassesUnmutated(String killer) {
        TestExecutionSummary summary = run(killer, Map.of(), SOUND_LIMIT);
        if (summary.getTestsStartedCount() == 0 || summary.getTotalFailureCount() > 0) {
            String failures = summary.getFailures().stream()
                    .map(f -> f.getTestIdentifier().getDisplayName() + ": " + f.getException())
                    .toList()
                    .toString();
            throw new AssertionError(killer + ": does not pass against the unchanged classes: " + failures);
        }
    }

    /** Writes the changed class below a directory, for another process to find it there first. */
    public static void write(CodeChange change, Path directory) {
        changed(List.of(change)).forEach((name, code) -> {
            Path file = directory.resolve(name.replace('.', '/') + ".class");
            try {
                Files.createDirectories(file.getParent());
                Files.write(file, code);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    // ---------------------------------------------------------------- changing

    private static Map<String, byte[]> changed(List<CodeChange> changes) {
        Map<String, byte[]> changed = new LinkedHashMap<>();
        for (CodeChange change : changes) {
            byte[] before = changed.containsKey(change.type()) ? changed.get(change.type()) : change.original();
            changed.put(change.type(), change.change(before));
        }
        MutantLoader loader = new MutantLoader(Mutants.class.getClassLoader(), changed);
        for (String name : changed.keySet()) {
            try {
                // Else a test would find that the machine refuses the class, and not the fault.
                Class.forName(name, true, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                throw new AssertionError(changes + ": is refused by the machine", e);
            }
        }
        return changed;
    }

    // ---------------------------------------------------------------- running

    private static TestExecutionSummary run(String killer, Map<String, byte[]> changed, Duration limit) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Open directories are noted there, and a mutant may forget to give them back.
        Properties properties = (Properties) System.getProperties().clone();
        MutantLoader loader = new MutantLoader(before, changed);
        Thread.currentThread().setContextClassLoader(loader);
        try {
            String[] parts = killer.split("#");
            Class<?> test = Class.forName(parts[0], false, loader);
            DiscoverySelector selector =
                    parts.length == 1 ? selectClass(test) : selectMethod(test, method(test, parts[1]));
            Launcher launcher = LauncherFactory.create();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            launcher.execute(
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selector)
                            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                            .configurationParameter("junit.jupiter.execution.timeout.default", limit.toMillis() + " ms")
                            .build(),
                    listener);
            return listener.getSummary();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(killer + ": no such test class", e);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
            System.setProperties(properties);
        }
    }

    /** A test may have parameters, so that its name alone does not lead to it. */
    private static Method method(Class<?> test, String name) {
        return Arrays.stream(test.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError(test.getName() + "#" + name + ": is no test"));
    }

    /** Loads this project's classes anew, the changed ones from memory; everything else comes from the parent. */
    private static final class MutantLoader extends ClassLoader {
        /** The example of an algorithm is a part of it. */
        private static final List<String> OURS = List.of("io.quorate.", "com.example.election.");

        private final Map<String, byte[]> changed;

        private MutantLoader(ClassLoader parent, Map<String, byte[]> changed) {
            super(parent);
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (OURS.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            byte[] bytes = changed.get(name);
            if (bytes == null) {
                URL resource = getParent().getResource(name.replace('.', '/') + ".class");
                if (resource == null) {
                    throw new ClassNotFoundException(name);
                }
                try (InputStream in = resource.openStream()) {
                    bytes = in.readAllBytes();
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
