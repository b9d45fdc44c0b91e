package io.quorate.spring;

import io.quorate.ElectionClient;
import io.quorate.Explanation;
import io.quorate.Health;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@code /actuator/quorate}: the client, and one path of it. Operations that change something exist only if {@code
 * management.endpoint.quorate.access=unrestricted}.
 */
@Endpoint(id = "quorate", defaultAccess = Access.READ_ONLY)
final class QuorateEndpoint {

    /** Far more than a hand-over takes, and less than what a caller's time-out usually is. */
    private static final Duration TRANSFER_LIMIT = Duration.ofSeconds(10);

    private final ElectionClient client;
    private final Duration transferLimit;

    QuorateEndpoint(ElectionClient client) {
        this(client, TRANSFER_LIMIT);
    }

    QuorateEndpoint(ElectionClient client, Duration transferLimit) {
        this.client = client;
        this.transferLimit = transferLimit;
    }

    @ReadOperation
    Map<String, Object> client() {
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("node", client.nodeId());
        told.put("cluster", client.clusterId());
        Health health = client.health();
        told.putAll(ClientStatus.of(health).details());
        told.put("leads", health.leads());
        told.put("leaving", client.leaving());
        return told;
    }

    /** The leader of the path and the reason; null, which is the status 404, if this process does not contend on it. */
    @ReadOperation
    @Nullable
    Map<String, Object> path(@Selector(match = Selector.Match.ALL_REMAINING) String... path) {
        return client.explain(joined(path))
                .map(explanation -> explained(explanation, leaving(path)))
                .orElse(null);
    }

    private static String joined(String... path) {
        return "/" + String.join("/", path);
    }

    private Optional<String> leaving(String... path) {
        return Optional.ofNullable(client.leaving().get(joined(path)));
    }

    private static Map<String, Object> explained(Explanation explanation, Optional<String> leaving) {
        Map<String, Object> text = new LinkedHashMap<>();
        text.put("reason", explanation.reason());
        explanation.leader().ifPresent(leader -> text.put("leader", leader.id()));
        explanation.fencingToken().ifPresent(token -> text.put("token", token));
        explanation.leaseLeft().ifPresent(left -> text.put("leaseLeftMillis", left.toMillis()));
        leaving.ifPresent(why -> text.put("leaving", why));
        text.put(
                "contenders",
                explanation.contenders().stream()
                        .map(each -> Map.of(
                                "id", each.id(), "node", each.node(), "leads", each.isLeader(), "rank", each.rank()))
                        .toList());
        text.put("supporters", explanation.supporters());
        text.put("voters", explanation.voters());
        return text;
    }

    /** Lets this node rank last, or as usual again, and gives it another priority: one of them at least. */
    @WriteOperation
    Map<String, Object> rank(@Nullable Boolean standby, @Nullable Integer priority) {
        Map<String, Object> changed = new LinkedHashMap<>();
        if (standby != null) {
            client.standby(standby);
            changed.put("standby", standby);
        }
        if (priority != null) {
            client.priority(priority);
            changed.put("priority", priority);
        }
        if (changed.isEmpty()) {
            throw refused(new IllegalArgumentException("standby or priority is required"));
        }
        return changed;
    }

    /** Hands the path to a participant, and waits until that one leads. */
    @WriteOperation
    Map<String, Object> transfer(@Selector(match = Selector.Match.ALL_REMAINING) String[] path, String to)
            throws InterruptedException {
        try {
            client.transferTo(joined(path), to)
                    .toCompletableFuture()
                    .get(transferLimit.toMillis(), TimeUnit.MILLISECONDS);
            return Map.of("path", joined(path), "leader", to);
        } catch (ExecutionException e) {
            throw refused(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw refused(new IllegalStateException("'" + to + "' does not lead " + joined(path) + " after "
                    + transferLimit.toSeconds() + " s; the transfer goes on"
                    + leaving(path).map(why -> ": " + why).orElse("")));
        }
    }

    private static InvalidEndpointRequestException refused(Throwable reason) {
        String message = String.valueOf(reason.getMessage());
        return new InvalidEndpointRequestException(message, message, reason);
    }
}
