package io.quorate.testkit.picture;

import io.quorate.testkit.picture.Recording.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs as one page of HTML that needs no other file and no network: a space-time diagram for each run, side by side on
 * one scale of time. It is light or dark as the reader's screen is, and fits a phone; keys step through what happened.
 */
public final class Picture {

    private static final String PAGE = "page.html";

    /** The first has what diagrams need, the second what the page needs. */
    private static final Pattern STYLE = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);

    private static final Pattern PART = Pattern.compile("\\{(title|story|buttons|diagrams)}");

    private static final int TITLE = 30;
    private static final int MARGIN = 8;

    /**
     * One of the runs.
     *
     * @param name  in a word or two, for the switch between them
     * @param notes what is to be said of a message beside itself; empty if nothing is
     */
    public record Way(String name, Recording recording, Function<Message, String> notes) {

        /** A run of whose messages nothing more is known. */
        public static Way of(String name, Recording recording) {
            return new Way(name, recording, message -> "");
        }
    }

    private Picture() {}

    /** The page of these runs, which are of one scenario. */
    public static String html(String title, String story, List<Way> ways, Focus focus) {
        TimeScale scale = new TimeScale(ways.stream().map(Way::recording).toList(), focus);
        StringBuilder buttons = new StringBuilder();
        StringBuilder diagrams = new StringBuilder();
        for (Way way : ways) {
            String name = Diagram.escaped(way.name());
            buttons.append("<button type=\"button\" data-way=\"" + name + "\">" + name + "</button>\n");
            diagrams.append("<section data-way=\"" + name + "\"><h2>" + name + "</h2><p>"
                    + Diagram.escaped(Transcript.summary(way.recording())) + "</p>\n"
                    + Diagram.of(way.recording(), focus, scale, way.notes()) + "</section>\n");
        }
        Map<String, String> parts = Map.of(
                "title", Diagram.escaped(title),
                "story", Diagram.escaped(story),
                "buttons", ways.size() == 1 ? "" : buttons.toString(),
                "diagrams", diagrams.toString());
        // In one go: a title may have braces of its own.
        return PART.matcher(page())
                .replaceAll(found -> Matcher.quoteReplacement(parts.getOrDefault(found.group(1), "")));
    }

    /**
     * The diagrams of these runs side by side as one image, for a document: it is light or dark as the reader's screen
     * is.
     *
     * @param heightMax so many pixels at most, without its titles
     */
    public static String svg(List<Way> ways, Focus focus, int heightMax) {
        TimeScale scale = new TimeScale(ways.stream().map(Way::recording).toList(), focus, heightMax);
        StringBuilder diagrams = new StringBuilder();
        for (int number = 0; number < ways.size(); number++) {
            Way way = ways.get(number);
            int left = number * Diagram.WIDTH;
            String diagram = Diagram.of(way.recording(), focus, scale, way.notes());
            diagrams.append("<text class=\"way\" x=\"" + (left + MARGIN) + "\" y=\"" + (TITLE - MARGIN) + "\">"
                            + Diagram.escaped(way.name()) + "</text>\n")
                    .append(diagram.replaceFirst("<svg ", "<svg x=\"" + left + "\" y=\"" + TITLE + "\" "));
        }
        int width = ways.size() * Diagram.WIDTH;
        int height = TITLE + (int) scale.bottom() + Diagram.BELOW;
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"run\" viewBox=\"0 0 " + width + " " + height
                + "\" width=\"" + width + "\" height=\"" + height + "\">\n"
                + "<style>"
                + STYLE.matcher(page()).results().findFirst().orElseThrow().group(1) + "</style>\n"
                + diagrams + "</svg>\n";
    }

    private static String page() {
        try (InputStream in = Picture.class.getResourceAsStream(PAGE)) {
            if (in == null) {
                throw new IllegalStateException(PAGE + ": is missing beside " + Picture.class.getName());
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
