package io.quorate.kubernetes;

import io.quorate.kubernetes.Observations.Reign;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What {@link KubernetesTest} has done inside the namespaces: an act, and a directory for it. It ends with 0 if the
 * act went as it says, and with 1 and the reason otherwise.
 */
final class Acts {

    /** Changes of leader in an update of three pods. */
    private static final int CHANGES_MAX = 2;

    private static final int ANSWERS_MIN = 20;

    private static final Duration NO_NAMES = Duration.ofSeconds(10);
    /** Long enough to join: three support times. */
    private static final Duration LONG = Duration.ofSeconds(10);

    private final Path directory;

    private Acts(Path directory) {
        this.directory = directory;
    }

    public static void main(String[] arguments) {
        Thread parent = new Thread(Acts::endWithParent, "parent");
        parent.setDaemon(true);
        parent.start();
        int exit = 1;
        try {
            new Acts(Path.of(arguments[1])).play(arguments[0]);
            exit = 0;
        } catch (Exception | AssertionError e) {
            // Justification: told to whoever started this, whatever it is.
            e.printStackTrace(System.out);
        }
        System.out.flush();
        // With it all pods end.
        Runtime.getRuntime().halt(exit);
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // Nothing is said.
            }
        } catch (IOException e) {
            // Justification: the pipe of a process that is gone.
        }
        Runtime.getRuntime().halt(1);
    }

    private void play(String act) throws Exception {
        switch (act) {
            case "update" -> startUpdateAndKill();
            case "join-order" -> updateInJoinOrder();
            case "no-min-ready" -> updateWithoutMinReady();
            case "ordered-ready" -> startOrderedReady();
            case "ready-names-only" -> startWithNamesOfReadyPodsOnly();
            default -> throw new IllegalArgumentException("no such act: " + act);
        }
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private Pods pods(Map<String, String> overrides, Duration namesAfter) throws IOException {
        return new Pods(directory, overrides, namesAfter);
    }

    private static void awaitAllReady(Pods pods) throws InterruptedException {
        Observations seen = pods.observations();
        Duration took = pods.await("all are ready", () -> pods.names().stream().allMatch(seen::isInService));
        say("all were ready " + took.toMillis() + " ms later");
        pods.await("all voters vote", () -> seen.haveAllVoters(pods.names()));
        pods.await("somebody leads", () -> seen.lastReign().isPresent());
    }

    private static void awaitReady(Pods pods, String pod) throws InterruptedException {
        long minReadyNanos = pods.minReady().toNanos();
        Duration took = pods.await(pod + " is ready for long enough", () -> pods.observations()
                .isReadyFor(pod, minReadyNanos, System.nanoTime()));
        say(pod + " was ready for " + pods.minReady().toSeconds() + " s after " + took.toMillis() + " ms");
    }

    private static void checkNothingWasWrong(Pods pods) {
        pods.check(pods.observations().violations().isEmpty(), "something was wrong");
        pods.check(pods.observations().answers() > ANSWERS_MIN, "too few answers");
    }

    private static List<String> highestFirst(Pods pods) {
        List<String> order = new ArrayList<>(pods.names());
        Collections.reverse(order);
        return order;
    }

    private void startUpdateAndKill() throws Exception {
        Pods pods = pods(Map.of(), NO_NAMES);
        Observations seen = pods.observations();
        pods.startAll();
        pods.await("names are known", pods::areNamesKnown);
        pods.check(pods.names().stream().noneMatch(seen::isInService), "ready without names");
        pods.check(pods.denied() > 0, "nobody asked for a name");
        awaitAllReady(pods);
        for (String pod : pods.names()) {
            int status = pods.status(pod, pods.recipe().probe("livenessProbe"));
            pods.check(status == 200, pod + " answers /live with " + status);
            pods.check(
                    pods.status(pod, ":" + PodApplication.OPERATORS_PORT + "/live") == 0,
                    "the server for operators is reached from outside");
        }

        int first = update(pods).size();
        pods.check(first <= CHANGES_MAX, first + " changes of leader in an update");
        // Now the highest one leads, which is the worst beginning: it goes first, and its successor next.
        pods.check(
                seen.lastReign().orElseThrow().pod().equals(highestFirst(pods).get(0)),
                "the highest one does not lead");
        int second = update(pods).size();
        pods.check(second <= CHANGES_MAX, second + " changes of leader in an update");

        pods.await("all voters vote", () -> seen.haveAllVoters(pods.names()));
        Reign last = seen.lastReign().orElseThrow();
        pods.kill(last.pod());
        Duration took = pods.await(
                "another one leads", () -> seen.lastReign().orElseThrow().token() > last.token());
        say("after SIGKILL of " + last + " leads " + seen.lastReign() + " after " + took.toMillis() + " ms");
        pods.start(last.pod());
        awaitReady(pods, last.pod());
        pods.await("all voters vote", () -> seen.haveAllVoters(pods.names()));
        checkNothingWasWrong(pods);
    }

    /** As a stateful set does it. Answers who has led since. */
    private static List<Reign> update(Pods pods) throws InterruptedException, IOException {
        Observations seen = pods.observations();
        int before = seen.reigns().size();
        for (String pod : highestFirst(pods)) {
            pods.check(seen.haveAllVoters(pods.names()), "a voter is out before " + pod + " ends");
            pods.stop(pod);
            pods.start(pod);
            awaitReady(pods, pod);
        }
        List<Reign> changes = seen.reigns().subList(before, seen.reigns().size());
        say("led before the update " + seen.reigns().get(before - 1) + ", and since " + changes);
        pods.check(!changes.isEmpty(), "the leader has ended, and nobody has come");
        return changes;
    }

    /** What the rank order of the recipe saves: the third change, which the judge must count. */
    private void updateInJoinOrder() throws Exception {
        Pods pods = pods(Map.of("QUORATE_RANK_ORDER", "JOIN_ORDER"), Duration.ZERO);
        pods.startAll();
        awaitAllReady(pods);
        // After one update the pods have joined in the order in which the next one ends them.
        update(pods);
        int changes = update(pods).size();
        pods.check(changes == CHANGES_MAX + 1, changes + " changes of leader");
        checkNothingWasWrong(pods);
    }

    /** As with {@code minReadySeconds: 0}: a pod is ready before its voter votes, and the judge must find that. */
    private void updateWithoutMinReady() throws Exception {
        Pods pods = pods(Map.of(), Duration.ZERO);
        Observations seen = pods.observations();
        pods.startAll();
        awaitAllReady(pods);
        for (String pod : highestFirst(pods).subList(0, 2)) {
            pods.stop(pod);
            pods.start(pod);
            pods.await(pod + " is ready", () -> seen.isInService(pod));
        }
        say("without minReadySeconds " + seen.violations());
        pods.check(
                seen.violations().stream().anyMatch(violation -> violation.startsWith(Observations.TWO_OUT)),
                "nobody has seen that two voters were out");
        awaitAllReady(pods);
    }

    private static void checkNobodyIsReadyFor(Pods pods, Duration duration) throws InterruptedException {
        long end = System.nanoTime() + duration.toNanos();
        pods.await("the time is over", () -> {
            pods.check(pods.names().stream().noneMatch(pods.observations()::isInService), "one is ready");
            return System.nanoTime() - end >= 0;
        });
    }

    /** Pod 1 is started when pod 0 is ready, which needs pod 1. */
    private void startOrderedReady() throws Exception {
        Pods pods = pods(Map.of(), Duration.ZERO);
        String first = pods.names().get(0);
        pods.start(first);
        pods.await(first + " answers", () -> pods.observations().answers() > 0 && live(pods, first) == 200);
        checkNobodyIsReadyFor(pods, LONG);
        pods.check(pods.status(first, pods.recipe().probe("readinessProbe")) == 503, "it is not unready");
        // Nothing else has kept it from being ready.
        for (String pod : pods.names().subList(1, pods.names().size())) {
            pods.start(pod);
        }
        awaitAllReady(pods);
        checkNothingWasWrong(pods);
    }

    private static int live(Pods pods, String pod) {
        return pods.status(pod, pods.recipe().probe("livenessProbe"));
    }

    /** A Service without {@code publishNotReadyAddresses}. */
    private void startWithNamesOfReadyPodsOnly() throws Exception {
        Pods pods = pods(Map.of(), Duration.ZERO);
        pods.publishUnready(false);
        pods.startAll();
        pods.await("all live", () -> pods.names().stream().allMatch(pod -> live(pods, pod) == 200));
        checkNobodyIsReadyFor(pods, LONG);
        pods.check(pods.denied() > 0, "nobody asked for a name");
        pods.publishUnready(true);
        awaitAllReady(pods);
        checkNothingWasWrong(pods);
    }
}
