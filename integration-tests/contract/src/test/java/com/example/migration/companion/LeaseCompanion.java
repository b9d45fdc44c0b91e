package com.example.migration.companion;

import io.quorate.tandem.Companion;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A lease of Kubernetes, by the rules and the numbers of its leader election: 15 s, renewed for 10 s, no equal clocks. */
public final class LeaseCompanion implements Companion {

    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(15);
    private static final long RENEWED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final Pattern FIELD =
            Pattern.compile("\"(name|resourceVersion|holderIdentity|renewTime)\"\\s*:\\s*\"([^\"]*)\"");
    private static final String LEASE =
            """
            {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
             "metadata": {"name": "%s", "resourceVersion": "%s"},
             "spec": {"holderIdentity": "%s", "leaseDurationSeconds": 15, "renewTime": "%s"}}
            """;

    private final HttpClient http;
    private final Supplier<HttpRequest.Builder> lease;
    private final String id;
    private volatile Runnable changed = () -> {};
    private volatile boolean isHeld;
    private volatile long until;
    private ScheduledExecutorService timer;
    private String seen = "";
    private long seenAt;

    /** @param lease begins a request for /apis/coordination.k8s.io/v1/namespaces/NAMESPACE/leases/NAME, with the token */
    public LeaseCompanion(HttpClient http, Supplier<HttpRequest.Builder> lease, String id) {
        this.http = http;
        this.lease = lease;
        this.id = id;
    }

    @Override
    public void onChange(Runnable wanted) {
        changed = wanted;
    }

    @Override
    public void start() {
        timer = Executors.newSingleThreadScheduledExecutor();
        timer.scheduleWithFixedDelay(this::renew, 0, 1, TimeUnit.SECONDS);
    }

    private void renew() {
        long now = System.nanoTime();
        try {
            Map<String, String> found = read();
            String state = found.get("holderIdentity") + found.get("renewTime");
            if (!state.equals(seen)) {
                seen = state;
                seenAt = now;
            }
            String holder = found.getOrDefault("holderIdentity", "");
            boolean isFree = holder.isEmpty() || holder.equals(id) || now - seenAt > LEASE_NANOS;
            boolean isWritten = isFree && write(found, id);
            // Until the end of its time it holds, unless somebody else has it.
            until = isWritten ? now + RENEWED_NANOS : until;
            isHeld = isWritten || isHeld && holder.equals(id);
        } catch (IOException e) {
            System.getLogger("lease").log(System.Logger.Level.WARNING, "The lease was not renewed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        changed.run();
    }

    private Map<String, String> read() throws IOException, InterruptedException {
        Map<String, String> found = new HashMap<>();
        var request = lease.get().timeout(Duration.ofSeconds(2)).build();
        Matcher fields =
                FIELD.matcher(http.send(request, BodyHandlers.ofString()).body());
        while (fields.find()) {
            found.putIfAbsent(fields.group(1), fields.group(2));
        }
        if (!found.containsKey("resourceVersion")) {
            throw new IOException("there is no such lease");
        }
        return found;
    }

    /** Only if nobody has written it since it was read, which the server sees by the version. */
    private boolean write(Map<String, String> found, String holder) throws IOException, InterruptedException {
        String written = LEASE.formatted(
                found.get("name"),
                found.get("resourceVersion"),
                holder,
                Instant.now().truncatedTo(ChronoUnit.MICROS));
        var request = lease.get()
                .timeout(Duration.ofSeconds(2))
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofString(written))
                .build();
        return http.send(request, BodyHandlers.ofString()).statusCode() == 200;
    }

    @Override
    public void close() throws Exception {
        timer.shutdown();
        isHeld = false;
        timer.awaitTermination(30, TimeUnit.SECONDS);
        isHeld = false;
        Map<String, String> found = read();
        if (id.equals(found.get("holderIdentity"))) {
            write(found, "");
        }
    }

    @Override
    public boolean hasLeadership() {
        return isHeld && System.nanoTime() - until < 0;
    }
}
