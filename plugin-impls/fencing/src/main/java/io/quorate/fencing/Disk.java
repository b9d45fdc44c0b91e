package io.quorate.fencing;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The steps in which {@link FencedFile} replaces a file. After any of them the process or the machine may die. */
class Disk {

    /** Makes a new file with this content, in place of one, or of a link, that is left over. */
    void write(Path file, byte[] content) throws IOException {
        // The next step does not open what another user of the directory may have put there, such as a link.
        Files.deleteIfExists(file);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            // The written bytes survive a loss of power.
            channel.force(true);
        }
    }

    /** Replaces {@code to} in one step: a reader sees all of the old file or all of the new one. */
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
