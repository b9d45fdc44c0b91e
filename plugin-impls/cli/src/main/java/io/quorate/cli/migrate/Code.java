package io.quorate.cli.migrate;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The tokens of a file without its comments, and what stands around one of them. */
final class Code {

    private static final Set<String> TYPE_WORDS = Set.of("class", "interface", "enum", "record");
    private static final String OPENING = "([{<";
    private static final String CLOSING = ")]}>";

    /** Ends every look ahead and behind. */
    private static final Token NONE = new Token(Token.Kind.SYMBOL, 0, 0, 0, "");

    private final List<Token> tokens;

    Code(List<Token> tokens) {
        this.tokens = List.copyOf(tokens);
    }

    int size() {
        return tokens.size();
    }

    /** The token with this index, or one with an empty text beyond both ends. */
    Token at(int index) {
        return index >= 0 && index < tokens.size() ? tokens.get(index) : NONE;
    }

    /** A name that nothing qualifies. */
    boolean isSimpleName(int index) {
        return at(index).isWord() && !at(index - 1).is(".");
    }

    /** A method that is called or named of something that may be a client. */
    boolean isMethod(int index) {
        boolean isCalled = at(index - 1).is(".") && at(index + 1).is("(") && !isType(at(index - 2));
        boolean isNamed = at(index - 1).is(":")
                && at(index - 2).is(":")
                && (at(index - 3).is(CuratorTypes.CLIENT) || !isType(at(index - 3)));
        return at(index).isWord() && (isCalled || isNamed);
    }

    /** A constant has capitals only. */
    private static boolean isType(Token token) {
        return token.isWord()
                && Character.isUpperCase(token.text().charAt(0))
                && token.text().chars().anyMatch(Character::isLowerCase);
    }

    /** The names that stand unqualified from here on. */
    Set<String> simpleNames(int from) {
        Set<String> names = new TreeSet<>();
        for (int i = from; i < tokens.size(); i++) {
            if (isSimpleName(i)) {
                names.add(at(i).text());
            }
        }
        return names;
    }

    /** The types that this file declares. */
    Set<String> declared() {
        Set<String> names = new TreeSet<>();
        for (int i = 0; i < tokens.size() - 1; i++) {
            if (TYPE_WORDS.contains(at(i).text()) && at(i + 1).isWord()) {
                names.add(at(i + 1).text());
            }
        }
        return names;
    }

    /** Behind the last token of a name with dots that begins here. */
    int endOfName(int index) {
        int end = index + 1;
        while (at(end).is(".") && at(end + 1).isWord()) {
            end += 2;
        }
        return end;
    }

    String joined(int from, int to) {
        return Token.joined(tokens.subList(from, to));
    }

    /** How many arguments a call has whose opening bracket this is. */
    int arguments(int bracket) {
        int depth = 0;
        int commas = 0;
        for (int i = bracket; i < tokens.size(); i++) {
            Token token = at(i);
            boolean isArrow = token.is(">") && at(i - 1).is("-");
            if (token.kind() != Token.Kind.SYMBOL || isArrow) {
                continue;
            }
            depth += OPENING.contains(token.text()) ? 1 : CLOSING.contains(token.text()) ? -1 : 0;
            if (depth == 0) {
                return i == bracket + 1 ? 0 : commas + 1;
            }
            commas += depth == 1 && token.is(",") ? 1 : 0;
        }
        return 0;
    }

    /** Whether the type that is named here is implemented, or made an anonymous class of. */
    boolean isImplemented(int index) {
        if (at(index - 1).is("new")) {
            // Behind the name of an array stands another bracket.
            return at(endOfName(index)).is("(");
        }
        int clause = before(index, Set.of("implements", "extends"));
        return at(clause).is("implements") || at(clause).is("extends") && before(clause, Set.of("interface")) >= 0;
    }

    /** Index of the nearest of these words, if nothing but names lies between, and this is no argument of a type. */
    private int before(int index, Set<String> words) {
        int depth = 0;
        for (int i = index - 1; at(i).isWord() || isOfList(at(i)); i--) {
            depth += at(i).is(">") ? 1 : at(i).is("<") ? -1 : 0;
            if (depth < 0) {
                return -1;
            }
            if (depth == 0 && words.contains(at(i).text())) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isOfList(Token token) {
        return token.kind() == Token.Kind.SYMBOL && !token.text().isEmpty() && ",.<>?".contains(token.text());
    }
}
