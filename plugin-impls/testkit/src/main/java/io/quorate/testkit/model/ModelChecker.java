package io.quorate.testkit.model;

import io.quorate.spi.Check;
import io.quorate.spi.Election;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Message;
import io.quorate.spi.Options;
import io.quorate.spi.Timing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Explores every behaviour of an election algorithm, within bounds: all orders of delivery and of time-outs, all
 * moments of crashes, restarts, losses, copies, wrong suspicions and changes of priorities that a budget allows. It
 * drives the very machines that run in production, through {@code snapshot()} and {@code restore()}; breadth first, so
 * a counterexample is shortest.
 *
 * <p>The world of a check: every process contends and votes. The failure detector is perfect, but slow: a crash is
 * noticed at any later moment, at each process on its own. A timer fires when nothing is on its way and nothing is to
 * be noticed, which is what the bound delta means; earlier only out of the budget {@link #earlyTimeouts}. Messages to a
 * crashed process vanish, those of a former life are dropped. Timers have no length unless {@link #clocks} gives them
 * one.
 *
 * <p>States are told apart by 64-bit fingerprints of their canonical encoding: among {@code n} states the chance that
 * any two collide is about n^2 / 2^65, for five million 7e-7.
 */
public final class ModelChecker {

    /** In which order the messages of one link arrive. */
    public enum Links {
        /** In the order of sending. */
        FIFO,
        /** In any order. */
        UNORDERED
    }

    /** Which of the pending timers may be the next to fire. */
    public enum Clocks {
        /** Any: the machine is asked at time 0 for ever. */
        NONE,
        /** The next one of any process: processes may be as fast or as slow as they like. */
        OWN,
        /** The next one of all processes: time passes for everybody alike, and not while a message travels. */
        COMMON
    }

    /** A message on its way, in its normal form; {@code incarnation}: from which life of its sender. */
    public record Sent(int from, int to, int incarnation, Message message) {}

    /** One state of the world, as properties see it. */
    public interface World {

        /** How many processes there are. */
        int size();

        boolean isAlive(int process);

        /** Whom the process takes for the leader; asked of live processes only. */
        OptionalInt leader(int process);

        /** Whether the process takes part in an election; asked of live processes only. */
        boolean isParticipating(int process);

        /** Which life of the process this is, from 1. */
        int incarnation(int process);

        /** The state of the machine, in its normal form; asked of live processes only. */
        Election.State state(int process);

        /** The timers of the process that are pending, by name. */
        List<String> timers(int process);

        /** Whether the detector of the process suspects the other one. */
        boolean suspects(int process, int other);

        /** The memory by {@link ModelChecker#remembers} of the process, even if it has crashed. */
        History history(int process);

        /** How many messages are on their way. */
        int messages();

        /** The message on its way at {@code index}, from 0; in no order. */
        Sent message(int index);

        /** Whether nothing is on its way and nothing is to be noticed: only timers and faults can happen. */
        boolean isQuiet();
    }

    private record Property(String name, Predicate<World> holds, boolean whenQuietOnly) {}

    /** A state that must stay within reach; {@code isForGood}: and be kept. */
    record Eventual(Predicate<World> goal, boolean isForGood) {}

    /**
     * The result of a check.
     *
     * @param states      distinct states
     * @param cutOff      those of them that were not left: they are outside of {@link #within}, or behind the bound of
     *                    {@link #stopAtStatesMax}. With 0 the check is exhaustive
     * @param transitions steps that were taken
     * @param depth       of the deepest state
     * @param violations  the first state that breaks a property, if any; of {@link #findAll} the first of each
     * @param reached     properties that were to be reachable, and were
     * @param handled     kinds of events and messages that some machine handled
     */
    public record Result(
            int states,
            int cutOff,
            long transitions,
            int depth,
            List<Violation> violations,
            Set<String> reached,
            Set<String> handled) {

        /** The first of them, if there is one. */
        public Optional<Violation> violation() {
            return violations.stream().findFirst();
        }
    }

    /**
     * A step of a run.
     *
     * @param isFault whether it costs a budget
     */
    public record Moment(Step step, boolean isFault, World after) {}

    /**
     * A broken property, and the shortest way there.
     *
     * @param first the world at first
     * @param run   from there on; empty if the property does not hold at first
     */
    public record Violation(String property, World first, List<Moment> run) {

        /** The steps that are faults, in words. */
        public List<String> faults() {
            return run.stream()
                    .filter(Moment::isFault)
                    .map(moment -> moment.step().words())
                    .toList();
        }

        /** One line for each step, with the world after it. */
        public List<String> trace() {
            return run.stream()
                    .map(moment -> moment.step().words() + "   |" + moment.after())
                    .toList();
        }

        @Override
        public String toString() {
            return property + " is broken after " + run.size() + " steps:\n" + String.join("\n", trace());
        }
    }

    final ElectionAlgorithm algorithm;
    final Options options;
    final int size;
    Links links = Links.FIFO;
    Clocks clocks = Clocks.NONE;
    Timing timing = new Timing(10);
    NormalForm normalForm = NormalForm.NONE;
    History history = History.NONE;
    boolean hasDetector = true;
    int crashes;
    int restarts;
    int losses;
    int duplicates;
    int earlyTimeouts;
    int falseSuspicions;
    int priorityChanges;
    boolean startsAtOnce = true;
    OptionalInt initialLeader = OptionalInt.empty();
    int statesMax = 5_000_000;
    boolean stopsAtStatesMax;
    boolean findsAll;
    private final List<Property> properties = new ArrayList<>();
    private final Map<String, Predicate<World>> goals = new LinkedHashMap<>();
    private final Map<String, Eventual> eventual = new LinkedHashMap<>();
    private Predicate<World> within = world -> true;

    private ModelChecker(ElectionAlgorithm algorithm, Options options, int size) {
        Check.argument(1 <= size && size <= 8, "%d processes: must be 1 to 8", size);
        this.algorithm = algorithm;
        this.options = options;
        this.size = size;
    }

    /** A check of {@code size} processes, without faults. */
    public static ModelChecker of(ElectionAlgorithm algorithm, Options options, int size) {
        return new ModelChecker(algorithm, options, size);
    }

    public ModelChecker links(Links order) {
        links = order;
        return this;
    }

    /** So many processes may crash, at any moment; one always survives. */
    public ModelChecker crashes(int budget) {
        crashes = budget;
        return this;
    }

    /** So many crashed processes may come back, with what they saved and nothing else. */
    public ModelChecker restarts(int budget) {
        restarts = budget;
        return this;
    }

    /** So many messages may be lost. */
    public ModelChecker losses(int budget) {
        losses = budget;
        return this;
    }

    /** So many messages may arrive twice. */
    public ModelChecker duplicates(int budget) {
        duplicates = budget;
        return this;
    }

    /** So many timers may fire although something is still on its way. */
    public ModelChecker earlyTimeouts(int budget) {
        earlyTimeouts = budget;
        return this;
    }

    /** Nobody is suspected. For algorithms that do not listen to a detector: it only multiplies their states. */
    public ModelChecker withoutDetector() {
        hasDetector = false;
        return this;
    }

    /**
     * Timers run out in the order of their lengths (the longest that are allowed), and delta is 1. A machine that keeps
     * times needs a {@link #normalForm} which sets them back.
     */
    public ModelChecker clocks(Clocks kind) {
        clocks = kind;
        timing = new Timing(1);
        return this;
    }

    public ModelChecker normalForm(NormalForm form) {
        normalForm = form;
        return this;
    }

    /** Every process has this history at first; properties find it at {@link World#history}. */
    public ModelChecker remembers(History atFirst) {
        history = atFirst;
        return this;
    }

    /** So many live processes may be suspected, and are trusted again at any later moment. */
    public ModelChecker falseSuspicions(int budget) {
        falseSuspicions = budget;
        return this;
    }

    /** So often the application at a leader changes the priorities: all move on by one process more each time. */
    public ModelChecker priorityChanges(int budget) {
        priorityChanges = budget;
        return this;
    }

    /** Everybody begins knowing this leader. Without it, everybody begins with none. */
    public ModelChecker initialLeader(int process) {
        initialLeader = OptionalInt.of(process);
        return this;
    }

    /** The processes start one by one, in any order and at any moment; what reaches one before is lost. */
    public ModelChecker spreadStarts() {
        startsAtOnce = false;
        return this;
    }

    /** More states than this are a failure: the model is not bounded as it should be. */
    public ModelChecker statesMax(int bound) {
        statesMax = bound;
        return this;
    }

    /** With more states than that, the first ones only are looked at; so a breadth-first search covers short runs. */
    public ModelChecker stopAtStatesMax() {
        stopsAtStatesMax = true;
        return this;
    }

    /** Does not stop at a broken property, and finds the shortest run to each. */
    public ModelChecker findAll() {
        findsAll = true;
        return this;
    }

    /**
     * The CONSTRAINT of TLC: states outside are judged, and nothing after them is looked at. Everything beyond counts
     * as good for {@link #alwaysPossible}; {@link Result#cutOff} says whether there are any.
     */
    public ModelChecker within(Predicate<World> constraint) {
        within = constraint;
        return this;
    }

    /** Must hold in every state. */
    public ModelChecker always(String name, Predicate<World> holds) {
        properties.add(new Property(name, holds, false));
        return this;
    }

    /** Must hold in every state in which nothing is on its way. */
    public ModelChecker whenQuiet(String name, Predicate<World> holds) {
        properties.add(new Property(name, holds, true));
        return this;
    }

    /** Must hold in some state: a guard against a check that passes because nothing ever happens. */
    public ModelChecker reachable(String name, Predicate<World> goal) {
        goals.put(name, goal);
        return this;
    }

    /**
     * From every state, some way must lead to such a state on which no further fault happens. Weaker than "always
     * eventually" (a fair schedule might still avoid it for ever), and finds every deadlock and every lost token.
     */
    public ModelChecker alwaysPossible(String name, Predicate<World> goal) {
        eventual.put(name, new Eventual(goal, false));
        return this;
    }

    /** As {@link #alwaysPossible}, and the way must lead to where the goal holds from then on, until the next fault. */
    public ModelChecker alwaysPossibleForGood(String name, Predicate<World> goal) {
        eventual.put(name, new Eventual(goal, true));
        return this;
    }

    /** Explores, and tells what it found. */
    public Result run() {
        return new StateSpace(this).explore();
    }

    /**
     * Explores, and demands that no property is broken, every goal is reached and at least so many states were seen.
     *
     * @throws AssertionError if not; with the shortest counterexample, replayed from the start
     */
    public Result verify(int statesMin) {
        Result result = run();
        if (result.violation().isPresent()) {
            throw new AssertionError(result.violation().get().toString());
        }
        for (String goal : goals.keySet()) {
            if (!result.reached().contains(goal)) {
                throw new AssertionError(goal + " is reached in none of " + result.states() + " states");
            }
        }
        if (result.states() < statesMin) {
            throw new AssertionError("only " + result.states() + " states; expected at least " + statesMin);
        }
        return result;
    }

    /**
     * Explores, and demands that this property is broken.
     *
     * @throws AssertionError if none is broken, or another one first
     */
    public Violation mustBreak(String property) {
        Result result = run();
        Violation violation = result.violation()
                .orElseThrow(() ->
                        new AssertionError(property + " holds in all of " + result.states() + " states, but must not"));
        if (!violation.property().equals(property)) {
            throw new AssertionError(property + " must be broken, but " + violation);
        }
        return violation;
    }

    /** Notes the properties that this state is the first to break. */
    void addBroken(World world, int number, Map<String, Integer> broken) {
        for (Property property : properties) {
            if ((!property.whenQuietOnly || world.isQuiet()) && !property.holds.test(world)) {
                broken.putIfAbsent(property.name, number);
            }
        }
    }

    Map<String, Predicate<World>> goals() {
        return goals;
    }

    Map<String, Eventual> eventual() {
        return eventual;
    }

    boolean isWithin(World world) {
        return within.test(world);
    }

    boolean hasEventual() {
        return !eventual.isEmpty();
    }
}
