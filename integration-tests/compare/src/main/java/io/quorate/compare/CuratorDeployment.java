package io.quorate.compare;

import io.quorate.demo.Cluster;
import io.quorate.process.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Three ZooKeeper servers, and three clients of them. */
final class CuratorDeployment extends Deployment {

    private static final int SERVERS = 3;
    private static final long POLL_MILLIS = 20;
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final int ANSWER_MILLIS = 2000;

    private final List<String> addresses;
    private final List<Path> configurations = new ArrayList<>();
    private final List<ChildJvm> servers = new ArrayList<>();
    private int killed;

    CuratorDeployment(Settings settings) {
        super(settings);
        List<String> names =
                IntStream.range(0, 3 * SERVERS).mapToObj(Integer::toString).toList();
        List<String> free = List.copyOf(Cluster.freeAddresses(names).values());
        this.addresses = free.subList(0, SERVERS);
        try {
            for (int server = 0; server < SERVERS; server++) {
                configurations.add(configure(server, free));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // A session time-out of two ticks is the least that a server grants.
    private Path configure(int server, List<String> free) throws IOException {
        Path home = Files.createDirectories(directory.resolve("server" + server));
        Files.writeString(home.resolve("myid"), Integer.toString(server + 1));
        Map<String, Object> properties = Map.of(
                "tickTime",
                settings.detectionMillis() / 2,
                "initLimit",
                10,
                "syncLimit",
                settings.detectionMillis() < 500 ? 40 : 10,
                "dataDir",
                home,
                "clientPort",
                port(addresses.get(server)),
                "clientPortAddress",
                "127.0.0.1",
                "admin.enableServer",
                false,
                "4lw.commands.whitelist",
                "*");
        List<String> lines = new ArrayList<>(
                properties.entrySet().stream().map(Object::toString).toList());
        for (int other = 0; other < SERVERS; other++) {
            lines.add("server." + (other + 1) + "=127.0.0.1:" + port(free.get(SERVERS + other)) + ":"
                    + port(free.get(2 * SERVERS + other)));
        }
        return Files.write(home.resolve("zoo.cfg"), lines);
    }

    private static String port(String address) {
        return address.substring(address.indexOf(':') + 1);
    }

    @Override
    ComparedSide side() {
        return ComparedSide.CURATOR;
    }

    @Override
    void startServers() {
        for (int server = 0; server < SERVERS; server++) {
            servers.add(startServer(server));
        }
    }

    private ChildJvm startServer(int server) {
        return ChildJvm.start(
                "server" + server,
                command(
                        "server" + server,
                        ServerNode.class,
                        List.of(configurations.get(server).toString())),
                Map.of(),
                directory.resolve("server" + server + ".log"),
                line -> {});
    }

    @Override
    List<ChildJvm> servers() {
        return servers;
    }

    @Override
    List<String> arguments(NodeHandle node) {
        return List.of(
                node.id(),
                IntStream.range(0, SERVERS)
                        .mapToObj(server -> address(node, server))
                        .collect(Collectors.joining(",")),
                Integer.toString(settings.detectionMillis()));
    }

    @Override
    void startContenders(Consumer<String> onLine) {
        throw new UnsupportedOperationException("clients of ZooKeeper never vote");
    }

    private String address(NodeHandle node, int server) {
        String address = addresses.get(server);
        return settings.hasLinks() ? links.address(node.id(), "server" + server, address) : address;
    }

    /** The server that leads the ensemble. */
    @Override
    long killVoter(NodeHandle leader) {
        killed = IntStream.range(0, SERVERS)
                .filter(server -> says(server, "srvr").contains("Mode: leader"))
                .findFirst()
                .orElseThrow();
        return servers.get(killed).kill();
    }

    @Override
    void restoreVoter() {
        servers.get(killed).end();
        servers.set(killed, startServer(killed));
        long deadline = System.nanoTime() + DEADLINE_NANOS;
        while (!says(killed, "srvr").contains("Mode: ")) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("does not serve: " + servers.get(killed));
            }
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            }
        }
    }

    private String says(int server, String command) {
        int port = Integer.parseInt(port(addresses.get(server)));
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            return "";
        }
    }
}
