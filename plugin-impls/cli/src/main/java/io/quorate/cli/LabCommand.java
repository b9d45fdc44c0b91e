package io.quorate.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** Says where the lab is. The simulator that it needs is not for operators. */
@Command(
        name = "lab",
        description = {"Says how to run the lab, which draws elections.", "It is another program, quorate-lab."},
        mixinStandardHelpOptions = true)
final class LabCommand implements Callable<Integer> {

    /** Those of the lab, which this command does not know. */
    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() throws CommandFailed {
        String version = Optional.ofNullable(Quorate.class.getPackage())
                .map(Package::getImplementationVersion)
                .orElse("VERSION");
        throw new CommandFailed(
                Exit.USAGE,
                "the lab is the artifact io.quorate:quorate-lab: java -jar quorate-lab-" + version + "-standalone.jar"
                        + Shown.whole(arguments.stream().map(LabCommand::quoted).collect(Collectors.joining())));
    }

    /** As a shell takes it, so that the line can be copied. */
    private static String quoted(String argument) {
        return argument.matches("[\\w./:,=-]+") ? " " + argument : " '" + argument.replace("'", "'\\''") + "'";
    }
}
