package io.quorate.fencing;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A database in a folder, with a table {@code writes}, that can be stopped and started again. */
final class Database implements AutoCloseable {

    /** Which one. */
    enum Kind {
        H2,
        DERBY
    }

    /** Is told each call with its text, empty if it has none, before it is made. It may fail in place of it. */
    @FunctionalInterface
    interface Watcher {
        void before(String method, String text) throws SQLException;
    }

    private static final Watcher NOBODY = (method, text) -> {};

    private final String url;
    private final String stop;
    /** Else H2 stops when nobody is connected. */
    private Connection keeper;

    Database(Kind kind, Path directory) throws SQLException {
        System.setProperty(
                "derby.stream.error.file", directory.resolve("derby.log").toString());
        // A minute for a lock, as Derby has it.
        String file = directory.resolve("db").toString();
        url = kind == Kind.H2 ? "jdbc:h2:file:" + file + ";LOCK_TIMEOUT=60000" : "jdbc:derby:" + file + ";create=true";
        stop = kind == Kind.H2 ? "" : "jdbc:derby:" + file + ";shutdown=true";
        keeper = DriverManager.getConnection(url);
        execute("CREATE TABLE writes (id INT GENERATED ALWAYS AS IDENTITY, token BIGINT NOT NULL)");
    }

    void restart() throws SQLException {
        close();
        keeper = DriverManager.getConnection(url);
    }

    @Override
    public void close() throws SQLException {
        if (stop.isEmpty()) {
            execute("SHUTDOWN");
        } else {
            keeper.close();
            try {
                DriverManager.getConnection(stop).close();
            } catch (SQLException e) {
                // That is how Derby says that it has stopped.
                if (!e.getSQLState().equals("08006")) {
                    throw e;
                }
            }
        }
    }

    DataSource dataSource() {
        return dataSource(NOBODY);
    }

    DataSource dataSource(Watcher watcher) {
        return proxy(DataSource.class, (method, text) -> {}, new Object() {
            @SuppressWarnings("unused")
            public Connection getConnection() throws SQLException {
                return proxy(Connection.class, watcher, DriverManager.getConnection(url));
            }
        });
    }

    /** Tells the watcher, then calls the method of that name and of these types. */
    private static <T> T proxy(Class<T> type, Watcher watcher, Object target) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    String text =
                            arguments != null && arguments.length > 0 && arguments[0] instanceof String sql ? sql : "";
                    watcher.before(method.getName(), text);
                    try {
                        Object answer = type.isInstance(target)
                                ? method.invoke(target, arguments)
                                : target.getClass().getMethod(method.getName()).invoke(target);
                        return method.getReturnType() == Statement.class
                                ? proxy(Statement.class, watcher, answer)
                                : answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = keeper.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The tokens in the table {@code writes}, in the order in which they were written. */
    List<Long> writes() throws SQLException {
        return numbers("SELECT token FROM writes ORDER BY id");
    }

    /** The tokens of all paths. */
    List<Long> tokens() throws SQLException {
        return numbers("SELECT token FROM quorate_fencing ORDER BY token");
    }

    private List<Long> numbers(String query) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        try (Statement statement = keeper.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                numbers.add(rows.getLong(1));
            }
        }
        return numbers;
    }

    /** Work that writes a number. */
    static FencedTable.Work write(long token) {
        return connection -> {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate("INSERT INTO writes (token) VALUES (" + token + ")");
            }
        };
    }
}
