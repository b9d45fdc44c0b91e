package io.quorate.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.quorate.ElectionClient;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The meters of one client, for Micrometer, which the application brings. docs/metrics.md lists them, with alerts.
 *
 * <p>They are there with 0 from {@link #bindTo} on; those of paths, voters and reasons, from when the client knows
 * these. The {@value #PATHS_MAX} paths that the client uses first have meters of their own. All others share those with
 * the path {@value #OTHER_PATHS}, which are sums. The meters of a path go when the client does not use it any more. No
 * tag holds an id of a contender or a token.
 *
 * <p>Thread-safe. No registry is touched on the node's thread.
 */
// A user of this class has Micrometer, and requires it.
@SuppressWarnings("exports")
public final class QuorateMeters implements MeterBinder, AutoCloseable {

    /**
     * So many paths have meters of their own: 100. Each takes some 5 kB here and five series in Prometheus. With a
     * greater number, an application with ten thousand paths floods what stores its metrics.
     */
    public static final int PATHS_MAX = 100;

    /**
     * The path in the tags of the meters that all other paths share. No path is called so, since paths begin with a
     * slash.
     */
    public static final String OTHER_PATHS = "*";

    private final ElectionClient client;
    private final Tags tags;
    // Guarded by this.
    private final Map<MeterRegistry, ClientMeters> bound = new HashMap<>();

    /**
     * Meters without further tags.
     *
     * @param client in any state
     * @throws NullPointerException if {@code client} is null
     */
    public QuorateMeters(ElectionClient client) {
        this(client, List.of());
    }

    /**
     * Meters with further tags. A process with several clients needs them, because a registry takes each name once for
     * the same tags.
     *
     * @param client in any state
     * @param tags   of each meter
     * @throws NullPointerException if an argument is null
     */
    public QuorateMeters(ElectionClient client, Iterable<Tag> tags) {
        this.client = Objects.requireNonNull(client, "client");
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    /**
     * Registers the meters, and keeps them up to date until {@link #close}. Each of several registries has meters of
     * its own. Scraping one does not reset another.
     *
     * @param registry a second call with the same one has no effect
     * @throws NullPointerException if {@code registry} is null
     */
    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        if (!bound.containsKey(registry)) {
            ClientMeters meters = new ClientMeters(client, registry, tags);
            bound.put(registry, meters);
            client.addMonitor(meters);
        }
    }

    /** Takes the meters out of all registries. The client stays as it is. A second call has no effect. */
    @Override
    public synchronized void close() {
        bound.values().forEach(meters -> {
            client.removeMonitor(meters);
            meters.close();
        });
        bound.clear();
    }
}
