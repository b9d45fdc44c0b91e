package io.quorate.testkit.picture;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.election.RollCall;
import io.quorate.testkit.picture.Picture.Way;
import io.quorate.testkit.picture.Recording.Fate;
import io.quorate.testkit.picture.Recording.Message;
import io.quorate.testkit.simulation.Experiment;
import io.quorate.testkit.simulation.Experiment.Mode;
import io.quorate.testkit.simulation.PublishedScenario;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The picture shows the recorded run, all of it and nothing else, and a picture of another run is noticed. */
class PictureTest {

    private static final Pattern SVG = Pattern.compile("<svg .*?</svg>", Pattern.DOTALL);

    private static List<Way> ways(String scenario) {
        PublishedScenario published = PublishedScenario.ofLab().stream()
                .filter(one -> one.name().equals(scenario))
                .findFirst()
                .orElseThrow();
        return List.of(Mode.UNLEASED_HARDENED, Mode.LEASED).stream()
                .map(mode ->
                        Way.of(mode.name(), Experiment.record(published.scenario(1), new RollCall(), mode, "run", "")))
                .toList();
    }

    private static Focus focus(List<Way> ways) {
        return Focus.onChanges(ways.stream().map(Way::recording).toList());
    }

    private static List<String> diagrams(String html) {
        List<String> found = new ArrayList<>();
        Matcher matcher = SVG.matcher(html);
        while (matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }

    @Test
    void everyArrowAndBarIsOfTheRun() {
        for (String scenario : List.of("leader dies", "partition 3 | 2", "leader pause", "majority restarts")) {
            List<Way> ways = ways(scenario);
            List<String> drawn = diagrams(Picture.html("title", "story", ways, focus(ways)));
            assertThat(drawn).hasSameSizeAs(ways);
            for (int i = 0; i < drawn.size(); i++) {
                assertThat(Drawn.differences(drawn.get(i), ways.get(i).recording(), focus(ways)))
                        .as(scenario)
                        .isEmpty();
            }
        }
    }

    // Each of these is a picture of another run, or a picture that leaves out or adds something.
    @Test
    void anotherPictureIsNoticed() {
        Recording run = Runs.ofTwo();
        Focus focus = Focus.onChanges(List.of(run));
        String svg = Picture.svg(List.of(Way.of("alone", run)), focus, 1000);
        assertThat(Drawn.differences(svg, run, focus)).isEmpty();
        List<UnaryOperator<String>> changes = List.of(
                text -> text.replaceFirst("(?s)<g class=\"s m .*?</g>", ""),
                text -> text.replaceFirst("<rect class=\"lead [^/]*/>", ""),
                text -> text.replaceFirst("<rect class=\"conflict\"[^/]*/>", ""),
                text -> text.replace("class=\"belief c0\"", "class=\"belief c1\""),
                text -> text.replace(" marker-end=\"url(#head)\"", ""),
                text -> text.replace(">a</text>", ">z</text>").replace("data-process=\"a\"", "data-process=\"z\""),
                text -> text.replaceFirst("(data-m=\"0\".*?x1=\")[0-9.]+", "$150.0"),
                text -> text.replaceFirst("(?s)(data-m=\"0\".*?y1=\")[0-9.]+", "$19999.0"),
                text -> text.replaceFirst("(rect class=\"lead .*?height=\")[0-9.]+", "$17.0"),
                text -> text.replaceFirst("(?s)<g class=\"s step\".*?</g>", ""),
                text -> text.replace("leader=b", "leader=a"),
                text -> text.replaceFirst("(class=\"why\" x=\")[0-9.]+", "$15.0"));
        for (UnaryOperator<String> change : changes) {
            String changed = change.apply(svg);
            assertThat(changed).isNotEqualTo(svg);
            List<String> noticed;
            try {
                noticed = Drawn.differences(changed, run, focus);
            } catch (NullPointerException e) {
                noticed = List.of("a process is missing");
            }
            assertThat(noticed)
                    .as("change %d of the picture", changes.indexOf(change))
                    .isNotEmpty();
        }
        Message other = new Message("b", "a", 10 * Runs.MILLI, 12 * Runs.MILLI, Fate.ARRIVED, "ASK", "", false);
        List<Message> turned = new ArrayList<>(run.messages());
        turned.set(0, other);
        Recording otherRun = new Recording(
                run.title(),
                run.story(),
                run.processes(),
                run.end(),
                turned,
                run.marks(),
                run.lives(),
                run.beliefs(),
                run.leads(),
                run.steps(),
                0);
        assertThat(Drawn.differences(svg, otherRun, focus)).isNotEmpty();
    }

    @Test
    void longPausesAreDrawnShort() {
        Recording run = Runs.ofTwo();
        TimeScale scale = new TimeScale(List.of(run), Focus.onChanges(List.of(run)));
        assertThat(scale.bottom()).isBetween(scale.of(2000 * Runs.MILLI), 500.0);
        assertThat(scale.of(11 * Runs.MILLI)).isBetween(scale.of(10 * Runs.MILLI), scale.of(12 * Runs.MILLI));
    }

    @Test
    void earlierEventsAreLeftOut() {
        Recording run = Runs.ofTwo();
        Focus late = Focus.onChanges(List.of(run)).from(1500 * Runs.MILLI);
        String svg = Picture.svg(List.of(Way.of("alone", run)), late, 200);
        assertThat(svg).contains("data-m=\"3\"").doesNotContain("data-m=\"0\"", "cut a-b");
        assertThat(new TimeScale(List.of(run), late, 200).bottom()).isLessThanOrEqualTo(200);
    }

    // It opens from a mail or a build server: no other file, no network.
    @Test
    void thePageNeedsNothingElse() {
        String html = Picture.html("a <b>", "", List.of(Way.of("alone", Runs.ofTwo())), focusOfTwo());
        assertThat(html)
                .contains("<title>a &lt;b&gt;</title>")
                .doesNotContain("<b>", "src=", "@import", "{title}", "{diagrams}", "{buttons}", "{story}")
                .doesNotContainPattern("https?://(?!www\\.w3\\.org/2000/svg)");
    }

    @Test
    void titleOfAMessageHasItsFields() {
        Way way = new Way("alone", Runs.ofTwo(), message -> message.name().equals("ASK") ? "rule 1" : "");
        assertThat(Picture.html("", "", List.of(way), focusOfTwo()))
                .contains("10.000 ms: a → b ASK, arrives 12.000\nrule 1</title>");
    }

    private static Focus focusOfTwo() {
        return Focus.onChanges(List.of(Runs.ofTwo()));
    }

    // Names and messages of somebody else say what they like.
    @Test
    void foreignTextIsNeverMarkup() {
        String html = Picture.html(
                "{diagrams} \u001b[31m \ud800", "{title}", List.of(Way.of("alone", Runs.ofTwo())), focusOfTwo());
        assertThat(html)
                .contains("<title>{diagrams} \ufffd[31m \ufffd</title>", "<p>{title}</p>")
                .containsOnlyOnce("<svg ");
    }
}
