package io.quorate.cli;

import io.quorate.Voters;
import io.quorate.runtime.StoredVoters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tells a stopped node who votes: docs/operations.md#all-voters-that-a-node-knows-were-replaced. */
@Command(
        name = "adopt",
        description = {
            "Copies the list of voters from another data directory into that of a node that is stopped. Use it if all the",
            "voters of its list were replaced while it was away, because the node does not believe others.",
            "Ends with 0 if it is written, 1 if a directory cannot be used, 64 if its cluster or list does not fit."
        },
        mixinStandardHelpOptions = true)
final class AdoptVotersCommand implements Callable<Integer> {

    @Parameters(paramLabel = "DIR", description = "The data directory of the node that was away.")
    private Path directory = Path.of("");

    @Option(
            names = "--from",
            paramLabel = "DIR",
            required = true,
            description = "A copy of the data directory of a node that knows who votes.")
    private Path from = Path.of("");

    @Spec
    @SuppressWarnings("NullAway.Init") // By picocli, before it runs.
    private CommandSpec spec;

    @Override
    public Integer call() throws CommandFailed {
        try (StoredVoters stored = StoredVoters.open(directory);
                StoredVoters later = StoredVoters.open(from)) {
            Voters adopted = stored.adopt(later);
            spec.commandLine()
                    .getOut()
                    .println("node " + stored.nodeId() + " goes by number " + adopted.number() + ": "
                            + String.join(", ", adopted.ids()) + " from its next start on");
            return Exit.YES;
        } catch (IllegalArgumentException e) {
            throw new CommandFailed(Exit.USAGE, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new CommandFailed(Exit.NO, String.valueOf(e.getMessage()));
        }
    }
}
