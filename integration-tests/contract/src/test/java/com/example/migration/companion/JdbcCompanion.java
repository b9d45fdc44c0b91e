package com.example.migration.companion;

import io.quorate.tandem.Companion;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/** A row {@code locks(name, owner, until)} that its owner renews each second, and that others take when it is old. */
public final class JdbcCompanion implements Companion {

    private static final Duration HELD = Duration.ofSeconds(10);
    private static final String TAKE =
            "UPDATE locks SET owner = ?, until = ? WHERE name = ? AND (owner = ? OR until < ?)";

    private final DataSource database;
    private final String name;
    private final String owner;
    private volatile Runnable changed = () -> {};
    private volatile Instant until = Instant.MIN;
    private ScheduledExecutorService timer;

    public JdbcCompanion(DataSource database, String name, String owner) {
        this.database = database;
        this.name = name;
        this.owner = owner;
    }

    @Override
    public void onChange(Runnable wanted) {
        changed = wanted;
    }

    @Override
    public void start() {
        timer = Executors.newSingleThreadScheduledExecutor();
        timer.scheduleWithFixedDelay(this::renew, 0, 1, TimeUnit.SECONDS);
    }

    private void renew() {
        Instant now = Instant.now();
        try {
            // One second less than the row says, for clocks that differ.
            until = take(now, now.plus(HELD)) ? now.plus(HELD).minusSeconds(1) : Instant.MIN;
        } catch (SQLException e) {
            // The row holds as long as it says, and the next turn asks again.
            System.getLogger("locks").log(System.Logger.Level.WARNING, "The lock was not renewed", e);
        }
        changed.run();
    }

    private boolean take(Instant now, Instant end) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement update = connection.prepareStatement(TAKE)) {
            update.setString(1, owner);
            update.setTimestamp(2, Timestamp.from(end));
            update.setString(3, name);
            update.setString(4, owner);
            update.setTimestamp(5, Timestamp.from(now));
            return update.executeUpdate() == 1;
        }
    }

    @Override
    public void close() throws Exception {
        timer.shutdown();
        boolean held = until.isAfter(Instant.now());
        until = Instant.MIN;
        if (timer.awaitTermination(30, TimeUnit.SECONDS) && held) {
            take(Instant.now(), Instant.now());
        }
    }

    @Override
    public boolean hasLeadership() {
        return Instant.now().isBefore(until);
    }
}
