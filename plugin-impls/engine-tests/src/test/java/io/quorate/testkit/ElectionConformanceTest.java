package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedClass;

import io.quorate.spi.Check;
import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Event;
import io.quorate.spi.Guarantee;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.Mark;
import io.quorate.spi.Membership;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import io.quorate.spi.Variant;
import io.quorate.spi.WireReader;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.Liar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The kit itself: a right algorithm passes, and each wrong one fails in the test that is meant for it. */
class ElectionConformanceTest {

    /** The kit of whatever algorithm a test is about. */
    static class Kit extends ElectionConformance {
        private static Supplier<ElectionAlgorithm> made;

        @Override
        protected ElectionAlgorithm algorithm() {
            return made.get();
        }
    }

    /** The names of the kit's tests that fail for the algorithm. */
    private static Set<String> failures(Supplier<ElectionAlgorithm> algorithm) {
        Set<String> names = new TreeSet<>();
        summary(algorithm)
                .getFailures()
                .forEach(f -> names.add(f.getTestIdentifier().getDisplayName()));
        return names;
    }

    private static TestExecutionSummary summary(Supplier<ElectionAlgorithm> algorithm) {
        Kit.made = algorithm;
        TestExecutionSummary summary = summary(selectClass(Kit.class));
        assertThat(summary.getTestsStartedCount()).isGreaterThan(10);
        return summary;
    }

    /** How one test of the kit fails for the algorithm. */
    private static Throwable failure(Supplier<ElectionAlgorithm> algorithm, String test) {
        Kit.made = algorithm;
        List<TestExecutionSummary.Failure> failures =
                summary(selectMethod(Kit.class, test)).getFailures();
        assertThat(failures).hasSize(1);
        return failures.get(0).getException();
    }

    private static void assertFails(Supplier<ElectionAlgorithm> algorithm, String test, String... inTheMessage) {
        assertThat(failure(algorithm, test)).hasMessageContainingAll(inTheMessage);
    }

