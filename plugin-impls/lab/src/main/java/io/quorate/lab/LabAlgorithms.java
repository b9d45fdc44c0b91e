package io.quorate.lab;

import io.quorate.testkit.simulation.FoundAlgorithms;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;

/** Finds the algorithms of this program, and those on a class path that somebody names. */
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
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.isEmpty() ? new String[0] : classPath.split(File.pathSeparator, -1)) {
            urls.add(url(entry));
        }
        // Justification: it stays open as long as the process runs, because machines of an algorithm load more classes.
        @SuppressWarnings("resource")
        URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), LabAlgorithms.class.getClassLoader());
        try {
            return FoundAlgorithms.of(loader);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--classpath '" + classPath + "': " + e.getMessage(), e);
        }
    }

    private static URL url(String entry) {
        Path path = Path.of(entry);
        if (entry.isEmpty() || !Files.isDirectory(path) && !Files.isRegularFile(path)) {
            throw new IllegalArgumentException("--classpath '" + entry + "': must be a jar or a directory that exists");
        }
        if (!Files.isDirectory(path)) {
            checkIsJar(path);
        }
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("--classpath '" + entry + "': " + e.getMessage(), e);
        }
    }

    /** A class loader passes over a jar that it cannot read, and says nothing. */
    private static void checkIsJar(Path path) {
        try (ZipFile jar = new ZipFile(path.toFile())) {
            if (jar.size() == 0) {
                throw new IllegalArgumentException("--classpath '" + path + "': must be a jar with something in it");
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--classpath '" + path + "': must be a jar or a directory, and cannot be read: " + e, e);
        }
    }
}
