package io.quorate.tcp;

import io.quorate.jvm.NodeLog;
import io.quorate.jvm.Printable;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.tcp.Wire.Answer;
import io.quorate.transport.Problems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.event.Level;

/** The lines of the log: each change of a link once, and no line more than once a minute. Confined to the loop. */
final class Reports {

    /** The class that applications know. */
    private static final Logger LOG = NodeLog.of(TcpTransport.class);

    private final NodeId self;
    private final LongSupplier now;
    /** One subject for each peer and kind of line, and few of this node. */
    private static final int SUBJECTS_MAX = 1024;
    /** Strangers choose their addresses: so many have lines of their own within a minute. */
    static final int STRANGERS_MAX = 8;

    /** A peer that starts after the others is there by then: what is wrong now stays wrong until somebody mends it. */
    static final long MISSING_NANOS = 60_000_000_000L;

    /** Twice what a stranger may say elsewhere: whose certificate it is, its end, and what is wrong with it. */
    private static final int REASON_MAX = 256;

    private final LogLimit lines = new LogLimit(SUBJECTS_MAX);
    private final LogLimit linesOfStrangers = new LogLimit(STRANGERS_MAX);
    private final Problems problems = new Problems(System::nanoTime);
    private boolean hasFailed;
    private boolean hasReceiverFailed;

    /** @param now the time, in nanoseconds, that the loop goes by */
    Reports(NodeId self, LongSupplier now) {
        this.self = self;
        this.now = now;
    }

    /** Any thread may ask. */
    List<Problem> problems() {
        return problems.list();
    }

    private static String towards(Peer peer) {
        return "to " + peer.id();
    }

    void onFault(Throwable fault) {
        if (!hasFailed) {
            hasFailed = true;
            NodeLog.lastWords(LOG, "{}: a fault of the transport; it goes on, and says no more of such", self, fault);
        }
    }

    void onReceiverFailed(Throwable e) {
        if (!hasReceiverFailed) {
            hasReceiverFailed = true;
            NodeLog.lastWords(LOG, "{}: the receiver failed; further failures are counted only", self, e);
        }
    }

    /** The loop has no selector any more. */
    void onEnd(Throwable fault) {
        NodeLog.lastWords(LOG, "{}: the transport has failed and is closed", self, fault);
    }

    void onClosed() {
        LOG.debug("{}: closed", self);
    }

    void onClosingFailed(IOException e) {
        LOG.debug("{}: closing failed", self, e);
    }

    /** The peer has said that it closes. That it no longer listens is not news then. */
    void left(Peer peer) {
        problems.remove(towards(peer));
        peer.missingSince = OptionalLong.empty();
        if (peer.isListed && !peer.isReportedLost) {
            peer.isReportedLost =
                    lines.enter("lost " + peer.id(), now.getAsLong()).isPresent();
            if (peer.isReportedLost) {
                LOG.info("{}: {} has closed", self, peer.id());
            }
        }
    }

    void reached(Peer peer) {
        problems.remove(towards(peer));
        String again = peer.wasReached ? " again" : "";
        peer.wasReached = true;
        peer.missingSince = OptionalLong.empty();
        if (!peer.isReportedLost) {
            return;
        }
        peer.isReportedLost = false;
        lines.enter("reached " + peer.id(), now.getAsLong())
                .ifPresent(leftOut -> LOG.info("{}: {} is reached{}{}", self, peer.id(), again, more(leftOut)));
    }

    /** Says once that a peer of the list is not reached; contenders come and go. */
    void lost(Peer peer, String reason) {
        problems.remove(towards(peer));
        if (!peer.isListed) {
            LOG.debug("{}: contender {} is not connected ({})", self, peer.id(), reason);
            return;
        }
        if (peer.isReportedLost) {
            tellMissing(peer, reason);
            return;
        }
        OptionalLong leftOut = lines.enter("lost " + peer.id(), now.getAsLong());
        if (leftOut.isEmpty()) {
            return;
        }
        peer.isReportedLost = true;
        String line = peer.wasReached
                ? "{}: cannot reach {} at {} any more ({}); retrying{}"
                : "{}: {} at {} is not there yet ({}); retrying{}";
        Object[] values = {self, peer.id(), peer.where(), reason, more(leftOut.getAsLong())};
        LOG.atLevel(peer.wasReached ? Level.WARN : Level.INFO).log(line, values);
        peer.missingSince = peer.wasReached ? OptionalLong.empty() : OptionalLong.of(now.getAsLong());
    }

    /** As {@link #lost}, of a peer with which TLS fails, so an operator has to act. */
    void notSecured(Peer peer, String reason) {
        lost(peer, reason);
        note(towards(peer), peer, Problem.Kind.TLS, "no TLS with " + peer.id() + " at " + peer.where() + ": " + reason);
    }

    private void note(String subject, Peer peer, Problem.Kind kind, String text) {
        if (peer.isListed) {
            problems.note(subject, kind, text, Problems.AFTER_AN_ATTEMPT);
        }
    }

    /** Says once that a peer was never reached: most likely its address is wrong. */
    private void tellMissing(Peer peer, String reason) {
        if (peer.missingSince.isEmpty() || now.getAsLong() - peer.missingSince.getAsLong() < MISSING_NANOS) {
            return;
        }
        peer.missingSince = OptionalLong.empty();
        LOG.warn(
                "{}: {} was never reached at {} in {} s ({}): start it, fix the reported error, or correct its address in"
                        + " the peers of this node; retrying",
                self,
                peer.id(),
                peer.where(),
                MISSING_NANOS / 1_000_000_000,
                reason);
    }

    /** The node there refuses this one, for a reason that somebody has to remove. */
    void refused(Peer peer, Answer answer, String reason) {
        // The consequence, an unreachable peer, is not news.
        peer.isReportedLost = true;
        peer.missingSince = OptionalLong.empty();
        warn("refused by " + peer.id() + " " + answer, "{} at {}: {}", peer.id(), peer.where(), reason);
        note(towards(peer), peer, answer.problem(), peer.id() + " at " + peer.where() + ": " + reason);
    }

    /** A process under the id of this peer has called, while another one has its place. */
    void secondProcess(Peer peer, String reason) {
        note("from " + peer.id(), peer, Problem.Kind.SECOND_PROCESS, peer.id() + " " + reason);
    }

    /** A line at WARN, once per subject and minute. */
    void warn(String subject, String line, Object... values) {
        warn(lines, subject, line, values);
    }

    /** The same of somebody who has called and may be anybody. */
    void warnOfStranger(Connection connection, String what, String line, Object... values) {
        warn(linesOfStrangers, connection + " " + what, line, values);
    }

    private void warn(LogLimit limit, String subject, String line, Object... values) {
        OptionalLong leftOut = limit.enter(subject, now.getAsLong());
        if (leftOut.isPresent()) {
            List<Object> all = new ArrayList<>(List.of(self));
            all.addAll(Arrays.asList(values));
            all.add(more(leftOut.getAsLong()));
            LOG.warn("{}: " + line + "{}", all.toArray());
        }
    }

    /** The message of an exception in the form for a log. */
    static String reason(IOException e) {
        return printable(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
    }

    /** A certificate of somebody else may be in a reason. */
    static String printable(String reason) {
        return Printable.of(reason, REASON_MAX);
    }

    private static String more(long leftOut) {
        return leftOut == 0 ? "" : " (and " + leftOut + " lines like this one, left out)";
    }
}
