package io.quorate.cli;

import io.quorate.jvm.SettingFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Pattern;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of all commands that change something: the confirmation, and the token for the nodes. */
final class ChangeOptions {

    static final String VARIABLE = "QUORATE_TOKEN_FILE";

    /** Far more than a token needs: a longer file is another file. */
    private static final int FILE_LENGTH_MAX = 4096;

    /** As quorate-ops takes it. */
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]{16,}=*");

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Holds the token that the nodes want for changes. Without it, the variable " + VARIABLE + ".")
    private String tokenFile = "";

    @Option(names = "--force", description = "Do not ask.")
    private boolean isForced;

    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec command;

    /**
     * Reads the token.
     *
     * @throws CommandFailed if there is none; never shows what the file holds
     */
    String token() throws CommandFailed {
        String named = tokenFile.isEmpty() ? quorate().environment().getOrDefault(VARIABLE, "") : tokenFile;
        if (named.isBlank()) {
            throw new CommandFailed(
                    Exit.USAGE, "a change needs the token of the nodes: give --token-file FILE, or " + VARIABLE);
        }
        String source = (tokenFile.isEmpty() ? VARIABLE : "--token-file") + " '" + Shown.of(named) + "': ";
        byte[] bytes;
        try {
            bytes = SettingFile.text(Path.of(named), FILE_LENGTH_MAX);
        } catch (IOException e) {
            throw new CommandFailed(Exit.USAGE, source + e.getMessage());
        } catch (InvalidPathException e) {
            throw new CommandFailed(Exit.USAGE, source + "cannot be read: " + e);
        }
        String token = new String(bytes, StandardCharsets.UTF_8).strip();
        if (!TOKEN.matcher(token).matches()) {
            throw new CommandFailed(Exit.USAGE, source + "must be one line of 16 or more letters, digits and -._~+/");
        }
        return token;
    }

    /**
     * Refuses to show a token where somebody on the way could read it.
     *
     * @throws CommandFailed if so
     */
    void requireFit(Url url) throws CommandFailed {
        if (!url.isFitForToken()) {
            throw new CommandFailed(
                    Exit.USAGE,
                    "--url " + url + ": the token is sent to https, or to http://127.0.0.1, http://[::1] and"
                            + " http://localhost, alone; run the command on the machine of the node, or over a tunnel");
        }
    }

    /**
     * Asks whether to go on.
     *
     * @param question without a mark at its end
     * @throws CommandFailed if the answer is not yes, or if there is nobody to ask
     */
    void confirm(String question) throws CommandFailed {
        if (isForced) {
            return;
        }
        Terminal terminal = quorate().terminal();
        if (!terminal.isThere()) {
            throw new CommandFailed(
                    Exit.USAGE, "there is no terminal to ask at: give --force to change it without a question");
        }
        String answer = terminal.ask(question + "? [y/N] ");
        if (answer == null || !answer.strip().toLowerCase(Locale.ROOT).matches("y|yes")) {
            throw new CommandFailed(Exit.NO, "nothing is changed");
        }
    }

    private Quorate quorate() {
        return (Quorate) command.root().userObject();
    }
}
