package io.quorate.cli.migrate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A Java file, line by line. A file that only uses data in ZooKeeper needs nothing. */
final class JavaFile {

    /** What the recipe writes before an expression that does not compile. */
    private static final Pattern MARK = Pattern.compile("/\\*~~\\(Quorate: (.*?)\\)~~>\\*/(.*)");

    /** With a bound, because a group that repeats needs a place on the stack each time. */
    private static final Pattern NAME = Pattern.compile("\\borg\\.apache\\.(?:curator|zookeeper)(?:\\.\\w+){0,20}");

    private static final Pattern CALL = Pattern.compile("(?:\\.|::)\\s*(\\w+)\\b");

    /** The words of a process that leads, and does not only look. */
    private static final Pattern LEADS =
            Pattern.compile("\\b(addListener|autoRequeue|await|hasLeadership|takeLeadership)\\b");

    private static final Pattern LOOKS = Pattern.compile("\\.\\s*(getLeader|getParticipants)\\(");
    private static final Pattern ELECTS = Pattern.compile("\\bio\\.quorate\\.|\\.recipes\\.leader\\b");
    private static final String LEADER = "org.apache.curator.framework.recipes.leader";
    private static final Pattern CONTENDER = Pattern.compile("\\bnew Leader(Latch|Selector)\\(");

    private JavaFile() {}

    static List<Place> places(String text) {
        if (!ELECTS.matcher(text).find()) {
            return marks(text.lines().toList());
        }
        List<String> lines = text.lines().toList();
        List<Place> places = marks(lines);
        // A file whose code names Curator's client may keep other names of Curator.
        String code = text.replaceAll("(?s)\"[^\"\\n]*\"|/\\*.*?(?:\\*/|\\z)|//[^\\n]*", " ");
        boolean keepsCurator = code.matches("(?s).*\\bCuratorFramework\\b.*");
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (!MARK.matcher(line).find() && (!keepsCurator || line.contains(LEADER))) {
                place(i + 1, line).ifPresent(places::add);
            }
        }
        if (CONTENDER.matcher(text).find() && !LEADS.matcher(text).find()) {
            first(lines, LOOKS)
                    .ifPresent(line ->
                            places.add(new Place(line, lines.get(line - 1).strip(), Advice.LOOKS_ONLY)));
        }
        places.sort(Comparator.comparingInt(Place::line));
        return places;
    }

    private static List<Place> marks(List<String> lines) {
        List<Place> marks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher mark = MARK.matcher(lines.get(i));
            if (mark.find()) {
                String what = mark.group(2).strip();
                // The advice on a method says more than its mark.
                marks.add(new Place(i + 1, what, method(what).orElse(mark.group(1))));
            }
        }
        return marks;
    }

    private static Optional<Place> place(int number, String line) {
        Matcher name = NAME.matcher(line);
        Optional<String> advice = name.find() ? Advice.ofType(name.group()) : method(line);
        return advice.map(each -> new Place(number, line.strip(), each));
    }

    private static Optional<String> method(String line) {
        return CALL.matcher(line)
                .results()
                .map(call -> Advice.ofMethod(call.group(1)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /** The number of the first line that matches, from 1. */
    private static Optional<Integer> first(List<String> lines, Pattern wanted) {
        return Stream.iterate(1, number -> number <= lines.size(), number -> number + 1)
                .filter(number -> wanted.matcher(lines.get(number - 1)).find())
                .findFirst();
    }
}
