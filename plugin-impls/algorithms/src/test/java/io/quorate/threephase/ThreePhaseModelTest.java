package io.quorate.threephase;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.algorithms.Shapes;
import io.quorate.spi.Effect;
import io.quorate.spi.Options;
import io.quorate.spi.Variant;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.model.History;
import io.quorate.testkit.model.Indications;
import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Clocks;
import io.quorate.testkit.model.ModelChecker.Result;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.NormalForm;
import io.quorate.testkit.model.Properties;
import io.quorate.threephase.ThreePhaseState.Monitoring;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Every behaviour of the shipped three-phase election, within bounds. With a common clock, which is the synchrony that
 * the document assumes: a message that is late costs an early time-out. And with a clock for each, which is none.
 */
class ThreePhaseModelTest {

    private static final Options PERSISTENT = new Options(Variant.HARDENED, false, true);
    private static final Options GUARDED = new Options(Variant.HARDENED, true, true);

    private static ModelChecker check(Options options, int size) {
        return ModelChecker.of(new ThreePhaseAlgorithm(), options, size)
                .withoutDetector()
                .clocks(Clocks.COMMON)
                .normalForm(ThreePhaseNormalForm.of(options))
                .statesMax(400_000)
                .always("TypeOK", Properties::typeOk);
    }

    private static ModelChecker faithful(int size) {
        return check(Options.FAITHFUL, size);
    }

    /** With option P; in the end all follow one live leader, and no process indicates a lower epoch than before. */
    private static ModelChecker hardened(int size) {
        return hardened(PERSISTENT, size);
    }

    private static ModelChecker hardened(Options options, int size) {
        return check(options, size)
                .alwaysPossibleForGood("agreed", Properties::agreed)
                .remembers(Indications.ACROSS_LIVES)
                .always("epochs increase", Indications::areMonotonic);
    }

    private static void assertExhausted(ModelChecker check, int states) {
        Result result = check.verify(states);
        assertThat(result.states()).isEqualTo(states);
        assertThat(result.cutOff()).isZero();
        assertThat(result.handled())
                .contains("Start", "Ok", "Ack", "Collect", "Report", "Leader", "Heartbeat", "timer TASK0", "timer HB");
    }

    // ---------------------------------------------------------------- crashes alone

    // Also in the middle of every phase, and of all but one.
    @Test
    void crashesAloneLeaveOneLeaderAndItIsTheHighest() {
        int[] faithfulStates = {0, 0, 0, 937, 23_722};
        int[] hardenedStates = {0, 0, 0, 1_994, 43_354};
        for (int size = 3; size <= 4; size++) {
            assertExhausted(crashesAlone(faithful(size), size - 1), faithfulStates[size]);
            assertExhausted(crashesAlone(check(Options.HARDENED, size), size - 1), hardenedStates[size]);
            crashesAlone(faithful(size), size - 1).initialLeader(size - 1).verify(100);
            crashesAlone(check(Options.HARDENED, size), size - 1)
                    .initialLeader(size - 1)
                    .verify(100);
        }
    }

    private static ModelChecker crashesAlone(ModelChecker check, int crashes) {
        return check.crashes(crashes)
                .statesMax(50_000)
                .always("OneLeader", Properties::oneLeader)
                .alwaysPossibleForGood("HighestAliveProcessIsLeader", Properties::highestAliveProcessIsLeader)
                .alwaysPossibleForGood("ElectionWillEnd", Properties::electionHasEnded);
    }

    // ---------------------------------------------------------------- priorities

    // L60 to L63. The judge has missed the heartbeat with the new list, and takes it over from a report.
    @Test
    void newerListThanTheJudgeHasIsReported() {
        ModelChecker changed =
                faithful(3).initialLeader(2).priorityChanges(1).losses(1).crashes(1);
        assertThat(changed.verify(700).handled()).contains("PrioritiesChanged", "AckReport");
        ModelChecker unchanged = faithful(3).initialLeader(2).losses(1).crashes(1);
        assertThat(unchanged.verify(100).handled()).contains("Report").doesNotContain("AckReport");
    }

    @Test
    void hardenedAgreesWhenPrioritiesChange() {
        ModelChecker check = hardened(3).initialLeader(2).priorityChanges(2).losses(1);
        assertThat(check.verify(200).handled()).contains("PrioritiesChanged");
    }

    // ---------------------------------------------------------------- H

