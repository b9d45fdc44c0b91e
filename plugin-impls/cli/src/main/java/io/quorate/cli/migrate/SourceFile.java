package io.quorate.cli.migrate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.Locale;

/** Reads and replaces a file. Each byte that is not meant to change stays: line ends, and the mark of UTF-8 at its start. */
final class SourceFile {

    /** More than any file that somebody has written: what is read is held in memory several times. */
    static final long BYTES_MAX = 2 << 20;

    private SourceFile() {}

    /**
     * Reads a file. One that is not in UTF-8 and has nothing to do with Curator is read as well as it goes.
     *
     * @throws Unreadable if it is too large, or names Curator and is not in UTF-8
     */
    static String read(Path file) throws IOException, Unreadable {
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
            // Whatever it is in, Curator's names are ASCII, with zeros between at most.
            String ascii = new String(bytes, StandardCharsets.ISO_8859_1).replace("\0", "");
            if (ascii.toLowerCase(Locale.ROOT).contains("curator")) {
                throw new Unreadable("is not in UTF-8");
            }
            return ascii;
        }
    }

    static void checkWritable(Path file) throws IOException {
        if (!Files.isWritable(file)) {
            throw new IOException("may not be written");
        }
    }

    /** Puts another text in the place of the file, all of it or nothing, with the same permissions. */
    static void replace(Path file, String text) throws IOException {
        Path fresh = Files.createTempFile(file.toAbsolutePath().getParent(), ".quorate-migrate", null);
        try {
            Files.writeString(fresh, text);
            PosixFileAttributeView old = Files.getFileAttributeView(file, PosixFileAttributeView.class);
            if (old != null) {
                Files.setPosixFilePermissions(fresh, old.readAttributes().permissions());
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(fresh);
        }
    }
}
