package io.quorate.testkit.simulation;

import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.message.VotersMessage.ReadyQuery;
import io.quorate.spi.Check;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Places.Way;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import io.quorate.testkit.simulation.VirtualNetwork.Trouble;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Makes the faults of a scenario happen, and end. */
final class Injector {

    private static final Runnable NOTHING = () -> {};
    /** How long after a start that has failed it is tried again. */
    private static final long SUPERVISOR_NANOS = 100 * VirtualTime.MILLI;

    private static final long MILLI = VirtualTime.MILLI;
    private static final long MICRO = MILLI / 1000;

    private final VirtualCluster world;
    private final List<NodeId> nodes;
    private final Places places;
    private final Mixture mixture;
    /** Which paths each node's application contends on now, and the number of the contender if it is open. */
    private final Map<NodeId, Map<String, Integer>> contending = new TreeMap<>();

    private final Map<NodeId, Set<String>> watched = new TreeMap<>();
    /** How many faults want the node on standby; they may overlap. */
    private final Map<NodeId, Integer> onStandby = new TreeMap<>();
    /** What a step of each node takes, and each of its effects. */
    private final Map<NodeId, Long> workMicros = new TreeMap<>();

    private NodeId lastLeader;
    private int numbers;

    Injector(VirtualCluster world, List<NodeId> nodes, Mixture mixture) {
        this.world = world;
        this.nodes = nodes;
        this.places = new Places(nodes, this::leader);
        this.mixture = mixture;
        this.lastLeader = nodes.get(0);
        nodes.forEach(node -> {
            contending.put(node, new TreeMap<>());
            watched.put(node, new TreeSet<>());
        });
    }

    void schedule(Fault fault) {
        world.time().at(fault.at() * MILLI, () -> {
            Runnable end = begin(fault);
            if (end != NOTHING) {
                world.time().at(fault.until() * MILLI, end);
            }
        });
    }

