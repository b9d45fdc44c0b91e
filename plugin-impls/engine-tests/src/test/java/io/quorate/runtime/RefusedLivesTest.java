package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.core.support.TakenPlaces;
import io.quorate.engine.LeaseTiming;
import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.Envelope.Kind;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the world of {@code Refusals.tla} with whole links and {@link TakenPlaces}: docs/protocol.md#one-process-per-id,
 * rule 4. A tick is an eighth of a support time.
 */
class RefusedLivesTest {

    private static final NodeId ID = Contexts.N1;
    private static final NodeId VOTER = Contexts.N2;
    private static final byte[] BODY = {1};

    /** All clocks run at one rate, except in the test about drift. */
    private StepContext context = withDrift(0);

    private final long support = context.lease().support();
    private final long tick = support / 8;
    private TakenPlaces taken = new TakenPlaces(context);
    /** The same if a refusal that is not recent could end a node. */
    private final TakenPlaces takenByOldOnes = new TakenPlaces(context);

    private final Links first = links(ID, 1);
    private final Links second = links(ID, 2);
    private final Links voter = links(VOTER, 3);

    private boolean isOver;
    private boolean wouldBeOver;
    /** From the first refusal of a row to its last one, if that is recent. */
    private long row;

    private long rowBegan;
    private long readAt = Long.MIN_VALUE / 2;
    private long refusedAt;
    private int late;

    /** A refusal of a frame, and when that was sent. */
    private record Late(byte[] refusal, long sentAt) {}

    private static StepContext withDrift(int percent) {
        LeaseTiming lease = new LeaseTiming(100, 1100, percent);
        NodeSettings settings =
                new NodeSettings("test", ID, Contexts.VOTERS, lease, new Timing(10), RankOrder.JOIN_ORDER, 0, false);
        StepContext made = new StepContext(settings, new HighestUp(), (min, max) -> min, Trace.NONE, 1);
        made.setNow(0);
        return made;
    }

    private Links links(NodeId self, long life) {
        return new Links("cluster", self, life, tick, support, Contexts.VOTERS, Optional.empty());
    }

    /** Returns the question or answer with which a node answers immediately. */
    private static Optional<byte[]> hear(Links at, byte[] frame, long now) {
        DecodedFrame opened = at.open(frame, now);
        if (opened instanceof Dropped dropped) {
            return dropped.unanswered() > 0 ? Optional.of(at.question(dropped)) : Optional.empty();
        }
        Accepted accepted = (Accepted) opened;
        return accepted.passed().envelope().kind() == Kind.QUESTION
                ? Optional.of(at.answer(accepted))
                : Optional.empty();
    }

    private static void exchange(Links from, NodeId to, Links at, long now) {
        Optional<byte[]> next = from.seal(to, BODY, BODY.length, now);
        for (Links reads = at; next.isPresent(); reads = reads == at ? from : at) {
            next = hear(reads, next.get(), now);
        }
    }

    private void firstSpeaks(long now) {
        exchange(voter, ID, first, now);
        exchange(first, VOTER, voter, now);
    }

    private Optional<byte[]> secondIsRefused(byte[] frame, long now) {
        Optional<byte[]> refusal = voter.open(frame, now) instanceof Dropped dropped && dropped.unanswered() > 0
                ? voter.refusal(dropped, now)
                : Optional.empty();
        refusedAt = refusal.isPresent() ? now : refusedAt;
        return refusal;
    }

    private void read(byte[] refusal, boolean isYoung, long now) {
        if (second.open(refusal, now) instanceof Accepted accepted) {
            context.setNow(now);
            boolean isRecent = second.isRecent(accepted);
            isOver |= taken.onTaken(VOTER, isYoung, isRecent);
            wouldBeOver |= takenByOldOnes.onTaken(VOTER, isYoung, true);
            rowBegan = now - readAt < support ? rowBegan : now;
            readAt = now;
            row = isRecent ? Math.max(row, now - rowBegan) : row;
            late += now >= refusedAt + 3 * support / 2 ? 1 : 0;
        }
    }

