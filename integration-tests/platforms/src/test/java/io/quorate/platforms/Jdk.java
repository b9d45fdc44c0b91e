package io.quorate.platforms;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JDK of this machine.
 *
 * @param feature its number
 */
record Jdk(int feature, Path home) {

    private static final Pattern VERSION = Pattern.compile("(?m)^JAVA_VERSION=\"(\\d+).*\"");

    static final Jdk RUNNING = new Jdk(Runtime.version().feature(), Path.of(System.getProperty("java.home")));

    /** The one that runs this test, and those of the property; by number. */
    static Map<Integer, Jdk> all() {
        Map<Integer, Jdk> all = new TreeMap<>(Map.of(RUNNING.feature, RUNNING));
        for (String home : System.getProperty("platforms.jdks", "").split(",")) {
            if (!home.isBlank()) {
                Jdk jdk = at(Path.of(home.strip()));
                all.putIfAbsent(jdk.feature, jdk);
            }
        }
        return all;
    }

    static Jdk at(Path home) {
        try {
            Matcher version = VERSION.matcher(Files.readString(home.resolve("release")));
            if (!version.find()) {
                throw new IllegalArgumentException(
                        "platforms.jdks: " + home + ": its file release has no JAVA_VERSION");
            }
            return new Jdk(Integer.parseInt(version.group(1)), home);
        } catch (IOException e) {
            throw new UncheckedIOException("platforms.jdks: " + home + " is not the folder of a JDK", e);
        }
    }

    Path program() {
        return home.resolve("bin").resolve("java");
    }

    @Override
    public String toString() {
        return "JDK " + feature;
    }
}
