package io.quorate.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** A file that is not Java: the lines that name Curator, or the servers of ZooKeeper. */
final class TextFile {

    private static final Set<String> BUILDS = Set.of("gradle", "kts", "toml");
    private static final Set<String> LANGUAGES = Set.of("kt", "groovy", "scala");
    private static final Set<String> OTHERS = Set.of("xml", "properties", "yml", "yaml");

    /** A setting that names servers, such as {@code zookeeper.connect=a:2181}. */
    private static final Pattern SERVERS =
            Pattern.compile("(?i)(zookeeper|curator|zk)\\S{0,80}(connect|servers|quorum|hosts|url)|\\w:2181\\b");

    private TextFile() {}

    /** Whether files of this name are looked at. */
    static boolean isOne(String name) {
        String ending = ending(name);
        return BUILDS.contains(ending)
                || LANGUAGES.contains(ending)
                || OTHERS.contains(ending)
                || name.equals("module-info.java");
    }

    private static String ending(String name) {
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    static List<Place> places(String name, String text) {
        boolean isModule = name.equals("module-info.java");
        // The jars of Curator have names of their own as modules.
        String curator = isModule ? "curator." : "org.apache.curator";
        String advice = isModule ? Advice.MODULE : advice(name);
        List<Place> places = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.contains(curator)) {
                places.add(new Place(i + 1, line, advice));
            } else if (OTHERS.contains(ending(name)) && SERVERS.matcher(line).find()) {
                places.add(new Place(i + 1, line, Advice.SERVERS));
            }
        }
        return places;
    }

    private static String advice(String name) {
        if (name.equals("pom.xml") || BUILDS.contains(ending(name))) {
            return Advice.DEPENDENCY;
        }
        return LANGUAGES.contains(ending(name)) ? Advice.OTHER_LANGUAGE : Advice.NAMED;
    }
}
