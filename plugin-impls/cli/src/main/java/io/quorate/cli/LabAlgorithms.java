package io.quorate.cli;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.simulation.Nearest;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;

/** The algorithms that the lab finds: those of this program, and those on a class path that somebody names. */
final class LabAlgorithms {

    private final List<ElectionAlgorithm> all;

    private LabAlgorithms(List<ElectionAlgorithm> all) {
        this.all = all;
    }

    /**
     * Finds them.
     *
     * @param classPath jars and directories with the separator of this system between them; empty for none
     * @throws IllegalArgumentException if one of them is not there, or what it lists cannot be loaded
     */
    static LabAlgorithms on(String classPath) {
        List<URL> urls = new ArrayList<>();
        for (String entry : classPath.isEmpty() ? new String[0] : classPath.split(File.pathSeparator, -1)) {
            urls.add(url(entry));
        }
        // Justification: it stays open as long as the process runs, because machines of an algorithm load more classes.
        @SuppressWarnings("resource")
        URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), LabAlgorithms.class.getClassLoader());
        try {
            return new LabAlgorithms(ServiceLoader.load(ElectionAlgorithm.class, loader).stream()
                    .map(ServiceLoader.Provider::get)
                    .sorted(Comparator.comparing(ElectionAlgorithm::name))
                    .toList());
            // Justification: classes of others may throw anything when they are loaded, and be of a newer JDK.
        } catch (Throwable e) {
            throw new IllegalArgumentException("--classpath '" + classPath + "': " + e, e);
        }
    }

    private static URL url(String entry) {
        Path path = Path.of(entry);
        if (entry.isEmpty() || !Files.exists(path)) {
            throw new IllegalArgumentException("--classpath '" + entry + "': must be a jar or a directory that exists");
        }
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException("--classpath '" + entry + "': " + e.getMessage(), e);
        }
    }

    /** All of them, by name. */
    List<ElectionAlgorithm> all() {
        return all;
    }

    List<String> names() {
        return all.stream().map(ElectionAlgorithm::name).toList();
    }

    /** @throws IllegalArgumentException if there is none of that name; says which there are, and the nearest one */
    ElectionAlgorithm of(String name) {
        return all.stream()
                .filter(algorithm -> algorithm.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("algorithm '" + name + "': must be one of "
                        + String.join(", ", names()) + Nearest.question(name, names())));
    }
}
