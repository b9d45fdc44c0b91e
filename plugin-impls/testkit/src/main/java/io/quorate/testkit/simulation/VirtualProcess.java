package io.quorate.testkit.simulation;

import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Connection;
import io.quorate.engine.Tenure;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.testkit.model.Keyed;
import io.quorate.testkit.picture.Newest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A process in virtual time: one thread, which can be paused and slowed down, a clock, and an application with
 * contenders. Its program is a {@link VirtualHost}.
 */
public final class VirtualProcess {

    /** How long an application takes to send a contender back into the queue. */
    private static final long REJOIN_NANOS = VirtualTime.MILLI;

    /** How often an application looks whether it leads, and writes to the resource of the path if it does. */
    private static final long POLL_NANOS = 230 * VirtualTime.MILLI;

    private static final long WRITE_NANOS_MAX = 2_500 * VirtualTime.MILLI;

    /** More than enough to find the first one of a kind. */
    private static final int WARNINGS_MAX = 1000;

    static final String ON_STANDBY = "the scenario wants that";
    static final String RESIGNS = "it resigns";

    /** A tenure that goes on until the application has finished its work. */
    private static final class Draining {
        private final Tenure tenure;
        private final long until;
        /** Zero unless the node waits for it. */
        private long departure;

        private boolean resigns;

        private Draining(Tenure tenure, long until) {
            this.tenure = tenure;
            this.until = until;
        }
    }

    public final NodeId id;
    final NodeSettings settings;
    final VirtualTime time;
    final VirtualClock clock;
    final Watchdog watchdog;
    final Keyed keyed;
    final Map<Integer, String> contenders = new TreeMap<>();
    final Map<Integer, Tenure> tenures = new TreeMap<>();
    final List<Connection> connections = new ArrayList<>();
    /** What became of the changes of voters that the application asked for. */
    final List<String> changes = new ArrayList<>();
    /** What became of the transfers that the application asked for. */
    final List<String> transfers = new ArrayList<>();

    Optional<RuntimeException> failure = Optional.empty();
    /** What an operator would read of it. */
    final Newest<String> warnings = new Newest<>(WARNINGS_MAX);

    boolean rejoinsByItself = true;
    /** For how long the work of a leader may take that leaves on purpose; 0 if there is none. */
    private long drainNanosMax;

    private long drains;
    private final Map<Integer, Draining> draining = new TreeMap<>();
    /** Contenders that stay out of the queue once they are out of it. */
    private final Set<Integer> held = new TreeSet<>();

    private final List<Runnable> waiting = new ArrayList<>();
    private final List<Runnable> stalled = new ArrayList<>();
    /** What came while it is slow, and is not done yet. */
    private final Deque<Runnable> behind = new ArrayDeque<>();
    /** What of that comes before all others. */
    private final Deque<Runnable> ahead = new ArrayDeque<>();

    private final List<VirtualCluster.Change> log;
    final RunDigest digest;
    private VirtualHost host;
    private long life;
    private boolean isRunning;
    private boolean isClosing;
    private boolean isPaused;
    private boolean stallsAtNextStep;
    private boolean isApplicationRunning;
    private long nanosPerTurn;
    private long busyUntil;

    // As a server: see serviceTime.
    private long nanosPerWork;
    private Optional<Runnable> wakeUp = Optional.empty();
    private boolean isServing;
    /** How long it has served since it was last woken. */
    private long servedNanos;

    private long work;
    /** What the present turn wants done when it is over. */
    private final Deque<Runnable> results = new ArrayDeque<>();

    private long writes;
    private int changesAsked;
    private long pollNanos = POLL_NANOS;

    VirtualProcess(
            NodeSettings settings,
            VirtualTime time,
            Watchdog watchdog,
            Keyed keyed,
            List<VirtualCluster.Change> log,
            RunDigest digest) {
        this.id = settings.self();
        this.settings = settings;
        this.time = time;
        this.clock = new VirtualClock(time);
        this.watchdog = watchdog;
        this.keyed = keyed;
        this.log = log;
        this.digest = digest;
    }

    public void host(VirtualHost runs) {
        host = runs;
    }

    public VirtualHost host() {
        return host;
    }

    public boolean isRunning() {
        return isRunning;
    }

