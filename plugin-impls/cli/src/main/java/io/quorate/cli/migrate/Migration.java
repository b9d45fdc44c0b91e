package io.quorate.cli.migrate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Carries the files below a directory over from Curator, and says what it does, file by file. For one thread. */
public final class Migration {

    /** A terminal would be shown the escape of a tab otherwise. */
    private static final String TAB = "    ";

    private static final String JAVA = ".java";

    private final Path directory;
    private final Path real;
    private final boolean isDry;
    private final Consumer<String> out;
    /** From a directory to the types that its files are named after. */
    private final Map<Path, Set<String>> types = new HashMap<>();

    private int changed;
    private int left;

    /**
     * Nothing is done before {@link #run}.
     *
     * @param directory what is below it
     * @param isDry     whether nothing is written
     * @param out       given each line that somebody is to read, without its end
     * @throws IllegalArgumentException if it is no directory that can be read
     */
    public Migration(Path directory, boolean isDry, Consumer<String> out) {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("'" + directory + "': must be a directory");
        }
        this.directory = directory;
        this.isDry = isDry;
        this.out = out;
        try {
            this.real = directory.toRealPath();
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + directory + "': cannot be read: " + e, e);
        }
    }

    /**
     * Goes through all files.
     *
     * @return whether nothing is left to somebody
     * @throws IllegalArgumentException if there are too many files
     * @throws IOException              if the directory cannot be read
     */
    public boolean run() throws IOException {
        SortedSet<Path> unreadable = new TreeSet<>();
        SortedSet<Path> files;
        try {
            files = SourceTree.files(real, unreadable);
        } catch (Unreadable e) {
            throw new IllegalArgumentException("'" + directory + "': " + e.getMessage(), e);
        }
        files.forEach(this::addType);
        unreadable.forEach(each -> list(each, List.of(new Place(0, "cannot be read", Advice.READ))));
        files.forEach(this::file);
        out.accept(count(changed, "file") + (isDry ? " would be changed, " : " changed, ") + count(left, "place")
                + " left to you");
        return left == 0;
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private void file(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            String text = SourceFile.read(file);
            if (TextFile.isOne(name)) {
                list(file, TextFile.places(name, text));
            } else if (text.contains(CuratorTypes.CURATOR) || text.contains(CuratorTypes.CLIENT)) {
                java(file, JavaSource.rewrite(text, origin -> typesOf(origin, file.resolveSibling(""))));
            }
        } catch (Unreadable e) {
            list(file, List.of(new Place(0, String.valueOf(e.getMessage()), Advice.BY_HAND)));
        } catch (IOException e) {
            list(file, List.of(new Place(0, "cannot be read or written: " + e, Advice.READ)));
        }
    }

    private void java(Path file, Rewritten rewritten) throws IOException {
        if (rewritten.isChanged()) {
            SourceFile.checkWritable(file);
            if (!isDry) {
                SourceFile.replace(file, rewritten.after());
            }
            changed++;
            out.accept("--- " + shown(file));
            rewritten.changes().forEach(line -> out.accept(line.replace("\t", TAB)));
        }
        list(file, isDry ? rewritten.places() : rewritten.placesAfter());
    }

    private void addType(Path file) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(JAVA)) {
            types.computeIfAbsent(file.resolveSibling(""), none -> new TreeSet<>())
                    .add(name.substring(0, name.length() - JAVA.length()));
        }
    }

    /**
     * Those of a package, which may stand in several source folders, and those beside a file of it. Where a source
     * folder begins is not known, so types of a package that only ends so are among them: a type too many is an error
     * of the compiler, and one too few would be another type in silence.
     */
    private Set<String> typesOf(String origin, Path beside) {
        Set<String> found = new TreeSet<>(types.getOrDefault(beside, Set.of()));
        types.forEach((folder, names) -> {
            String dotted = folder.toString().replace(folder.getFileSystem().getSeparator(), ".");
            if (!origin.isEmpty() && dotted.endsWith("." + origin)) {
                found.addAll(names);
            }
        });
        return found;
    }

    private void list(Path file, List<Place> places) {
        left += places.size();
        for (Place place : places) {
            String line = place.line() == 0 ? "" : ":" + place.line();
            out.accept(shown(file) + line + ": " + place.what() + ": " + place.advice());
        }
    }

    /** Below the directory as it was given. */
    private Path shown(Path file) {
        return directory.resolve(real.relativize(file));
    }
}
