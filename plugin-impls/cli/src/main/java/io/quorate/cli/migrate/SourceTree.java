package io.quorate.cli.migrate;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** The files below a directory that are looked at. Links are not followed, and so nothing outside is reached. */
final class SourceTree {

    /** More than one application has; all names are held in memory. */
    static final int FILES_MAX = 200_000;

    /** Where tools put what they make, if it stands beside their file. */
    private static final Set<String> MADE = Set.of("target", "build");

    private static final List<String> BUILD_FILES = List.of("pom.xml", "build.gradle", "build.gradle.kts");

    private SourceTree() {}

    /**
     * Finds them.
     *
     * @param unreadable told of each directory that cannot be read
     * @return in the order of their names
     * @throws Unreadable if there are too many
     */
    static SortedSet<Path> files(Path directory, SortedSet<Path> unreadable) throws IOException, Unreadable {
        SortedSet<Path> files = new TreeSet<>();
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path each, BasicFileAttributes attributes) {
                return each.equals(directory) || !isPassedOver(each)
                        ? FileVisitResult.CONTINUE
                        : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = String.valueOf(file.getFileName());
                if (attributes.isRegularFile() && (name.endsWith(".java") || TextFile.isOne(name))) {
                    files.add(file);
                }
                return files.size() > FILES_MAX ? FileVisitResult.TERMINATE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) {
                unreadable.add(file);
                return FileVisitResult.CONTINUE;
            }
        });
        if (files.size() > FILES_MAX) {
            throw new Unreadable("has more than " + FILES_MAX + " files");
        }
        return files;
    }

    /** The build files of the project that a directory of sources belongs to, if none stands in it. */
    static List<Path> buildAbove(Path directory) {
        for (Path each = directory; each != null; each = each.getParent()) {
            List<Path> found = BUILD_FILES.stream()
                    .map(each::resolve)
                    .filter(Files::isRegularFile)
                    .toList();
            if (!found.isEmpty()) {
                return each.equals(directory) ? List.of() : found;
            }
        }
        return List.of();
    }

    private static boolean isPassedOver(Path directory) {
        String name = String.valueOf(directory.getFileName());
        return name.startsWith(".")
                || MADE.contains(name)
                        && BUILD_FILES.stream().anyMatch(file -> Files.exists(directory.resolveSibling(file)));
    }
}
