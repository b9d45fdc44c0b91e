package io.quorate.cli;

import io.quorate.Voters;
import io.quorate.runtime.StoredVoters;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Replaces the voters without asking the present ones, which are lost: docs/operations.md#a-majority-is-lost. */
@Command(
        name = "force",
        description = {
            "Writes who votes into the data directory of a node that is stopped. Only if a majority of the voters is lost",
            "permanently: if a voter that is left out ever starts again, there will be two leaders.",
            "Ends with 0 if it is written, 1 if not, 64 if voters or floor are wrong, or there is no terminal."
        },
        mixinStandardHelpOptions = true)
final class ForceVotersCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "The data directory of a node that will vote.")
    private Path directory = Path.of("");

    @Option(
            names = "--voters",
            paramLabel = "NODE",
            split = ",",
            required = true,
            description = "The complete list: the node of the directory, and voters of the last list that are left.")
    private List<String> voters = new ArrayList<>();

    @Option(
            names = "--floor",
            paramLabel = "TOKEN",
            required = true,
            description = "Tokens are above this one; not below any that the resource has seen.")
    private long floor;

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed {
        PrintWriter out = spec.commandLine().getOut();
        try (StoredVoters stored = StoredVoters.open(directory)) {
            confirm(stored);
            Voters forced = stored.force(floor, voters);
            out.println("number " + forced.number() + ": " + String.join(", ", forced.ids()) + "; start node "
                    + stored.nodeId() + " first");
            return Exit.YES;
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(Exit.USAGE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailed(Exit.NO, String.valueOf(e.getMessage()));
        }
    }

    private void confirm(StoredVoters stored) throws CommandFailed {
        Terminal terminal = ((Quorate) spec.root().userObject()).terminal();
        if (!terminal.isThere()) {
            throw new CommandFailed(
                    Exit.USAGE, "there is no terminal to ask at, and this is not done without a question");
        }
        Voters present = stored.voters();
        List<String> lost = stored.leftOut(voters);
        PrintWriter err = spec.commandLine().getErr();
        err.println("The directory of node " + stored.nodeId() + " holds number " + present.number() + ": "
                + String.join(", ", present.ids()) + ".");
        if (!lost.isEmpty()) {
            err.println(
                    "ONLY if every other voter (" + String.join(", ", lost)
                            + ") is stopped and will NEVER start again with its directory: otherwise there WILL be two leaders.");
        }
        err.println("The resource must accept tokens above " + floor + ".");
        String answer =
                terminal.ask("Type the id of the cluster to have " + Shown.of(String.join(", ", voters)) + " vote: ");
        if (answer == null || !answer.strip().equals(stored.clusterId())) {
            throw new CommandFailed(Exit.NO, "wrong id of the cluster: nothing is changed");
        }
    }
}
