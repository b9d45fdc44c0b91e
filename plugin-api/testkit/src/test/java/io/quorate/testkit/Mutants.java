package io.quorate.testkit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.quorate.spi.Check;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Proves that a test can fail: a shipped source file is changed in one place, compiled in memory, and the test is run
 * against the result. The test must fail then, and pass against the unchanged source.
 */
public final class Mutants {

    /** From the folder of a module. */
    private static final List<Path> SOURCES = Stream.of("src/main/java", "../../plugin-api/api/src/main/java",
            "../../plugin-api/testkit/src/main/java", "../../plugin-impls/algorithms/src/main/java",
            "../../plugin-impls/vertx/src/main/java").map(Path::of).toList();

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    /** Shared, because each new one opens the whole class path. */
    private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);
    private static final Map<String, Map<String, byte[]>> UNCHANGED = new ConcurrentHashMap<>();

    /** A word, or one sign. */
    private static final Pattern TOKEN = Pattern.compile("\\w+|[^\\s\\w]");

    /** A mutant may wait for what never comes; far more than any killer takes. */
    private static final String TIMEOUT = "30 s";

    /**
     * One change of one line.
     *
     * @param file     below {@code src/main/java} of what ships, {@code io/quorate/core/Ballot.java}
     * @param original text that stands in the file exactly once
     * @param mutated  what it is replaced by
     * @param killer   {@code package.Class}, or {@code package.Class#method}: the test that must fail
     */
    public record Mutant(String file, String original, String mutated, String killer) {
        @Override
        public String toString() {
            String name = file.substring(file.lastIndexOf('/') + 1);
            return name + ": " + original.strip() + "  ->  " + mutated.strip();
        }
    }

    private Mutants() {
    }

    /** One test for each killer, that it passes against the unchanged sources, and one for each mutant. */
    public static Stream<DynamicTest> tests(List<Mutant> mutants) {
        Stream<DynamicTest> sound = mutants.stream().map(Mutant::killer).distinct().sorted()
                .map(killer -> DynamicTest.dynamicTest(killer, () -> assertPassesUnmutated(killer)));
        return Stream.concat(sound, mutants.stream()
                .map(mutant -> DynamicTest.dynamicTest(mutant.toString(), () -> assertKilled(mutant))));
    }

    /** @throws AssertionError if the mutant cannot be made, equals the original, or survives */
    public static void assertKilled(Mutant mutant) {
        assertKilled(mutant, Map.of());
    }

    /**
     * The same for what is defended twice: nothing is found unless both defences are gone.
     *
     * @throws AssertionError also if one change is enough
     */
    public static void assertKilledTogether(Mutant one, Mutant other) {
        Check.argument(!one.file().equals(other.file()), "%s twice: must be two files", one.file());
        assertSurvives(one);
        assertSurvives(other);
        assertKilled(one, compile(other));
    }

    private static void assertSurvives(Mutant mutant) {
        if (run(mutant.killer(), compile(mutant)).getTotalFailureCount() > 0) {
            throw new AssertionError(mutant + ": is found alone by " + mutant.killer());
        }
    }

    private static void assertKilled(Mutant mutant, Map<String, byte[]> others) {
        Map<String, byte[]> changed = new HashMap<>(others);
        changed.putAll(compile(mutant));
        TestExecutionSummary withMutant = run(mutant.killer(), changed);
        if (withMutant.getTestsStartedCount() == 0) {
            throw new AssertionError(mutant + ": " + mutant.killer() + " is no test");
        }
        if (withMutant.getTotalFailureCount() == 0) {
            throw new AssertionError(mutant + ": survives " + mutant.killer());
        }
    }

    /** @throws AssertionError if the test does not pass against the unchanged source, run in the same way */
    public static void assertPassesUnmutated(String killer) {
        TestExecutionSummary summary = run(killer, Map.of());
        if (summary.getTestsStartedCount() == 0 || summary.getTotalFailureCount() > 0) {
            String failures = summary.getFailures().stream().map(f -> f.getTestIdentifier().getDisplayName() + ": "
                    + f.getException()).toList().toString();
            throw new AssertionError(killer + ": does not pass against the unchanged source: " + failures);
        }
    }

    // ---------------------------------------------------------------- compiling

    private static Map<String, byte[]> compile(Mutant mutant) {
        Path file = SOURCES.stream().map(sources -> sources.resolve(mutant.file()))
                .filter(Files::exists).findFirst()
                .orElseThrow(() -> new AssertionError(mutant + ": there is no such file"));
        String source;
        try {
            source = Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(mutant + ": cannot read " + file, e);
        }
        String changed = changed(source, mutant.original(), mutant.mutated());
        Map<String, byte[]> before = UNCHANGED.computeIfAbsent(mutant.file(), name -> compile(name, source));
        Map<String, byte[]> after = compile(mutant.file(), changed);
        boolean isSame = before.keySet().equals(after.keySet())
                && before.keySet().stream().allMatch(name -> Arrays.equals(before.get(name), after.get(name)));
        if (isSame) {
            throw new AssertionError(mutant + ": compiles to the same bytes");
        }
        return after;
    }

    /**
     * The source with one text replaced. Blanks and line breaks do not count where Java does not count them, so that a
     * formatter may move them.
     *
     * @throws AssertionError if the text does not stand in the source exactly once
     */
    public static String changed(String source, String original, String mutated) {
        String pattern = TOKEN.matcher(original).results().map(token -> Pattern.quote(token.group()))
                .collect(Collectors.joining("\\s*"));
        Matcher found = Pattern.compile(pattern).matcher(source);
        if (!found.find()) {
            throw new AssertionError("'" + original + "': must stand in the source exactly once, is not there");
        }
        int begin = found.start();
        int end = found.end();
        if (found.find()) {
            throw new AssertionError("'" + original + "': must stand in the source exactly once, is there twice");
        }
        return source.substring(0, begin) + mutated + source.substring(end);
    }

    private static synchronized Map<String, byte[]> compile(String file, String source) {
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        JavaFileObject input = new SimpleJavaFileObject(URI.create("string:///" + file), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
        List<String> problems = new ArrayList<>();
        // No line numbers: a comment is no mutant.
        List<String> options = List.of("-g:none", "--release", "17", "-proc:none", "-classpath",
                System.getProperty("java.class.path"));
        JavaFileManager files = new ForwardingJavaFileManager<JavaFileManager>(FILES) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location location, String name, JavaFileObject.Kind kind,
                                                       FileObject sibling) throws IOException {
                if (location != StandardLocation.CLASS_OUTPUT) {
                    return super.getJavaFileForOutput(location, name, kind, sibling);
                }
                return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/') + ".class"), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                        classes.put(name, bytes);
                        return bytes;
                    }
                };
            }
        };
        boolean isCompiled = COMPILER.getTask(null, files, d -> problems.add(d.toString()), options, null,
                List.of(input)).call();
        if (!isCompiled) {
            throw new AssertionError(file + " does not compile: " + problems);
        }
        Map<String, byte[]> bytes = new HashMap<>();
        classes.forEach((name, out) -> bytes.put(name, out.toByteArray()));
        return bytes;
    }

    // ---------------------------------------------------------------- running

    private static TestExecutionSummary run(String killer, Map<String, byte[]> changed) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        // Open directories are noted there, and a mutant may forget to give them back.
        Properties properties = (Properties) System.getProperties().clone();
        MutantLoader loader = new MutantLoader(before, changed);
        Thread.currentThread().setContextClassLoader(loader);
        try {
            String[] parts = killer.split("#");
            Class<?> test = Class.forName(parts[0], false, loader);
            DiscoverySelector selector = parts.length == 1 ? selectClass(test)
                    : selectMethod(test, method(test, parts[1]));
            Launcher launcher = LauncherFactory.create();
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(selector)
                    .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                    .configurationParameter("junit.jupiter.execution.timeout.default", TIMEOUT).build(), listener);
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
        return Arrays.stream(test.getDeclaredMethods()).filter(method -> method.getName().equals(name)).findFirst()
                .orElseThrow(() -> new AssertionError(test.getName() + "#" + name + ": is no test"));
    }

    /** Loads this project's classes anew, the changed ones from memory; everything else comes from the parent. */
    private static final class MutantLoader extends ClassLoader {
        private static final String OURS = "io.quorate.";

        private final Map<String, byte[]> changed;

        private MutantLoader(ClassLoader parent, Map<String, byte[]> changed) {
            super(parent);
            this.changed = changed;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS)) {
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
