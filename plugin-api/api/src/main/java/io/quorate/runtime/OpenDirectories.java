package io.quorate.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Which directories have a store open in this process. The lock file cannot tell: with POSIX, whoever closes a file
 * gives up every lock that the process has on it, so that the very attempt to lock it a second time would free it.
 *
 * <p>Kept among the system properties, because an application server may have loaded this library twice, and the two
 * share nothing else.
 */
final class OpenDirectories {

    private static final String PREFIX = "io.quorate.open-directory.";

    private OpenDirectories() {}

    /** What a directory is called here, under whichever name it was reached. */
    static String key(Path directory) throws IOException {
        Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        return PREFIX + (key == null ? directory.toRealPath() : key);
    }

    /** Answers whether it was free. */
    static boolean take(String key, String owner) {
        return System.getProperties().putIfAbsent(key, owner) == null;
    }

    static void giveBack(String key) {
        System.getProperties().remove(key);
    }
}
