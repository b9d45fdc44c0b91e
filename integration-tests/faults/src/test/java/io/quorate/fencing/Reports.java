package io.quorate.fencing;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/**
 * What leaders write to: a database, a server and a folder, each with a report that is guarded and a plain one. The
 * database and the server run in this process, on the loopback interface.
 */
final class Reports {

    static final String PATH = "/app/reports";

    private static final String IN_THIS_PROCESS = "jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1";

    private final Path directory;
    private final org.h2.tools.Server database;
    private final Server server = new Server();
    private final ServerConnector connector = new ServerConnector(server);
    private final Map<String, String> sent = new ConcurrentHashMap<>();

    Reports(Path directory) throws Exception {
        this.directory = directory;
        System.setProperty("h2.bindAddress", "127.0.0.1");
        execute("CREATE TABLE fenced (report BIGINT)", "CREATE TABLE plain (report BIGINT)");
        execute("INSERT INTO fenced VALUES (0)", "INSERT INTO plain VALUES (0)");
        database = org.h2.tools.Server.createTcpServer("-tcpPort", "0").start();
        connector.setHost("127.0.0.1");
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        context.addFilter(
                new FilterHolder(FencingFilter.inMemory(Set.of(PATH))), "/fenced", EnumSet.of(DispatcherType.REQUEST));
        context.addServlet(new ServletHolder(new Receiver()), "/*");
        server.setHandler(context);
        server.start();
    }

    /** Keeps the last report of each name. */
    private final class Receiver extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            sent.put(request.getPathInfo(), request.getReader().readLine());
        }
    }

    /** What a process needs to write: the arguments of {@link FencedNode} after the first three. */
    List<String> addresses() {
        return List.of(
                "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:reports",
                "http://127.0.0.1:" + connector.getLocalPort(),
                directory.toString());
    }

    /** The reports of this name: that of the database, that of the server, and the file. */
    List<String> of(String name) throws Exception {
        return List.of(stored(name), sent.getOrDefault("/" + name, "none"), Files.readString(directory.resolve(name)));
    }

    private static String stored(String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(IN_THIS_PROCESS);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT report FROM " + name)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(IN_THIS_PROCESS);
                Statement statement = connection.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    void stop() throws Exception {
        server.stop();
        execute("SHUTDOWN");
        database.stop();
    }
}
