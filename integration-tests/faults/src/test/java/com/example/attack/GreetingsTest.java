package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import io.quorate.testkit.RealTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Under a secret, a stranger without it greets in the name of a node over and over, and sends signs of life over what
 * it has got. The node itself comes back from another address than the one at which the others look for it, as a
 * restarted pod does, and one behind a translation of addresses.
 */
@RealTime
class GreetingsTest {

    private static final long PAUSE_MILLIS = 50;

    /** One thread that greets in a name until it is closed. */
    private static final class Impostor implements AutoCloseable {
        private final Thread thread;
        private final AtomicInteger greetings = new AtomicInteger();
        private final AtomicInteger admitted = new AtomicInteger();
        private volatile boolean isOver;

        private Impostor(String name, String node, String address) {
            thread = new Thread(() -> greet(name, node, address), "greets-as-" + name);
            thread.setDaemon(true);
            thread.start();
        }

        private void greet(String name, String node, String address) {
            List<Stranger> held = new ArrayList<>();
            while (!isOver) {
                Stranger stranger = new Stranger(address);
                held.add(stranger);
                greetings.incrementAndGet();
                stranger.greet(AttackedCluster.CLUSTER, name, node, true);
                if (stranger.answer() == Stranger.ADMITTED) {
                    admitted.incrementAndGet();
                    // A sign of life over and over, until the node has had enough.
                    while (!isOver && stranger.isRead()) {
                        pause();
                    }
                }
                pause();
                if (held.size() > 8) {
                    held.remove(0).close();
                }
            }
            held.forEach(Stranger::close);
        }

        private static void pause() {
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        }

        private void awaitGreetings(AttackedCluster cluster, int more) {
            int enough = greetings.get() + more;
            cluster.await("it greets", () -> greetings.get() >= enough || admitted.get() > 0);
        }

        @Override
        public void close() {
            isOver = true;
            try {
                thread.join(TimeUnit.SECONDS.toMillis(60));
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        }
    }

    @Test
    void aVoterComesBackFromElsewhereWhileAStrangerGreetsInItsName(@TempDir Path directory) throws Exception {
        Lock.Keys keys = new Lock.Keys(Lock.SECRET, directory);
        Map<String, String> addresses = new LinkedHashMap<>(Cluster.freeAddresses(List.of("n1", "n2", "n3")));
        // It calls from 127.0.0.1, and is looked for at another address.
        addresses.computeIfPresent("n3", (id, address) -> address.replace("127.0.0.1", "127.0.0.7"));
        try (AttackedCluster cluster = new AttackedCluster(directory, "tcp", addresses, keys::put)) {
            cluster.jvm("n3").end();
            cluster.await("n3 is missed", () -> cluster.contenders("n1") == 2 && cluster.contenders("n2") == 2);
            AttackedCluster.Watch watch = cluster.watch(List.of("n1", "n2"));
            try (Impostor atN1 = new Impostor("n3", "n1", cluster.address("n1"));
                    Impostor atN2 = new Impostor("n3", "n2", cluster.address("n2"))) {
                watch.isUnharmedBy(() -> {
                    atN1.awaitGreetings(cluster, 20);
                    atN2.awaitGreetings(cluster, 20);
                });
                watch.isUnharmedBy(() -> {
                    long begun = System.nanoTime();
                    cluster.restart("n3");
                    System.out.printf(
                            "n3 is back after %d ms with its JVM%n",
                            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
                    atN1.awaitGreetings(cluster, 20);
                    assertThat(cluster.contenders("n1"))
                            .as("contenders, %s", cluster)
                            .isEqualTo(3);
                });
                assertThat(List.of(atN1.admitted.get(), atN2.admitted.get()))
                        .as("strangers that were let in as n3")
                        .containsOnly(0);
            }
            for (String id : List.of("n1", "n2")) {
                assertThat(cluster.hasLogged(id, "two processes may have this node id"))
                        .as("a line that blames n3; %s", cluster)
                        .isFalse();
            }
        }
    }

    private static ChildJvm guest(AttackedCluster cluster, Lock.Keys keys) {
        try {
            return cluster.guest("app1", keys::put);
        } catch (Exception e) {
            throw new AssertionError("files of a test", e);
        }
    }

    @Test
    void aContenderIsNotShutOutByItsName(@TempDir Path directory) throws Exception {
        Lock.Keys keys = new Lock.Keys(Lock.SECRET, directory);
        try (AttackedCluster cluster = new AttackedCluster(directory, "tcp", keys::put)) {
            AttackedCluster.Watch watch = cluster.watch(cluster.ids());
            List<Impostor> impostors = new ArrayList<>();
            try {
                cluster.ids().forEach(id -> impostors.add(new Impostor("app1", id, cluster.address(id))));
                impostors.forEach(each -> each.awaitGreetings(cluster, 20));
                watch.isUnharmedBy(() -> {
                    ChildJvm app1 = guest(cluster, keys);
                    try {
                        cluster.await("app1 has joined", () -> cluster.contenders("n1") == 4);
                    } finally {
                        app1.end();
                    }
                });
                assertThat(impostors).allMatch(each -> each.admitted.get() == 0, "let in nobody as app1");
            } finally {
                for (Impostor each : impostors) {
                    each.close();
                }
            }
            assertThat(Optional.of(cluster).filter(all -> all.hasLogged("n1", "two processes may have this node id")))
                    .as("a line that blames app1; %s", cluster)
                    .isEmpty();
        }
    }
}