    /** Whether it ends in order, and has not ended yet: it says goodbye, which takes a slow process time. */
    boolean isClosing() {
        return isClosing;
    }

    public boolean isPaused() {
        return isPaused;
    }

    /** Has the node bring it about that these vote; nothing happens while it does not run. */
    public void changeVoters(List<NodeId> wanted) {
        if (isRunning) {
            changesAsked++;
            handle(() -> host.changeVoters(wanted));
        }
    }

    /** Whether a change that was asked for in this life has not ended. */
    boolean isChangingVoters() {
        return changesAsked > changes.size();
    }

    /** Counts the lives; what was asked for in one life is not done in the next. */
    public long life() {
        return life;
    }

    public int waiting() {
        return waiting.size() + stalled.size() + behind.size() + ahead.size();
    }

    // ---------------------------------------------------------------- what happens to it

    public void start() {
        checkIsNotClosing();
        end();
        failure = Optional.empty();
        isRunning = true;
        host.start();
        watchdog.stepped();
    }

    /** It is gone, with everything in its memory. */
    public void crash() {
        checkIsNotClosing();
        boolean was = isRunning;
        // From here on its thread does nothing more.
        isRunning = false;
        if (was) {
            host.crash();
        }
        end();
    }

    /**
     * It ends in order, as a client that is closed: its tenures first. A stopped process cannot, and is killed. Time
     * may pass meanwhile.
     */
    public void shutdown() {
        if (isPaused) {
            crash();
            return;
        }
        checkIsNotClosing();
        tenures.values().forEach(Tenure::end);
        isClosing = true;
        try {
            host.close();
        } finally {
            isClosing = false;
        }
        end();
    }

    /**
     * While time passes in a close, the close is on the stack of the caller that lets time pass. Another life that
     * began meanwhile would be ended by it, and one that was over would say goodbye all the same.
     */
    private void checkIsNotClosing() {
        Check.state(!isClosing, "%s is closing: it has to end first", id);
    }

    private void end() {
        life++;
        isRunning = false;
        isPaused = false;
        isApplicationRunning = false;
        stallsAtNextStep = false;
        busyUntil = 0;
        waiting.clear();
        stalled.clear();
        behind.clear();
        ahead.clear();
        results.clear();
        isServing = false;
        wakeUp = Optional.empty();
        changesAsked = changes.size();
        contenders.clear();
        held.clear();
        tenures.clear();
        draining.clear();
        watchdog.gone(this);
    }

    /** SIGSTOP: it does nothing, its clock goes on, what arrives waits. */
    public void pause() {
        isPaused = true;
    }

    /**
     * The node's thread stops in the middle of its next step: what that wants done is done after the pause. The
     * application's threads run on.
     */
    public void stall() {
        stallsAtNextStep = true;
    }

    /** SIGCONT: what has waited is done now. */
    public void resume() {
        stallsAtNextStep = false;
        if (!isPaused) {
            return;
        }
        isPaused = false;
        isApplicationRunning = false;
        List<Runnable> due = new ArrayList<>(stalled);
        due.addAll(waiting);
        stalled.clear();
        waiting.clear();
        long current = life;
        for (Runnable turn : due) {
            if (life == current) {
                turn.run();
            }
        }
        if (life == current && isRunning) {
            host.wake();
            watchdog.stepped();
        }
    }

    /** From now on every turn takes so long; if that is no time, it catches up at once. */
    public void slow(long nanos) {
        nanosPerTurn = nanos;
        if (nanos == 0) {
            busyUntil = 0;
            for (Runnable turn = behind.poll(); turn != null; turn = behind.poll()) {
                turn(turn);
            }
        }
    }

    /**
     * From now on a turn takes so long for itself, and once more for each of its effects, which come at its end; what
     * arrives meanwhile waits. As with the driver, the clock has its turn when that is due, but not before what has
     * arrived was served for a millisecond.
     *
     * @param nanos 0 for no time, as at the beginning
     */
    public void serviceTime(long nanos) {
        nanosPerWork = nanos;
        serve();
    }

    /** As {@link #handle}: the node asked to be woken. */
    void wake(Runnable wake) {
        if (nanosPerWork == 0) {
            handle(wake);
        } else {
            wakeUp = Optional.of(wake);
            serve();
        }
    }

