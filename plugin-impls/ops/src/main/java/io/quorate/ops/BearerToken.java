package io.quorate.ops;

import io.quorate.jvm.SettingFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The token that a caller has to show for a change. Its file is read for each request, so that another token needs no
 * restart. Never shown, not even in errors.
 */
final class BearerToken {

    /** Far more than a token needs: a longer file is another file. */
    private static final int FILE_LENGTH_MAX = 4096;

    /** The form of RFC 6750, and too long to be guessed. */
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/-]{16,}=*");

    private static final String SCHEME = "Bearer ";

    private final Path file;

    BearerToken(Path file) {
        this.file = file;
    }

    /**
     * Reads the file.
     *
     * @throws IOException if it cannot be read, or holds no token; the message names the file and the rule
     */
    byte[] read() throws IOException {
        String token;
        try {
            token = new String(SettingFile.text(file, FILE_LENGTH_MAX), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new IOException("tokenFile '" + file + "': " + e.getMessage(), e);
        }
        if (!FORM.matcher(token).matches()) {
            throw new IOException("tokenFile '" + file + "': " + (token.isEmpty() ? "is empty" : "has no token")
                    + ": must be one line of 16 or more letters, digits and -._~+/, as openssl rand -base64 32 makes"
                    + " it");
        }
        return token.getBytes(StandardCharsets.UTF_8);
    }

    /** The access to the file that every user of the machine has, and should not have; empty if none. */
    Optional<String> warning() {
        return SettingFile.exposure(file, true).map(("tokenFile '" + file + "': ")::concat);
    }

    /**
     * Answers whether a request shows the token. How long that takes tells nothing of the token.
     *
     * @param authorization the header of that name; null if there is none
     * @throws IOException as {@link #read}
     */
    boolean isShownIn(@Nullable String authorization) throws IOException {
        byte[] expected = read();
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return false;
        }
        byte[] shown = authorization.substring(SCHEME.length()).strip().getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, shown);
    }
}
