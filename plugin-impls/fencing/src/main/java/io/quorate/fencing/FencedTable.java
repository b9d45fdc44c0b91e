package io.quorate.fencing;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/**
 * A guard in the database that a leader writes to: the table {@code quorate_fencing} has a row with the highest token
 * for each path. Work and token are committed together, so no work of a lower token is committed after work of a higher
 * one.
 *
 * <p>The isolation must be {@code READ COMMITTED} or stricter. Where it is stricter, a database may refuse one of two
 * transactions that meet, with its own error, and that one may be tried again. The row of a path is locked until the
 * transaction ends: writes of one path take turns, and a process that is stopped in the middle of a transaction holds
 * up the others until its database ends its session.
 *
 * <p>Used by any number of threads and processes.
 */
public final class FencedTable {

    /**
     * Plain SQL. The key is a digest, because databases differ in how long a key may be, and in which texts are equal.
     */
    static final String CREATE = "CREATE TABLE quorate_fencing (path_id CHAR(64) NOT NULL PRIMARY KEY,"
            + " path VARCHAR(" + Fence.ENCODED_MAX + ") NOT NULL, token BIGINT NOT NULL)";

    private static final String PROBE = "SELECT path_id, path, token FROM quorate_fencing WHERE 1 = 0";
    private static final String UPDATE = "UPDATE quorate_fencing SET token = ? WHERE path_id = ? AND token <= ?";
    private static final String READ = "SELECT token FROM quorate_fencing WHERE path_id = ?";
    // With the lock: else a transaction with an older snapshot would read an older token than the update has met.
    private static final String READ_LOCKED = READ + " FOR UPDATE";
    private static final String INSERT = "INSERT INTO quorate_fencing (path_id, path, token) VALUES (?, ?, ?)";

    /** A row comes in between once, when another inserts it. Twice means that somebody deletes rows. */
    private static final int ATTEMPTS_MAX = 3;

    /** The beginning of the SQL states for violated constraints. */
    private static final String CONSTRAINT = "23";

    /** The SQL state for a transaction that may be tried again: its snapshot is older than the row. */
    private static final String SERIALIZATION_FAILURE = "40001";

    private final DataSource dataSource;
    /**
     * The last one: a leader writes many times under one path, and a digest takes half as long as an update in memory.
     */
    private volatile Key key = Key.of("/");

    /** A path, and the key of its row. */
    private record Key(String path, String id) {

        private static Key of(String path) {
            try {
                byte[] digest = MessageDigest.getInstance("SHA-256").digest(path.getBytes(StandardCharsets.UTF_8));
                return new Key(path, HexFormat.of().formatHex(digest));
            } catch (NoSuchAlgorithmException e) {
                throw new AssertionError("each JDK has SHA-256", e);
            }
        }
    }

    private FencedTable(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** A leader's work in a transaction. */
    @FunctionalInterface
    public interface Work {

        /**
         * Writes. It must not commit, roll back or close the connection, nor change its auto-commit mode.
         *
         * @param connection the one of the transaction
         * @throws SQLException if it cannot; the transaction is rolled back then
         */
        void run(Connection connection) throws SQLException;
    }

    /**
     * Makes the table if it is missing. Any number of processes may do so at once. A user who may not create tables
     * needs one that is there.
     *
     * @param dataSource gives connections to the database that the leader writes to
     * @return a guard, which keeps no connection
     * @throws SQLException if there is no table and it cannot be made
     */
    public static FencedTable create(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean wasAutoCommit = connection.getAutoCommit();
            // A statement that fails ends the transaction of some databases.
            connection.setAutoCommit(true);
            try {
                makeTable(connection);
            } finally {
                connection.setAutoCommit(wasAutoCommit);
            }
        }
        return new FencedTable(dataSource);
    }

    private static void makeTable(Connection connection) throws SQLException {
        if (isThere(connection)) {
            return;
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(CREATE);
        } catch (SQLException e) {
            // Another process may have made it meanwhile.
            if (!isThere(connection)) {
                throw e;
            }
        }
    }

