package io.quorate.testkit.picture;

import io.quorate.testkit.picture.Recording.Belief;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Lead;
import io.quorate.testkit.picture.Recording.Life;
import io.quorate.testkit.picture.Recording.Mark;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.picture.Recording.Step;
import io.quorate.testkit.picture.Recording.Step.Kind;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Recordings that nobody has run. */
final class Runs {

    static final long MILLI = 1000;

    private Runs() {}

    /** Two processes that lead together for a while: a asks b, which does not hear it the second time. */
    static Recording ofTwo() {
        return new Recording(
                "two <processes>",
                "a & b",
                List.of("a", "b"),
                3000 * MILLI,
                List.of(
                        new Message("b", "a", 30 * MILLI, 30 * MILLI, Fate.LOST, "ANSWER", "term=1", false),
                        new Message("a", "b", 10 * MILLI, 12 * MILLI, Fate.ARRIVED, "ASK", "", false),
                        new Message("a", "b", 20 * MILLI, 22 * MILLI, Fate.ARRIVED, "HEARTBEAT", "", true),
                        new Message("a", "b", 2000 * MILLI, 2001 * MILLI, Fate.MISSED, "ASK", "term=2", false)),
                List.of(new Mark(1900 * MILLI, Optional.of("b"), "is gone"), new Mark(0, Optional.empty(), "cut a-b")),
                List.of(new Life("a", 0, 3000 * MILLI, false), new Life("b", 0, 1900 * MILLI, false)),
                List.of(new Belief("a", 12 * MILLI, 3000 * MILLI, "a"), new Belief("b", 40 * MILLI, 1900 * MILLI, "b")),
                List.of(
                        new Lead("b", 40 * MILLI, 1900 * MILLI, "/p", OptionalLong.of(4)),
                        new Lead("a", 12 * MILLI, 3000 * MILLI, "/p", OptionalLong.empty())),
                List.of(
                        new Step("a", 0, Kind.OTHER, "start", "leader=-"),
                        new Step("a", 12 * MILLI, Kind.MESSAGE, "ASK from b", "leader=a"),
                        new Step("b", 40 * MILLI, Kind.TIMER, "timer T", "leader=b"),
                        new Step("a", 50 * MILLI, Kind.MESSAGE, "ASK from b", "leader=a"),
                        new Step("a", 1950 * MILLI, Kind.SUSPICION, "suspects b", "leader=a")),
                0);
    }
}
