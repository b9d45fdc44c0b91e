package io.quorate.cli.migrate;

import io.quorate.cli.migrate.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads Java as tokens: enough to tell names from comments and strings. */
final class JavaTokens {

    /** The compiler replaces these first, so that comments and strings may end where it does not look so. */
    private static final Pattern HIDDEN_END =
            Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*+\\\\u+00(0[aAdD]|22|27|2[aAfF]|5[cC])");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;
    private int line = 1;

    private JavaTokens(String text) {
        this.text = text;
    }

    /**
     * Reads a file.
     *
     * @throws Unreadable if a comment or a string does not end, or ends by a Unicode escape
     */
    static List<Token> of(String text) throws Unreadable {
        if (HIDDEN_END.matcher(text).find()) {
            throw new Unreadable("has a Unicode escape for a quote, a slash, a star or the end of a line");
        }
        return new JavaTokens(text).read();
    }

    private List<Token> read() throws Unreadable {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n' || c == '\r' && !text.startsWith("\r\n", at)) {
                line++;
                at++;
            } else if (Character.isWhitespace(c) || c == '\uFEFF') {
                at++;
            } else {
                add(c);
            }
        }
        return tokens;
    }

    private void add(char first) throws Unreadable {
        if (text.startsWith("//", at)) {
            add(Kind.COMMENT, endOfLine());
        } else if (text.startsWith("/*", at)) {
            add(Kind.COMMENT, behind("*/", 2, "comment"));
        } else if (text.startsWith("\"\"\"", at)) {
            add(Kind.LITERAL, endOfQuoted("\"\"\""));
        } else if (first == '"' || first == '\'') {
            add(Kind.LITERAL, endOfQuoted(String.valueOf(first)));
        } else if (Character.isDigit(first)) {
            add(Kind.NUMBER, endOfWord());
        } else if (Character.isJavaIdentifierStart(text.codePointAt(at))) {
            add(Kind.WORD, endOfWord());
        } else {
            add(Kind.SYMBOL, at + 1);
        }
    }

    private void add(Kind kind, int end) {
        String written = text.substring(at, end);
        tokens.add(new Token(kind, at, end, line, written));
        line += lineBreaks(written);
        at = end;
    }

    private static int lineBreaks(String written) {
        int breaks = 0;
        for (int i = 0; i < written.length(); i++) {
            char c = written.charAt(i);
            if (c == '\n' || c == '\r' && !written.startsWith("\r\n", i)) {
                breaks++;
            }
        }
        return breaks;
    }

    private int endOfLine() {
        int end = at;
        while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
            end++;
        }
        return end;
    }

    private int behind(String mark, int from, String what) throws Unreadable {
        int end = text.indexOf(mark, at + from);
        if (end < 0) {
            throw endless(what);
        }
        return end + mark.length();
    }

    private int endOfQuoted(String quote) throws Unreadable {
        int end = at + quote.length();
        while (!text.startsWith(quote, end)) {
            boolean isOver = end >= text.length() || quote.length() == 1 && "\r\n".indexOf(text.charAt(end)) >= 0;
            if (isOver) {
                throw endless("string");
            }
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return end + quote.length();
    }

    private Unreadable endless(String what) {
        return new Unreadable("has a " + what + " in line " + line + " that does not end");
    }

    private int endOfWord() {
        int end = at;
        while (end < text.length() && Character.isJavaIdentifierPart(text.codePointAt(end))) {
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }
}
