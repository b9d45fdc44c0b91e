package io.quorate.demo;

import io.quorate.demo.RunHistory.Answers;
import io.quorate.demo.RunHistory.Step;
import io.quorate.history.Report;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a history amounts to: good, or bad for these reasons. */
final class Verdict {

    private final List<Step> steps;
    private final int overlaps;
    private final List<String> reasons;
    private final long answers;

    /**
     * Both are judged: what this JVM was told, and what the processes and the resource wrote down.
     *
     * @param stopped why the script could not go on, if it could not
     */
    Verdict(RunHistory history, Report report, Optional<String> stopped) {
        steps = history.steps();
        overlaps = history.overlaps().size();
        reasons = new ArrayList<>(history.faults());
        if (!report.isGood()) {
            reasons.add(report.toString());
        }
        stopped.ifPresent(reasons::add);
        answers = history.answers().stream().mapToLong(Answers::count).sum();
    }

    /** 0 if all was right, else 1. */
    int exitCode() {
        return reasons.isEmpty() ? 0 : Demo.FAILED;
    }

    /** Why it is bad; empty if it is not. */
    List<String> reasons() {
        return reasons;
    }

    /** One sentence on what was looked for most. */
    String overlaps() {
        return "Two leaders at one instant: " + (overlaps == 0 ? "never" : overlaps + " times") + ", in "
                + String.format("%,d", answers) + " answers of hasLeadership()";
    }

    /** The summary, with a table of the steps. */
    void print(PrintWriter out) {
        String row = "  %-32s %-8s %-7s %s%n";
        out.println();
        out.printf(row, "step", "leader", "token", "time");
        out.printf(row, "-".repeat(30), "------", "-----", "-".repeat(20));
        for (Step step : steps) {
            out.printf(
                    row,
                    step.title(),
                    step.leader().map(leader -> leader.life().node()).orElse("none"),
                    step.leader().map(leader -> Long.toString(leader.token())).orElse(""),
                    step.result());
        }
        out.println();
        out.println(overlaps() + ".");
        if (reasons.isEmpty()) {
            out.println("Every new leader had a higher token.");
        }
        reasons.forEach(reason -> out.println("FAILED: " + reason));
    }
}
