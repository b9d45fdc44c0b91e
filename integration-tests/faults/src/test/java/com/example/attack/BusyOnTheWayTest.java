package com.example.attack;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.demo.Cluster;
import io.quorate.testkit.RealTime;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stranger without the secret, on the way between n1 and n2. It passes each greeting on and changes the WELCOME, so
 * that the node which has shown that it knows the secret seems to refuse the caller. Or it copies frames. By the table
 * of docs/security.md#who-can-speak, changed bytes and recorded frames are dropped.
 */
@RealTime
class BusyOnTheWayTest {

    private static final int WELCOME = 2;
    private static final int DATA = 3;
    private static final int BYE = 6;
    private static final byte BUSY = 5;
    private static final byte CROSSED = 6;

    @TempDir
    private Path directory;

    private final AtomicBoolean isTampering = new AtomicBoolean();
    private final AtomicBoolean isReplaying = new AtomicBoolean();
    private final AtomicInteger changed = new AtomicInteger();
    private final List<ServerSocket> servers = new ArrayList<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final Map<String, ElectionClient> clients = new LinkedHashMap<>();

    private String onTheWayTo(String address) throws IOException {
        ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        servers.add(server);
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        run(() -> {
            while (true) {
                Socket near = server.accept();
                run(() -> {
                    Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
                    synchronized (sockets) {
                        sockets.add(near);
                        sockets.add(far);
                    }
                    run(() -> pass(near, far));
                    pass(far, near);
                });
            }
        });
        return "127.0.0.1:" + server.getLocalPort();
    }

    private void pass(Socket from, Socket to) throws IOException {
        DataOutputStream out = new DataOutputStream(to.getOutputStream());
        byte[] recorded = passAll(new DataInputStream(from.getInputStream()), out);
        while (isReplaying.get() && recorded.length > 0) {
            out.writeInt(recorded.length);
            out.write(recorded);
            changed.incrementAndGet();
            LockSupport.parkNanos(100_000_000);
        }
        from.close();
        to.close();
    }

    /** Returns the last frame of a node that came before the end. */
    private byte[] passAll(DataInputStream in, DataOutputStream out) {
        byte[] last = {};
        try {
            while (true) {
                byte[] body = new byte[in.readInt()];
                in.readFully(body);
                if (body[0] == WELCOME && (body[1] == 0 || body[1] == CROSSED) && isTampering.get()) {
                    body[1] = BUSY;
                    ByteBuffer.wrap(body).putLong(body.length - Long.BYTES, 99);
                    changed.incrementAndGet();
                }
                last = body[0] == DATA && !isReplaying.get() ? body : last;
                if (body[0] != BYE || !isReplaying.get()) {
                    out.writeInt(body.length);
                    out.write(body);
                    out.flush();
                }
            }
        } catch (IOException e) {
            return last;
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void run(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // Justification: that is how a connection ends.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private ElectionClient start(String id, Map<String, String> peers) throws IOException {
        Path secret = directory.resolve("secret");
        if (Files.notExists(secret)) {
            Files.writeString(secret, "UXVvcmF0ZSBlbGVjdHMgYSBsZWFkZXI=\n");
        }
        ElectionClient client = ElectionClient.builder()
                .clusterId("tampered")
                .secretFile(secret)
                .nodeId(id)
                .algorithm("ballot")
                .peers(peers)
                .transport("tcp")
                .build();
        clients.put(id, client);
        client.start();
        return client;
    }

    private Map<String, String> startAll(Map<String, String> addresses) throws Exception {
        for (String id : addresses.keySet()) {
            Map<String, String> known = new TreeMap<>(addresses);
            if (id.equals("n1")) {
                known.put("n2", onTheWayTo(addresses.get("n2")));
            } else if (id.equals("n2")) {
                known.put("n1", onTheWayTo(addresses.get("n1")));
            }
            start(id, known);
        }
        while (clients.values().stream()
                .anyMatch(each -> each.health().supporters().size() < 3)) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return addresses;
    }

    private void report() {
        clients.forEach((id, client) -> System.out.println(id + " failed: " + client.failure() + ", supported by "
                + client.health().supporters()));
        System.out.println("changed or copied " + changed + " frames");
    }

    @AfterEach
    void close() throws IOException {
        isReplaying.set(false);
        clients.values().forEach(ElectionClient::close);
        for (ServerSocket server : servers) {
            server.close();
        }
    }

    @Test
    void strangersOnOneLinkDoNotEndNodes() throws Exception {
        startAll(Cluster.freeAddresses(List.of("n1", "n2", "n3")));
        isTampering.set(true);
        synchronized (sockets) {
            for (Socket each : sockets) {
                each.close();
            }
        }
        TimeUnit.SECONDS.sleep(15);
        report();
        assertThat(clients.values())
                .allSatisfy(each -> assertThat(each.failure()).isEmpty());
        // As if the link were cut.
        assertThat(clients.get("n3").health().supporters()).hasSizeGreaterThan(1);
    }

    // The process of n2 has ended, and its connection with n1 carries copies of its last frame.
    @Test
    void copiesDoNotKeepThePlaceOfADeadProcess() throws Exception {
        Map<String, String> addresses = startAll(Cluster.freeAddresses(List.of("n1", "n2", "n3")));
        isReplaying.set(true);
        clients.remove("n2").close();
        TimeUnit.SECONDS.sleep(3);
        ElectionClient next = start("n2", addresses);
        TimeUnit.SECONDS.sleep(8);
        report();
        assertThat(next.failure()).isEmpty();
    }
}
