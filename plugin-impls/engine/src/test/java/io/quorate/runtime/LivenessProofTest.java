package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** In units of a tenth of a support time. */
class LivenessProofTest {

    private static final long SUPPORT = 10;
    private static final long A = 7;
    private static final long B = 3;
    private static final long C = 5;

    private final LivenessProof voice = new LivenessProof(SUPPORT);
    private long now = 1_000;

    private void hear(long until, long... lives) {
        for (; now < until; now++) {
            for (long life : lives) {
                voice.onHeard(life, now);
            }
        }
    }

    private List<Long> believed() {
        List<Long> all = new ArrayList<>();
        for (long life : new long[] {A, B, C}) {
            if (voice.isBelieved(life)) {
                all.add(life);
            }
        }
        return all;
    }

    @Test
    void nobodyIsBelievedBeforeItIsHeard() {
        assertThat(believed()).isEmpty();
    }

    @Test
    void whoIsHeardAloneIsBelievedAtOnce() {
        hear(1_001, A);
        assertThat(believed()).containsExactly(A);
    }

    @Test
    void ofTwoThatBeginTogetherNeitherIsUntilOneIsSilentForASupportTime() {
        hear(1_030, A, B);
        assertThat(believed()).isEmpty();
        hear(1_029 + SUPPORT, B);
        assertThat(believed()).isEmpty();
        hear(1_030 + SUPPORT, B);
        assertThat(believed()).containsExactly(B);
    }

    @Test
    void whoWasAloneForASupportTimeIsBelievedBesideOthers() {
        hear(1_000 + SUPPORT + 1, A);
        hear(1_100, A, B, C);
        assertThat(believed()).containsExactly(A);
    }

    @Test
    void notWhoWasAloneForLess() {
        hear(1_000 + SUPPORT - 1, A);
        hear(1_100, A, B);
        assertThat(believed()).isEmpty();
    }

    @Test
    void whoIsSilentForMoreThanHalfASupportTimeIsNotBelievedBesideOthers() {
        hear(1_020, A);
        hear(1_020 + SUPPORT / 2 + 1, B);
        hear(1_100, A, B);
        assertThat(believed()).isEmpty();
    }

    @Test
    void nobodyTakesThePlaceOfWhoIsSilentBeforeASupportTimeIsOver() {
        hear(1_020, A);
        hear(1_020 + SUPPORT, B);
        assertThat(believed()).doesNotContain(B);
        hear(1_021 + SUPPORT, B);
        assertThat(believed()).containsExactly(B);
    }

    @Test
    void whoIsBackAloneIsBelievedAtOnce() {
        hear(1_020, A);
        now = 2_000;
        hear(2_001, A);
        assertThat(believed()).containsExactly(A);
    }

    /**
     * A first life works alone for a while. A second one begins at some time, and promises nothing for a support time; from
     * then on they stand still and go on by chance, each by itself or both at once. Two nodes hear both, each frame up to
     * two units late. What a life promises to a node that believes it lasts for a support time from when it was said: never
     * do two nodes hold the promises of two lives.
     */
    @Test
    void twoNodesThatHearTheSameLivesNeverBelieveTwo() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int changes = 0;
        for (int run = 0; run < 20_000; run++) {
            changes += changesOfTwoNodes(random, "seed " + seed + ", run " + run);
        }
        assertThat(changes)
                .as("both lives are believed by turns; seed %d", seed)
                .isGreaterThan(20_000);
    }

    /** A frame that arrives. */
    private record Frame(int node, int life, int sent) {}

    /** How often another life than before is believed. */
    private static int changesOfTwoNodes(Random random, String run) {
        int length = 300;
        int born = 40 + random.nextInt(20);
        List<List<Frame>> arrivals = arrivals(random, length, born);
        LivenessProof[] nodes = {new LivenessProof(SUPPORT), new LivenessProof(SUPPORT)};
        long[][] promisedUntil = new long[2][2];
        int changes = 0;
        int last = -1;
        for (int t = 0; t < length; t++) {
            for (Frame frame : arrivals.get(t)) {
                LivenessProof voice = nodes[frame.node];
                voice.onHeard(frame.life + 1, t);
                boolean promises = frame.life == 0 || frame.sent >= born + SUPPORT;
                if (promises && voice.isBelieved(frame.life + 1)) {
                    promisedUntil[frame.node][frame.life] =
                            Math.max(promisedUntil[frame.node][frame.life], frame.sent + SUPPORT);
                    changes += frame.life == last ? 0 : 1;
                    last = frame.life;
                }
            }
            for (int life = 0; life < 2; life++) {
                assertThat(promisedUntil[0][life] > t && promisedUntil[1][1 - life] > t)
                        .as("%s: two are believed at %d", run, t)
                        .isFalse();
            }
        }
        return changes;
    }

    /** By the time at which they arrive. */
    private static List<List<Frame>> arrivals(Random random, int length, int born) {
        int late = 2;
        List<List<Frame>> all = new ArrayList<>();
        for (int t = 0; t < length + late + 1; t++) {
            all.add(new ArrayList<>());
        }
        int[] steadiness = {5 + random.nextInt(40), 5 + random.nextInt(40), 10 + random.nextInt(30)};
        // The third one is both at once.
        boolean[] works = {true, true, true};
        for (int t = 0; t < length; t++) {
            for (int each = 0; each < works.length; each++) {
                works[each] ^= t > 30 && random.nextInt(steadiness[each]) == 0;
            }
            for (int life = 0; life < 2; life++) {
                if (works[life] && works[2] && (life == 0 || t >= born)) {
                    all.get(t + random.nextInt(late + 1)).add(new Frame(0, life, t));
                    all.get(t + random.nextInt(late + 1)).add(new Frame(1, life, t));
                }
            }
        }
        all.forEach(frames -> Collections.shuffle(frames, random));
        return all;
    }
}