    private void serve() {
        if (isServing || !isRunning) {
            return;
        }
        boolean isIdle = ahead.isEmpty() && behind.isEmpty();
        boolean isWake = wakeUp.isPresent() && (isIdle || servedNanos >= VirtualTime.MILLI);
        Runnable next = isWake ? wakeUp.get() : ahead.isEmpty() ? behind.poll() : ahead.poll();
        if (next == null) {
            return;
        }
        if (isWake) {
            wakeUp = Optional.empty();
            servedNanos = 0;
        }
        isServing = true;
        work = 1;
        turn(next);
        long takes = work * nanosPerWork;
        servedNanos += takes;
        laterInThisLife(time.now() + takes, () -> {
            isServing = false;
            for (Runnable result = results.poll(); result != null; result = results.poll()) {
                result.run();
            }
            serve();
        });
    }

    public void rate(double rate) {
        clock.rate(rate);
        if (isRunning) {
            host.clockChanged();
        }
    }

    // ---------------------------------------------------------------- its thread

    /** Does it on the process's thread: now, or when the thread is no longer paused or busy. */
    public void handle(Runnable turn) {
        if (!isRunning) {
            return;
        }
        if (nanosPerWork > 0 || isServing) {
            behind.add(turn);
            serve();
            return;
        }
        if (nanosPerTurn == 0) {
            turn(turn);
            return;
        }
        busyUntil = Math.max(busyUntil, time.now()) + nanosPerTurn;
        behind.add(turn);
        laterInThisLife(busyUntil, () -> {
            if (behind.remove(turn)) {
                turn(turn);
            }
        });
    }

    /** As {@link #handle}, but before everything that waits; it may wait for others of its kind. */
    void handleFirst(Runnable turn) {
        if (isRunning && (nanosPerWork > 0 || isServing)) {
            ahead.add(turn);
            serve();
        } else {
            handle(turn);
        }
    }

    private void turn(Runnable turn) {
        if (isPaused) {
            waiting.add(turn);
            return;
        }
        turn.run();
        watchdog.stepped();
    }

    /**
     * Does what a step wanted done, so many effects: when the turn is over; if the process stops in the middle, later.
     */
    void perform(int count, Runnable effects) {
        if (isServing) {
            work += count;
            results.add(() -> perform(effects));
        } else {
            perform(effects);
        }
    }

    private void perform(Runnable effects) {
        if (stallsAtNextStep) {
            stallsAtNextStep = false;
            isPaused = true;
            isApplicationRunning = true;
        }
        if (isPaused) {
            stalled.add(effects);
        } else {
            effects.run();
        }
    }

    /** Does it at this instant of real time, unless the process has ended before. */
    public void laterInThisLife(long when, Runnable action) {
        long current = life;
        time.at(when, () -> {
            if (life == current) {
                action.run();
            }
        });
    }

    // ---------------------------------------------------------------- its application

    /** From now on the application looks so seldom whether it leads: with a million paths all else would be little. */
    public void looksEvery(long nanos) {
        pollNanos = nanos;
    }

    public void contend(int number, String path) {
        contenders.put(number, path);
        handle(() -> host.contend(path, number));
        if (drainNanosMax > 0) {
            handle(() -> host.drains(number, true));
        }
    }

    /** Closes a contender as a latch does: first its tenure ends, then the node is told. */
    public void withdraw(int number) {
        if (contenders.remove(number) != null) {
            Optional.ofNullable(tenures.get(number)).ifPresent(Tenure::end);
            handle(() -> host.withdraw(number));
        }
    }

    /** Gives up leadership and contends again, at the tail. */
    public void resign(int number) {
        Tenure tenure = tenures.get(number);
        if (tenure == null || !tenure.isValid(clock)) {
            return;
        }
        Draining open = draining.get(number);
        boolean isFinished = open != null && open.until <= time.now();
        if (isFinished || open == null && drainNanosMax == 0) {
            resignNow(number, tenure);
        } else {
            handle(() -> host.leaves(number, tenure));
            leaving(number, tenure, 0);
            draining.get(number).resigns = true;
        }
    }

