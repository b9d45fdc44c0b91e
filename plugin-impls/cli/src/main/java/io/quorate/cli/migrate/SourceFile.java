package io.quorate.cli.migrate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;

/** Reads and replaces a file. Each byte that is not meant to change stays: line ends, and the mark of UTF-8 at its start. */
final class SourceFile {

    /** More than any file that somebody has written: what is read is held in memory several times. */
    static final long BYTES_MAX = 2 << 20;

    private SourceFile() {}

    /**
     * Reads a file.
     *
     * @throws Unreadable if it is too large, or not in UTF-8
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
            throw new Unreadable("is not in UTF-8");
        }
    }

    /** Puts another text in the place of the file, all of it or nothing, with the same permissions. */
    static void replace(Path file, String text) throws IOException {
        if (!Files.isWritable(file)) {
            throw new IOException("may not be written");
        }
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
