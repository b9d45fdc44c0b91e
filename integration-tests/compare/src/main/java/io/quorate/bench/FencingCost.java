package io.quorate.bench;

import io.quorate.fencing.FencedFile;
import io.quorate.fencing.FencedHttp;
import io.quorate.fencing.FencedTable;
import io.quorate.fencing.FencingFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What the guards of docs/fencing.md cost, each beside what it may cost: one more indexed update in the transaction, one
 * header of a request, one rename of a file.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class FencingCost {

    private static final String PATH = "/app/leader";
    private static final long TOKEN = 65_538;
    private static final byte[] REPORT = new byte[1_000];

    // ---------------------------------------------------------------- database

    /** A table behind the guard, over one connection that is kept. */
    @State(Scope.Benchmark)
    public static class Table {

        /** H2 in memory, or Derby on disk. */
        @Param({"h2", "derby"})
        String database;

        private Path directory;
        private DataSource source;
        private FencedTable guard;

        @Setup(Level.Trial)
        public void open() throws Exception {
            directory = Files.createTempDirectory("quorate-fencing-cost-");
            System.setProperty(
                    "derby.stream.error.file", directory.resolve("derby.log").toString());
            source = kept(DriverManager.getConnection(
                    database.equals("h2")
                            ? "jdbc:h2:mem:cost;DB_CLOSE_DELAY=-1"
                            : "jdbc:derby:" + directory.resolve("derby") + ";create=true"));
            try (Connection connection = source.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE report (id INT PRIMARY KEY, total BIGINT)");
                statement.execute("INSERT INTO report VALUES (1, 0)");
                statement.execute("CREATE TABLE other (id CHAR(64) PRIMARY KEY, total BIGINT)");
                statement.execute("INSERT INTO other VALUES ('" + "a".repeat(64) + "', 0)");
            }
            guard = FencedTable.create(source);
        }

        @TearDown(Level.Trial)
        public void close() throws IOException {
            delete(directory);
        }

        private void inTransaction(boolean withOther) throws SQLException {
            try (Connection connection = source.getConnection()) {
                connection.setAutoCommit(false);
                if (withOther) {
                    try (PreparedStatement update =
                            connection.prepareStatement("UPDATE other SET total = ? WHERE id = ? AND total <= ?")) {
                        update.setLong(1, TOKEN);
                        update.setString(2, "a".repeat(64));
                        update.setLong(3, TOKEN);
                        update.executeUpdate();
                    }
                }
                work(connection);
                connection.commit();
                connection.setAutoCommit(true);
            }
        }
    }

    @Benchmark
    public void tableGuarded(Table table) throws Exception {
        table.guard.run(PATH, TOKEN, FencingCost::work);
    }

    @Benchmark
    public void tableWithOneMoreUpdate(Table table) throws Exception {
        table.inTransaction(true);
    }

    @Benchmark
    public void tableAlone(Table table) throws Exception {
        table.inTransaction(false);
    }

    private static void work(Connection connection) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE report SET total = total + 1 WHERE id = ?")) {
            update.setInt(1, 1);
            update.executeUpdate();
        }
    }

    /** Gives the same connection again and again, as a pool does. */
    private static DataSource kept(Connection connection) {
        Connection open = proxy(Connection.class, connection);
        return (DataSource) Proxy.newProxyInstance(
                FencingCost.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, values) -> open);
    }

    private static <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                FencingCost.class.getClassLoader(), new Class<?>[] {type}, (self, method, values) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(target, values);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    // ---------------------------------------------------------------- server

    /** Takes a report. */
    private static final class Receiver extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().readAllBytes();
        }
    }

    /** A server with a guarded and an unguarded address. */
    @State(Scope.Benchmark)
    public static class Reports {

        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final Server server = new Server();
        private URI address;

        @Setup(Level.Trial)
        public void start() throws Exception {
            ServerConnector connector = new ServerConnector(server);
            connector.setHost("127.0.0.1");
            server.addConnector(connector);
            ServletContextHandler context = new ServletContextHandler();
            context.addFilter(
                    new FilterHolder(FencingFilter.inMemory(Set.of(PATH))),
                    "/fenced",
                    EnumSet.of(DispatcherType.REQUEST));
            context.addServlet(new ServletHolder(new Receiver()), "/*");
            server.setHandler(context);
            server.start();
            address = URI.create("http://127.0.0.1:" + connector.getLocalPort());
        }

        @TearDown(Level.Trial)
        public void stop() throws Exception {
            server.stop();
        }
    }

    @Benchmark
    public Object requestGuarded(Reports reports) throws Exception {
        return FencedHttp.check(reports.client.send(
                FencedHttp.fence(HttpRequest.newBuilder(reports.address.resolve("/fenced")), PATH, TOKEN)
                        .PUT(BodyPublishers.ofByteArray(REPORT))
                        .build(),
                BodyHandlers.ofString()));
    }

    @Benchmark
    public Object requestWithAnotherHeader(Reports reports) throws Exception {
        return reports.client.send(
                HttpRequest.newBuilder(reports.address.resolve("/plain"))
                        .setHeader("Another-Token", PATH + " " + TOKEN)
                        .PUT(BodyPublishers.ofByteArray(REPORT))
                        .build(),
                BodyHandlers.ofString());
    }

    // ---------------------------------------------------------------- file

    /** A folder for files. */
    @State(Scope.Benchmark)
    public static class Folder {

        private Path directory;
        private FencedFile guard;

        @Setup(Level.Trial)
        public void make() throws IOException {
            directory = Files.createTempDirectory("quorate-fencing-cost-");
            guard = new FencedFile(directory.resolve("fenced"));
        }

        @TearDown(Level.Trial)
        public void remove() throws IOException {
            delete(directory);
        }
    }

    @Benchmark
    public void fileGuarded(Folder folder) throws Exception {
        folder.guard.replace(PATH, TOKEN, REPORT);
    }

    @Benchmark
    public void fileAlone(Folder folder) throws Exception {
        replace(folder.directory, folder.directory.resolve("plain"));
    }

    private static void replace(Path directory, Path file) throws Exception {
        Path temporary = directory.resolve("plain.tmp");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(ByteBuffer.wrap(REPORT));
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        if (File.separatorChar != '\\') {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
