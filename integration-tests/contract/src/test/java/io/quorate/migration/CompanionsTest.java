package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.example.migration.companion.CuratorCompanion;
import com.example.migration.companion.JdbcCompanion;
import com.example.migration.companion.LeaseCompanion;
import io.quorate.tandem.Companion;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.RealTime;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.TestingServer;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;

/** docs/migration.md#companions: the listings are these files, and do what a companion must. */
class CompanionsTest {

    private static final Path SOURCES = Path.of("src", "test", "java", "com", "example", "migration", "companion");
    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "migration.md");
    private static final Pattern LISTING = Pattern.compile("(?s)```java\n(import .*?)```\n");

    @Test
    void theListingsAreTheFiles() throws Exception {
        List<String> listings = new ArrayList<>();
        Matcher blocks = LISTING.matcher(Files.readString(DOCUMENT));
        while (blocks.find()) {
            listings.add(blocks.group(1));
        }
        assertThat(listings)
                .containsExactly(listing("CuratorCompanion"), listing("JdbcCompanion"), listing("LeaseCompanion"));
    }

    private static String listing(String type) throws Exception {
        String text = Files.readString(SOURCES.resolve(type + ".java"));
        return text.substring(text.indexOf("import "));
    }

    /** Two of them lead in turns, say so, and can be started again. */
    private static void assertIsExclusive(Companion first, Companion second) throws Exception {
        AtomicInteger changes = new AtomicInteger();
        first.onChange(changes::incrementAndGet);
        second.onChange(() -> {});
        first.start();
        Deadline.until(first::hasLeadership, first);
        Deadline.until(() -> changes.get() > 0, changes);
        second.start();
        assertThat(second.hasLeadership()).isFalse();
        first.close();
        assertThat(first.hasLeadership()).isFalse();
        Deadline.until(second::hasLeadership, second);
        first.start();
        assertThat(first.hasLeadership()).isFalse();
        second.close();
        Deadline.until(first::hasLeadership, first);
        first.close();
    }

    @Test
    @RealTime
    void curator() throws Exception {
        try (TestingServer server = new TestingServer();
                CuratorFramework zooKeeper = CuratorFrameworkFactory.newClient(
                        server.getConnectString(), 10_000, 5_000, new RetryForever(100))) {
            zooKeeper.start();
            CuratorCompanion first = new CuratorCompanion(zooKeeper, "/app/leader", "n1");
            assertIsExclusive(first, new CuratorCompanion(zooKeeper, "/app/leader", "n2"));
            first.start();
            Deadline.until(first::hasLeadership, first);
            assertThat(first.participants()).containsExactly("n1");
            first.close();
        }
    }

    @Test
    @RealTime
    void jdbc() throws Exception {
        JdbcDataSource database = new JdbcDataSource();
        database.setUrl("jdbc:h2:mem:companions;DB_CLOSE_DELAY=-1");
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE locks (name VARCHAR(100) PRIMARY KEY, owner VARCHAR(100), until TIMESTAMP)");
            statement.execute("INSERT INTO locks VALUES ('app', '', TIMESTAMP '2000-01-01 00:00:00')");
        }
        assertIsExclusive(new JdbcCompanion(database, "app", "n1"), new JdbcCompanion(database, "app", "n2"));
    }

    @Test
    @RealTime
    void kubernetes() throws Exception {
        try (FakeLease server = new FakeLease()) {
            LeaseCompanion first = new LeaseCompanion(HttpClient.newHttpClient(), server::request, "n1");
            assertIsExclusive(first, new LeaseCompanion(HttpClient.newHttpClient(), server::request, "n2"));
            first.start();
            Deadline.until(first::hasLeadership, first);
            server.takenBy("somebody");
            Deadline.until(() -> !first.hasLeadership(), server);
            // That one renews it no more.
            Deadline.until(first::hasLeadership, server);
            assertThat(server.holder()).isEqualTo("n1");
            server.refuses();
            Deadline.until(() -> !first.hasLeadership(), server);
            assertThatIOException().isThrownBy(first::close);
        }
    }
}