    /** The paths on which somebody contends now who runs. */
    List<String> contended() {
        return contending.entrySet().stream()
                .filter(entry -> world.process(entry.getKey()).isRunning())
                .flatMap(entry -> entry.getValue().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private Runnable begin(Fault fault) {
        return switch (fault.kind()) {
            case CUT -> trouble(fault, Trouble.CUT, 1);
            case LOSS -> trouble(fault, Trouble.LOSS, (int) fault.amount());
            case DELAY -> trouble(fault, Trouble.DELAY, (int) fault.amount());
            case DUPLICATION -> trouble(fault, Trouble.DUPLICATION, (int) fault.amount());
            case FLAP -> flap(fault);
            case CONTEND -> contend(fault);
            case CONTEND_MANY -> contendMany(fault);
            case RESIGN -> resign(fault);
            case RESIGN_ALL -> {
                world.process(node(fault.where())).resignAll();
                yield NOTHING;
            }
            case AWAY -> away(fault);
            case TRANSFER -> transfer(fault);
            case PRIORITY -> {
                world.process(node(fault.where())).priority((int) fault.amount());
                yield NOTHING;
            }
            case DRAIN -> drain(world.process(node(fault.where())), fault.amount());
            case STANDBY -> standby(world.process(node(fault.where())));
            case WATCH -> watch(fault);
            case LIE -> lie(fault);
            case CHANGE -> change(fault);
            case UNTOLD -> untold(node(fault.where()));
            case LOST_AT_WORK -> lostAtWork(fault);
            default -> onProcess(fault, world.process(node(fault.where())));
        };
    }

    private Runnable onProcess(Fault fault, VirtualProcess process) {
        switch (fault.kind()) {
            case WALL -> process.clock.stepWall(fault.amount() * 1000);
            case CLOCK -> process.rate(1.0 + fault.amount() / 100.0);
            case SLOW -> process.slow(fault.amount() * MILLI);
            case WORK -> work(process, fault.amount());
            case DISK_FULL -> process.host().diskIsFull(true);
            case SETTINGS -> {
                process.host()
                        .configure(
                                mixture.settings(process.settings, fault.amount()), mixture.algorithm(fault.amount()));
                return onRunning(fault, process);
            }
            default -> {
                return onRunning(fault, process);
            }
        }
        return () -> {
            switch (fault.kind()) {
                case CLOCK -> process.rate(1.0);
                case SLOW -> process.slow(0);
                case WORK -> work(process, -fault.amount());
                case DISK_FULL -> process.host().diskIsFull(false);
                default -> {}
            }
        };
    }

    /** Several of them add up: a share of the processor is gone for a while, and comes back. */
    private void work(VirtualProcess process, long moreMicros) {
        long micros = workMicros.merge(process.id, moreMicros, Long::sum);
        process.serviceTime(micros * MICRO);
    }

    private Runnable onRunning(Fault fault, VirtualProcess process) {
        boolean goesOn = fault.kind() == Fault.Kind.PAUSE || fault.kind() == Fault.Kind.STALL;
        // A closing node can be stopped, but it ends only once: its close always goes on.
        if (!process.isRunning() || process.isClosing() && !goesOn) {
            return NOTHING;
        }
        switch (fault.kind()) {
            case PAUSE -> process.pause();
            case STALL -> process.stall();
            case WIPE -> {
                if (!mayLoseADisk()) {
                    return NOTHING;
                }
                process.host().completesWriteAtCrash(false);
                process.crash();
                process.host().wipe();
            }
            case SHUTDOWN, SETTINGS -> process.shutdown();
            default -> {
                process.host().completesWriteAtCrash(fault.kind() == Fault.Kind.CRASH_AFTER_WRITE);
                process.crash();
            }
        }
        long life = process.life();
        return goesOn ? () -> resume(process, life) : () -> start(process);
    }

    private static void resume(VirtualProcess process, long life) {
        if (process.life() == life) {
            process.resume();
        }
    }

    /** Starts the process; its application opens its latches again. */
    void start(VirtualProcess process) {
        if (!process.host().canStart()) {
            world.time().after(SUPERVISOR_NANOS, () -> start(process));
        } else if (!process.isRunning()) {
            process.start();
            if (isOnStandby(process.id)) {
                process.standBy(true);
            }
            contending.get(process.id).replaceAll((path, number) -> open(process, path));
            watched.get(process.id).forEach(path -> process.watch(path, true));
        }
    }

    private int open(VirtualProcess process, String path) {
        int number = ++numbers;
        process.contend(number, path);
        return number;
    }

    private Runnable contend(Fault fault) {
        return contend(node(nodeOf(fault.where())), pathOf(fault.where()));
    }

    private Runnable contendMany(Fault fault) {
        NodeId id = node(nodeOf(fault.where()));
        String prefix = pathOf(fault.where());
        List<Runnable> ends = new ArrayList<>();
        for (int i = 0; i < fault.amount(); i++) {
            ends.add(contend(id, prefix + i));
        }
        return () -> ends.forEach(Runnable::run);
    }

    private Runnable contend(NodeId id, String path) {
        VirtualProcess process = world.process(id);
        Map<String, Integer> own = contending.get(id);
        if (own.containsKey(path)) {
            return NOTHING;
        }
        own.put(path, process.isRunning() ? open(process, path) : 0);
        return () -> Optional.ofNullable(own.remove(path)).ifPresent(process::withdraw);
    }

    private Runnable resign(Fault fault) {
        NodeId id = node(nodeOf(fault.where()));
        Optional.ofNullable(contending.get(id).get(pathOf(fault.where()))).ifPresent(world.process(id)::resign);
        return NOTHING;
    }

    private Runnable away(Fault fault) {
        VirtualProcess process = world.process(node(nodeOf(fault.where())));
        Integer number = contending.get(process.id).get(pathOf(fault.where()));
        if (number == null || !process.isRunning()) {
            return NOTHING;
        }
        long life = process.life();
        process.hold(number);
        return () -> {
            if (process.life() == life) {
                process.letGo(number);
            }
        };
    }

    private Runnable transfer(Fault fault) {
        String[] sides = fault.where().split(">");
        Check.argument(sides.length == 2, "transfer '%s': must be '<node>/<path>><node>'", fault.where());
        NodeId id = node(nodeOf(sides[0]));
        Optional.ofNullable(contending.get(id).get(pathOf(sides[0])))
                .ifPresent(number -> world.process(id).transferTo(number, node(sides[1])));
        return NOTHING;
    }

    private Runnable drain(VirtualProcess process, long millisMax) {
        process.drain(millisMax * MILLI);
        return () -> process.drain(0);
    }

    private Runnable standby(VirtualProcess process) {
        onStandby.merge(process.id, 1, Integer::sum);
        process.standBy(true);
        return () -> {
            if (onStandby.merge(process.id, -1, Integer::sum) == 0) {
                process.standBy(false);
            }
        };
    }

    /** Whether the node's contenders rank last now. */
    boolean isOnStandby(NodeId node) {
        return onStandby.getOrDefault(node, 0) > 0;
    }

    private Runnable watch(Fault fault) {
        VirtualProcess process = world.process(node(nodeOf(fault.where())));
        String path = pathOf(fault.where());
        Set<String> own = watched.get(process.id);
        if (!own.add(path)) {
            return NOTHING;
        }
        process.watch(path, true);
        return () -> {
            own.remove(path);
            process.watch(path, false);
        };
    }

    private Runnable change(Fault fault) {
        String[] sides = fault.where().split(">");
        Check.argument(sides.length == 2, "change '%s': must be '<node>><nodes>'", fault.where());
        world.process(node(sides[0])).changeVoters(places.side(sides[1]));
        return NOTHING;
    }

    private Runnable untold(NodeId node) {
        Predicate<Flight> rule = flight -> flight.to().equals(node) && carriesVoters(flight.message());
        world.network().drop(rule);
        return () -> world.network().allow(rule);
    }

    private Runnable lostAtWork(Fault fault) {
        String[] sides = fault.where().split(">");
        Check.argument(sides.length == 2, "lost '%s': must be '<how>><node>'", fault.where());
        Fault loss = fault.as(sides[0], sides[1]);
        LostAtWork work = new LostAtWork(node(sides[1]), fault.amount(), () -> begin(loss));
        world.network().observe(work::onSent);
        world.network().drop(work.lost::contains);
        return work::end;
    }

    /** A node that is lost between two of its messages. */
    private final class LostAtWork {

        private final NodeId node;
        private final long messages;
        private final Supplier<Runnable> loss;
        private final Set<Flight> lost = Collections.newSetFromMap(new IdentityHashMap<>());
        private long said;
        private boolean isOver;
        private Optional<Runnable> end = Optional.empty();

        LostAtWork(NodeId node, long messages, Supplier<Runnable> loss) {
            this.node = node;
            this.messages = messages;
            this.loss = loss;
        }

        private void onSent(Flight flight) {
            if (isOver || end.isPresent() || !flight.from().equals(node)) {
                return;
            }
            if (said == messages) {
                lost.add(flight);
            } else if (isOfAChange(flight.message()) && ++said == messages) {
                // The fault begins after the step that sends it, not in the middle.
                world.time().at(world.time().now(), () -> {
                    if (!isOver) {
                        end = Optional.of(loss.get());
                    }
                });
            }
        }

        private void end() {
            isOver = true;
            end.ifPresent(Runnable::run);
        }
    }

    private static boolean isOfAChange(Object message) {
        return carriesVoters(message) || message instanceof ReadyQuery;
    }

    private static boolean carriesVoters(Object message) {
        return message instanceof DecidedVoters || message instanceof Prepare || message instanceof Accept;
    }

    private boolean mayLoseADisk() {
        // A change may take a voter away that cannot be reached; then there is none to spare until it has ended, and
        // all voters know, with their directories: one that was added is not believed by a voter that does not know.
        return nodes.stream().noneMatch(node -> world.process(node).isChangingVoters())
                && !world.isAnyListOpen()
                && world.newestVoters()
                        .filter(voters -> voters.number() > 1 && voters.size() >= 3)
                        .filter(voters -> voters.members().stream()
                                .allMatch(member -> member.store() != 0
                                        && world.process(member.id())
                                                        .host()
                                                        .voters()
                                                        .number()
                                                == voters.number()))
                        .isPresent();
    }

    private Runnable lie(Fault fault) {
        String[] sides = fault.where().split(">");
        Check.argument(sides.length == 2, "lies '%s': must be '<who>><nodes>'", fault.where());
        // The hash is that of the text: the hash of a fault itself differs between processes.
        Liar liar = new Liar(
                world,
                nodes,
                Liar.Who.of(sides[0]),
                world.seed() ^ fault.toString().hashCode());
        world.network().observe(liar::overhear);
        List<NodeId> victims = places.side(sides[1]);
        long step = Math.max(1, 1000 * MILLI / fault.amount());
        for (long at = fault.at() * MILLI; at < fault.until() * MILLI; at += step) {
            world.time().at(at, () -> victims.forEach(liar::lieTo));
        }
        return NOTHING;
    }

    /** The paths that the node contends on or watches now. */
    Set<String> interests(NodeId node) {
        Set<String> interests = new TreeSet<>(contending.get(node).keySet());
        interests.addAll(watched.get(node));
        return interests;
    }

    /** Which nodes that run contend on the path now. */
    List<NodeId> contenders(String path) {
        return nodes.stream()
                .filter(node ->
                        world.process(node).isRunning() && contending.get(node).containsKey(path))
                .toList();
    }

    private static String nodeOf(String where) {
        Check.argument(where.indexOf('/') > 0, "'%s': must be a node and a path", where);
        return where.substring(0, where.indexOf('/'));
    }

    private static String pathOf(String where) {
        return where.substring(where.indexOf('/'));
    }

    // ---------------------------------------------------------------- links

    private Runnable trouble(Fault fault, Trouble trouble, int amount) {
        List<Way> ways = places.ways(fault.where());
        ways.forEach(way -> world.network().trouble(way.from(), way.to(), trouble, amount));
        return () -> ways.forEach(way -> world.network().trouble(way.from(), way.to(), trouble, -amount));
    }

    private Runnable flap(Fault fault) {
        List<Way> ways = places.ways(fault.where());
        boolean[] isCut = {false};
        for (long at = fault.at(); at < fault.until(); at += fault.amount()) {
            world.time().at(at * MILLI, () -> toggle(ways, isCut));
        }
        return () -> {
            if (isCut[0]) {
                toggle(ways, isCut);
            }
        };
    }

    private void toggle(List<Way> ways, boolean[] isCut) {
        isCut[0] = !isCut[0];
        ways.forEach(way -> world.network().trouble(way.from(), way.to(), Trouble.CUT, isCut[0] ? 1 : -1));
    }

    private NodeId leader() {
        lastLeader = world.leader(Storm.FIRST_PATH).orElse(lastLeader);
        return lastLeader;
    }

    private NodeId node(String name) {
        return places.node(name);
    }
}