    private static TestExecutionSummary summary(DiscoverySelector... selected) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selected)
                                .build(),
                        listener);
        return listener.getSummary();
    }

    /** Everything right: names the highest that is up, and tells everybody with a ping. */
    static class Right extends HighestUp {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership);
        }

        @Override
        public Set<Guarantee> guarantees(Variant variant) {
            return Set.of(
                    Guarantee.EVENTUAL_AGREEMENT,
                    Guarantee.HIGHEST_LEADS,
                    Guarantee.MONOTONIC_MARKS,
                    Guarantee.SELF_HEALING);
        }

        @Override
        public Message readMessage(WireReader in) throws MalformedInputException {
            Message message = super.readMessage(in);
            in.expectEnd();
            return message;
        }
    }

    /** A machine that says to all others what it thinks, whenever it thinks something. */
    private static class Talking implements Election {
        private final Election inner;
        private final Membership membership;

        Talking(Election inner, Membership membership) {
            this.inner = inner;
            this.membership = membership;
        }

        @Override
        public List<Effect> on(long now, Event event) {
            List<Effect> effects = new ArrayList<>(inner.on(now, event));
            if (!(event instanceof Event.Received)) {
                for (int other = 0; other < membership.contenders(); other++) {
                    if (other != membership.self()) {
                        effects.add(new Effect.Send(
                                other, new HighestUp.Ping(inner.leader().orElse(0))));
                    }
                }
            }
            return effects;
        }

        @Override
        public OptionalInt leader() {
            return inner.leader();
        }

        @Override
        public boolean isParticipating() {
            return inner.isParticipating();
        }

        @Override
        public State snapshot() {
            return inner.snapshot();
        }

        @Override
        public void restore(State state) {
            inner.restore(state);
        }
    }

    @Test
    void rightAlgorithmPasses() {
        assertThat(failures(Right::new)).isEmpty();
    }

    /** Depends on how many machines were made before. */
    static class Remembering extends Right {
        private static int made;

        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            int number = made++;
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public List<Effect> on(long now, Event event) {
                    List<Effect> effects = super.on(now, event);
                    effects.add(new Effect.SetTimer("t" + number, 1_000_000_000L));
                    return effects;
                }
            };
        }
    }

    @Test
    void machineThatDependsOnTheOutsideIsRejected() {
        assertFails(Remembering::new, "sameEventsGiveTheSameEffects", "failed with seed=");
    }

    /** Forgets its suspects when it is restored. */
    static class Forgetful extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public void restore(State state) {
                    // Keeps nothing.
                }
            };
        }
    }

    @Test
    void machineThatForgetsItsStateIsRejected() {
        assertThat(failures(Forgetful::new)).containsExactly("restoredMachineGoesOnAsIfNothingHadHappened()");
    }

    /** Reads another message than was written. */
    static class Deaf extends Right {
        @Override
        public Message readMessage(WireReader in) throws MalformedInputException {
            super.readMessage(in);
            return new HighestUp.Ping(77);
        }
    }

    @Test
    void messageThatChangesOnTheWireIsRejected() {
        assertThat(failures(Deaf::new)).containsExactly("everyMessageSurvivesTheWire()");
    }

    /** Throws something of its own at garbage. */
    static class Fragile extends Right {
        @Override
        public Message readMessage(WireReader in) throws MalformedInputException {
            if (in.remaining() > 9) {
                throw new IllegalStateException("too long");
            }
            return super.readMessage(in);
        }
    }

    @Test
    void readerThatThrowsAnythingElseIsRejected() {
        assertThat(failures(Fragile::new)).containsExactly("garbageIsRefusedAndNeverThrowsAnythingElse()");
    }

    /** Says that the highest leads, and names the lowest. */
    static class Liar extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public List<Effect> on(long now, Event event) {
                    List<Effect> effects = super.on(now, event);
                    effects.replaceAll(e -> e instanceof Effect.Nominate ? new Effect.Nominate(0, Mark.NONE) : e);
                    return effects;
                }

                @Override
                public OptionalInt leader() {
                    return OptionalInt.of(0);
                }
            };
        }
    }

    @Test
    void promiseThatIsNotKeptIsRejected() {
        assertThat(failures(Liar::new))
                .containsExactly(
                        "declaredAgreementIsReachedAfterFaults()", "declaredHealingFollowsARestartAndAPartition()");
    }

    @Test
    void aFailedTestNamesThePictureOfItsRun() throws IOException {
        Throwable failure = failure(Liar::new, "declaredAgreementIsReachedAfterFaults");
        String sentence = failure.getSuppressed()[0].getMessage();
        assertThat(sentence).startsWith("The picture of this run: ");
        assertThat(Files.readString(Path.of(sentence.replaceFirst(".*run: ", ""))))
                .contains("FAILED: ", "takes P0 for the leader", "declaredAgreementIsReachedAfterFaults()");
    }

    /** Orders by hash. */
    static class Hashing extends Right {
        private final Map<String, String> names = new HashMap<>();

        @Override
        public String name() {
            return names.getOrDefault("", super.name());
        }
    }

    @Test
    void forbiddenTypeIsRejected() {
        assertThat(failures(Hashing::new)).containsExactly("nothingForbiddenIsUsed()");
    }

    /** Orders by hash in a class that it uses only through another one. */
    static class Roundabout extends Right {
        @Override
        public String name() {
            return Between.name(super.name());
        }
    }

    private static final class Between {
        static String name(String name) {
            return Afar.name(name);
        }
    }

    private static final class Afar {
        static String name(String name) {
            return new HashMap<>(Map.of("", name)).getOrDefault("", name);
        }
    }

    @Test
    void forbiddenTypeTwoStepsAwayIsRejected() {
        assertFails(Roundabout::new, "nothingForbiddenIsUsed", "Afar.name");
    }

    /** Nominates with a high mark when it suspects, and with none when it trusts again. */
    static class Falling extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public List<Effect> on(long now, Event event) {
                    List<Effect> effects = super.on(now, event);
                    if (event instanceof Event.Suspected) {
                        effects.replaceAll(effect -> effect instanceof Effect.Nominate nominate
                                ? new Effect.Nominate(nominate.nominee(), new Mark(7, 0, 0))
                                : effect);
                    }
                    return effects;
                }
            };
        }
    }

    @Test
    void fallingMarksAreRejected() {
        assertFails(
                Falling::new,
                "declaredMarksDoNotDecrease",
                "MONOTONIC_MARKS is declared; after Nominate[nominee=",
                "term=7",
                "term=0");
    }

    /** Names no leader in its second life, although it nominates one. */
    static class Restarting extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                private boolean isRestarted;

                @Override
                public List<Effect> on(long now, Event event) {
                    isRestarted |= event instanceof Event.Start start && start.incarnation() > 1;
                    return super.on(now, event);
                }

                @Override
                public OptionalInt leader() {
                    return isRestarted ? OptionalInt.empty() : super.leader();
                }
            };
        }
    }

    @Test
    void leaderThatStaysUnknownAfterARestartIsRejected() {
        assertFails(
                Restarting::new,
                "declaredHealingFollowsARestartAndAPartition",
                "SELF_HEALING is declared; of 3 processes those that run name at the end"
                        + " {0=OptionalInt[2], 1=OptionalInt.empty, 2=OptionalInt[2]}");
    }

    /** Counts messages by the process that they name, which may be one of a larger election. */
    static class Counting extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                private final int[] counts = new int[membership.contenders()];

                @Override
                public List<Effect> on(long now, Event event) {
                    if (event instanceof Event.Received received && received.message() instanceof HighestUp.Ping ping) {
                        counts[ping.number()]++;
                    }
                    return super.on(now, event);
                }
            };
        }
    }

    /** Takes it for impossible that process 0 is named to itself, because each sender is a better leader. */
    static class Modest extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public List<Effect> on(long now, Event event) {
                    Check.state(
                            !(event instanceof Event.Received received
                                    && membership.self() == 0
                                    && received.message().equals(new HighestUp.Ping(0))),
                            "process 0 is named by a better one");
                    return super.on(now, event);
                }
            };
        }
    }

    @Test
    void machineThatThrowsAtAMessageThatItHasNotMetIsRejected() {
        assertFails(
                Counting::new,
                "noMessageOfAPeerMakesAProcessThrow",
                "Election.on must not throw because of a peer's message; process ",
                "Ping[number=");
        assertFails(
                Modest::new,
                "noMessageOfAPeerMakesAProcessThrow",
                "process 0 of ",
                "message=Ping[number=0]",
                "process 0 is named by a better one");
    }

    /** Declares that it ignores suspicions, and goes by them. */
    static class Suspicious extends Right {
        @Override
        public Set<Guarantee> guarantees(Variant variant) {
            return Set.of(Guarantee.EVENTUAL_AGREEMENT, Guarantee.NEEDS_NO_DETECTOR);
        }
    }

    @Test
    void suspicionThatIsNotIgnoredIsRejected() {
        assertFails(
                Suspicious::new,
                "declaredIndifferenceToSuspicionsIsKept",
                "NEEDS_NO_DETECTOR is declared; from Suspects[suspects=[]] came Step[",
                "Suspected[process=");
    }

    /** Its author has put a class of other tests into it. */
    static class MoreKit extends Kit {
        @Nested
        class Inside {
            @Test
            void fails() {
                throw new IllegalStateException("of its own");
            }
        }
    }

    @Test
    void aFailureInANestedClassIsNotHidden() {
        Kit.made = Right::new;
        assertThat(summary(
                                selectNestedClass(List.of(MoreKit.class), MoreKit.Inside.class),
                                selectMethod(MoreKit.class, "nameIsLegal"))
                        .getFailures())
                .singleElement()
                .satisfies(failure -> assertThat(failure.getException()).hasMessage("of its own"));
    }

    /** Names a leader, and does not nominate it. */
    static class Silent extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public List<Effect> on(long now, Event event) {
                    return super.on(now, event).stream()
                            .filter(effect -> !(effect instanceof Effect.Nominate))
                            .toList();
                }
            };
        }
    }

    // Under the lease it would take twice as long to replace a dead leader.
    @Test
    void anAlgorithmWithoutNominationsIsRejected() {
        assertThat(failures(Silent::new)).containsExactly("everyProcessNominatesTheLeaderThatItNames()");
    }

    /** Names a process that there is not. */
    static class Nowhere extends Right {
        @Override
        public Election create(Membership membership, Timing timing, Options options) {
            return new Talking(super.create(membership, timing, options), membership) {
                @Override
                public OptionalInt leader() {
                    return OptionalInt.of(membership.size() + 7);
                }
            };
        }
    }

    // To look on is no fault of the algorithm: what fails is what the kit checks.
    @Test
    void aLeaderThatThereIsNotIsSaidByTheTest() {
        assertThat(summary(Nowhere::new).getFailures())
                .extracting(failure -> failure.getException())
                .doesNotHaveAnyElementsOfTypes(IndexOutOfBoundsException.class);
    }
}
