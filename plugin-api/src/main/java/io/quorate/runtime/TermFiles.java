package io.quorate.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * The steps in which {@link FileTermStore} replaces its file, one method each, in the order of the methods. After any
 * of them the process or the machine may die.
 */
class TermFiles {

    /** An empty file under {@code path}, whatever was there before. */
    FileChannel create(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING);
    }

    /** All of {@code content} is in the file. */
    void write(FileChannel file, ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            file.write(content);
        }
    }

    /** What was written survives a loss of power. */
    void force(FileChannel file) throws IOException {
        file.force(true);
    }

    /** {@code to} is replaced in one step: whoever reads it sees all of the old file or all of the new one. */
    void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The renaming survives a loss of power. */
    void forceDirectory(Path directory) throws IOException {
        // Justification: Windows cannot open a directory, and needs no such call: NTFS logs the renaming.
        if (File.separatorChar == '\\') {
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
