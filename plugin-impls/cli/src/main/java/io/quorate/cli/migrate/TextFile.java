package io.quorate.cli.migrate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A file that is no Java, in which lines that name Curator are listed and nothing is changed. */
final class TextFile {

    private static final Set<String> BUILDS = Set.of("gradle", "kts", "toml");
    private static final Set<String> LANGUAGES = Set.of("kt", "groovy", "scala");
    private static final Set<String> OTHERS = Set.of("xml", "properties", "yml", "yaml");

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

    /** The lines that name Curator. */
    static List<Place> places(String name, String text) {
        boolean isModule = name.equals("module-info.java");
        // The jars of Curator have names of their own as modules.
        String wanted = isModule ? "curator." : CuratorTypes.CURATOR;
        String advice = isModule ? Advice.MODULE : advice(name);
        List<Place> places = new ArrayList<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).contains(wanted)) {
                places.add(new Place(i + 1, lines.get(i).strip(), advice));
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