    private void resignNow(int number, Tenure tenure) {
        if (tenure.end()) {
            handle(() -> host.resign(number, tenure));
        }
    }

    public void transferTo(int number, NodeId successor) {
        if (tenures.containsKey(number)) {
            handle(() -> host.transferTo(number, successor));
        }
    }

    // ---------------------------------------------------------------- the work of its leaders

    /** From now on leaders that leave on purpose finish their work, which takes up to so long; at 0 they do not. */
    void drain(long nanosMax) {
        drainNanosMax = nanosMax;
        contenders.keySet().forEach(number -> handle(() -> host.drains(number, nanosMax > 0)));
    }

    /** The tenure is to end when its work is finished. */
    public void leaving(int number, Tenure tenure, long departure) {
        Draining open = draining.get(number);
        if (open != null) {
            open.departure = departure == 0 ? open.departure : departure;
            return;
        }
        // A fifth of them hangs, up to the bound.
        long takes = Math.min(drainNanosMax, keyed.of("drain").between(drains++, 0, 1 + drainNanosMax / 4 * 5));
        Draining begun = new Draining(tenure, time.now() + takes);
        begun.departure = departure;
        draining.put(number, begun);
        laterInThisLife(begun.until, () -> {
            if (draining.get(number) != begun || tenures.get(number) != tenure) {
                return;
            }
            if (begun.resigns) {
                resignNow(number, tenure);
            } else {
                handle(() -> host.drained(number, tenure, begun.departure));
            }
        });
    }

    public void stays(int number) {
        Draining open = draining.get(number);
        if (open != null && !open.resigns) {
            draining.remove(number);
        }
    }

    /** Which tenures should have gone by now, so many nanoseconds after their work was finished. */
    List<Tenure> lateToLeave(long nanos) {
        return draining.values().stream()
                .filter(open -> time.now() - open.until > nanos)
                .map(open -> open.tenure)
                .toList();
    }

    // ---------------------------------------------------------------- what becomes of its contenders

    /** From now on, when its tenure has ended, the contender stays out of the queue; a leader gives its tenure up. */
    public void hold(int number) {
        held.add(number);
        resign(number);
    }

    /** The contender goes back into the queue, if it is out of it. */
    public void letGo(int number) {
        if (held.remove(number) && contenders.containsKey(number)) {
            handle(() -> host.rejoin(number));
        }
    }

    /** Gives up every tenure at once. */
    public void resignAll() {
        List.copyOf(tenures.keySet()).forEach(this::resign);
    }

    /** Its contenders have this priority from now on; forgotten when the process ends. */
    void priority(int value) {
        handle(() -> host.priority(value));
    }

    /** Its contenders rank last from now on, or as usual again; forgotten when the process ends. */
    void standBy(boolean wanted) {
        handle(() -> host.standBy(wanted));
    }

    public void watch(String path, boolean wanted) {
        handle(() -> host.watch(path, wanted));
    }

    public void granted(int number, Tenure tenure) {
        watchdog.granted(this, number, tenure);
        tenures.put(number, tenure);
        log.add(new VirtualCluster.Change(time.nowMillis(), id, tenure.path(), true, tenure.token()));
        poll(number, tenure);
    }

    public void revoked(int number, Tenure tenure) {
        watchdog.revoked(this, number, tenure);
        tenures.remove(number);
        draining.remove(number);
        log.add(new VirtualCluster.Change(time.nowMillis(), id, tenure.path(), false, tenure.token()));
        if (rejoinsByItself && !held.contains(number)) {
            laterInThisLife(time.now() + REJOIN_NANOS, () -> {
                if (contenders.containsKey(number)) {
                    handle(() -> host.rejoin(number));
                }
            });
        }
    }

    /** The application looks whether it leads, and acts; the resource sees that later, or after a while. */
    private void poll(int number, Tenure tenure) {
        if (tenures.get(number) != tenure) {
            return;
        }
        if ((!isPaused || isApplicationRunning) && tenure.isValid(clock)) {
            watchdog.believed(this, tenure);
            long delay = keyed.between(writes++, 0, WRITE_NANOS_MAX);
            time.after(delay, () -> watchdog.write(tenure.path(), tenure.token()));
        }
        laterInThisLife(time.now() + pollNanos, () -> poll(number, tenure));
    }
}
