package io.quorate.jvm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/** A file that settings name: of secrets, tokens, passwords or keys. Nothing that it holds is in a message. */
public final class SettingFile {

    private SettingFile() {}

    /**
     * Reads a regular file, or one that a symbolic link leads to. Anything else is refused, because opening a pipe or a
     * device may block for ever.
     *
     * @param file      its name
     * @param lengthMax in bytes: a longer file is another file
     * @return all that it holds
     * @throws IOException if it cannot be read, is no regular file, or is longer; the message is the rule that it
     *                     breaks, without its name
     */
    public static byte[] bytes(Path file, int lengthMax) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException("cannot be read: must be a regular file, or a link to one");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(lengthMax + 1);
        } catch (IOException e) {
            throw new IOException("cannot be read: " + e, e);
        }
        if (bytes.length > lengthMax) {
            throw new IOException("is longer than " + lengthMax + " bytes: must be another file");
        }
        return bytes;
    }

    /**
     * Reads a file as {@link #bytes}, which has to be text.
     *
     * @param file      its name
     * @param lengthMax in bytes
     * @return all that it holds
     * @throws IOException as {@link #bytes}, and if it begins with a byte order mark, which would become a part of a
     *                     secret, and nobody could see it
     */
    public static byte[] text(Path file, int lengthMax) throws IOException {
        byte[] bytes = bytes(file, lengthMax);
        if (bytes.length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF) {
            throw new IOException("begins with a byte order mark, the bytes EF BB BF: must be text without one");
        }
        return bytes;
    }

    /**
     * Tells what every user of the machine may do with a file or a directory, and should not. Where files have no such
     * permissions, nobody can tell.
     *
     * @param file     its name
     * @param isSecret whether only this process should read it
     * @return what is wrong, with the cure, without the name; empty if nothing is known to be
     */
    public static Optional<String> exposure(Path file, boolean isSecret) {
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(file);
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
        boolean isRead = isSecret && permissions.contains(PosixFilePermission.OTHERS_READ);
        boolean isWritten = permissions.contains(PosixFilePermission.OTHERS_WRITE);
        if (!isRead && !isWritten) {
            return Optional.empty();
        }
        String what = isRead && isWritten ? "read and changed" : isRead ? "read" : "changed";
        return Optional.of("can be " + what + " by every user of this machine: take that right away (chmod o-"
                + (isRead ? "r" : "") + (isWritten ? "w" : "")
                + (isSecret ? "; on Kubernetes defaultMode 0440)" : ")"));
    }
}
