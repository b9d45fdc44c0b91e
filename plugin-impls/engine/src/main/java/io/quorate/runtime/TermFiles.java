package io.quorate.runtime;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * The steps in which {@link FileTermStore} replaces its file, one method each, in the order of the methods. After any
 * of them the process or the machine may die.
 */
public class TermFiles {

    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY_OF_OWNER = PosixFilePermissions.fromString("rwx------");

    /**
     * An empty file under {@code path}, of this user alone. An existing file is deleted, and a link is not followed.
     */
    public FileChannel create(Path path) throws IOException {
        Files.deleteIfExists(path);
        return FileChannel.open(
                path,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
                only(path, OWNER_ONLY));
    }

    /** A file that stays under its name, to be read and written; of this user alone. */
    static FileChannel openPrivate(Path path) throws IOException {
        FileChannel file = FileChannel.open(
                path,
                Set.of(
                        StandardOpenOption.CREATE,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS),
                only(path, OWNER_ONLY));
        if (only(path, OWNER_ONLY).length > 0) {
            try {
                Files.setPosixFilePermissions(path, OWNER_ONLY);
            } catch (IOException e) {
                // The directory belongs to another user, who lets this one write to it: that is the owner's decision.
            }
        }
        return file;
    }

    /** A directory of this user alone; its parent must be there. */
    static void makeDirectory(Path path) throws IOException {
        Files.createDirectory(path, only(path, DIRECTORY_OF_OWNER));
    }

    /** Nothing where the file system knows no such permissions. */
    private static FileAttribute<?>[] only(Path path, Set<PosixFilePermission> permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    /** All of {@code content} is in the file. */
    public void write(FileChannel file, ByteBuffer content) throws IOException {
        while (content.hasRemaining()) {
            file.write(content);
        }
    }

    /** Makes the written bytes survive a loss of power. */
    public void force(FileChannel file) throws IOException {
        file.force(true);
    }

    /** Replaces {@code to} in one step: a reader sees all of the old file or all of the new one. */
    public void rename(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The renaming survives a loss of power. */
    public void forceDirectory(Path directory) throws IOException {
        // Justification: Windows cannot open a directory, and needs no such call: NTFS logs the renaming.
        if (File.separatorChar == '\\') {
            return;
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
