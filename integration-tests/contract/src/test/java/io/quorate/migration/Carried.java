package io.quorate.migration;

import io.quorate.ElectionClient;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.data.Stat;
import org.mockito.Mockito;
import org.openrewrite.ExecutionContext;
import org.openrewrite.InMemoryExecutionContext;
import org.openrewrite.Parser;
import org.openrewrite.Result;
import org.openrewrite.SourceFile;
import org.openrewrite.internal.InMemoryLargeSourceSet;
import org.openrewrite.java.JavaParser;
import org.openrewrite.java.style.Autodetect;

/** Runs the recipe over files as the Maven plugin does, and compiles files in memory against Curator and Quorate. */
final class Carried {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** A line is counted from 1. */
    record CompilerError(String file, int line, String message) {}

    /** The libraries that the files use, and no others, because a parser reads all. */
    private static final List<Path> CLASS_PATH = Stream.of(
                    CuratorZookeeperClient.class,
                    CuratorFramework.class,
                    LeaderLatch.class,
                    ElectionClient.class,
                    Mockito.class,
                    Stat.class,
                    Watcher.class)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .map(location -> Path.of(URI.create(location.toString())))
            .toList();

    private Carried() {}

    /** The texts of all files afterwards, by their names. */
    static Map<String, String> over(Map<String, String> files) {
        ExecutionContext context = new InMemoryExecutionContext(failure -> {
            throw new AssertionError(failure);
        });
        List<SourceFile> parsed = JavaParser.fromJavaVersion()
                .classpath(CLASS_PATH)
                .build()
                .parseInputs(
                        files.entrySet().stream()
                                .map(file -> Parser.Input.fromString(Path.of(file.getKey()), file.getValue()))
                                .toList(),
                        null,
                        context)
                .toList();
        Autodetect.Detector detector = Autodetect.detector();
        parsed.forEach(detector::sample);
        Autodetect style = detector.build();
        List<SourceFile> styled = parsed.stream()
                .map(source ->
                        source.<SourceFile>withMarkers(source.getMarkers().add(style)))
                .toList();
        Map<String, String> after = new TreeMap<>(files);
        for (Result result : new MigrateFromCurator()
                .run(new InMemoryLargeSourceSet(styled), context)
                .getChangeset()
                .getAllResults()) {
            SourceFile source = result.getAfter();
            after.put(source.getSourcePath().toString(), source.printAll());
        }
        return after;
    }

    /** Compiles files that belong together, and returns the errors. */
    static List<CompilerError> errors(Map<String, String> files) {
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        List<JavaFileObject> sources = files.entrySet().stream()
                .<JavaFileObject>map(file -> new Text(file.getKey(), file.getValue()))
                .toList();
        List<String> options = List.of(
                "-proc:none",
                "-Xmaxerrs",
                "1000",
                "-cp",
                CLASS_PATH.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
        try (JavaFileManager manager = new Nowhere(COMPILER.getStandardFileManager(null, Locale.ROOT, null))) {
            COMPILER.getTask(new StringWriter(), manager, problems, options, null, sources)
                    .call();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<CompilerError> errors = new ArrayList<>();
        for (Diagnostic<? extends JavaFileObject> each : problems.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                errors.add(new CompilerError(
                        each.getSource().getName().substring(1),
                        (int) each.getLineNumber(),
                        each.getMessage(Locale.ROOT)));
            }
        }
        return errors;
    }

    private static final class Text extends SimpleJavaFileObject {
        private final String text;

        Text(String name, String text) {
            super(URI.create("memory:///" + name), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    /** Discards the classes. */
    private static final class Nowhere extends ForwardingJavaFileManager<JavaFileManager> {
        Nowhere(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return OutputStream.nullOutputStream();
                }
            };
        }
    }
}