    /**
     * The first process is killed as the second one begins. An attacker on the way holds back frames of the first one,
     * and refusals, and lets them through at random.
     */
    private void firstIsKilled(Random random) {
        for (long now = 0; now < 3 * support; now += tick) {
            firstSpeaks(now);
        }
        long killed = 3 * support;
        firstSpeaks(killed);
        List<byte[]> ofTheDead = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            ofTheDead.add(first.seal(VOTER, BODY, BODY.length, killed).orElseThrow());
        }
        long next = killed + random.nextLong(support);
        int voterBeat = 1 + random.nextInt(7);
        int beat = 1 + random.nextInt(4);
        long readsFrom = random.nextBoolean() ? killed : killed + 9 * support / 2;
        long age = 0;
        long gap = 0;
        List<Late> unread = new ArrayList<>();
        for (long now = killed; now < killed + 8 * support; now += tick) {
            long at = now;
            long ticks = (now - killed) / tick;
            if (ticks % voterBeat == 0) {
                voter.seal(ID, BODY, BODY.length, now);
            }
            if (now >= next && !ofTheDead.isEmpty()) {
                voter.open(ofTheDead.remove(0), now);
                next = now + random.nextLong(support);
            }
            if (ticks % beat == 0) {
                second.seal(VOTER, BODY, BODY.length, now)
                        .flatMap(frame -> secondIsRefused(frame, at))
                        .ifPresent(refusal -> unread.add(new Late(refusal, at)));
            }
            if (now >= readsFrom && now - readAt >= gap && !unread.isEmpty()) {
                // Later and later ones, as long as they are recent; then the last two.
                age = Math.min(age + random.nextLong(support / 2), 3 * support / 2);
                while (readsFrom == killed && unread.size() > 2 && unread.get(0).sentAt < now - age) {
                    unread.remove(0);
                }
                read(unread.remove(0).refusal, true, now);
                gap = support - 1 - random.nextLong(support / 2);
            }
        }
    }

    @Test
    void attackerDoesNotEndALifeWhoseFormerLifeIsDeadAndSilencesItOnce() {
        long longest = 0;
        int ends = 0;
        int latest = 0;
        long seed = Long.getLong("seed", 1);
        for (long last = seed + Effort.of(100_000, 5_000); seed < last; seed++) {
            RefusedLivesTest run = new RefusedLivesTest();
            run.firstIsKilled(new Random(seed));
            assertThat(run.isOver)
                    .as("failed with seed=%1$d; rerun: mvn test -Dseed=%1$d", seed)
                    .isFalse();
            assertThat(run.late).as("seed %d", seed).isLessThan(2);
            longest = Math.max(longest, run.row);
            latest = Math.max(latest, run.late);
            ends += run.wouldBeOver ? 1 : 0;
        }
        assertThat(longest).as("a row that ends recently").isBetween(3 * support, 4 * support - 1);
        assertThat(latest).as("refusals that silence later").isEqualTo(1);
        assertThat(ends).as("lives that old refusals would end").isPositive();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void secondProcessEndsBesideOneThatHasAVoterInCommonWithIt(boolean isYoung) {
        long limit = (isYoung ? 4 : 8) * support;
        for (long now = 0; now < limit + tick; now += tick) {
            firstSpeaks(now);
            assertThat(isOver).as("at %d", now).isFalse();
            read(
                    secondIsRefused(second.seal(VOTER, BODY, BODY.length, now).orElseThrow(), now)
                            .orElseThrow(),
                    isYoung,
                    now);
        }
        assertThat(isOver).isTrue();
    }

    /** The clock of the voter is slow, and that of the second process fast, by 10 % each. */
    private static long slow(long now) {
        return now * 9 / 11;
    }

    /** Gives the voter a frame of the second process, and reads the refusal, if there is one, at another time. */
    private void secondSpeaks(long sent, long heard, long readAfter, long killed) {
        second.seal(VOTER, BODY, BODY.length, killed + sent)
                .filter(frame -> heard >= 0)
                .flatMap(frame ->
                        voter.open(frame, slow(killed + heard)) instanceof Dropped dropped && dropped.unanswered() > 0
                                ? voter.refusal(dropped, slow(killed + heard))
                                : Optional.empty())
                .ifPresent(refusal -> read(refusal, true, killed + readAfter));
    }

    // The voter stands still from 600 to 1,209 ms after the kill, and the second process twice after 3,030 ms, where a
    // support time has 1,100. The row of refusals is longer than four support times of the second process's clock.
    @Test
    void attackerDoesNotEndALifeWhoseFormerLifeIsDeadThoughClocksDrift() {
        context = withDrift(10);
        taken = new TakenPlaces(context);
        long m = support / 1_100;
        long killed = 5_000 * m;
        for (long at = 1_000 * m; at <= killed; at += 800 * m) {
            long now = at;
            hear(first, voter.seal(ID, BODY, BODY.length, slow(now)).orElseThrow(), now)
                    .ifPresent(answer -> hear(voter, answer, slow(now)).ifPresent(more -> hear(first, more, now)));
            hear(voter, first.seal(VOTER, BODY, BODY.length, now).orElseThrow(), slow(now))
                    .ifPresent(answer -> hear(first, answer, now).ifPresent(more -> hear(voter, more, slow(now))));
        }
        byte[] early = first.seal(VOTER, BODY, BODY.length, killed).orElseThrow();
        byte[] late = first.seal(VOTER, BODY, BODY.length, killed).orElseThrow();
        assertThat(voter.hears(ID, slow(killed), 1)).isTrue();
        secondSpeaks(1 * m, 1 * m, 2 * m, killed);
        secondSpeaks(600 * m, 600 * m, 900 * m, killed);
        assertThat(voter.open(early, slow(killed + 1_209 * m))).isInstanceOf(Accepted.class);
        assertThat(voter.hears(ID, slow(killed + 1_209 * m), 1)).as("early").isTrue();
        secondSpeaks(1_400 * m, 1_400 * m, 1_700 * m, killed);
        assertThat(voter.open(late, slow(killed + 1_815 * m))).isInstanceOf(Accepted.class);
        assertThat(voter.hears(ID, slow(killed + 1_815 * m), 1)).as("late").isTrue();
        secondSpeaks(2_000 * m, 2_000 * m, 2_500 * m, killed);
        List<byte[]> held = new ArrayList<>();
        for (long sent : new long[] {3_020, 3_025, 3_030}) {
            second.seal(VOTER, BODY, BODY.length, killed + sent * m)
                    .flatMap(frame -> voter.open(frame, slow(killed + 3_031 * m)) instanceof Dropped dropped
                                    && dropped.unanswered() > 0
                            ? voter.refusal(dropped, slow(killed + 3_031 * m))
                            : Optional.empty())
                    .ifPresent(held::add);
        }
        assertThat(held).hasSize(3);
        read(held.get(0), true, killed + 3_450 * m);
        read(held.get(1), true, killed + 4_018 * m);
        read(held.get(2), true, killed + 4_500 * m);
        assertThat(row).as("recently refused for").isGreaterThan(4 * support);
        assertThat(isOver).as("ends").isFalse();
    }
}
