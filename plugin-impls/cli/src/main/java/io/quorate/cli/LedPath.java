package io.quorate.cli;

import io.quorate.cli.Nodes.Said;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A path that somebody leads, as the node of its leader tells it.
 *
 * @param leader     who leads it
 * @param contenders by rank, best first, without those that rank last
 * @param names      the ids that exactly one contender has, so that leadership can be handed to it
 */
record LedPath(String path, long token, LatchId leader, List<LatchId> contenders, Set<String> names) {

    /** The paths of one answer: even with hundreds of contenders each it is short enough. */
    private static final int PAGE = 500;

    /** The answers of one node, which make 100,000 paths: ten times as many as a large application has. */
    private static final int PAGES_MAX = 200;

    /** One answer of a node, and the path after which the rest begins; empty if there is no rest. */
    private record Page(String node, List<LedPath> paths, String next) {

        static Page read(int status, JsonObject body) throws NoAnswer {
            if (status != 200) {
                throw NodeStatus.unexpected(status, body);
            }
            List<JsonObject> all = body.objects("paths");
            if (all.size() > PAGE) {
                throw new NoAnswer("answers with " + all.size() + " paths instead of " + PAGE + " at most");
            }
            List<LedPath> paths = new ArrayList<>();
            for (JsonObject led : all) {
                paths.add(LedPath.read(led));
            }
            return new Page(body.text("node"), paths, body.optionalText("next").orElse(""));
        }
    }

    private static LedPath read(JsonObject led) throws NoAnswer {
        Map<Long, LatchId> byRank = new TreeMap<>();
        Map<String, Integer> names = new HashMap<>();
        LatchId leader = null;
        for (JsonObject contender : led.objects("contenders")) {
            LatchId latch = LatchId.of(contender);
            names.merge(latch.id(), 1, Integer::sum);
            long rank = contender.number("rank");
            if (rank > 0) {
                byRank.put(rank, latch);
            }
            leader = contender.truth("leader") ? latch : leader;
        }
        if (leader == null) {
            throw new NoAnswer("answers without a leader of '" + Shown.of(led.text("path")) + "'");
        }
        names.values().removeIf(count -> count > 1);
        return new LedPath(
                led.text("path"),
                led.number("token"),
                leader,
                List.copyOf(byRank.values()),
                Set.copyOf(names.keySet()));
    }

    /**
     * The paths that all nodes lead.
     *
     * @param nodes the ids of those that have answered
     * @param paths by name; of several answers on one path the one with the highest token
     * @param asked what each address has said last
     */
    record All(List<String> nodes, Collection<LedPath> paths, List<? extends Said<?>> asked) {}

    /** Asks all nodes what they lead. */
    static All of(Nodes nodes) throws InterruptedException {
        Map<String, LedPath> newest = new TreeMap<>();
        Map<Url, Said<Page>> last = new HashMap<>();
        List<Url> asked = nodes.urls();
        Map<Url, String> after = new HashMap<>();
        for (int page = 0; page < PAGES_MAX && !asked.isEmpty(); page++) {
            List<Said<Page>> pages = nodes.ask(
                    asked,
                    url -> "/led" + Nodes.query("limit", Integer.toString(PAGE), "after", after.getOrDefault(url, "")),
                    Page::read);
            List<Url> next = new ArrayList<>();
            for (Said<Page> each : pages) {
                last.put(each.url(), each);
                each.said().ifPresent(said -> {
                    said.paths.forEach(
                            led -> newest.merge(led.path, led, (one, other) -> one.token >= other.token ? one : other));
                    // A rest that does not lie behind would never end.
                    if (said.next.compareTo(after.getOrDefault(each.url(), "")) > 0) {
                        after.put(each.url(), said.next);
                        next.add(each.url());
                    }
                });
            }
            asked = next;
        }
        String silence = "tells of more than " + PAGE * PAGES_MAX + " paths";
        asked.forEach(url -> last.put(url, new Said<>(url, Optional.empty(), silence)));
        List<Said<Page>> ends = nodes.urls().stream()
                .flatMap(url -> Stream.ofNullable(last.get(url)))
                .toList();
        return new All(
                ends.stream()
                        .flatMap(page -> page.said().stream())
                        .map(Page::node)
                        .sorted()
                        .distinct()
                        .toList(),
                newest.values(),
                ends);
    }
}
