package io.quorate.lab;

import io.quorate.spi.ElectionAlgorithm;
import io.quorate.testkit.model.ModelChecker.Links;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.picture.Naming;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An error trace that TLC has printed of a spec of a documented variant: docs/lab.md#counterexamples-of-others. */
final class TlcRun {

    /** The specs whose variables are {@link #VARIABLES}, and their algorithms. */
    private static final Map<String, String> SPECS =
            Map.of("BullyF", "bully", "LcrF", "lcr", "TokenRingF", "token-ring");

    private static final List<String> VARIABLES = List.of("alive", "leader", "suspects", "link");
    private static final Pattern STATE = Pattern.compile("(?m)^State (\\d+): (.*)$");
    /** The same leader of 2 to 5 processes. */
    private static final Pattern LED = Pattern.compile("<<(\\d)(,\\1){1,4}>>");

    private static final Pattern MODULE = Pattern.compile("<(\\w+).* of module (\\w+)>");
    /** Steps of the explorer by the names of the specs' actions. */
    private static final Map<String, String> ACTIONS = Map.of(
            "Deliver", "RECEIVED|IGNORED",
            "Fire", "TIMER",
            "Suspect", "SUSPECTED",
            "Trust", "TRUSTED",
            "Crash", "CRASHED",
            "Restart", "RESTARTED",
            "Lose", "LOST");

    private TlcRun() {}

    /** Whether the text is such a trace, with what TLC prints around it. */
    static boolean is(String text) {
        return STATE.matcher(text).find();
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if a state does not follow from the one before; says which
     */
    static SavedRun read(String printed, ElectionAlgorithm algorithm) {
        // On Windows, TLC prints other ends of lines.
        String text = printed.replace("\r\n", "\n");
        List<MatchResult> heads = STATE.matcher(text).results().toList();
        Map<String, String> first = variables(text, heads.get(0));
        Matcher led = LED.matcher(first.getOrDefault("leader", ""));
        if (!led.matches() || Integer.parseInt(led.group(1)) > led.group().split(",", -1).length) {
            throw new IllegalArgumentException(
                    "State 1: leader must have 2 to 5 processes, with the same leader of them");
        }
        int size = led.group().split(",", -1).length;
        int number = Integer.parseInt(led.group(1));
        OptionalInt leader = number == 0 ? OptionalInt.empty() : OptionalInt.of(number - 1);
        StepMatcher matcher = new StepMatcher(algorithm, LabWay.DOCUMENTED, size, leader, Links.FIFO);
        if (!matcher.isSomewhere(world -> written(world).equals(first))) {
            throw new IllegalArgumentException("State 1: must be the start of " + algorithm.name());
        }
        for (MatchResult head : heads.subList(1, heads.size())) {
            Matcher action = MODULE.matcher(head.group(2));
            if (!action.find()) {
                // Such as the last line of a run that stutters.
                break;
            }
            if (!algorithm.name().equals(SPECS.get(action.group(2)))) {
                throw new IllegalArgumentException("State " + head.group(1) + ": module " + action.group(2)
                        + ": must be one of " + new TreeSet<>(SPECS.keySet()) + ", and for " + algorithm.name());
            }
            Map<String, String> variables = variables(text, head);
            String kind = ACTIONS.getOrDefault(action.group(1), "\\w+");
            matcher.take(
                    "State " + head.group(1) + ", " + action.group(1),
                    moment -> moment.step().what().name().matches(kind)
                            && written(moment.after()).equals(variables));
        }
        return new SavedRun(LabWay.DOCUMENTED, size, leader, Links.FIFO, matcher.steps());
    }

    /** The values in one state as TLC prints them, without white space, and of messages only the types. */
    private static Map<String, String> variables(String text, MatchResult head) {
        String body = text.substring(head.end()).split("\\R\\h*\\R", 2)[0];
        Map<String, String> variables = new HashMap<>();
        for (String variable : body.split("(?m)^/\\\\ ")) {
            String[] sides = variable.replaceAll("\\s", "").split("=", 2);
            if (sides.length == 2 && VARIABLES.contains(sides[0])) {
                variables.put(sides[0], sides[1]);
            }
        }
        if (variables.size() < VARIABLES.size()) {
            throw new IllegalArgumentException(
                    "State " + head.group(1) + ": must have the variables " + String.join(", ", VARIABLES));
        }
        variables.computeIfPresent(
                "link", (name, link) -> link.replaceAll("[^<>A-Z\"]", "").replaceAll("\"(\\w+)\"(<<>>)*", "$1"));
        return variables;
    }

    private static Map<String, String> written(World world) {
        return Map.of(
                "alive", sequence(world, process -> world.isAlive(process) ? "TRUE" : "FALSE"),
                "leader", sequence(world, process -> leader(world, process)),
                "suspects", sequence(world, process -> suspects(world, process)),
                "link",
                        sequence(world, from -> sequence(world, to -> link(world, from, to)))
                                .replace(",", ""));
    }

    private static String leader(World world, int process) {
        return String.valueOf(world.isAlive(process) ? world.leader(process).orElse(-1) + 1 : 0);
    }

    private static String suspects(World world, int process) {
        return IntStream.range(0, world.size())
                .filter(other -> world.isAlive(process) && world.suspects(process, other))
                .mapToObj(other -> String.valueOf(other + 1))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String link(World world, int from, int to) {
        return IntStream.range(0, world.messages())
                .mapToObj(world::message)
                .filter(sent -> sent.from() == from && sent.to() == to)
                .map(sent -> "<<" + Naming.of(sent.message()).name() + ">>")
                .collect(Collectors.joining("", "<<", ">>"));
    }

    private static String sequence(World world, IntFunction<String> item) {
        return IntStream.range(0, world.size()).mapToObj(item).collect(Collectors.joining(",", "<<", ">>"));
    }
}
