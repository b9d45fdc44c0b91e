package io.quorate.nemesis;

import io.quorate.demo.Launch;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.net.NetClient;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The links between the nodes of a cluster, each a {@link FaultyLink}: a node is told the address of a link for each of
 * the others. A node opens a connection for what it sends, and gets only pongs back on it; so what one node sends to
 * another takes the one's link, and the way back on the other's.
 */
final class Network implements Launch, AutoCloseable {

    private static final long WAIT_SECONDS = 600;

    /** A direction. */
    record Link(String from, String to) {

        Link reversed() {
            return new Link(to, from);
        }
    }

    private final Vertx vertx =
            Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setUseDaemonThread(true));
    private final Context context = vertx.getOrCreateContext();
    private final Random random;
    private final Map<Link, FaultyLink> proxies = new LinkedHashMap<>();
    private final List<Link> cut = new ArrayList<>();
    /** Only touched on the event loop. */
    private final List<Long> timers = new ArrayList<>();

    private NetClient client;

    Network(Random random) {
        this.random = random;
    }

    @Override
    public synchronized String peers(String node, Map<String, String> addresses) {
        if (proxies.isEmpty()) {
            listen(addresses);
        }
        return addresses.entrySet().stream()
                .map(peer -> peer.getKey() + "="
                        + (peer.getKey().equals(node)
                                ? peer.getValue()
                                : "127.0.0.1:"
                                        + proxies.get(new Link(node, peer.getKey()))
                                                .port()))
                .collect(Collectors.joining(","));
    }

    private void listen(Map<String, String> addresses) {
        client = vertx.createNetClient();
        Map<Link, Future<FaultyLink>> listening = new LinkedHashMap<>();
        onLoop(() -> {
            for (String from : addresses.keySet()) {
                addresses.forEach((to, address) -> {
                    if (!to.equals(from)) {
                        int target = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
                        listening.put(new Link(from, to), FaultyLink.listen(context, client, target, random));
                    }
                });
            }
            return null;
        });
        listening.forEach((link, proxy) -> proxies.put(link, await(proxy)));
    }

    /** Nothing that {@code from} sends reaches {@code to}, and neither notices; what is sent arrives after healing. */
    void cut(String from, String to) {
        cut.add(new Link(from, to));
        applyCuts();
    }

    void cutBothWays(String one, String other) {
        cut(one, other);
        cut(other, one);
    }

    /** Cuts whatever leads from one of the groups to the other. */
    void split(Collection<String> group, Collection<String> others) {
        group.forEach(
                one -> others.stream().filter(other -> !other.equals(one)).forEach(other -> cutBothWays(one, other)));
    }

    private void applyCuts() {
        onLoop(() -> {
            proxies.forEach((link, proxy) -> proxy.hold(cut.contains(link), cut.contains(link.reversed())));
            return null;
        });
    }

    /** Breaks the connections from and to the node, and refuses new ones, which both sides notice. */
    void refuse(String node) {
        eachOf(node, proxy -> proxy.refuse(true));
    }

    /** The links from and to the node are cut and mended again and again. */
    void flap(String node, long millis) {
        onLoop(() -> {
            AtomicBoolean isCut = new AtomicBoolean();
            timers.add(vertx.setPeriodic(millis, timer -> {
                boolean hold = !isCut.get();
                isCut.set(hold);
                linksOf(node).forEach(proxy -> proxy.hold(hold, hold));
            }));
            return null;
        });
    }

    /** What a node sends and gets takes 0 to {@code millisMax} longer. */
    void delay(String node, int millisMax) {
        eachOf(node, proxy -> proxy.delay(millisMax));
    }

    /** What is under way from and to the node arrives in {@code millis}, behind what is sent from now on. */
    void overtake(String node, int millis) {
        eachOf(node, proxy -> {
            proxy.overtake(millis);
            proxy.delay(0);
        });
    }

    private void eachOf(String node, Consumer<FaultyLink> action) {
        onLoop(() -> {
            linksOf(node).forEach(action);
            return null;
        });
    }

    private List<FaultyLink> linksOf(String node) {
        return proxies.entrySet().stream()
                .filter(proxy ->
                        proxy.getKey().from.equals(node) || proxy.getKey().to.equals(node))
                .map(Map.Entry::getValue)
                .toList();
    }

    /** All links are as at the beginning. */
    void heal() {
        onLoop(() -> {
            timers.forEach(vertx::cancelTimer);
            timers.clear();
            return null;
        });
        cut.clear();
        applyCuts();
        onLoop(() -> {
            proxies.values().forEach(proxy -> {
                proxy.refuse(false);
                proxy.delay(0);
            });
            return null;
        });
    }

    /** What all links together have passed on and held back. */
    FaultyLink.Counts counts() {
        return onLoop(() -> proxies.values().stream()
                .map(FaultyLink::counts)
                .reduce(new FaultyLink.Counts(0, 0, 0, 0), FaultyLink.Counts::plus));
    }

    private <T> T onLoop(Callable<T> action) {
        CompletableFuture<T> done = new CompletableFuture<>();
        context.runOnContext(ignored -> {
            try {
                done.complete(action.call());
            } catch (Exception e) {
                // Justification: handed to the caller, whatever it is.
                done.completeExceptionally(e);
            }
        });
        return await(Future.fromCompletionStage(done));
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(WAIT_SECONDS, TimeUnit.SECONDS)
                .join();
    }

    @Override
    public void close() {
        await(vertx.close());
    }
}
