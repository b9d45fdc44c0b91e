package io.quorate.cli.migrate;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A token of Java.
 *
 * @param start in the text of the file
 * @param end   behind its last character
 * @param line  from 1, where it begins
 * @param text  as it is written
 */
record Token(Kind kind, int start, int end, int line, String text) {

    enum Kind {
        /** A name or a keyword. */
        WORD,
        COMMENT,
        /** A string, a text block or a character. */
        LITERAL,
        NUMBER,
        /** One character of an operator or a separator. */
        SYMBOL
    }

    /** The texts of tokens, without what stands between them. */
    static String joined(List<Token> tokens) {
        return tokens.stream().map(Token::text).collect(Collectors.joining());
    }

    boolean isWord() {
        return kind == Kind.WORD;
    }

    boolean is(String other) {
        return kind != Kind.LITERAL && text.equals(other);
    }
}
