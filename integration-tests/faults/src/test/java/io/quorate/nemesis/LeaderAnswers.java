package io.quorate.nemesis;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks the nodes over HTTP who leads, as a proxy does, and keeps what those answer that say that they do. Nodes may be
 * dead, stopped or new at any moment.
 */
final class LeaderAnswers implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofMillis(10);
    private static final Pattern TOKEN = Pattern.compile("\"token\":(\\d+)");

    /**
     * A node has answered that it leads.
     *
     * @param asked    before the request was sent, in nanoseconds of one clock for all nodes
     * @param answered after the answer was read
     */
    record Answer(String node, long token, long asked, long answered) {}

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(PATIENCE).build();
    private final List<Thread> threads = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    private volatile boolean isOver;

    /**
     * Begins to ask.
     *
     * @param ports of the nodes
     */
    LeaderAnswers(Map<String, Integer> ports, String path) {
        ports.forEach((node, port) -> {
            URI address = URI.create("http://127.0.0.1:" + port + "/leader?path=" + path);
            Thread thread = new Thread(() -> askOn(node, address), "asks " + node);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        });
    }

    private void askOn(String node, URI address) {
        while (!isOver) {
            try {
                ask(node, address).ifPresent(this::add);
                Thread.sleep(PAUSE.toMillis());
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void add(Answer answer) {
        answers.add(answer);
    }

    private Optional<Answer> ask(String node, URI address) throws InterruptedException {
        long asked = System.nanoTime();
        HttpRequest request = HttpRequest.newBuilder(address).timeout(PATIENCE).build();
        try {
            HttpResponse<InputStream> response = http.send(request, BodyHandlers.ofInputStream());
            try (InputStream body = response.body()) {
                String text = new String(body.readAllBytes(), StandardCharsets.US_ASCII);
                long answered = System.nanoTime();
                Matcher token = TOKEN.matcher(text);
                return response.statusCode() == 200 && token.find()
                        ? Optional.of(new Answer(node, Long.parseLong(token.group(1)), asked, answered))
                        : Optional.empty();
            }
        } catch (IOException e) {
            // Dead, stopped, or not yet there: it does not say that it leads.
            return Optional.empty();
        }
    }

    /** What was answered so far. */
    synchronized List<Answer> all() {
        return List.copyOf(answers);
    }

    /**
     * The pairs that break the promise of {@code /leader}: of two nodes that say that they lead, one asked after the
     * other has answered, the later one has the higher token; and a node's own token never falls.
     */
    static List<String> violations(List<Answer> answers) {
        List<Answer> byAsked = new ArrayList<>(answers);
        byAsked.sort(Comparator.comparingLong(Answer::asked));
        List<Answer> byAnswered = new ArrayList<>(answers);
        byAnswered.sort(Comparator.comparingLong(Answer::answered));
        List<String> violations = new ArrayList<>();
        Answer highest = null;
        int over = 0;
        for (Answer later : byAsked) {
            while (byAnswered.get(over).answered() < later.asked()) {
                Answer earlier = byAnswered.get(over++);
                highest = highest == null || earlier.token() > highest.token() ? earlier : highest;
            }
            boolean isBroken = highest != null
                    && (highest.token() > later.token()
                            || highest.token() == later.token()
                                    && !highest.node().equals(later.node()));
            if (isBroken) {
                violations.add(highest + ", then " + later);
            }
        }
        return violations;
    }

    /** No further question begins. */
    @Override
    public void close() {
        isOver = true;
        threads.forEach(Thread::interrupt);
    }
}
