package io.quorate.source;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.JavaFileObject.Kind;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Java source that is compiled in memory, with this JVM's class path, and in the way of the build's compiler. */
public final class Compiled extends ClassLoader {

    private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
    /** Reads the jars on the class path once. */
    private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

    private static final List<String> OPTIONS = List.of("-proc:none", "-Xlint:all,-processing,-classfile", "-Werror");

    private final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

    private Compiled() {
        super(Compiled.class.getClassLoader());
    }

    /** Takes what the compiler writes. */
    private final class Output extends ForwardingJavaFileManager<JavaFileManager> {

        private Output(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(Location location, String name, Kind kind, FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + name.replace('.', '/') + kind.extension), kind) {
                @Override
                public OutputStream openOutputStream() {
                    return classes.computeIfAbsent(name, written -> new ByteArrayOutputStream());
                }
            };
        }
    }

    /**
     * Compiles one file.
     *
     * @param type the full name of the class in it
     * @throws IllegalArgumentException if it does not compile; says why
     */
    public static Compiled of(String type, String source) {
        return of(Map.of(type, source));
    }

    private static JavaFileObject file(String type, String source) {
        return new SimpleJavaFileObject(
                URI.create("memory:///" + type.replace('.', '/') + Kind.SOURCE.extension), Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return source;
            }
        };
    }

    /**
     * Compiles files that need each other.
     *
     * @param sources by the full name of the class in each
     * @throws IllegalArgumentException if they do not compile; says why
     */
    public static synchronized Compiled of(Map<String, String> sources) {
        List<JavaFileObject> list = sources.entrySet().stream()
                .map(each -> file(each.getKey(), each.getValue()))
                .toList();
        Compiled compiled = new Compiled();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        if (!COMPILER.getTask(null, compiled.new Output(FILES), problems, OPTIONS, null, list)
                .call()) {
            throw new IllegalArgumentException(sources.keySet() + " does not compile:\n"
                    + problems.getDiagnostics().stream().map(Object::toString).collect(Collectors.joining("\n")) + "\n"
                    + String.join("\n", sources.values()));
        }
        return compiled;
    }

    /** A class of that file, even if the class path has one of the same name. */
    @Override
    public Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!classes.containsKey(name)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            byte[] bytes = classes.get(name).toByteArray();
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
