package io.quorate.shedlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.demo.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.SimpleLock;

/**
 * A provider on each client of one JVM. A lock is asked for on all of them, each time on another one first, until one
 * gives it.
 */
final class Providers implements ExtensibleLockProvider, AutoCloseable {

    private final List<ElectionClient> clients = new ArrayList<>();
    private final List<QuorateLockProvider> providers = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicInteger namespaces = new AtomicInteger();

    Providers(int count) {
        Map<String, String> addresses = Cluster.freeAddresses(
                IntStream.rangeClosed(1, count).mapToObj(i -> "n" + i).toList());
        for (String id : addresses.keySet()) {
            ElectionClient client = ElectionClient.builder()
                    .nodeId(id)
                    .peers(addresses)
                    .transport("tcp")
                    .build();
            clients.add(client);
            client.start();
        }
    }

    /** To be called before each test: what one has left locked is not in the way of the next one. */
    void takeFreshPaths() {
        providers.forEach(QuorateLockProvider::close);
        providers.clear();
        String namespace = "/shedlock/" + namespaces.incrementAndGet();
        clients.forEach(client -> providers.add(new QuorateLockProvider(client, namespace)));
    }

    void awaitConnected() throws InterruptedException {
        for (ElectionClient client : clients) {
            assertThat(client.blockUntilConnected(600, TimeUnit.SECONDS))
                    .as(client.nodeId())
                    .isTrue();
        }
    }

    @Override
    public Optional<SimpleLock> lock(LockConfiguration configuration) {
        int first = turn.getAndIncrement();
        for (int i = 0; i < providers.size(); i++) {
            Optional<SimpleLock> lock =
                    providers.get(Math.floorMod(first + i, providers.size())).lock(configuration);
            if (lock.isPresent()) {
                return lock;
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        providers.forEach(QuorateLockProvider::close);
        clients.forEach(ElectionClient::close);
    }
}
