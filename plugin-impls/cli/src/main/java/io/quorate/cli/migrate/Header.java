package io.quorate.cli.migrate;

import java.util.ArrayList;
import java.util.List;

/**
 * The package and the imports of a file.
 *
 * @param origin      name of the package; empty for none
 * @param imports     in their order
 * @param firstOfBody index of the first token of code behind all of them
 */
record Header(String origin, List<Import> imports, int firstOfBody) {

    /**
     * An import.
     *
     * @param start   of the word {@code import} in the text
     * @param end     behind the semicolon
     * @param line    from 1
     * @param name    without {@code static}; ends in {@code .*} if it is of all
     * @param isPlain whether it stands in one line, with no comment inside
     */
    record Import(int start, int end, int line, boolean isStatic, String name, boolean isPlain) {

        boolean isOfAll() {
            return name.endsWith(".*");
        }

        /** The package, or the class, that the name stands in. */
        String origin() {
            return name.substring(0, Math.max(0, name.lastIndexOf('.')));
        }

        String simpleName() {
            return name.substring(name.lastIndexOf('.') + 1);
        }

        String statement(String imported) {
            return "import " + (isStatic ? "static " : "") + imported + ";";
        }
    }

    /** Reads it. {@code code} has no comments. */
    static Header of(String text, List<Token> code) {
        String origin = "";
        List<Import> imports = new ArrayList<>();
        int firstOfBody = 0;
        for (int i = 0; i < code.size(); i++) {
            Token token = code.get(i);
            // An annotation of a package comes before it; what is behind the first type is no header any more.
            if (token.isWord() && (token.is("import") || token.is("package") && imports.isEmpty())) {
                int end = i;
                while (end < code.size() - 1 && !code.get(end).is(";")) {
                    end++;
                }
                if (token.is("import")) {
                    imports.add(imported(text, code.subList(i, end + 1)));
                } else {
                    origin = Token.joined(code.subList(i + 1, end));
                }
                firstOfBody = end + 1;
                i = end;
            } else if (token.is("{")) {
                break;
            }
        }
        return new Header(origin, List.copyOf(imports), firstOfBody);
    }

    private static Import imported(String text, List<Token> statement) {
        boolean isStatic = statement.size() > 1 && statement.get(1).is("static");
        String name = Token.joined(statement.subList(isStatic ? 2 : 1, statement.size() - 1));
        Token first = statement.get(0);
        int end = statement.get(statement.size() - 1).end();
        Import imported = new Import(first.start(), end, first.line(), isStatic, name, true);
        boolean isPlain = text.substring(first.start(), end).equals(imported.statement(name));
        return new Import(first.start(), end, first.line(), isStatic, name, isPlain);
    }
}
