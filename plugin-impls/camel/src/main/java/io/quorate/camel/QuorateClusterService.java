package io.quorate.camel;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.apache.camel.support.cluster.AbstractCamelClusterService;

/**
 * Elects the leader of each namespace of Camel, for {@code master:} endpoints and clustered routes. A namespace is the
 * path {@code <base path>/<encoded namespace>}. The id of the local member is the id of the client's node, so a client
 * has one such service.
 *
 * <p>The application starts and closes the client. The service may be added to a context before the client is started.
 */
public class QuorateClusterService extends AbstractCamelClusterService<QuorateClusterView> {

    /** The base path of a service that is given none. */
    public static final String DEFAULT_BASE_PATH = "/camel";

    private final ElectionClient client;
    private final String prefix;
    private final Duration lossAgain;

    /**
     * A service with the base path {@link #DEFAULT_BASE_PATH}.
     *
     * @param client contends for the paths; the application starts and closes it
     * @throws NullPointerException if {@code client} is null
     */
    public QuorateClusterService(ElectionClient client) {
        this(client, DEFAULT_BASE_PATH);
    }

    /**
     * A service with a base path of its own.
     *
     * @param client   contends for the paths; the application starts and closes it
     * @param basePath in the form of a ZooKeeper path; equal on all nodes; relative to the client's namespace
     * @throws NullPointerException     if {@code client} is null
     * @throws IllegalArgumentException if the path is null or not legal; the message names the rule
     */
    public QuorateClusterService(ElectionClient client, String basePath) {
        this(client, basePath, QuorateClusterView.LOSS_AGAIN);
    }

    QuorateClusterService(ElectionClient client, String basePath, Duration lossAgain) {
        this.client = Objects.requireNonNull(client, "client cannot be null");
        checkLegal(client, basePath);
        this.prefix = basePath.equals("/") ? "/" : basePath + "/";
        this.lossAgain = lossAgain;
    }

    /** A latch checks its path when it is made, and does nothing before it is started. */
    private static void checkLegal(ElectionClient client, String basePath) {
        new LeaderLatch(client, basePath);
    }

    @Override
    protected QuorateClusterView createView(String namespace) {
        return new QuorateClusterView(this, client, namespace, prefix + encoded(namespace), lossAgain);
    }

    /** A namespace may hold what a name in a path may not. */
    private static String encoded(String namespace) {
        String encoded = URLEncoder.encode(namespace, StandardCharsets.UTF_8);
        // These two have a meaning of their own in a path.
        return encoded.equals(".") || encoded.equals("..") ? encoded.replace(".", "%2E") : encoded;
    }
}
