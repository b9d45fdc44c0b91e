package io.quorate.source;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** What the compiler says against files of users, whose warnings are their own affair. */
public final class Errors {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

    /** Line, from 1, and message. */
    public record CompilerError(long line, String message) {}

    /** Each has read the jars on its class path, and reads them once. */
    private static final Map<List<File>, StandardJavaFileManager> MANAGERS = new HashMap<>();

    private Errors() {}

    private static StandardJavaFileManager manager(List<File> classPath) {
        StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null);
        try {
            files.setLocation(StandardLocation.CLASS_PATH, classPath);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return files;
    }

    /**
     * Compiles one file, whose classes nobody needs.
     *
     * @param name        of the file
     * @param isOnClassPath which entries of this JVM's class path are on that of the compiler
     */
    public static synchronized List<CompilerError> of(String name, String source, Predicate<String> isOnClassPath) {
        List<File> classPath = Stream.of(System.getProperty("java.class.path").split(Pattern.quote(File.pathSeparator)))
                .filter(isOnClassPath)
                .map(File::new)
                .toList();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try {
            StandardJavaFileManager files = MANAGERS.computeIfAbsent(classPath, Errors::manager);
            Path directory = Files.createTempDirectory("errors");
            Path file = Files.writeString(directory.resolve(name), source);
            List<String> options = List.of("-proc:none", "-d", directory.toString());
            COMPILER.getTask(null, files, problems, options, null, files.getJavaFileObjects(file))
                    .call();
            // Lines are counted in the file when somebody asks for them.
            List<CompilerError> errors = problems.getDiagnostics().stream()
                    .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                    .map(problem -> new CompilerError(problem.getLineNumber(), problem.getMessage(null)))
                    .toList();
            delete(directory);
            return errors;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(each);
            }
        }
    }
}
