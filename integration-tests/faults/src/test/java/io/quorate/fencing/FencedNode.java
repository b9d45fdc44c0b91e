package io.quorate.fencing;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.Leadership;
import io.quorate.process.NodeMain;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.h2.jdbcx.JdbcDataSource;

/**
 * A process that contends, and writes reports as an application does that looks once whether it leads, and then works.
 *
 * <p>Arguments: node id, peers, data directory, the URL of a database, the address of a server, a folder. Told
 * {@code work}, it takes the token and says {@code work TOKEN}, 0 if it does not lead. Told
 * {@code write}, it writes the token to all three, guarded and plain, says for each {@code KIND fenced wrote TOKEN} or
 * {@code KIND fenced refused TOKEN HIGHEST}, and the same with {@code plain}, and then {@code write}. The end of the
 * input ends the process.
 */
final class FencedNode {

    private static final String FENCED = "fenced";

    private final ElectionClient client;
    private final LeaderLatch latch;
    private final JdbcDataSource database = new JdbcDataSource();
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI server;
    private final Path directory;
    private long token;

    private FencedNode(ElectionClient client, String database, String server, String directory) {
        this.client = client;
        this.latch = new LeaderLatch(client, Reports.PATH, client.nodeId());
        this.database.setURL(database);
        this.server = URI.create(server);
        this.directory = Path.of(directory);
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        ElectionClient client = NodeMain.client(arguments).build();
        FencedNode node = new FencedNode(client, arguments[3], arguments[4], arguments[5]);
        client.start();
        node.latch.start();
        NodeMain.obeyToTheEnd(client, node::obey);
    }

    private void obey(String[] words) throws SQLException {
        switch (words[0]) {
            case "work" -> work();
            case "write" -> write();
            default -> throw new IllegalArgumentException("unknown command: " + words[0]);
        }
    }

    private void work() {
        token = latch.leadership().map(Leadership::fencingToken).orElse(0L);
        NodeMain.say("work " + token);
    }

    /** One write. */
    @FunctionalInterface
    private interface Write {
        void run() throws SQLException, IOException, InterruptedException;
    }

    private void write() throws SQLException {
        FencedTable table = FencedTable.create(database);
        say("database fenced", () -> table.run(Reports.PATH, token, connection -> store(connection, FENCED)));
        say(
                "server fenced",
                () -> FencedHttp.check(http.send(
                        FencedHttp.fence(report(FENCED), Reports.PATH, token).build(), BodyHandlers.ofString())));
        FencedFile file = new FencedFile(directory.resolve(FENCED));
        say("file fenced", () -> file.replace(Reports.PATH, token, content()));
        say("database plain", () -> {
            try (Connection connection = database.getConnection()) {
                store(connection, "plain");
            }
        });
        say("server plain", () -> http.send(report("plain").build(), BodyHandlers.ofString()));
        say("file plain", () -> {
            Path written = Files.write(directory.resolve("plain.tmp"), content());
            Files.move(written, directory.resolve("plain"), StandardCopyOption.ATOMIC_MOVE);
        });
        NodeMain.say("write");
    }

    private void say(String what, Write write) {
        try {
            write.run();
            NodeMain.say(what + " wrote " + token);
        } catch (StaleTokenException e) {
            NodeMain.say(what + " refused " + e.token() + " " + e.highest());
        } catch (SQLException | IOException | InterruptedException e) {
            NodeMain.say(what + " fails: " + e);
        }
    }

    private void store(Connection connection, String table) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("UPDATE " + table + " SET report = " + token);
        }
    }

    private HttpRequest.Builder report(String name) {
        return HttpRequest.newBuilder(server.resolve("/" + name)).PUT(BodyPublishers.ofByteArray(content()));
    }

    private byte[] content() {
        return Long.toString(token).getBytes(StandardCharsets.UTF_8);
    }
}
