package io.quorate.cli;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A node's report on itself.
 *
 * @param votersNumber of the list of voters; 0 if it knows none, 1 if it does not say so, as older versions do, whose
 *                     voters never change
 * @param supporters   the voters that support it
 * @param hears        the voters that it hears; empty if it does not say so, as older versions do
 * @param leads        the tokens of the paths that it leads, by path
 * @param leaving      why it leaves paths that it leads, by path; empty if it does not say so, as older versions do
 * @param stages       how far it has moved to Quorate, by path; empty if it does not move
 * @param margin       in milliseconds, the least time that was left on its support lately; empty if it does not say so
 * @param certificate  when its certificate ends; empty if it has none, or does not say so
 * @param problems     its faults that last until an operator repairs them; empty if it does not say so
 * @param version      of the library; empty if it does not say so
 */
record NodeStatus(
        String node,
        String cluster,
        String state,
        String reason,
        List<String> voters,
        long votersNumber,
        List<String> supporters,
        List<String> hears,
        Map<String, Long> leads,
        Map<String, String> leaving,
        Map<String, String> stages,
        Optional<Long> margin,
        Optional<Instant> certificate,
        List<String> problems,
        Optional<String> version) {

    static final String ENDPOINT = "/status";

    static NodeStatus read(int status, JsonObject body) throws NoAnswer {
        if (status != 200) {
            throw unexpected(status, body);
        }
        Map<String, Long> leads = new TreeMap<>();
        for (JsonObject led : body.objects("leads")) {
            leads.put(led.text("path"), led.optionalNumber("token").orElse(0L));
        }
        Map<String, String> leaving = new TreeMap<>();
        for (JsonObject left : body.optionalObjects("leaving").orElse(List.of())) {
            leaving.put(left.text("path"), left.text("reason"));
        }
        Map<String, String> stages = new TreeMap<>();
        for (JsonObject each : body.optionalObjects("stages").orElse(List.of())) {
            stages.put(each.text("path"), each.text("stage"));
        }
        List<String> problems = new ArrayList<>();
        for (JsonObject problem : body.optionalObjects("problems").orElse(List.of())) {
            problems.add(problem.text("text"));
        }
        return new NodeStatus(
                body.text("node"),
                body.text("cluster"),
                body.text("state"),
                body.text("reason"),
                body.texts("voters"),
                body.optionalNumber("votersNumber").orElse(1L),
                body.texts("supporters"),
                body.optionalTexts("hears").orElse(List.of()),
                leads,
                leaving,
                stages,
                body.optionalNumber("margin"),
                body.optionalText("certificateEnd").flatMap(NodeStatus::instant),
                problems,
                body.optionalText("version"));
    }

    /** An answer that is none of those that an endpoint is described with. */
    static NoAnswer unexpected(int status, JsonObject body) throws NoAnswer {
        return new NoAnswer("answers " + status
                + body.optionalText("error")
                        .map(error -> ": " + Shown.of(error))
                        .orElse(""));
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            // Another form of a later version is no reason to show nothing.
            return Optional.empty();
        }
    }

    boolean isConnected() {
        return state.equals("UP") || state.equals("STANDBY");
    }

    /** The voters that it knows of and neither is supported by nor hears. */
    List<String> missing() {
        List<String> missing = new ArrayList<>(voters);
        missing.removeAll(supporters);
        missing.removeAll(hears);
        return missing;
    }
}
