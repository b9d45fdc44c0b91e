package io.quorate.fencing;

import static io.quorate.fencing.Database.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.fencing.Database.Kind;
import io.quorate.fencing.Database.Watcher;
import io.quorate.testkit.WaitingCall;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The guard of a database, on two of them. */
@ParameterizedClass
@EnumSource(Kind.class)
class FencedTableTest {

    private static final String PATH = "/app/leader";

    @TempDir
    static Path directory;

    private static Database database;

    private FencedTable table;

    @Parameter
    Kind kind;

    @BeforeParameterizedClassInvocation
    static void start(Kind kind) throws SQLException {
        database = new Database(kind, directory);
    }

    @AfterParameterizedClassInvocation
    static void stop() throws SQLException {
        database.close();
    }

    @BeforeEach
    void make() throws SQLException {
        table = FencedTable.create(database.dataSource());
    }

    // Derby keeps a deleted row for a while, and locks it.
    @AfterEach
    void drop() throws SQLException {
        database.execute("DROP TABLE quorate_fencing");
        database.execute("DELETE FROM writes");
    }

    private void assertRefused(long token, long highest) {
        assertThatThrownBy(() -> table.run(PATH, token, write(token)))
                .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                    assertThat(e.path()).isEqualTo(PATH);
                    assertThat(e.token()).isEqualTo(token);
                    assertThat(e.highest()).isEqualTo(highest);
                })
                .hasMessageContaining(PATH + ": token " + token + " is refused")
                .hasMessageContaining("has seen token " + highest);
    }

    // ---------------------------------------------------------------- which token passes

    @Test
    void aLowerTokenIsRefused() throws SQLException {
        table.run(PATH, 65_538, write(65_538));
        assertRefused(65_537, 65_538);
        assertRefused(1, 65_538);
        assertThat(database.writes()).containsExactly(65_538L);
    }

    @Test
    void theSameAndAHigherTokenPass() throws SQLException {
        table.run(PATH, 5, write(5));
        table.run(PATH, 5, write(5));
        table.run(PATH, Long.MAX_VALUE, write(6));
        assertThat(database.writes()).containsExactly(5L, 5L, 6L);
        assertRefused(5, Long.MAX_VALUE);
    }

    @Test
    void eachPathHasItsOwnToken() throws SQLException {
        String longest = "/" + "ä".repeat(1023);
        List<String> paths = List.of("/", "/a", "/A", "/a ", "/a/b", longest + "a", longest + "b", "/%61");
        long token = paths.size();
        for (String path : paths) {
            table.run(path, token, write(token));
            table.run(path, token, write(token));
            token--;
        }
        assertThat(database.writes()).containsExactly(8L, 8L, 7L, 7L, 6L, 6L, 5L, 5L, 4L, 4L, 3L, 3L, 2L, 2L, 1L, 1L);
        assertThat(database.tokens()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.run("app", 1, write(1)))
                .withMessageContaining("'app'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> table.run(PATH, 0, write(1)))
                .withMessageContaining("token 0 of /app/leader: must be at least 1");
    }

    // ---------------------------------------------------------------- one transaction

    @Test
    void workThatFailsCommitsNothing() throws SQLException {
        for (Throwable thrown :
                List.of(new SQLException("thrown"), new IllegalStateException(), new AssertionError())) {
            assertThatThrownBy(() -> table.run(PATH, 9, connection -> {
                        write(9).run(connection);
                        throw sneaky(thrown);
                    }))
                    .isSameAs(thrown);
        }
        assertThat(database.writes()).isEmpty();
        assertThat(database.tokens()).isEmpty();
        table.run(PATH, 8, write(8));
        assertThat(database.writes()).containsExactly(8L);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
        throw (E) thrown;
    }

    @Test
    void aHigherTokenWaitsForTheWorkOfALowerOne() throws Exception {
        table.run(PATH, 1, write(1));
        List<WaitingCall<Void>> calls = new ArrayList<>();
        table.run(PATH, 2, connection -> {
            calls.add(WaitingCall.begun(() -> {
                table.run(PATH, 3, write(3));
                return null;
            }));
            assertThat(calls.get(0).isDone()).isFalse();
            write(2).run(connection);
        });
        calls.get(0).awaitAnswer();
        assertThat(database.writes()).containsExactly(1L, 2L, 3L);
    }

    // The old leader was asked whether it may write, and is slow.
    @Test
    void aLowerTokenThatHasWaitedIsRefused() throws Exception {
        table.run(PATH, 1, write(1));
        List<WaitingCall<Void>> calls = new ArrayList<>();
        table.run(PATH, 3, connection -> {
            calls.add(WaitingCall.begun(() -> {
                table.run(PATH, 2, write(2));
                return null;
            }));
            write(3).run(connection);
        });
        assertThatThrownBy(() -> calls.get(0).awaitAnswer()).isInstanceOf(StaleTokenException.class);
        assertThat(database.writes()).containsExactly(1L, 3L);
    }

    @Test
    void theCallersTransactionMayHaveBegun() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            write(5).run(connection);
            table.check(connection, PATH, 5);
            write(5).run(connection);
            connection.rollback();
            assertThat(database.writes()).isEmpty();
            table.check(connection, PATH, 4);
            write(4).run(connection);
            connection.commit();
            assertThatThrownBy(() -> table.check(connection, PATH, 3)).isInstanceOf(StaleTokenException.class);
            connection.rollback();
        }
        assertThat(database.writes()).containsExactly(4L);
        assertThat(database.tokens()).containsExactly(4L);
    }

    @Test
    void aConnectionThatCommitsEachStatementIsRefused() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> table.check(connection, PATH, 1))
                    .withMessageContaining("autoCommit=true: must be false");
        }
        assertThat(database.tokens()).isEmpty();
    }

    @Test
    void aPoolGetsItsConnectionBackAsItWas() throws SQLException {
        List<String> calls = new ArrayList<>();
        FencedTable watched = FencedTable.create(database.dataSource((method, text) -> calls.add(method)));
        watched.run(PATH, 5, write(5));
        assertThat(calls).endsWith("commit", "setAutoCommit", "close");
        assertThatThrownBy(() -> watched.run(PATH, 4, write(4))).isInstanceOf(StaleTokenException.class);
        assertThat(calls).endsWith("rollback", "setAutoCommit", "close");
    }

    // Derby refuses to close a connection with a transaction, and H2 rolls it back; another driver might commit.
    @Test
    void failedRollbackDoesNotCommit() throws SQLException {
        List<String> calls = new ArrayList<>();
        FencedTable watched = FencedTable.create(database.dataSource(failing("rollback", calls)));
        assertThatThrownBy(() -> watched.run(PATH, 5, connection -> {
                    write(5).run(connection);
                    throw new IllegalStateException("thrown by the test");
                }))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("no rollback"));
        assertThat(calls).endsWith("rollback", "abort", "close");
        assertThat(database.writes()).isEmpty();
    }

    // A pool may throw what JDBC does not name.
    @Test
    void aRollbackThatThrowsAnythingIsNotCommittedEither() throws SQLException {
        List<String> calls = new ArrayList<>();
        FencedTable watched = FencedTable.create(database.dataSource((method, text) -> {
            calls.add(method);
            if (method.equals("rollback")) {
                throw new IllegalStateException("no " + method);
            }
        }));
        assertThatThrownBy(() -> watched.run(PATH, 5, connection -> {
                    throw new SQLException("thrown by the test");
                }))
                .hasMessage("thrown by the test")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("no rollback"));
        assertThat(calls).endsWith("rollback", "abort", "close");
    }

    private static Watcher failing(String failing, List<String> calls) {
        return (method, text) -> {
            calls.add(method);
            if (method.equals(failing)) {
                throw new SQLException("no " + failing);
            }
        };
    }

    @Test
    void aFailedCommitIsThrown() throws SQLException {
        FencedTable watched = FencedTable.create(database.dataSource(failing("commit", new ArrayList<>())));
        assertThatThrownBy(() -> watched.run(PATH, 5, write(5)))
                .isInstanceOf(SQLException.class)
                .hasMessage("no commit");
        assertThat(database.writes()).isEmpty();
        assertThat(database.tokens()).isEmpty();
    }

    // ---------------------------------------------------------------- restarts, and two at once

    @Test
    void theTokenOutlivesTheDatabaseAndTheGuard() throws SQLException {
        table.run(PATH, 7, write(7));
        database.restart();
        table = FencedTable.create(database.dataSource());
        assertRefused(6, 7);
        table.run(PATH, 7, write(7));
        assertThat(database.writes()).containsExactly(7L, 7L);
    }

    /** Runs this once, before the first statement that begins so. */
    private FencedTable before(String beginning, Interruption other) throws SQLException {
        AtomicBoolean isOver = new AtomicBoolean();
        return FencedTable.create(database.dataSource((method, text) -> {
            if (text.startsWith(beginning) && isOver.compareAndSet(false, true)) {
                other.run();
            }
        }));
    }

    @FunctionalInterface
    private interface Interruption {
        void run() throws SQLException;
    }

    @Test
    void theFirstWritesOfTwoMayMeet() throws SQLException {
        FencedTable met = before("INSERT INTO quorate", () -> table.run(PATH, 5, write(5)));
        met.run(PATH, 6, write(6));
        assertThat(database.writes()).containsExactly(5L, 6L);
        assertThat(database.tokens()).containsExactly(6L);
        assertRefused(5, 6);
    }

    @Test
    void theLowerOfTwoFirstWritesIsRefused() throws SQLException {
        FencedTable met = before("INSERT INTO quorate", () -> table.run(PATH, 6, write(6)));
        assertThatThrownBy(() -> met.run(PATH, 5, write(5))).isInstanceOf(StaleTokenException.class);
        assertThat(database.writes()).containsExactly(6L);
        assertThat(database.tokens()).containsExactly(6L);
    }

    // Between the update, which finds no row, and the reading.
    @Test
    void aRowThatComesInBetweenIsFound() throws SQLException {
        FencedTable met = before("SELECT token", () -> table.run(PATH, 5, write(5)));
        met.run(PATH, 6, write(6));
        assertThat(database.writes()).containsExactly(5L, 6L);
        assertThat(database.tokens()).containsExactly(6L);
    }

    // A failed statement must not cost what the caller has written before. In PostgreSQL, which is not run here, it
    // would end the transaction without the way back to the savepoint.
    @Test
    void aTransactionThatMeetsAnotherGoesOn() throws SQLException {
        AtomicBoolean isOver = new AtomicBoolean();
        List<String> calls = new ArrayList<>();
        Watcher watcher = (method, text) -> {
            calls.add(method);
            if (text.startsWith("INSERT INTO quorate") && isOver.compareAndSet(false, true)) {
                table.run(PATH, 5, connection -> {});
            }
        };
        try (Connection connection = database.dataSource(watcher).getConnection()) {
            connection.setAutoCommit(false);
            write(1).run(connection);
            table.check(connection, PATH, 6);
            write(6).run(connection);
            connection.commit();
        }
        assertThat(isOver).isTrue();
        assertThat(calls)
                .containsSubsequence("setSavepoint", "prepareStatement", "rollback", "prepareStatement", "commit");
        assertThat(database.writes()).containsExactly(1L, 6L);
        assertThat(database.tokens()).containsExactly(6L);
    }

    @Test
    void anotherErrorOfTheFirstWriteIsThrown() throws SQLException {
        Watcher watcher = (method, text) -> {
            if (text.startsWith("INSERT INTO quorate")) {
                throw new SQLException("chosen as the victim of a deadlock", "40001");
            }
        };
        FencedTable met = FencedTable.create(database.dataSource(watcher));
        assertThatThrownBy(() -> met.run(PATH, 5, write(5))).hasMessageContaining("victim");
        assertThat(database.writes()).isEmpty();
    }

    // As if somebody deleted the row each time after another had inserted it.
    @Test
    void aRowThatComesAndGoesIsNoticed() throws SQLException {
        List<String> inserts = new ArrayList<>();
        FencedTable met = FencedTable.create(database.dataSource((method, text) -> {
            if (text.startsWith("INSERT INTO quorate")) {
                inserts.add(text);
                throw new SQLException("is there already", "23505");
            }
        }));
        assertThatThrownBy(() -> met.run(PATH, 6, write(6)))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("comes and goes");
        assertThat(inserts).hasSize(3);
        assertThat(database.writes()).isEmpty();
    }

    // A snapshot that is older than the row of another's first write shows no row, and has no place for one.
    @Test
    void anOlderSnapshotNeverLetsALowerTokenPass() throws SQLException {
        try (Connection connection = database.dataSource().getConnection()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery("SELECT token FROM writes").close();
            }
            table.run(PATH, 6, none -> {});
            if (kind == Kind.DERBY) {
                // It locks, and has no snapshots.
                assertThatThrownBy(() -> table.check(connection, PATH, 5)).isInstanceOf(StaleTokenException.class);
            } else {
                assertThatThrownBy(() -> table.check(connection, PATH, 5))
                        .isInstanceOfSatisfying(SQLException.class, e -> {
                            assertThat(e.getSQLState()).isEqualTo("40001");
                            assertThat(e.getCause()).isInstanceOf(SQLException.class);
                        })
                        .hasMessageContaining("try again in a new transaction");
            }
            connection.rollback();
        }
        assertRefused(5, 6);
    }

    // A driver of MySQL can be told to count the rows that change, and the same token changes none.
    @Test
    void theSameTokenPassesWhereOnlyChangesAreCounted() throws SQLException {
        FencedTable counting = FencedTable.create(answering(
                DataSource.class,
                database.dataSource(),
                "getConnection",
                connection -> answering(
                        Connection.class,
                        (Connection) connection,
                        "prepareStatement",
                        statement -> answering(
                                PreparedStatement.class, (PreparedStatement) statement, "executeUpdate", count -> 0))));
        counting.run(PATH, 5, write(5));
        counting.run(PATH, 5, write(5));
        assertThat(database.writes()).containsExactly(5L, 5L);
        assertThatThrownBy(() -> counting.run(PATH, 4, write(4))).isInstanceOf(StaleTokenException.class);
    }

    /** The same, but for the answer of one method. */
    private static <T> T answering(Class<T> type, T target, String name, UnaryOperator<Object> other) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object answer = method.invoke(target, arguments);
                    return method.getName().equals(name) ? other.apply(answer) : answer;
                }));
    }

    @Test
    void twoMayMakeTheTableAtOnce() throws SQLException {
        database.execute("DROP TABLE quorate_fencing");
        FencedTable met = before("CREATE TABLE", () -> FencedTable.create(database.dataSource()));
        met.run(PATH, 6, write(6));
        assertRefused(5, 6);
    }

    @Test
    void aTableThatCannotBeMadeSaysWhy() throws SQLException {
        database.execute("DROP TABLE quorate_fencing");
        Watcher watcher = (method, text) -> {
            if (text.startsWith("CREATE TABLE")) {
                throw new SQLException("this user may not create tables");
            }
        };
        assertThatThrownBy(() -> FencedTable.create(database.dataSource(watcher)))
                .hasMessageContaining("may not create");
        // Once somebody who may has made it, nobody tries.
        database.execute(FencedTable.CREATE);
        FencedTable.create(database.dataSource(watcher)).run(PATH, 5, write(5));
        assertThat(database.tokens()).containsExactly(5L);
    }

    // Nobody writes after one with a higher token, whatever the order in which they come.
    @Test
    void ofManyThreadsNoLowerTokenWritesAfterAHigherOne() throws Exception {
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<WaitingCall<Void>> calls = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            long token = i;
            calls.add(new WaitingCall<>(() -> {
                start.await(600, TimeUnit.SECONDS);
                for (int round = 0; round < 20; round++) {
                    try {
                        table.run(PATH, token, write(token));
                    } catch (StaleTokenException e) {
                        return null;
                    }
                }
                return null;
            }));
        }
        for (WaitingCall<Void> call : calls) {
            call.awaitAnswer();
        }
        assertThat(database.writes())
                .isSorted()
                .endsWith(8L)
                .filteredOn(token -> token == threads)
                .hasSize(20);
        assertThat(database.tokens()).containsExactly(8L);
    }

    // ---------------------------------------------------------------- a token without work

    @Test
    void aTokenThatIsThereCostsNoCommit() throws SQLException {
        List<String> calls = new ArrayList<>();
        FencedTable watched = FencedTable.create(database.dataSource((method, text) -> calls.add(method)));
        watched.remember(new Fence(PATH, 5));
        assertThat(calls).contains("commit");
        calls.clear();
        watched.remember(new Fence(PATH, 5));
        assertThat(calls).containsExactly("prepareStatement", "getAutoCommit", "close");
        assertThatThrownBy(() -> watched.remember(new Fence(PATH, 4))).isInstanceOf(StaleTokenException.class);
        watched.remember(new Fence(PATH, 6));
        assertThat(database.tokens()).containsExactly(6L);
    }
}
