package io.quorate.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.quorate.ElectionClient;
import io.quorate.Explanation;
import io.quorate.Health;
import io.quorate.Voters;
import io.quorate.spi.Printable;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table of all endpoints, and what each answers. docs/operations.md describes them for users. */
final class Endpoints implements HttpHandler {

    /** The status of HTTP for what takes longer than whoever asks waits. */
    private static final int LATE = 504;

    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);

    /** No endpoint has a use for a body, but a client may send one. */
    private static final int BODY_LENGTH_MAX = 4096;

    /** So many requests wait for the node at one time, so that probes find a thread even if the node is stuck. */
    private static final int QUESTIONS_MAX = HttpWorkers.THREADS / 2;

    /**
     * So many requests wait for a change of voters at one time: an operator's, and the one that repeats it after its
     * connection was cut. They wait for seconds while the node answers all questions, so they take no turn of those. The
     * other threads are for probes.
     */
    private static final int CHANGE_WAITS_MAX = HttpWorkers.THREADS / 4;

    /** A question takes microseconds. So whoever waits so long for its turn waits for a node that is stuck. */
    private static final Duration TURN_WAIT = Duration.ofMillis(500);

    /** The text format of Prometheus, which other collectors read too. */
    private static final Map<String, String> METRICS = Map.of(Answer.TYPE, "text/plain; version=0.0.4; charset=utf-8");

    /** Shown to all, and changed with a token. */
    private static final String VOTERS = "/voters";

    /** Of what comes from outside, in a log. */
    private static final int LOGGED_LENGTH_MAX = 128;

    private final ElectionClient client;
    private final Views views;
    private final OtherServers others;
    private final @Nullable BearerToken token;
    private final Duration transferWait;
    private final VoterChanges voterChanges;
    private final Map<String, Endpoint> looks;
    private final Map<String, Endpoint> changes;
    private final Semaphore questions = new Semaphore(QUESTIONS_MAX);
    private final Semaphore changeWaits = new Semaphore(CHANGE_WAITS_MAX);
    /** Whether the log has said that the file of the token cannot be read, and it could not be read since. */
    private final AtomicBoolean isTokenLost = new AtomicBoolean();

    /** What one address answers. */
    @FunctionalInterface
    private interface Endpoint {
        Answer answer(Query query) throws Refused, IOException, InterruptedException;
    }

    /** What the node's thread has to answer. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws Refused, IOException, InterruptedException;
    }

    /**
     * @param token        what changes need; null if there are no changes
     * @param transferWait how long a transfer may take, which usually takes milliseconds; and how long a request waits
     *                     for a change of voters
     * @param scrape       all meters; null if there are none
     */
    Endpoints(
            ElectionClient client,
            Views views,
            OtherServers others,
            @Nullable BearerToken token,
            Duration transferWait,
            @Nullable Supplier<String> scrape) {
        this.client = client;
        this.views = views;
        this.others = others;
        this.token = token;
        this.transferWait = transferWait;
        this.voterChanges = new VoterChanges(transferWait.multipliedBy(2), System::nanoTime);
        looks = new HashMap<>(Map.of(
                "/",
                query -> Page.ANSWER,
                "/live",
                query -> live(),
                "/ready",
                this::ready,
                "/status",
                views::status,
                "/leader",
                this::leader,
                "/explain",
                this::explain,
                "/paths",
                views::paths,
                "/log",
                views::log,
                VOTERS,
                query -> views.voters(client.voters()),
                "/cluster",
                query -> cluster()));
        if (scrape != null) {
            looks.put("/metrics", query -> new Answer(200, METRICS, scrape.get()));
        }
        changes = token == null
                ? Map.of()
                : Map.of("/transfer", this::transfer, "/standby", this::standby, VOTERS, this::changeVoters);
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try {
            answer(exchange).sendTo(exchange);
        } finally {
            exchange.close();
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        try {
            return admit(exchange).answer(Query.of(exchange.getRequestURI().getRawQuery()));
        } catch (Refused e) {
            return Answer.error(e.status(), e.reason());
        } catch (InterruptedException e) {
            // The time of this request is over, and so is its connection.
            Thread.currentThread().interrupt();
            return Answer.error(503, "the time for this request is over");
        } catch (RuntimeException e) {
            // Justification: a fault of ours must neither look like a lost connection nor stay unknown.
            LOG.error("Node {}: a request of {} failed", client.nodeId(), shown(exchange), e);
            return Answer.error(500, "internal error: the log of the node has the reason");
        }
    }

    private static String shown(HttpExchange exchange) {
        return Printable.of(String.valueOf(exchange.getRequestURI()), LOGGED_LENGTH_MAX);
    }

    // ---------------------------------------------------------------- who gets an answer

    private Endpoint admit(HttpExchange exchange) throws Refused, IOException {
        String path = exchange.getRequestURI().getPath();
        Endpoint look = looks.get(path);
        Endpoint change = changes.get(path);
        if (look == null && change == null) {
            throw unknownEndpoint();
        }
        List<String> methods = new ArrayList<>(look == null ? List.of() : List.of("GET", "HEAD"));
        methods.addAll(change == null ? List.of() : List.of("POST"));
        allow(exchange, methods, VOTERS.equals(path) ? whereChangesAre() : "");
        Endpoint found = exchange.getRequestMethod().equals("POST") ? change : look;
        if (found == change && token != null) {
            authorize(exchange, token);
        }
        if (exchange.getRequestBody().readNBytes(BODY_LENGTH_MAX + 1).length > BODY_LENGTH_MAX) {
            throw new Refused(413, "the body has more than " + BODY_LENGTH_MAX + " bytes: none is needed");
        }
        return Objects.requireNonNull(found, path);
    }

    private Refused unknownEndpoint() {
        TreeSet<String> known = new TreeSet<>(looks.keySet());
        known.add(EventStream.ADDRESS);
        known.addAll(changes.keySet());
        return new Refused(404, "unknown endpoint: there are " + String.join(", ", known) + whereChangesAre());
    }

    private String whereChangesAre() {
        return token == null ? "; changes are offered with a tokenFile only" : "";
    }

    /** @param remark is added to the reason of a refusal; may be empty */
    static void allow(HttpExchange exchange, List<String> methods, String remark) throws Refused {
        if (!methods.contains(exchange.getRequestMethod())) {
            String allowed = String.join(", ", methods);
            exchange.getResponseHeaders().set("Allow", allowed);
            throw new Refused(405, "method: must be " + allowed + remark);
        }
    }

    private void authorize(HttpExchange exchange, BearerToken expected) throws Refused {
        boolean isShown;
        try {
            isShown = expected.isShownIn(exchange.getRequestHeaders().getFirst("Authorization"));
        } catch (IOException e) {
            if (isTokenLost.compareAndSet(false, true)) {
                LOG.warn("Node {}: changes over HTTP are refused: {}", client.nodeId(), e.getMessage());
            }
            throw new Refused(503, "the token cannot be checked: the log of the node has the reason");
        }
        isTokenLost.set(false);
        if (!isShown) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
            throw new Refused(
                    401, "a change needs the header 'Authorization: Bearer TOKEN' with the token of this node");
        }
    }

    // ---------------------------------------------------------------- what changes nothing

    private Answer live() throws IOException {
        Health health = client.health();
        return probe(health.isLive(), health);
    }

    private Answer ready(Query query) throws Refused, IOException {
        String mode = query.oneOf("mode", List.of("joined", "connected"));
        Health health = client.health();
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

    /** What is shown of a path. */
    @FunctionalInterface
    private interface View {
        Answer of(String path, Explanation found) throws IOException;
    }

    private Answer known(Query query, View view) throws Refused, IOException, InterruptedException {
        String path = query.required("path");
        Optional<Explanation> found = asked(() -> client.explain(path));
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
        return views.unknown("path '" + path + "': no latch or selector of this node contends on it");
    }

    private <T> T asked(Question<T> question) throws Refused, IOException, InterruptedException {
        return inTurn(
                questions, "the node does not answer: " + QUESTIONS_MAX + " requests wait for it already", question);
    }

    /** @param crowd what is answered if all turns are taken, and nothing was done */
    private static <T> T inTurn(Semaphore turns, String crowd, Question<T> question)
            throws Refused, IOException, InterruptedException {
        if (!turns.tryAcquire(TURN_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new Refused(503, crowd);
        }
        try {
            return question.ask();
        } finally {
            turns.release();
        }
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
        return asked(() -> {
            await(
                    client.transferTo(path, to).toCompletableFuture(),
                    "'" + to + "' does not lead " + path,
                    "it may still come to that");
            return Answer.of(200, json -> {
                json.writeStringField("path", path);
                json.writeStringField("to", to);
            });
        });
    }

    private Answer changeVoters(Query query) throws Refused, IOException, InterruptedException {
        long number = query.number("number");
        String voters = query.required("voters");
        return inTurn(
                changeWaits,
                CHANGE_WAITS_MAX + " requests wait for a change of voters already, and this one has begun none:"
                        + " ask again later",
                () -> views.voters(changed(number, voters)));
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
                    "ask again with the same number and voters to hear how it ends");
            voterChanges.told(change);
            return now;
        } catch (Refused e) {
            // Whoever came too late has not heard it, also if the change has ended in this moment.
            if (e.status() != LATE) {
                voterChanges.told(change);
            }
            throw e;
        }
    }

    /** @param then what whoever asks may do if it takes longer */
    private <T> T await(CompletableFuture<T> change, String late, String then) throws Refused, InterruptedException {
        try {
            return change.get(transferWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new Refused(LATE, late + " after " + transferWait.toMillis() + " ms; " + then);
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
}
