package io.quorate.ops;

import com.fasterxml.jackson.core.JsonGenerator;
import io.quorate.ClientMonitor.Leader;
import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.Explanation;
import io.quorate.Health;
import io.quorate.Stage;
import io.quorate.Voters;
import io.quorate.spi.Problem;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A node's state as JSON. docs/http.md describes each field for users. */
final class Views {

    /** The paths of one answer, unless the request says how many. */
    private static final int PATHS_USUAL = 100;

    private static final int PATHS_MAX = 1000;

    private static final long TICK_KEPT_NANOS = 900_000_000;

    private final ElectionClient client;
    private final Journal journal;
    private final Misplaced misplaced;
    // Both are guarded by this.
    private String tick = "";
    private long tickAt;

    Views(ElectionClient client, Journal journal) {
        this.client = client;
        this.journal = journal;
        this.misplaced = new Misplaced(client);
    }

    // ---------------------------------------------------------------- the node

    /** With {@code leads=false} it counts the paths that the node leads, which may be thousands, and lists none. */
    Answer status(Query query) throws Refused, IOException {
        boolean listsPaths = query.oneOf("leads", List.of("true", "false")).equals("true");
        Health health = client.health();
        return Answer.of(200, json -> writeStatus(json, health, listsPaths));
    }

    private void writeStatus(JsonGenerator json, Health health, boolean listsPaths) throws IOException {
        json.writeStringField("node", client.nodeId());
        json.writeStringField("cluster", client.clusterId());
        json.writeStringField("state", health.state().name());
        json.writeStringField("reason", health.reason());
        json.writeBooleanField("live", health.isLive());
        json.writeBooleanField("ready", health.isReady(Health.Readiness.JOINED));
        Answer.write(json, "voters", health.voters());
        json.writeNumberField("votersNumber", client.voters().number());
        Answer.write(json, "supporters", health.supporters());
        Answer.write(json, "hears", journal.hears());
        writeNumber(json, "margin", millis(journal.margin().least()));
        json.writeNumberField("turnAge", health.turnAge().toMillis());
        writeText(
                json,
                "certificateEnd",
                client.certificateEnd().map(Instant::toString).orElse(null));
        json.writeArrayFieldStart("problems");
        for (Problem problem : client.problems()) {
            json.writeStartObject();
            json.writeStringField("kind", problem.kind().tag());
            json.writeStringField("text", problem.text());
            json.writeEndObject();
        }
        json.writeEndArray();
        writeText(json, "version", version());
        json.writeNumberField("led", health.leads().size());
        writeNumber(json, "misplaced", misplaced.count());
        if (listsPaths) {
            json.writeArrayFieldStart("leads");
            for (Map.Entry<String, Long> led : health.leads().entrySet()) {
                json.writeStartObject();
                json.writeStringField("path", led.getKey());
                json.writeNumberField("token", led.getValue().longValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeArrayFieldStart("leaving");
            for (Map.Entry<String, String> left : client.leaving().entrySet()) {
                json.writeStartObject();
                json.writeStringField("path", left.getKey());
                json.writeStringField("reason", left.getValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            stages(json);
        }
    }

    /** Only of a node that moves to Quorate, so that programs that know no move see what they know. */
    private void stages(JsonGenerator json) throws IOException {
        Map<String, Stage> stages = client.stages();
        if (stages.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("stages");
        for (Map.Entry<String, Stage> each : stages.entrySet()) {
            json.writeStartObject();
            json.writeStringField("path", each.getKey());
            json.writeStringField("stage", each.getValue().toString());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    Answer voters(Voters voters) throws IOException {
        return Answer.of(200, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeNumberField("number", voters.number());
            json.writeArrayFieldStart("voters");
            for (Voters.Member member : voters.members()) {
                json.writeStartObject();
                json.writeStringField("id", member.id());
                writeText(json, "address", member.address().orElse(null));
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /** This node first, then what the servers of the others say of theirs. */
    Answer cluster(List<OtherServers.Other> others) throws IOException {
        Health health = client.health();
        return Answer.of(200, json -> {
            json.writeArrayFieldStart("nodes");
            json.writeStartObject();
            writeText(json, "url", null);
            writeText(json, "error", null);
            json.writeObjectFieldStart("status");
            writeStatus(json, health, false);
            json.writeEndObject();
            json.writeEndObject();
            for (OtherServers.Other other : others) {
                json.writeStartObject();
                json.writeStringField("url", other.url());
                writeText(json, "error", other.error().isEmpty() ? null : other.error());
                json.writeFieldName("status");
                json.writeRawValue(other.status().isEmpty() ? "null" : other.status());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /**
     * An object for one event of the page: the status without paths, and what else this node alone knows. Many pages
     * share it for a second, because health looks at each latch.
     */
    synchronized String tick() throws IOException {
        if (tick.isEmpty() || System.nanoTime() - tickAt >= TICK_KEPT_NANOS) {
            tick = newTick();
            tickAt = System.nanoTime();
        }
        return tick;
    }

    private String newTick() throws IOException {
        Health health = client.health();
        return Answer.of(200, json -> {
                    json.writeObjectFieldStart("status");
                    writeStatus(json, health, false);
                    json.writeEndObject();
                    json.writeNumberField("changed", journal.version());
                    // The journal hears of the end only.
                    json.writeNumberField("leaving", client.leaving().size());
                    json.writeArrayFieldStart("margins");
                    for (SupportMargin.Second second : journal.margin().seconds()) {
                        json.writeStartArray();
                        json.writeNumber(second.number());
                        json.writeNumber(TimeUnit.NANOSECONDS.toMillis(second.least()));
                        json.writeEndArray();
                    }
                    json.writeEndArray();
                    json.writeArrayFieldStart("slow");
                    for (Journal.Slow slow : journal.slow()) {
                        json.writeStartObject();
                        json.writeStringField("at", slow.at().toString());
                        json.writeStringField("what", slow.what());
                        json.writeNumberField("millis", slow.took().toMillis());
                        json.writeBooleanField("thrown", slow.hasThrown());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                    json.writeObjectFieldStart("dropped");
                    for (Map.Entry<String, Long> dropped : journal.dropped().entrySet()) {
                        json.writeNumberField(dropped.getKey(), dropped.getValue());
                    }
                    json.writeEndObject();
                })
                .body();
    }

    /** The version of the library; null if it does not run from its jar. */
    static @Nullable String version() {
        Class<?> ours = ElectionClient.class;
        String ofJar = ours.getPackage().getImplementationVersion();
        return ofJar != null
                ? ofJar
                : Optional.ofNullable(ours.getModule().getDescriptor())
                        .flatMap(module -> module.rawVersion())
                        .orElse(null);
    }

    // ---------------------------------------------------------------- paths

    Answer explanation(String path, Explanation found) throws IOException {
        return Answer.of(200, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeStringField("path", path);
            json.writeBooleanField("leads", leads(found));
            write(json, found.leader());
            writeNumber(json, "token", found.fencingToken());
            json.writeStringField("reason", found.reason());
            writeNumber(
                    json,
                    "leaseLeft",
                    found.leaseLeft()
                            .map(left -> OptionalLong.of(left.toMillis()))
                            .orElse(OptionalLong.empty()));
            writeContenders(json, found);
            Answer.write(json, "supporters", found.supporters());
            Answer.write(json, "voters", found.voters());
        });
    }

    private static void writeContenders(JsonGenerator json, Explanation found) throws IOException {
        json.writeArrayFieldStart("contenders");
        for (Explanation.Contender contender : found.contenders()) {
            json.writeStartObject();
            json.writeStringField("id", contender.id());
            json.writeStringField("node", contender.node());
            json.writeBooleanField("leader", contender.isLeader());
            json.writeNumberField("rank", contender.rank());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** The paths that this node leads, by name, and who else could lead them: those after a path, up to a limit. */
    Answer led(Query query) throws Refused, IOException, InterruptedException {
        String after = query.optional("after").orElse("");
        int limit = query.number("limit", PATHS_USUAL, PATHS_MAX);
        List<String> paths = client.health().leads().keySet().stream()
                .filter(path -> path.compareTo(after) > 0)
                .limit(limit + 1L)
                .toList();
        Map<String, Explanation> found = new LinkedHashMap<>();
        for (String path : paths.subList(0, Math.min(limit, paths.size()))) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            client.explain(path).filter(Views::leads).ifPresent(told -> found.put(path, told));
        }
        return Answer.of(200, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeArrayFieldStart("paths");
            for (Map.Entry<String, Explanation> each : found.entrySet()) {
                json.writeStartObject();
                json.writeStringField("path", each.getKey());
                writeNumber(json, "token", each.getValue().fencingToken());
                writeContenders(json, each.getValue());
                json.writeEndObject();
            }
            json.writeEndArray();
            writeText(json, "next", paths.size() > limit ? paths.get(limit - 1) : null);
        });
    }

    /** Status 200 on the leader, 503 elsewhere. */
    Answer leader(String path, Explanation found) throws IOException {
        boolean leads = leads(found);
        return Answer.of(leads ? 200 : 503, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeStringField("path", path);
            json.writeBooleanField("leads", leads);
            write(json, found.leader());
            writeNumber(json, "token", found.fencingToken());
            json.writeStringField("reason", found.reason());
            writeText(json, "leaving", leads ? client.leaving().get(path) : null);
        });
    }

    /** This node does not contend. */
    Answer unknown(String reason) throws IOException {
        return Answer.of(404, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeStringField("error", reason);
        });
    }

    /**
     * One explanation decides: token and lease in it are of one moment within the request. So of two nodes of which
     * this is true, one after the other, the later one has the higher token.
     */
    private static boolean leads(Explanation found) {
        return found.fencingToken().isPresent()
                && found.leaseLeft().filter(left -> !left.isZero()).isPresent();
    }

    /** The paths that the client uses, by name: those that match, up to a limit. */
    Answer paths(Query query) throws Refused, IOException {
        Journal.Found found =
                journal.find(query.optional("find").orElse(""), query.number("limit", PATHS_USUAL, PATHS_MAX));
        // If the node's thread is stuck, the rows hear nothing: a leader may have lost its leadership, this node
        // included.
        boolean isLost = client.connectionState().equals(Optional.of(ConnectionState.LOST));
        Map<String, String> leaving = client.leaving();
        return Answer.of(200, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeNumberField("total", found.total());
            json.writeArrayFieldStart("paths");
            for (Journal.Row row : found.rows()) {
                json.writeStartObject();
                json.writeStringField("path", row.path());
                Optional<Leader> known = isLost ? Optional.empty() : row.leader();
                json.writeBooleanField("leads", row.leads() && !isLost);
                writeLeader(json, known);
                writeNumber(
                        json,
                        "token",
                        known.map(Leader::token).map(OptionalLong::of).orElse(OptionalLong.empty()));
                json.writeStringField("since", row.since().toString());
                writeText(json, "reason", row.reason().isEmpty() ? null : row.reason());
                writeText(json, "leaving", leaving.get(row.path()));
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    /** The last changes, oldest first: of one path, or of all. */
    Answer log(Query query) throws Refused, IOException {
        Optional<String> path = query.optional("path");
        int limit = query.number("limit", Journal.CHANGES_MAX, Journal.CHANGES_MAX);
        List<Journal.Change> changes = journal.changes().stream()
                .filter(change -> path.isEmpty() || change.path().equals(path.get()))
                .toList();
        List<Journal.Change> last = changes.subList(Math.max(0, changes.size() - limit), changes.size());
        return Answer.of(200, json -> {
            json.writeStringField("node", client.nodeId());
            json.writeArrayFieldStart("changes");
            for (Journal.Change change : last) {
                write(json, change);
            }
            json.writeEndArray();
        });
    }

    private static void write(JsonGenerator json, Journal.Change change) throws IOException {
        json.writeStartObject();
        json.writeNumberField("number", change.number());
        json.writeStringField("at", change.at().toString());
        json.writeStringField("kind", change.kind().name());
        writeText(json, "path", change.path().isEmpty() ? null : change.path());
        writeLeader(json, change.leader());
        writeNumber(json, "token", change.token() == 0 ? OptionalLong.empty() : OptionalLong.of(change.token()));
        writeText(json, "reason", change.reason().isEmpty() ? null : change.reason());
        json.writeEndObject();
    }

    // ---------------------------------------------------------------- fields that may be null

    private static void writeLeader(JsonGenerator json, Optional<Leader> leader) throws IOException {
        write(json, leader.map(known -> new Explanation.Contender(known.id(), known.node(), true, 1)));
    }

    private static void write(JsonGenerator json, Optional<Explanation.Contender> leader) throws IOException {
        json.writeFieldName("leader");
        if (leader.isEmpty()) {
            json.writeNull();
            return;
        }
        json.writeStartObject();
        json.writeStringField("id", leader.get().id());
        json.writeStringField("node", leader.get().node());
        json.writeEndObject();
    }

    private static OptionalLong millis(OptionalLong nanos) {
        return nanos.isEmpty() ? nanos : OptionalLong.of(TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong()));
    }

    private static void writeNumber(JsonGenerator json, String name, OptionalLong value) throws IOException {
        json.writeFieldName(name);
        if (value.isPresent()) {
            json.writeNumber(value.getAsLong());
        } else {
            json.writeNull();
        }
    }

    private static void writeText(JsonGenerator json, String name, @Nullable String value) throws IOException {
        json.writeFieldName(name);
        if (value == null) {
            json.writeNull();
        } else {
            json.writeString(value);
        }
    }
}
