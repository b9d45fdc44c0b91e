package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.TakenPlaces;
import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.DecodedFrame.Dropped;
import io.quorate.runtime.Envelope.Kind;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
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

    private final StepContext context = Contexts.of(ID);
    private final long support = context.settings().lease().support();
    private final long tick = support / 8;
    private final TakenPlaces taken = new TakenPlaces(context);
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
}
