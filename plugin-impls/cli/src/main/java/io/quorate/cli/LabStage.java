package io.quorate.cli;

import io.quorate.cli.play.Play;
import io.quorate.cli.play.PlayPlan;
import io.quorate.testkit.picture.Picture.Way;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;

/** Has real JVMs play what the lab has simulated. */
final class LabStage {

    private LabStage() {}

    /**
     * Plays it, as long as that takes. Ctrl-C ends it, and all its processes.
     *
     * @param progress is told before what is not played
     * @return the run with one more way
     * @throws CommandFailed        if it cannot be played to its end; says why
     * @throws InterruptedException if it was ended
     */
    static LabRun play(LabRun run, PlayPlan plan, String classPath, Terminal terminal, PrintWriter progress)
            throws CommandFailed, InterruptedException {
        plan.left().forEach(fault -> progress.println("cannot be played here: " + fault));
        progress.println("on " + plan.name() + ", for " + plan.millis() / 1000 + " s and what they need to start");
        progress.flush();
        try (Play play = new Play(plan, run.algorithm(), classPath)) {
            Terminal.Stopping stopping = terminal.onInterrupt(play::close);
            try {
                String title = run.algorithm() + ", " + plan.name() + ": " + run.title();
                return run.with(Way.of(plan.name(), play.run(title, plan.caption())), plan.caption());
            } finally {
                stopping.end();
            }
        } catch (IOException | UncheckedIOException e) {
            throw new CommandFailed(Exit.NO, "--play: " + Shown.lines(String.valueOf(e.getMessage())));
        }
    }
}
