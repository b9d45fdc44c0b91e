package io.quorate.cli.migrate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The manual steps left in the files below a directory, and in the build file that they belong to. */
public final class Remainder {

    /** A larger file was not written by hand. */
    private static final long BYTES_MAX = 2 << 20;

    private final Path directory;
    private final Path real;
    private final Consumer<String> out;
    private int left;

    /**
     * Nothing is done before {@link #list}.
     *
     * @param directory what is below it
     * @param out       receives each line of the list, without its end
     * @throws IllegalArgumentException if it is no directory that can be read
     */
    public Remainder(Path directory, Consumer<String> out) {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("'" + directory + "': must be a directory");
        }
        this.directory = directory;
        this.out = out;
        try {
            this.real = directory.toRealPath();
        } catch (IOException e) {
            throw new IllegalArgumentException("'" + directory + "': cannot be read: " + e, e);
        }
    }

    /**
     * Goes through all files, and lists each place.
     *
     * @return whether nothing is left
     * @throws IllegalArgumentException if there are too many files
     * @throws IOException              if the directory cannot be read
     */
    public boolean list() throws IOException {
        SortedSet<Path> unreadable = new TreeSet<>();
        SortedSet<Path> files;
        try {
            files = SourceTree.files(real, unreadable);
        } catch (Unreadable e) {
            throw new IllegalArgumentException("'" + directory + "': " + e.getMessage(), e);
        }
        unreadable.forEach(each -> list(each, List.of(new Place(0, "cannot be read", Advice.READ))));
        SourceTree.buildAbove(real).forEach(this::file);
        files.forEach(this::file);
        out.accept(left + (left == 1 ? " place" : " places") + " left to you");
        return left == 0;
    }

    private void file(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            String text = read(file);
            list(file, TextFile.isOne(name) ? TextFile.places(name, text) : JavaFile.places(text));
        } catch (Unreadable e) {
            list(file, List.of(new Place(0, String.valueOf(e.getMessage()), Advice.READ)));
        } catch (IOException e) {
            list(file, List.of(new Place(0, "cannot be read: " + e, Advice.READ)));
        }
    }

    /** A file in another encoding than UTF-8 that does not name Curator is read as far as possible. */
    private static String read(Path file) throws IOException, Unreadable {
        if (Files.size(file) > BYTES_MAX) {
            throw new Unreadable("is larger than 2 MiB");
        }
        byte[] bytes = Files.readAllBytes(file);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            // In every encoding, Curator's names are ASCII, with zeros between at most.
            String ascii = new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", "");
            if (ascii.toLowerCase(Locale.ROOT).contains("curator")) {
                throw new Unreadable("is not in UTF-8");
            }
            return ascii;
        }
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
        return file.startsWith(real) ? directory.resolve(real.relativize(file)) : file;
    }
}
