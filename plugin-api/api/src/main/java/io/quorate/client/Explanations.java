package io.quorate.client;

import io.quorate.Explanation;
import io.quorate.core.directory.PathView;
import io.quorate.core.path.Situation;
import io.quorate.spi.Clock;
import io.quorate.spi.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Makes the explanations of latches. */
final class Explanations {

    private Explanations() {}

    /** The explanation of a latch that takes no part. */
    static Explanation outside(String latch, String reason) {
        return new Explanation(latch, reason, OptionalLong.empty(), Optional.empty(), List.of(), List.of(), List.of());
    }

    /** The explanation of a latch that contends. */
    static Explanation of(String latch, Situation situation, Clock clock) {
        PathView view = situation.path();
        Optional<Duration> leaseLeft = situation.leaseEnd().isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, situation.leaseEnd().getAsLong() - clock.nanoTime())));
        return new Explanation(
                latch,
                situation.reason(),
                view.token(),
                leaseLeft,
                view.contenders().stream().map(Explanations::contender).toList(),
                situation.supporters().stream().map(NodeId::value).toList(),
                situation.voters().stream().map(NodeId::value).toList());
    }

    /** The same, and more to its reason. */
    static Explanation with(Explanation told, String more) {
        return new Explanation(
                told.latch(),
                told.reason() + "; " + more,
                told.fencingToken(),
                told.leaseLeft(),
                told.contenders(),
                told.supporters(),
                told.voters());
    }

    private static Explanation.Contender contender(PathView.Entry entry) {
        return new Explanation.Contender(entry.participantId(), entry.node().value(), entry.isLeader(), entry.rank());
    }
}
