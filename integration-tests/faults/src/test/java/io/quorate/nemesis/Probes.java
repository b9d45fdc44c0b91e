package io.quorate.nemesis;

import io.quorate.process.Http;
import io.quorate.testkit.FreePorts;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Asks processes what a platform asks them, and watches all the time that those that have been ready stay so. */
final class Probes implements AutoCloseable {

    private final Map<String, Integer> ports = new TreeMap<>();
    private final Set<String> ready = ConcurrentHashMap.newKeySet();
    private final List<String> lapses = new CopyOnWriteArrayList<>();
    private final Thread prober = new Thread(this::probe, "prober");
    private int asked;
    private volatile boolean isOver;

    /** @param processes their names, as the tests call them */
    Probes(List<String> processes) {
        processes.forEach(process -> ports.put(process, FreePorts.take()));
        prober.setDaemon(true);
        prober.start();
    }

    /** Where the process is to answer. */
    int port(String process) {
        return ports.get(process);
    }

    private void probe() {
        while (!isOver) {
            for (String process : new ArrayList<>(ready)) {
                int status = status(process, "/ready");
                // Taken out meanwhile: then it may be dead.
                if (status != 200 && ready.contains(process)) {
                    lapses.add(process + " was answered " + status);
                }
                asked++;
            }
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /** 0 if nobody answers. */
    int status(String process, String target) {
        return answer(process, target).map(HttpResponse::statusCode).orElse(0);
    }

    /** Empty if nobody answers. */
    String body(String process, String target) {
        return answer(process, target).map(HttpResponse::body).orElse("");
    }

    private Optional<HttpResponse<String>> answer(String process, String target) {
        return Http.get("http://127.0.0.1:" + ports.get(process) + target, Duration.ofSeconds(2));
    }

    /** From now on it is to be ready, without a break. */
    void add(String process) {
        ready.add(process);
    }

    /** It may be anything from now on. */
    void remove(String process) {
        ready.remove(process);
    }

    /** When a process was not ready that was to be. */
    List<String> lapses() {
        return lapses;
    }

    /** How often it was looked; after {@link #close}. */
    int asked() {
        return asked;
    }

    /** Looks no more. */
    @Override
    public void close() {
        isOver = true;
        try {
            prober.join();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }
}
