package io.quorate.cli;

import io.quorate.cli.Nodes.Answer;
import io.quorate.cli.Nodes.Said;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Hands the leadership of a path over, for an operator. Thread-safe. */
final class Handover {

    private static final Duration PAUSE = Duration.ofMillis(500);

    private final Nodes nodes;
    private final String token;
    private final Duration wait;

    /**
     * @param token what the nodes want to be shown
     * @param wait  for the successor
     */
    Handover(Nodes nodes, String token, Duration wait) {
        this.nodes = nodes;
        this.token = token;
        this.wait = wait;
    }

    /**
     * The leader that reports its own leadership, because only it can hand over, and that others name too. Its report
     * is public, so another address may copy it; then the command cannot tell them apart.
     *
     * @return a leader that is known, and its latch and token too
     * @throws CommandFailed if there is none, or may be several
     */
    Said<LeaderAnswer> leader(String path) throws CommandFailed, InterruptedException {
        List<Said<LeaderAnswer>> all = LeaderAnswer.of(nodes, path);
        Said<LeaderAnswer> newest = LeaderAnswer.newest(all)
                .orElseThrow(() ->
                        new CommandFailed(Exit.NOBODY, "no leader is known for " + Shown.of(path) + silence(all)));
        List<Said<LeaderAnswer>> agreed = Nodes.agreed(all, LeaderAnswer::tenure).stream()
                .filter(LeaderAnswer::isLeader)
                .toList();
        if (agreed.size() == 1) {
            return agreed.get(0);
        }
        if (!LeaderAnswer.isLeader(newest)) {
            throw new CommandFailed(
                    Exit.NOBODY,
                    newest.said().flatMap(LeaderAnswer::leader).orElseThrow() + " leads " + Shown.of(path)
                            + ", and its node is at no --url that answers" + silence(all));
        }
        throw new CommandFailed(
                Exit.NO,
                (agreed.isEmpty()
                                ? "more than half of the addresses do not name one leader of " + Shown.of(path)
                                : agreed.size() + " addresses say that they lead " + Shown.of(path))
                        + Nodes.NOT_AGREED
                        + silence(all));
    }

    private static String silence(List<Said<LeaderAnswer>> all) {
        StringBuilder text = new StringBuilder();
        for (Said<LeaderAnswer> each : all) {
            String why = each.said().map(LeaderAnswer::reason).map(Shown::of).orElse(each.silence());
            text.append("; ").append(each.name(LeaderAnswer::node)).append(": ").append(why);
        }
        return text.toString();
    }

    /**
     * Asks the leader, and waits for the successor.
     *
     * @param leader   from {@link #leader}
     * @param progress run about each second
     * @return what is known of the successor that leads
     * @throws CommandFailed if it does not lead, for a reason of this path
     * @throws NoAnswer      if the node of the leader changes nothing, or does not answer
     */
    LeaderAnswer to(Url leader, String path, String successor, Runnable progress)
            throws CommandFailed, NoAnswer, InterruptedException {
        long begin = System.nanoTime();
        String target = "/transfer" + Nodes.query("path", path, "to", successor);
        Optional<Answer> answer = ask(leader, target, begin, progress);
        // 503: as many changes at one time as it takes, and this one has not begun.
        while (answer.filter(each -> each.status() == 503).isPresent() && isInTime(begin)) {
            Thread.sleep(PAUSE.toMillis());
            progress.run();
            answer = ask(leader, target, begin, progress);
        }
        if (answer.isPresent()) {
            check(leader, answer.get());
        }
        Optional<LeaderAnswer> after = known(path, successor);
        while (after.isEmpty() && isInTime(begin)) {
            Thread.sleep(PAUSE.toMillis());
            progress.run();
            after = known(path, successor);
        }
        if (after.isEmpty()) {
            throw new CommandFailed(
                    Exit.NO,
                    "'" + Shown.of(successor) + "' does not lead " + Shown.of(path) + " after " + Durations.shown(wait)
                            + "; it may still come to that" + leaving(path));
        }
        return after.get();
    }

    private boolean isInTime(long begin) {
        return System.nanoTime() - begin < wait.toNanos();
    }

    /** Empty if the time is over before the node answers: the leader may have work to finish. */
    private Optional<Answer> ask(Url leader, String target, long begin, Runnable progress)
            throws NoAnswer, InterruptedException {
        try {
            return Optional.of(nodes.change(leader, target, token, wait, progress));
        } catch (NoAnswer e) {
            if (isInTime(begin)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    private static void check(Url leader, Answer answer) throws CommandFailed, NoAnswer {
        switch (answer.status()) {
            case 200, 504 -> {
                // 504: it has not come to that yet.
            }
            case 400, 409 ->
                throw new CommandFailed(
                        Exit.NO,
                        leader + ": "
                                + NodeStatus.unexpected(answer.status(), answer.body())
                                        .reason());
            default -> throw NodeStatus.unexpected(answer.status(), answer.body());
        }
    }

    /** The reason for which the successor waits, if the leader reports one. */
    private String leaving(String path) throws InterruptedException {
        return LeaderAnswer.newest(LeaderAnswer.of(nodes, path))
                .flatMap(Said::said)
                .flatMap(answer -> answer.leaving()
                        .map(why -> ": " + answer.leader().orElseThrow() + " leads on, and " + Shown.of(why)))
                .orElse("");
    }

    /** The successor, as soon as somebody knows that it leads. */
    private Optional<LeaderAnswer> known(String path, String successor) throws InterruptedException {
        return LeaderAnswer.newest(Nodes.agreed(LeaderAnswer.of(nodes, path), LeaderAnswer::tenure))
                .flatMap(Said::said)
                .filter(answer -> answer.leader()
                        .filter(leader -> leader.id().equals(successor))
                        .isPresent());
    }
}
