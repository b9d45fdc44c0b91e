package io.quorate.fencing;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path and a token of it. As text it is {@code /app/leader 7}: in the header, and in the file beside a guarded one.
 * There the path is ASCII without spaces: each other byte of its UTF-8, and each {@code %}, is a {@code %} with two
 * hexadecimal digits.
 *
 * @param path  begins with a slash, at most {@link #PATH_BYTES_MAX} bytes of UTF-8
 * @param token at least 1
 */
record Fence(String path, long token) {

    /** What the library itself allows: the longest path of an election. */
    static final int PATH_BYTES_MAX = 2048;

    /** What the longest path takes as text: three characters for each byte. */
    static final int ENCODED_MAX = 3 * PATH_BYTES_MAX;

    private static final Pattern TEXT = Pattern.compile("(?<path>/[!-~]*) (?<token>[0-9]{1,19})");
    private static final int SHOWN_MAX = 100;

    Fence {
        checkedPath(path);
        if (token < 1) {
            throw new IllegalArgumentException("token " + token + " of " + shown(path) + ": must be at least 1");
        }
    }

    /**
     * Answers the path itself.
     *
     * @throws IllegalArgumentException if it is none; names it and the rule
     */
    static String checkedPath(String path) {
        Objects.requireNonNull(path, "path");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("path '" + shown(path) + "': must begin with /, as that of an election");
        }
        int bytes;
        try {
            bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .encode(CharBuffer.wrap(path))
                    .limit();
        } catch (CharacterCodingException e) {
            // Two such paths could have the same bytes.
            throw new IllegalArgumentException("path '" + shown(path) + "': must have no unpaired surrogate");
        }
        if (bytes > PATH_BYTES_MAX) {
            throw new IllegalArgumentException("path of " + bytes + " bytes: must be at most " + PATH_BYTES_MAX);
        }
        return path;
    }

    /** The path as text. */
    static String encoded(String path) {
        StringBuilder text = new StringBuilder();
        for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
            if (isPlain(each)) {
                text.append((char) each);
            } else {
                text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
            }
        }
        return text.toString();
    }

    private static boolean isPlain(byte each) {
        return each >= '!' && each <= '~' && each != '%';
    }

    /** Reads what {@link #toString} has written. */
    static Fence parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw malformed(text, "must be <path> <token>, as in '/app/leader 7'");
        }
        String path = decoded(text, parts.group("path"));
        long token;
        try {
            token = Long.parseLong(parts.group("token"));
        } catch (NumberFormatException e) {
            throw malformed(text, "the token must be at most " + Long.MAX_VALUE);
        }
        return new Fence(path, token);
    }

    private static IllegalArgumentException malformed(String text, String rule) {
        return new IllegalArgumentException("'" + shown(text) + "': " + rule);
    }

    private static String decoded(String text, String path) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = 0; i < path.length(); i++) {
                if (path.charAt(i) == '%') {
                    bytes.write(HexFormat.fromHexDigits(path, i + 1, i + 3));
                    i += 2;
                } else {
                    bytes.write(path.charAt(i));
                }
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException | NumberFormatException | IndexOutOfBoundsException e) {
            throw malformed(text, "the path must be UTF-8, with % and two hexadecimal digits for what is not plain");
        }
    }

    /** Foreign text, short and without control characters. */
    private static String shown(String text) {
        String printable = text.replaceAll("[^ -~]", "?");
        return printable.length() <= SHOWN_MAX ? printable : printable.substring(0, SHOWN_MAX) + "...";
    }

    /** Throws what a guard answers that has seen this token. */
    void refuseBelow(long highest) {
        if (token < highest) {
            throw new StaleTokenException(path, token, highest);
        }
    }

    @Override
    public String toString() {
        return encoded(path) + " " + token;
    }
}
