package io.quorate.kubernetes;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What pods have answered, one after the other, and what of it must not be. A pod is in service from the first time
 * that it is ready until it is taken out. Threads may be any.
 */
final class Observations {

    /** Of three voters: with one supporter less than this, two are out. */
    private static final int SUPPORTERS_MIN = 2;

    /** What a process has given is over by then, with the drift of a clock: what is seen later is of the next one. */
    static final long SUPPORT_NANOS_MAX =
            Pods.SUPPORT.multipliedBy(11).dividedBy(10).toNanos();

    /** How a violation begins that says so. */
    static final String TWO_OUT = "two voters are out: ";

    /** Whom a token belongs to. */
    record Reign(String pod, long token) {}

    /** The number of the process of each pod that is started, and not taken out. */
    private final Map<String, Integer> lives = new TreeMap<>();

    private final Set<String> inService = new HashSet<>();
    /** Voters that were taken out and do not vote again yet. */
    private final Set<String> out = new TreeSet<>();

    private final Map<String, Long> begunNanos = new TreeMap<>();

    private final Map<String, Long> readySince = new TreeMap<>();
    private final Map<String, Set<String>> supporters = new TreeMap<>();
    private final List<Reign> reigns = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();
    private int answers;
    private int begun;

    /** A pod is started. */
    synchronized void begin(String pod, long nowNanos) {
        lives.put(pod, ++begun);
        begunNanos.put(pod, nowNanos);
    }

    /** To be taken before a pod is asked, so that a process that is over is not taken for the next one; 0 if none is. */
    synchronized int life(String pod) {
        return lives.getOrDefault(pod, 0);
    }

    private boolean isOver(String pod, int life) {
        return life == 0 || life != life(pod);
    }

    /** A pod has told its readiness. */
    synchronized void onReady(String pod, int life, int status, long nowNanos) {
        if (isOver(pod, life)) {
            return;
        }
        answers++;
        if (status == 200) {
            inService.add(pod);
            readySince.putIfAbsent(pod, nowNanos);
        } else {
            readySince.remove(pod);
            if (inService.contains(pod)) {
                violations.add(pod + " is in service and answers /ready with " + status);
            }
        }
    }

    /** A pod says that it leads. It was asked after whatever was told before was answered. */
    synchronized void onLeads(String pod, long token) {
        Reign reign = new Reign(pod, token);
        Reign last = reigns.isEmpty() ? null : reigns.get(reigns.size() - 1);
        if (reign.equals(last)) {
            return;
        }
        if (last != null && token <= last.token) {
            violations.add(last + ", then " + reign);
        }
        reigns.add(reign);
    }

    /** A pod has told which voters support it. */
    synchronized void onSupporters(String pod, int life, Collection<String> voters, long askedNanos) {
        if (isOver(pod, life)) {
            return;
        }
        supporters.put(pod, new TreeSet<>(voters));
        if (!inService.contains(pod)) {
            return;
        }
        if (voters.size() < SUPPORTERS_MIN) {
            violations.add(TWO_OUT + pod + " is supported by " + voters);
        }
        out.removeIf(voter ->
                life(voter) != 0 && askedNanos - begunNanos.get(voter) > SUPPORT_NANOS_MAX && voters.contains(voter));
    }

    /** The pod is about to end, and may answer what it wants. Its voter is out until another pod has its support. */
    synchronized void takeOut(String pod) {
        lives.remove(pod);
        out.add(pod);
        if (out.size() > 1) {
            violations.add(TWO_OUT + out);
        }
        inService.remove(pod);
        readySince.remove(pod);
        supporters.remove(pod);
    }

    synchronized boolean isInService(String pod) {
        return inService.contains(pod);
    }

    /** Whether it has been ready without a break for so long. */
    synchronized boolean isReadyFor(String pod, long nanos, long nowNanos) {
        Long since = readySince.get(pod);
        return since != null && nowNanos - since >= nanos;
    }

    /** Whether each of these pods is supported by all of them. */
    synchronized boolean haveAllVoters(Collection<String> pods) {
        return pods.stream()
                .allMatch(pod -> supporters.getOrDefault(pod, Set.of()).containsAll(pods));
    }

    /** The last one that was seen to lead. */
    synchronized Optional<Reign> lastReign() {
        return reigns.isEmpty() ? Optional.empty() : Optional.of(reigns.get(reigns.size() - 1));
    }

    synchronized List<Reign> reigns() {
        return List.copyOf(reigns);
    }

    /** How often a pod has told its readiness. */
    synchronized int answers() {
        return answers;
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }
}
