package io.quorate.runtime;

import static io.quorate.runtime.Handshake.hear;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.runtime.DecodedFrame.Accepted;
import io.quorate.runtime.Handshake.Heard;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.NodeId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/protocol.md#lives, in whatever order frames arrive, get lost and are copied. */
class LivesExplorationTest {

    private static final NodeId A = new NodeId("a");
    private static final NodeId B = new NodeId("b");
    private static final long HEARTBEAT = 150_000_000L;
    private static final long SUPPORT = 1_000_000_000L;
    private static final byte[] BODY = {1, 2, 3};

    private static final Optional<ClusterSecret> SECRET =
            Optional.of(ClusterSecret.of("a secret of the cluster".getBytes(StandardCharsets.UTF_8), Optional.empty()));

    private static Links links(NodeId self, long life, Optional<ClusterSecret> secret) {
        return new Links("cluster", self, life, HEARTBEAT, SUPPORT, List.of(A, B), secret);
    }

    // ---------------------------------------------------------------- every order of a few frames

    /** Something that may happen; a number from 0 on is the arrival of the frame that left as that. */
    private static final int A_SAYS = -1;

    private static final int B_SAYS = -2;
    private static final int A_RESTARTS = -3;

    /** A frame on its way. */
    private record Flight(boolean isToA, byte[] frame) {}

    /** One life of b, and lives of a of which one begins when the one before is over. */
    private static final class Course {
        private final long[] names;
        private final boolean isPatient;
        private final Links b = links(B, 20, Optional.empty());
        private final List<Flight> flights = new ArrayList<>();
        private final Set<String> accepted = new HashSet<>();
        private Links a;
        private int lives;
        private long present;
        private long now;

        /** @param isPatient whether all that happens is a support time apart, else only restarts are */
        private Course(long[] names, boolean isPatient) {
            this.names = names;
            this.isPatient = isPatient;
            this.a = links(A, names[0], Optional.empty());
        }

        private void happens(int what) {
            now += isPatient || what == A_RESTARTS ? SUPPORT : 0;
            switch (what) {
                case A_SAYS -> flights.add(new Flight(false, sealed(a, B)));
                case B_SAYS -> flights.add(new Flight(true, sealed(b, A)));
                case A_RESTARTS -> a = links(A, names[++lives], Optional.empty());
                default -> arrives(flights.get(what));
            }
        }

        private Heard arrives(Flight flight) {
            Heard heard = hear(flight.isToA ? a : b, flight.frame, now);
            heard.answer().ifPresent(answer -> flights.add(new Flight(!flight.isToA, answer)));
            if (!flight.isToA) {
                check(heard.opened());
                heard.held().ifPresent(this::check);
            }
            return heard;
        }

        /** No life but the present one is heard, which gives its place to later ones only; and each frame once. */
        private void check(DecodedFrame opened) {
            if (opened instanceof Accepted frame) {
                if (frame.isNewIncarnation()) {
                    assertThat(age(frame.incarnation())).isGreaterThan(present == 0 ? -1 : age(present));
                    present = frame.incarnation();
                }
                assertThat(frame.incarnation()).isEqualTo(present);
                assertThat(accepted.add(frame.incarnation() + ":"
                                + frame.passed().envelope().sequence()))
                        .as("accepted for the first time")
                        .isTrue();
            }
        }

        private int age(long name) {
            for (int i = 0; i < names.length; i++) {
                if (names[i] == name) {
                    return i;
                }
            }
            throw new AssertionError(name);
        }

        /** What is under way is lost; then each says something, and all that follows arrives at once. */
        private void settle() {
            flights.clear();
            now += SUPPORT;
            exchange(A_SAYS);
            exchange(B_SAYS);
            assertThat(b.open(sealed(a, B), now)).as("the other hears").isInstanceOf(Accepted.class);
            assertThat(a.open(sealed(b, A), now)).as("it hears the other").isInstanceOf(Accepted.class);
            assertThat(present).isEqualTo(a.incarnation());
        }

        private void exchange(int what) {
            happens(what);
            while (!flights.isEmpty()) {
                arrives(flights.remove(0));
            }
        }

        private byte[] sealed(Links from, NodeId to) {
            return from.seal(to, BODY, BODY.length, now).orElseThrow();
        }
    }

    private long courses;

    /** Goes through all that may follow, each frame arriving once or never. */
    private void explore(long[] names, boolean isPatient, List<Integer> past, int aSays, int bSays, int restarts) {
        courses++;
        Course course = new Course(names, isPatient);
        try {
            past.forEach(course::happens);
            int flights = course.flights.size();
            course.settle();
            List<Integer> next = new ArrayList<>();
            for (int flight = 0; flight < flights; flight++) {
                if (!past.contains(flight)) {
                    next.add(flight);
                }
            }
            if (count(past, A_SAYS) < aSays) {
                next.add(A_SAYS);
            }
            if (count(past, B_SAYS) < bSays) {
                next.add(B_SAYS);
            }
            if (count(past, A_RESTARTS) < restarts) {
                next.add(A_RESTARTS);
            }
            for (int what : next) {
                List<Integer> longer = new ArrayList<>(past);
                longer.add(what);
                explore(names, isPatient, longer, aSays, bSays, restarts);
            }
        } catch (RuntimeException | AssertionError e) {
            if (e instanceof AssertionError && e.getMessage().startsWith("after ")) {
                throw e;
            }
            throw new AssertionError("after " + past + " of " + List.of(names[0], names[1]), e);
        }
    }

