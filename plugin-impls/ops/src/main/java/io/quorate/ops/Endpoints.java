package io.quorate.ops;

import io.quorate.ElectionClient;
import io.quorate.Explanation;
import io.quorate.Health;
import io.quorate.Voters;
import io.quorate.jvm.Printable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of all endpoints, and what each answers. docs/http.md describes them for users. */
final class Endpoints implements AutoCloseable {

    /** The status of HTTP for a request that takes longer than the caller waits. */
    private static final int LATE = 504;

    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);

    /** No endpoint has a use for a body, but a client may send one. */
    private static final int BODY_LENGTH_MAX = 4096;

    /** The most requests that ask the node at one time. Each takes microseconds, or seconds if the node is stuck. */
    private static final int QUESTIONS_MAX = 4;

    /**
     * The most views that are made at one time: with thousands of paths they take processors, which the node needs too.
     */
    private static final int VIEWS_MAX = 2;

    /** The most scrapes that run at one time. They are foreign code, and may hang. */
    private static final int SCRAPES_MAX = 2;

    /** The most operators' requests that wait for a transfer at one time. */
    private static final int CHANGES_MAX = 4;

    /**
     * The most requests that wait for a change of voters at one time: an operator's, and its repetition after a
     * connection was cut. They wait for seconds.
     */
    private static final int CHANGE_WAITS_MAX = 2;

    /** The text format of Prometheus, which other collectors read too. */
    private static final Map<String, String> METRICS = Map.of(Answer.TYPE, "text/plain; version=0.0.4; charset=utf-8");

    /** Shown to all, and changed with a token. */
    private static final String VOTERS = "/voters";

    /** Never comes to an end by itself, as all others do. */
    private static final String EVENTS = "/events";

    /** The longest text from outside in a log. */
    private static final int LOGGED_LENGTH_MAX = 128;

    private final ElectionClient client;
    private final Views views;
    private final OtherServers others;
    private final EventStream events;
    private final @Nullable BearerToken token;
    private final Duration transferWait;
    private final boolean isLocal;
    private final VoterChanges voterChanges;
    private final Map<String, Endpoint> looks;
    private final Map<String, Endpoint> changes;
    private final List<Lane> lanes;
    private final ThreadPoolExecutor probes;
    /** Whether the log has said that the file of the token cannot be read, and it could not be read since. */
    private final AtomicBoolean isTokenLost = new AtomicBoolean();

    @FunctionalInterface
    private interface Answering {
        Answer answer(Query query) throws Refused, IOException, InterruptedException;
    }

    /**
     * @param lane     whose threads answer; null for a probe, which waits for nothing
     * @param isChange whether it needs the token
     */
    private record Endpoint(@Nullable Lane lane, boolean isChange, Answering answering) {}

    /**
     * @param token        what changes need; null if there are no changes
     * @param transferWait how long a transfer may take, which usually takes milliseconds; and how long a request waits
     *                     for a change of voters
     * @param scrape       all meters; null if there are none
     * @param isLocal      whether names that are not of this machine alone are refused
     * @param port         makes the lanes
     */
    Endpoints(
            ElectionClient client,
            Views views,
            OtherServers others,
            EventStream events,
            @Nullable BearerToken token,
            Duration transferWait,
            @Nullable Supplier<String> scrape,
            boolean isLocal,
            HttpPort port) {
        this.client = client;
        this.views = views;
        this.others = others;
        this.events = events;
        this.token = token;
        this.transferWait = transferWait;
        this.isLocal = isLocal;
        this.voterChanges = new VoterChanges(transferWait.multipliedBy(2), System::nanoTime);
        Lane questions = port.lane(
                QUESTIONS_MAX, "the node does not answer: " + QUESTIONS_MAX + " requests wait for it already");
        Lane shown = port.lane(VIEWS_MAX, "too many requests: " + VIEWS_MAX + " are being answered already");
        Lane scrapes = port.lane(SCRAPES_MAX, SCRAPES_MAX + " requests for the meters are being answered already");
        Lane changing = port.lane(
                CHANGES_MAX,
                CHANGES_MAX + " requests wait for a change already, and this one has begun none: ask again later");
        Lane voting = port.lane(
                CHANGE_WAITS_MAX,
                CHANGE_WAITS_MAX + " requests wait for a change of voters already, and this one has begun none:"
                        + " ask again later");
        lanes = List.of(questions, shown, scrapes, changing, voting);
        probes = port.ownThread();
        looks = new HashMap<>();
        // Probes wait for nobody: not for a stuck node, and for no other request.
        look("/live", null, query -> live());
        look("/ready", null, this::ready);
        look("/leader", questions, this::leader);
        look("/explain", questions, this::explain);
        look("/", shown, query -> Page.ANSWER);
        look("/status", shown, views::status);
        look("/paths", shown, views::paths);
        look("/led", questions, views::led);
        look("/log", shown, views::log);
        look(VOTERS, shown, query -> views.voters(client.voters()));
        look("/cluster", shown, query -> cluster());
        if (scrape != null) {
            look("/metrics", scrapes, query -> new Answer(200, METRICS, scrape.get()));
        }
        changes = token == null
                ? Map.of()
                : Map.of(
                        "/transfer",
                        new Endpoint(changing, true, this::transfer),
                        "/standby",
                        new Endpoint(changing, true, this::standby),
                        "/priority",
                        new Endpoint(changing, true, this::priority),
                        VOTERS,
                        new Endpoint(voting, true, this::changeVoters));
    }

    private void look(String path, @Nullable Lane lane, Answering answering) {
        looks.put(path, new Endpoint(lane, false, answering));
    }

    // ---------------------------------------------------------------- one request

    /** Answers it, or has it answered. Waits for nothing. */
    void handle(Exchange exchange) {
        Endpoint endpoint;
        try {
            refuseOtherNames(exchange);
            if (exchange.path().equals(EVENTS)) {
                allow(exchange, List.of("GET"), "");
                events.begin(exchange);
                return;
            }
            endpoint = admit(exchange);
        } catch (Refused e) {
            exchange.send(Answer.of(e));
            return;
        }
        exchange.readBody(BODY_LENGTH_MAX, isShort -> {
            if (isShort) {
                answer(exchange, endpoint);
            } else {
                exchange.send(Answer.of(
                        new Refused(413, "the body has more than " + BODY_LENGTH_MAX + " bytes: none is needed")));
            }
        });
    }

    private void answer(Exchange exchange, Endpoint endpoint) {
        Lane.Work work = () -> {
            if (endpoint.isChange() && token != null) {
                authorize(exchange, token);
            }
            return endpoint.answering().answer(Query.of(exchange.query()));
        };
        Lane.Outcome outcome = new Lane.Outcome() {
            @Override
            public void answered(Answer answer) {
                exchange.send(answer);
            }

            @Override
            public void failed(Throwable cause) {
                exchange.send(refusal(exchange, cause));
            }
        };
        if (endpoint.lane() != null) {
            endpoint.lane().run(work, outcome, exchange::waits);
            return;
        }
        try {
            probes.execute(() -> answer(work, outcome));
        } catch (OutOfMemoryError e) {
            // The system has no thread left, which is no reason to leave a probe without an answer.
            answer(work, outcome);
        }
    }

    private static void answer(Lane.Work work, Lane.Outcome outcome) {
        Answer answer;
        try {
            answer = work.answer();
        } catch (Throwable e) {
            // Justification: catches everything. Each request gets an answer, even if a supplier of the application
            // throws an error.
            outcome.failed(e);
            return;
        }
        outcome.answered(answer);
    }

    private Answer refusal(Exchange exchange, Throwable cause) {
        if (cause instanceof Refused refused) {
            return Answer.of(refused);
        }
        if (cause instanceof InterruptedException) {
            return Answer.of(new Refused(503, "the time for this request is over"));
        }
        // A fault must neither look like a lost connection nor stay unknown.
        LOG.error("Node {}: a request of {} failed", client.nodeId(), shown(exchange), cause);
        return Answer.of(new Refused(500, "internal error: the log of the node has the reason"));
    }

    private static String shown(Exchange exchange) {
        return Printable.of(exchange.path(), LOGGED_LENGTH_MAX);
    }

    /** Ends what still runs. */
    @Override
    public void close() {
        lanes.forEach(Lane::close);
        probes.shutdownNow();
    }

    // ---------------------------------------------------------------- who gets an answer

    private void refuseOtherNames(Exchange exchange) throws Refused {
        if (isLocal && !LocalNames.areLoopback(exchange.hosts())) {
            throw new Refused(
                    403,
                    "header Host: must be a loopback address or localhost, because this server listens at a loopback"
                            + " address");
        }
    }

    private Endpoint admit(Exchange exchange) throws Refused {
        String path = exchange.path();
        Endpoint look = looks.get(path);
        Endpoint change = changes.get(path);
        if (look == null && change == null) {
            throw unknownEndpoint();
        }
        List<String> methods = new ArrayList<>(look == null ? List.of() : List.of("GET", "HEAD"));
        methods.addAll(change == null ? List.of() : List.of("POST"));
        allow(exchange, methods, VOTERS.equals(path) ? whereChangesAre() : "");
        return Objects.requireNonNull(exchange.method().equals("POST") ? change : look, path);
    }

    private Refused unknownEndpoint() {
        TreeSet<String> known = new TreeSet<>(looks.keySet());
        known.add(EVENTS);
        known.addAll(changes.keySet());
        return new Refused(404, "unknown endpoint: there are " + String.join(", ", known) + whereChangesAre());
    }

    private String whereChangesAre() {
        return token == null ? "; changes are offered with a tokenFile only" : "";
    }

    /** @param remark is added to the reason of a refusal; may be empty */
    private static void allow(Exchange exchange, List<String> methods, String remark) throws Refused {
        if (!methods.contains(exchange.method())) {
            String allowed = String.join(", ", methods);
            throw new Refused(405, "method: must be " + allowed + remark, Map.of("Allow", allowed));
        }
    }

    /** Reads the file of the token, which a disk may hold up. */
    private void authorize(Exchange exchange, BearerToken expected) throws Refused {
        boolean isShown;
        try {
            isShown = expected.isShownIn(exchange.authorization());
        } catch (IOException e) {
            if (isTokenLost.compareAndSet(false, true)) {
                LOG.warn("Node {}: changes over HTTP are refused: {}", client.nodeId(), e.getMessage());
            }
            throw new Refused(503, "the token cannot be checked: the log of the node has the reason");
        }
        isTokenLost.set(false);
        if (!isShown) {
            throw new Refused(
                    401,
                    "a change needs the header 'Authorization: Bearer TOKEN' with the token of this node",
                    Map.of("WWW-Authenticate", "Bearer"));
        }
    }

    // ---------------------------------------------------------------- what changes nothing

    private Answer live() throws IOException {
        Health health = client.probe();
        return probe(health.isLive(), health);
    }

    private Answer ready(Query query) throws Refused, IOException {
        String mode = query.oneOf("mode", List.of("joined", "connected"));
        Health health = client.probe();
        return probe(
                health.isReady(mode.equals("joined") ? Health.Readiness.JOINED : Health.Readiness.CONNECTED), health);
    }

    private static Answer probe(boolean isWell, Health health) throws IOException {
        return Answer.of(isWell ? 200 : 503, json -> {
            json.writeStringField("state", health.state().name());
            json.writeStringField("reason", health.reason());
        });
    }

    private Answer leader(Query query) throws Refused, IOException, InterruptedException {
        return known(query, views::leader);
    }

    private Answer explain(Query query) throws Refused, IOException, InterruptedException {
        return known(query, views::explanation);
    }

    @FunctionalInterface
    private interface View {
        Answer of(String path, Explanation found) throws IOException;
    }

    private Answer known(Query query, View view) throws Refused, IOException, InterruptedException {
        String path = query.required("path");
        Optional<Explanation> found = client.explain(path);
        return found.isPresent() ? view.of(path, found.get()) : unknown(path);
    }

    private Answer cluster() throws IOException, InterruptedException {
        return views.cluster(others.ask());
    }

    /** A closed client contends nowhere, which says nothing of the path. */
    private Answer unknown(String path) throws Refused, IOException {
        if (client.getState() == ElectionClient.State.STOPPED) {
            throw new Refused(503, "the client of this node is closed");
        }
        return views.unknown("path '" + path + "': no latch or selector of this node contends on it"
                + (path.startsWith("/") ? "" : "; a path begins with a slash"));
    }

    // ---------------------------------------------------------------- changes

    private Answer transfer(Query query) throws Refused, IOException, InterruptedException {
        String path = query.required("path");
        String to = query.required("to");
        LOG.info(
                "Node {}: asked over HTTP to transfer {} to '{}'",
                client.nodeId(),
                Printable.of(path, LOGGED_LENGTH_MAX),
                Printable.of(to, LOGGED_LENGTH_MAX));
        await(
                client.transferTo(path, to).toCompletableFuture(),
                "'" + to + "' does not lead " + path,
                () -> "it may still come to that"
                        + Optional.ofNullable(client.leaving().get(path))
                                .map(why -> ": " + why)
                                .orElse(""));
        return Answer.of(200, json -> {
            json.writeStringField("path", path);
            json.writeStringField("to", to);
        });
    }

    private Answer changeVoters(Query query) throws Refused, IOException, InterruptedException {
        long number = query.number("number");
        String voters = query.required("voters");
        return views.voters(changed(number, voters));
    }

    private Voters changed(long number, String voters) throws Refused, InterruptedException {
        CompletableFuture<Voters> change = voterChanges.of(number + " " + voters, () -> {
            LOG.info(
                    "Node {}: asked over HTTP to have {} vote in place of number {}",
                    client.nodeId(),
                    Printable.of(voters, LOGGED_LENGTH_MAX),
                    number);
            return client.changeVoters(number, voters.split(",", -1));
        });
        try {
            Voters now = await(
                    change,
                    "the change of voters has not ended",
                    () -> "ask again with the same number and voters to hear how it ends");
            voterChanges.told(change);
            return now;
        } catch (Refused e) {
            // A caller that came too late has not heard it, even if the change has just ended.
            if (e.status() != LATE) {
                voterChanges.told(change);
            }
            throw e;
        }
    }

    /** @param then what the caller may do if it takes longer */
    private <T> T await(CompletableFuture<T> change, String late, Supplier<String> then)
            throws Refused, InterruptedException {
        try {
            return change.get(transferWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new Refused(LATE, late + " after " + transferWait.toMillis() + " ms; " + then.get());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String reason = String.valueOf(cause == null ? e.getMessage() : cause.getMessage());
            throw new Refused(cause instanceof IllegalArgumentException ? 400 : 409, reason);
        }
    }

    private Answer standby(Query query) throws Refused, IOException {
        boolean wanted = query.flag("on");
        LOG.info("Node {}: standby is switched {} over HTTP", client.nodeId(), wanted ? "on" : "off");
        client.standby(wanted);
        return Answer.of(200, json -> json.writeBooleanField("standby", wanted));
    }

    private Answer priority(Query query) throws Refused, IOException {
        int value = query.anyNumber("value");
        LOG.info("Node {}: given priority {} over HTTP", client.nodeId(), value);
        client.priority(value);
        return Answer.of(200, json -> json.writeNumberField("priority", value));
    }
}