    @Test
    void hardenedAgreesInTheEnd() {
        assertExhausted(hardened(3).earlyTimeouts(2), 62_046);
        assertExhausted(hardened(3).losses(3), 14_049);
        assertExhausted(hardened(3).crashes(2).restarts(2), 257_568);
        assertExhausted(hardened(3).spreadStarts(), 92_961);
        assertExhausted(hardened(3).crashes(1).restarts(1).losses(1), 45_898);
        assertExhausted(hardened(3).crashes(1).restarts(1).earlyTimeouts(1), 148_465);
        assertExhausted(hardened(4).losses(1), 35_191);
    }

    @Test
    void hardenedAgreesWithTheQuorumGuardToo() {
        assertExhausted(hardened(GUARDED, 3).crashes(1).restarts(1), 7_297);
        assertExhausted(hardened(GUARDED, 3).earlyTimeouts(2), 62_836);
        assertExhausted(hardened(GUARDED, 3).losses(2), 4_564);
    }

    // A decision is a round of one judge, which decides it once: also if nothing can be said about time.
    @Test
    void eachEpochHasOneLeaderWhateverTheClocksDo() {
        assertExhausted(oneLeaderPerEpoch(PERSISTENT, 2).crashes(2).restarts(2), 7_736);
        assertExhausted(oneLeaderPerEpoch(PERSISTENT, 3).crashes(1).restarts(1), 7_698);
        assertThat(oneLeaderPerEpoch(PERSISTENT, 3)
                        .clocks(Clocks.OWN)
                        .crashes(1)
                        .restarts(1)
                        .within(w -> isRoundAtMost(w, 2))
                        .verify(100_000)
                        .cutOff())
                .isPositive();
    }

    // Without P a judge that comes back decides its round again.
    @Test
    void withoutPersistenceAnEpochMayBeDecidedTwice() {
        oneLeaderPerEpoch(Options.HARDENED, 2).crashes(2).restarts(2).mustBreak("one leader per epoch");
        oneLeaderPerEpoch(Options.HARDENED, 3)
                .clocks(Clocks.OWN)
                .crashes(1)
                .restarts(1)
                .within(w -> isRoundAtMost(w, 2))
                .mustBreak("one leader per epoch");
    }

    private static ModelChecker oneLeaderPerEpoch(Options options, int size) {
        return check(options, size)
                .remembers(new Epochs(Collections.emptySortedMap(), true))
                .always("one leader per epoch", Epochs::haveOneLeaderEach);
    }

    /** The leader that a process has indicated for each epoch, and whether it was only ever one. */
    private record Epochs(SortedMap<Long, Integer> leaders, boolean isOneEach) implements History {
        @Override
        public History after(Effect effect) {
            if (!(effect instanceof Effect.Nominate indication)) {
                return this;
            }
            SortedMap<Long, Integer> more = new TreeMap<>(leaders);
            Integer former = more.put(indication.mark().term(), indication.nominee());
            return new Epochs(more, isOneEach && (former == null || former == indication.nominee()));
        }

        @Override
        public void writeTo(WireWriter out) {
            out.writeBoolean(isOneEach);
            out.writeUnsigned(leaders.size());
            leaders.forEach((epoch, leader) -> {
                out.writeUnsigned(epoch);
                out.writeUnsigned(leader);
            });
        }

