package io.quorate.lab;

import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Membership;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.FoundAlgorithms;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/** Finds the algorithms of this program, and those on a class path. */
final class LabAlgorithms {

    private LabAlgorithms() {}

    /**
     * Finds them.
     *
     * @param classPath jars and directories with the separator of this system between them; empty for none
     * @throws IllegalArgumentException if one of them is not there or no jar, if what it lists cannot be loaded, or if two
     *                                  algorithms have one name
     */
    static FoundAlgorithms on(String classPath) {
        return on("--classpath", classPath);
    }

    /** Finds them on a class path that the argument of this name sets. */
    static FoundAlgorithms on(String argument, String classPath) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.isEmpty() ? new String[0] : classPath.split(File.pathSeparator, -1)) {
            urls.add(url(argument + " '" + entry + "': ", entry));
        }
        // Justification: it stays open as long as the process runs, because machines of an algorithm load more classes.
        @SuppressWarnings("resource")
        URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), LabAlgorithms.class.getClassLoader());
        try {
            return FoundAlgorithms.of(loader);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(argument + " '" + classPath + "': " + e.getMessage(), e);
        }
    }

    private static URL url(String named, String entry) {
        Path path = Path.of(entry);
        if (entry.isEmpty() || !Files.isDirectory(path) && !Files.isRegularFile(path)) {
            throw new IllegalArgumentException(named + "must be a jar or a directory that exists");
        }
        if (!Files.isDirectory(path)) {
            checkIsJar(named, path);
        }
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(named + e.getMessage(), e);
        }
    }

    /** A class loader passes over a jar that it cannot read, and says nothing. */
    private static void checkIsJar(String named, Path path) {
        try (ZipFile jar = new ZipFile(path.toFile())) {
            if (jar.size() == 0) {
                throw new IllegalArgumentException(named + "must be a jar with something in it");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(named + "must be a jar or a directory, and cannot be read: " + e, e);
        }
    }

    /** How an algorithm makes a machine. */
    @FunctionalInterface
    interface Maker {
        Election make(Membership membership, Timing timing, Options options);
    }

    /** The algorithm, with machines that are made otherwise. */
    static ElectionAlgorithm creating(ElectionAlgorithm algorithm, Maker maker) {
        return (ElectionAlgorithm) Proxy.newProxyInstance(
                LabAlgorithms.class.getClassLoader(),
                new Class<?>[] {ElectionAlgorithm.class},
                (proxy, method, given) -> {
                    if (method.getName().equals("create")) {
                        return maker.make((Membership) given[0], (Timing) given[1], (Options) given[2]);
                    }
                    try {
                        return method.invoke(algorithm, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
