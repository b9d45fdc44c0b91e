package io.quorate.compare;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.quorate.fencing.FencedFile;
import io.quorate.fencing.FencedHttp;
import io.quorate.fencing.FencedTable;
import io.quorate.fencing.FencingFilter;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.lang.management.ManagementFactory;
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
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * What the guards of docs/fencing.md cost, each beside what it may cost: one more indexed update in the transaction, one
 * header of a request, one rename of a file. The sides take turns in one process. Prints ratios of the medians, and in brackets
 * the quartiles of the ratios of single turns.
 */
public final class FencingCost {

    private static final String PATH = "/app/leader";
    private static final long TOKEN = 65_538;
    private static final byte[] REPORT = new byte[1_000];
    /** Fine, for what this thread does alone. */
    private static final ThreadMXBean THREAD = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    /** In steps of 10 ms, for what several threads do. */
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private static final int WARM_UPS = 10;
    private static final int TURNS = 40;

    private FencingCost() {}

    /** One operation of one side. */
    @FunctionalInterface
    private interface Operation {
        void run() throws Exception;
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("quorate-fencing-cost-");
        try {
            System.setProperty(
                    "derby.stream.error.file", directory.resolve("derby.log").toString());
            database("H2 in memory", "jdbc:h2:mem:cost;DB_CLOSE_DELAY=-1", 2_000);
            database("Derby on disk", "jdbc:derby:" + directory.resolve("derby") + ";create=true", 100);
            server();
            file(directory);
        } finally {
            delete(directory);
        }
    }

    /** Nanoseconds of one operation: those that pass, and those of the processors. */
    private record Cost(double wall, double cpu) {}

    private static void compare(String what, int count, LongSupplier cpu, Operation plain, Operation guarded)
            throws Exception {
        List<Cost> first = new ArrayList<>();
        List<Cost> second = new ArrayList<>();
        for (int turn = -WARM_UPS; turn < TURNS; turn++) {
            Cost ofPlain = cost(plain, count, cpu);
            Cost ofGuarded = cost(guarded, count, cpu);
            if (turn >= 0) {
                first.add(ofPlain);
                second.add(ofGuarded);
            }
        }
        System.out.printf(
                "%-58s CPU %s, time %s%n", what, ratio(first, second, Cost::cpu), ratio(first, second, Cost::wall));
    }

    private static String ratio(List<Cost> plain, List<Cost> guarded, ToDoubleFunction<Cost> part) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < plain.size(); i++) {
            ratios.add(part.applyAsDouble(guarded.get(i)) / part.applyAsDouble(plain.get(i)));
        }
        double before = quantile(plain.stream().map(part::applyAsDouble).toList(), 0.5);
        double after = quantile(guarded.stream().map(part::applyAsDouble).toList(), 0.5);
        return String.format(
                "%.2f [%.2f, %.2f] of %.0f us",
                after / before, quantile(ratios, 0.25), quantile(ratios, 0.75), before / 1_000);
    }

    private static Cost cost(Operation operation, int count, LongSupplier clock) throws Exception {
        long cpu = clock.getAsLong();
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            operation.run();
        }
        long end = System.nanoTime();
        return new Cost((end - begin) / (double) count, (clock.getAsLong() - cpu) / (double) count);
    }

    private static double quantile(List<Double> values, double part) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get((int) (part * (sorted.size() - 1)));
    }

    // ---------------------------------------------------------------- database

    private static void database(String name, String url, int count) throws Exception {
        DataSource source = kept(DriverManager.getConnection(url));
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE report (id INT PRIMARY KEY, total BIGINT)");
            statement.execute("INSERT INTO report VALUES (1, 0)");
            statement.execute("CREATE TABLE other (id CHAR(64) PRIMARY KEY, total BIGINT)");
            statement.execute("INSERT INTO other VALUES ('" + "a".repeat(64) + "', 0)");
        }
        FencedTable guard = FencedTable.create(source);
        guard.run(PATH, TOKEN, FencingCost::work);
        Operation guarded = () -> guard.run(PATH, TOKEN, FencingCost::work);
        compare(
                name + ": guarded by one more indexed update",
                count,
                THREAD::getCurrentThreadCpuTime,
                () -> inTransaction(source, true),
                guarded);
        compare(
                name + ": guarded by the work alone",
                count,
                THREAD::getCurrentThreadCpuTime,
                () -> inTransaction(source, false),
                guarded);
    }

    private static void inTransaction(DataSource source, boolean withOther) throws SQLException {
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
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            request.getInputStream().readAllBytes();
        }
    }

    private static void server() throws Exception {
        Server server = new Server();
        ServerConnector connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addFilter(
                new FilterHolder(FencingFilter.inMemory(Set.of(PATH))), "/fenced", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Receiver()), "/*");
        server.setHandler(context);
        server.start();
        try {
            HttpClient client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
            URI address = URI.create("http://127.0.0.1:" + connector.getLocalPort());
            compare(
                    "server: guarded by another header",
                    200,
                    PROCESS::getProcessCpuTime,
                    () -> client.send(
                            HttpRequest.newBuilder(address.resolve("/plain"))
                                    .setHeader("Another-Token", PATH + " " + TOKEN)
                                    .PUT(BodyPublishers.ofByteArray(REPORT))
                                    .build(),
                            BodyHandlers.ofString()),
                    () -> FencedHttp.check(client.send(
                            FencedHttp.fence(HttpRequest.newBuilder(address.resolve("/fenced")), PATH, TOKEN)
                                    .PUT(BodyPublishers.ofByteArray(REPORT))
                                    .build(),
                            BodyHandlers.ofString())));
        } finally {
            server.stop();
        }
    }

    // ---------------------------------------------------------------- file

    private static void file(Path directory) throws Exception {
        FencedFile guard = new FencedFile(directory.resolve("fenced"));
        compare(
                "file: guarded by write, force and rename",
                20,
                THREAD::getCurrentThreadCpuTime,
                () -> replace(directory, directory.resolve("plain")),
                () -> guard.replace(PATH, TOKEN, REPORT));
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

    private static void delete(Path directory) throws Exception {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
