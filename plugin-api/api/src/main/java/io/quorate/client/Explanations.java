package io.quorate.client;

import io.quorate.Explanation;
import io.quorate.engine.Clock;
import io.quorate.engine.PathView;
import io.quorate.engine.Situation;
import io.quorate.spi.NodeId;
import java.time.Duration;
import java.util.Optional;

/** Makes the explanations of latches. */
final class Explanations {

    private Explanations() {}

    /**
     * The explanation of a latch.
     *
     * @param more remarks on its leadership, if there are any
     */
    static Explanation of(String latch, Situation situation, Optional<String> more, Clock clock) {
        PathView view = situation.path();
        Optional<Duration> leaseLeft = situation.leaseEnd().isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, situation.leaseEnd().getAsLong() - clock.nanoTime())));
        return new Explanation(
                latch,
                situation.reason() + more.map("; "::concat).orElse(""),
                view.token(),
                leaseLeft,
                view.contenders().stream().map(Explanations::contender).toList(),
                situation.supporters().stream().map(NodeId::value).toList(),
                situation.voters().stream().map(NodeId::value).toList());
    }

    private static Explanation.Contender contender(PathView.Entry entry) {
        return new Explanation.Contender(entry.participantId(), entry.node().value(), entry.isLeader(), entry.rank());
    }
}