    private static boolean isThere(Connection connection) {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery(PROBE).close();
            return true;
        } catch (SQLException e) {
            // If it is not that the table is missing, making it fails and says why.
            return false;
        }
    }

    /**
     * Runs work of a leader in a transaction of its own, and commits it together with the token.
     *
     * @param path  what is led: begins with a slash, at most 2048 bytes of UTF-8
     * @param token of the leadership, taken before the work began; at least 1
     * @param work  runs on this thread, once, while the row of the path is locked
     * @throws StaleTokenException      if the token is lower than one that has been committed; the work does not run
     * @throws IllegalArgumentException if path or token are not as said
     * @throws SQLException             if the database or the work fails. Exceptions of the work are rethrown.
     *                                  Nothing is committed then; if the commit fails, or giving the connection back
     *                                  after it, that is not known
     */
    public void run(String path, long token, Work work) throws SQLException {
        Fence fence = new Fence(path, token);
        Objects.requireNonNull(work, "work");
        try (Connection connection = dataSource.getConnection()) {
            boolean wasAutoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                check(connection, fence);
                work.run(connection);
                connection.commit();
            } catch (Throwable e) {
                // Justification: work of others may throw anything, and must not be committed then.
                rollBack(connection, wasAutoCommit, e);
                throw e;
            }
            connection.setAutoCommit(wasAutoCommit);
        }
    }

    private static void rollBack(Connection connection, boolean wasAutoCommit, Throwable cause) {
        try {
            connection.rollback();
            connection.setAutoCommit(wasAutoCommit);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
            // Nobody else gets it: a change of its mode, or a close, might commit what could not be rolled back.
            abort(connection, cause);
        }
    }

    private static void abort(Connection connection, Throwable cause) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    /**
     * Checks the token in a transaction of the caller, and locks the row of the path until that transaction ends. Call
     * it before the writes. It writes the token, so the transaction must be committed even if it wrote nothing else,
     * and rolled back after a {@link StaleTokenException}.
     *
     * @param connection its auto-commit mode is off
     * @param path       as in {@link #run}
     * @param token      as in {@link #run}
     * @throws StaleTokenException      if the token is lower than one that has been committed
     * @throws IllegalArgumentException if the connection commits each statement, or path or token are not as said
     * @throws SQLException             if the database fails
     */
    public void check(Connection connection, String path, long token) throws SQLException {
        Fence fence = new Fence(path, token);
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("connection with autoCommit=true: must be false, so that the token is"
                    + " committed together with the work");
        }
        check(connection, fence);
    }

    private void check(Connection connection, Fence fence) throws SQLException {
        String id = id(fence.path());
        SQLException cause = null;
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            if (update(connection, id, fence.token())) {
                return;
            }
            OptionalLong highest = read(connection, READ_LOCKED, id);
            if (highest.isPresent()) {
                fence.refuseBelow(highest.getAsLong());
                // It is locked now. Some drivers count only rows that the update has changed.
                if (highest.getAsLong() == fence.token()) {
                    return;
                }
            } else {
                Optional<SQLException> refusal = insert(connection, id, fence);
                if (refusal.isEmpty()) {
                    return;
                }
                cause = refusal.get();
            }
        }
        throw new SQLException(
                fence.path()
                        + ": the row of this path in quorate_fencing comes and goes. Another transaction has inserted"
                        + " it meanwhile, so try again in a new transaction; or rows are deleted, which must not be"
                        + " while leaders write",
                SERIALIZATION_FAILURE,
                cause);
    }

    /**
     * Remembers a token without work. Most often it is there already, and reading costs no commit.
     *
     * @throws StaleTokenException if it is lower than one that has been committed
     */
    void remember(Fence fence) throws SQLException {
        OptionalLong highest;
        try (Connection connection = dataSource.getConnection()) {
            highest = read(connection, READ, id(fence.path()));
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        }
        if (highest.isEmpty() || highest.getAsLong() < fence.token()) {
            run(fence.path(), fence.token(), connection -> {});
        } else {
            fence.refuseBelow(highest.getAsLong());
        }
    }

    private static boolean update(Connection connection, String id, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
            statement.setLong(1, token);
            statement.setString(2, id);
            statement.setLong(3, token);
            return statement.executeUpdate() > 0;
        }
    }

    private static OptionalLong read(Connection connection, String query, String id) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, id);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    /** Answers the refusal if another has inserted the row. The transaction goes on as if it had not been tried. */
    private static Optional<SQLException> insert(Connection connection, String id, Fence fence) throws SQLException {
        Savepoint before = connection.setSavepoint();
        try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, id);
            statement.setString(2, Fence.encoded(fence.path()));
            statement.setLong(3, fence.token());
            statement.executeUpdate();
            return Optional.empty();
        } catch (SQLException e) {
            // Any other error may have ended the transaction, with all that the caller has written.
            if (e.getSQLState() == null || !e.getSQLState().startsWith(CONSTRAINT)) {
                throw e;
            }
            connection.rollback(before);
            return Optional.of(e);
        }
    }

    private String id(String path) {
        Key known = key;
        if (!known.path.equals(path)) {
            known = Key.of(path);
            key = known;
        }
        return known.id;
    }
}