        static boolean haveOneLeaderEach(World world) {
            SortedMap<Long, Integer> all = new TreeMap<>();
            for (int process = 0; process < world.size(); process++) {
                Epochs epochs = (Epochs) world.history(process);
                for (long epoch : epochs.leaders.keySet()) {
                    Integer other = all.put(epoch, epochs.leaders.get(epoch));
                    if (!epochs.isOneEach || other != null && !other.equals(epochs.leaders.get(epoch))) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    // ---------------------------------------------------------------- F

    // Weaknesses 2 and 4: one message is late, the others elect without its receiver, and nobody deposes anybody.
    @Test
    void faithfulKeepsTwoLeadersAfterOneLateMessage() {
        faithful(3)
                .earlyTimeouts(1)
                .alwaysPossible("agreed", Properties::agreed)
                .mustBreak("agreed");
        faithful(3)
                .losses(2)
                .alwaysPossibleForGood("agreed", Properties::agreed)
                .verify(7_000);
    }

    // Weakness 1: line 46 has emptied the list, so line 54 waits for ever.
    @Test
    void faithfulMayBeBlockedForEver() {
        faithful(2)
                .earlyTimeouts(3)
                .crashes(1)
                .alwaysPossible("ElectionWillEnd", Properties::electionHasEnded)
                .mustBreak("ElectionWillEnd");
        faithful(2)
                .earlyTimeouts(3)
                .crashes(1)
                .always("lists are not empty", w -> !isSomeListEmpty(w))
                .mustBreak("lists are not empty");
        check(Options.HARDENED, 2)
                .earlyTimeouts(3)
                .crashes(1)
                .always("lists are not empty", w -> !isSomeListEmpty(w))
                .alwaysPossible("ElectionWillEnd", Properties::electionHasEnded)
                .verify(1_000);
    }

    // Weakness 5.
    @Test
    void faithfulDoesNotSurviveARestart() {
        faithful(3)
                .crashes(1)
                .restarts(1)
                .alwaysPossible("agreed", Properties::agreed)
                .mustBreak("agreed");
    }

    private static boolean isSomeListEmpty(World world) {
        for (int process = 0; process < world.size(); process++) {
            if (world.isAlive(process)
                    && state(world, process).held().list().byProcess().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    // ---------------------------------------------------------------- the normal form

    /** Everything as it is, but the times before now: what the machine would keep if time had begun later. */
    private static final NormalForm NOTHING_FORGOTTEN = (state, elapsed) -> {
        ThreePhaseState full = (ThreePhaseState) state;
        FreshnessDetector detector = new FreshnessDetector(
                full.monitoring().detector().highest(),
                full.monitoring().detector().arrivals().stream()
                        .map(a -> new FreshnessDetector.Arrival(a.number(), a.time() - elapsed))
                        .toList());
        Collecting collecting = full.collecting();
        return new ThreePhaseState(
                new Monitoring(
                        full.monitoring().phase(),
                        full.monitoring().leader(),
                        detector,
                        full.monitoring().heartbeats()),
                full.held(),
                new Round(
                        full.round().number(),
                        full.round().trust(),
                        earlier(full.round().acks(), elapsed),
                        full.round().enteredAt() - elapsed),
                new Collecting(
                        collecting.stage(),
                        collecting.best(),
                        collecting.ownPriorities(),
                        collecting.sentAt() - elapsed,
                        collecting.acknowledged(),
                        collecting.decidedAt() - elapsed),
                full.pending(),
                new ThreePhaseState.Hardening(
                        full.hardening().seen(),
                        earlier(full.hardening().heartbeatAcks(), elapsed),
                        full.hardening().leadingSince() - elapsed,
                        full.hardening().isHeld(),
                        full.hardening().patience(),
                        full.hardening().patientUntil() - elapsed));
    };

    private static SortedMap<Integer, Long> earlier(SortedMap<Integer, Long> times, long elapsed) {
        SortedMap<Integer, Long> earlier = new TreeMap<>();
        times.forEach((process, time) -> earlier.put(process, time - elapsed));
        return earlier;
    }

    @Test
    void normalFormHidesNothing() {
        for (Options options : List.of(Options.FAITHFUL, Options.HARDENED, GUARDED)) {
            NormalForm form = ThreePhaseNormalForm.of(options);
            assertThat(Shapes.of(check(options, 3).losses(1), form))
                    .isEqualTo(Shapes.of(unfolded(options).losses(1), form))
                    .hasSizeGreaterThan(500);
            // Ages that end too soon: the judge waits for ever, or not at all.
            NormalForm ageless = (state, elapsed) -> form.of(state, 0);
            assertThat(Shapes.of(check(options, 3).normalForm(ageless), form))
                    .isNotEqualTo(Shapes.of(check(options, 3), form));
        }
    }

    private static ModelChecker unfolded(Options options) {
        return check(options, 3).normalForm(NOTHING_FORGOTTEN).within(world -> {
            for (int process = 0; process < world.size(); process++) {
                if (state(world, process).monitoring().heartbeats() > 8) {
                    return false;
                }
            }
            return true;
        });
    }

    private static ThreePhaseState state(World world, int process) {
        return (ThreePhaseState) world.state(process);
    }

    private static boolean isRoundAtMost(World world, long max) {
        for (int process = 0; process < world.size(); process++) {
            if (world.isAlive(process) && state(world, process).round().number() > max) {
                return false;
            }
        }
        return true;
    }
}