    private static long count(List<Integer> past, int what) {
        return past.stream().filter(each -> each == what).count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void lateFramesOfADeadLifeNeitherTakeAPlaceBackNorKeepTheLivingOneFromIt(boolean isPatient) {
        long[] rising = {10, 11, 12};
        long[] falling = {12, 11, 10};
        explore(rising, isPatient, List.of(), 2, 1, 1);
        explore(falling, isPatient, List.of(), 3, 0, 1);
        explore(rising, isPatient, List.of(), 2, 0, 2);
        explore(falling, isPatient, List.of(), 2, 0, 2);
        System.out.println("LivesExplorationTest: isPatient=" + isPatient + " courses=" + courses);
    }

    // ---------------------------------------------------------------- recordings

    /** A frame that has arrived, at which life of its receiver, and whether it was for that life alone. */
    private record Recorded(boolean isToA, long arrivedAt, boolean isForAnyLife, byte[] frame) {}

    /** Two nodes that talk and restart, while somebody repeats all that was ever said. */
    private static final class Tapped {
        private final Optional<ClusterSecret> secret;
        private final List<Recorded> recorded = new ArrayList<>();
        private Links a;
        private Links b;
        private long now;

        private Tapped(Optional<ClusterSecret> secret) {
            this.secret = secret;
            this.a = links(A, 10, secret);
            this.b = links(B, 20, secret);
        }

        private void says(boolean isA) {
            now += HEARTBEAT;
            Optional<byte[]> frame = (isA ? a : b).seal(isA ? B : A, BODY, BODY.length, now);
            arrives(!isA, frame.orElseThrow());
        }

        private void arrives(boolean isToA, byte[] frame) {
            Links at = isToA ? a : b;
            Checked.Passed passed = (Checked.Passed) at.entrance().check(Optional.empty(), frame);
            boolean isForAnyLife = passed.envelope().toIncarnation() == 0;
            Heard heard = hear(at, frame, now);
            recorded.add(new Recorded(isToA, at.incarnation(), isForAnyLife, frame));
            heard.answer().ifPresent(answer -> arrives(!isToA, answer));
        }

        /** A life ends in order, or is killed and replaced much later. */
        private void ends(boolean isA, boolean isKilled) {
            if (isKilled) {
                now += 100 * SUPPORT;
            } else {
                (isA ? a : b).sayFarewell((to, frame) -> arrives(!isA, frame));
            }
        }

        /** Nothing comes of it, and what it is answered with arrives as well. */
        private void repeated() {
            for (Recorded each : List.copyOf(recorded)) {
                Links at = each.isToA ? a : b;
                // Who does not know a life yet speaks to any, and a later one may hear that: as any late frame.
                if (!each.isForAnyLife || each.arrivedAt == at.incarnation()) {
                    Heard heard = hear(at, each.frame, now);
                    assertThat(heard.isAccepted()).isFalse();
                    heard.answer().ifPresent(answer -> {
                        Heard atOther = hear(each.isToA ? b : a, answer, now);
                        assertThat(atOther.held()).isEmpty();
                    });
                }
            }
        }

        private void talk(int frames) {
            for (int i = 0; i < frames; i++) {
                says(true);
                repeated();
                says(false);
                repeated();
            }
            assertThat(a.hears(B, now, HEARTBEAT + 1)).isTrue();
            assertThat(b.hears(A, now, 2 * HEARTBEAT + 1)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasSaidIsNotHeardAgain(boolean isSecret) {
        for (int pause = 0; pause <= 1; pause++) {
            Tapped tapped = new Tapped(isSecret ? SECRET : Optional.empty());
            tapped.talk(40);
            long[] names = {9, 21, 11, 19};
            for (int restart = 0; restart < names.length; restart++) {
                tapped.ends(restart % 2 == 0, pause > 0);
                if (restart % 2 == 0) {
                    tapped.a = links(A, names[restart], tapped.secret);
                } else {
                    tapped.b = links(B, names[restart], tapped.secret);
                }
                tapped.repeated();
                tapped.talk(20);
            }
        }
    }

    // ---------------------------------------------------------------- chance

    /** A frame on its way, with how many others led to it since somebody had something to say. */
    private static final class Wandering {
        private final boolean isToA;
        private final byte[] frame;
        private final boolean hasBody;
        private final boolean asks;
        private final int depth;
        /** Processes that it has arrived at, copies included. */
        private int arrivals;

        private int answers;

        private Wandering(boolean isToA, byte[] frame, boolean hasBody, int depth) {
            this.isToA = isToA;
            this.frame = frame;
            this.hasBody = hasBody;
            this.asks = depth == 1;
            this.depth = depth;
        }
    }

    /** Frames that one leads to, one after the other: a question, and its answer. */
    private static final int DEPTH_MAX = 2;

    /** Several processes may run under an id; each frame arrives at all of them. */
    private static final class Chance {
        private final Random random;
        private final boolean isDouble;
        private final List<Links> processesA = new ArrayList<>();
        private final List<Links> processesB = new ArrayList<>();
        private final List<Wandering> underWay = new ArrayList<>();
        private long now;
        private long answers;

        private Chance(Random random, boolean isDouble) {
            this.random = random;
            this.isDouble = isDouble;
            restarts(true);
            restarts(false);
        }

        private List<Links> processes(boolean isA) {
            return isA ? processesA : processesB;
        }

        private void restarts(boolean isA) {
            List<Links> processes = processes(isA);
            if (!isDouble || processes.size() == 2) {
                processes.removeIf(each -> !isDouble || random.nextBoolean());
            }
            processes.add(links(isA ? A : B, 1 + (random.nextLong() >>> 2), Optional.empty()));
        }

        private void says(boolean isA) {
            for (Links each : processes(isA)) {
                each.seal(isA ? B : A, BODY, BODY.length, now)
                        .ifPresent(frame -> underWay.add(new Wandering(!isA, frame, true, 0)));
            }
        }

        private void acknowledges(boolean isA) {
            NodeId peer = isA ? B : A;
            for (Links each : processes(isA)) {
                if (!each.owedAcks(now).isEmpty()) {
                    underWay.add(
                            new Wandering(!isA, each.seal(peer, BODY, 0, now).orElseThrow(), false, 0));
                }
            }
        }

        private void arrives(Wandering flight) {
            flight.arrivals += processes(flight.isToA).size();
            for (Links at : processes(flight.isToA)) {
                Heard heard = hear(at, flight.frame, now);
                if (heard.answer().isPresent()) {
                    assertThat(flight.hasBody || flight.asks)
                            .as("an empty frame is answered only if it asks")
                            .isTrue();
                    assertThat(flight.depth).isLessThan(DEPTH_MAX);
                    flight.answers++;
                    answers++;
                    underWay.add(new Wandering(!flight.isToA, heard.answer().orElseThrow(), false, flight.depth + 1));
                }
            }
            assertThat(flight.answers).isLessThanOrEqualTo(flight.hasBody ? flight.arrivals : 1);
        }

        private void step() {
            now += random.nextInt(20) == 0 ? SUPPORT : random.nextInt((int) HEARTBEAT / 4);
            int what = random.nextInt(100);
            boolean isA = random.nextBoolean();
            if (what < 20) {
                says(isA);
            } else if (what < 25) {
                acknowledges(isA);
            } else if (what < 27) {
                restarts(isA);
            } else if (!underWay.isEmpty()) {
                Wandering flight = underWay.get(random.nextInt(underWay.size()));
                if (what < 40) {
                    underWay.remove(flight);
                } else {
                    arrives(flight);
                    if (what < 90) {
                        underWay.remove(flight);
                    }
                }
            }
        }

        /** All that is under way arrives, and all that follows from it; nobody says anything. */
        private void comesToAnEnd() {
            Deque<Wandering> rest = new ArrayDeque<>(underWay);
            underWay.clear();
            while (!rest.isEmpty()) {
                arrives(rest.remove());
                rest.addAll(underWay);
                underWay.clear();
            }
        }

        private void bothAreHeard() {
            // One of several is left.
            processesA.subList(1, processesA.size()).clear();
            processesB.subList(1, processesB.size()).clear();
            for (boolean isA : new boolean[] {true, false}) {
                says(isA);
                comesToAnEnd();
            }
            Links a = processesA.get(0);
            Links b = processesB.get(0);
            assertThat(a.hears(B, now, 1)).isTrue();
            assertThat(b.hears(A, now, 1)).isTrue();
            assertThat(b.open(a.seal(B, BODY, BODY.length, now).orElseThrow(), now))
                    .isInstanceOf(Accepted.class);
            assertThat(a.open(b.seal(A, BODY, BODY.length, now).orElseThrow(), now))
                    .isInstanceOf(Accepted.class);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void eachFrameLeadsToFewOthersAndNobodyStaysUnheard(boolean isDouble) {
        String given = System.getProperty("seed", "");
        long first = given.isEmpty() ? 42 : Long.parseLong(given);
        int runs = given.isEmpty() ? 200 : 1;
        long answers = 0;
        for (long seed = first; seed < first + runs; seed++) {
            Chance chance = new Chance(new Random(seed), isDouble);
            try {
                for (int step = 0; step < 500; step++) {
                    chance.step();
                }
                chance.comesToAnEnd();
                chance.now += SUPPORT;
                chance.bothAreHeard();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("failed with seed=" + seed + "; rerun: mvn test -Dseed=" + seed, e);
            }
            answers += chance.answers;
        }
        System.out.println("LivesExplorationTest: seed=" + first + " isDouble=" + isDouble + " answers=" + answers);
        assertThat(answers).isPositive();
    }
}
