package io.quorate.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.example.reports.Reports;
import io.quorate.ElectionClient;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.channel.DirectChannel;
import org.springframework.integration.config.EnableIntegration;
import org.springframework.integration.support.SmartLifecycleRoleController;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * An application of Spring Integration that elects over a database, and the same over Quorate: what differs is what
 * docs/spring.md#spring-integration shows, and both do the same.
 */
class MigrationTest {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "spring.md");
    private static final Path EXAMPLE = Path.of("src", "test", "java", "com", "example", "reports");
    private static final Pattern DIFF = Pattern.compile("(?ms)^```diff\\n--- LeaderConfiguration\\.java\\n(.*?)^```$");

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    /** With a channel, and what starts and stops endpoints with their role. */
    @Configuration(proxyBeanMethods = false)
    @EnableIntegration
    static class Application {}

    private static ApplicationContextRunner application(Class<?> leaderConfiguration) {
        return new ApplicationContextRunner()
                .withBean(Reports.class, () -> new Reports("n1"))
                .withBean(Reports.REQUESTS, DirectChannel.class, DirectChannel::new)
                .withUserConfiguration(Application.class, leaderConfiguration);
    }

    private static String next(Reports reports) throws InterruptedException {
        return String.valueOf(reports.heard().poll(600, TimeUnit.SECONDS));
    }

    private static boolean isRunning(ApplicationContext context) {
        return context.getBean(SmartLifecycleRoleController.class).allEndpointsRunning(Reports.ROLE);
    }

    /** Waits for what another thread does. */
    private static void await(BooleanSupplier condition) {
        Deadline.await(condition, () -> "another thread");
    }

    /** Leads, works, and stops with the context. */
    private static void assertWorks(ApplicationContextRunner application, Consumer<ApplicationContext> election)
            throws InterruptedException {
        List<Reports> closed = new ArrayList<>();
        application.run(context -> {
            assertThat(context).hasNotFailed();
            Reports reports = context.getBean(Reports.class);
            closed.add(reports);
            election.accept(context);
            assertThat(next(reports)).isEqualTo("granted");
            await(() -> isRunning(context));
            context.getBean(Reports.REQUESTS, DirectChannel.class)
                    .send(new org.springframework.messaging.support.GenericMessage<>("one"));
            assertThat(next(reports)).isEqualTo("sent one");
        });
        assertThat(closed).hasSize(1);
        assertThat(next(closed.get(0))).isEqualTo("revoked");
    }

    private static DataSource database() {
        JdbcDataSource database = new JdbcDataSource();
        database.setURL("jdbc:h2:mem:reports;DB_CLOSE_DELAY=-1");
        new ResourceDatabasePopulator(new ClassPathResource("org/springframework/integration/jdbc/schema-h2.sql"))
                .execute(database);
        return database;
    }

    @Test
    void overADatabaseItWorks() throws InterruptedException {
        DataSource database = database();
        assertWorks(
                application(com.example.reports.jdbc.LeaderConfiguration.class)
                        .withBean(DataSource.class, () -> database)
                        .withBean(PlatformTransactionManager.class, () -> new DataSourceTransactionManager(database)),
                context -> {});
    }

    @Test
    void overQuorateItWorksTheSame() throws InterruptedException {
        assertWorks(
                application(com.example.reports.quorate.LeaderConfiguration.class)
                        .withConfiguration(AutoConfigurations.of(QuorateAutoConfiguration.class))
                        .withBean(ElectionClient.class, () -> cluster.client("n1")),
                context -> {
                    assertThat(cluster.awaitLeader("/" + Reports.ROLE)).isEqualTo("n1");
                    cluster.advance(Duration.ofSeconds(1));
                });
    }

    // ---------------------------------------------------------------- what differs

    private static List<String> lines(String twin) throws IOException {
        return Files.readAllLines(EXAMPLE.resolve(twin).resolve("LeaderConfiguration.java")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("package "))
                .toList();
    }

    /** Applies what the document shows to the one, and compares with the other. */
    private static void assertChanges(String document) throws IOException {
        Matcher shown = DIFF.matcher(document);
        assertThat(shown.find()).as("the diff of LeaderConfiguration.java").isTrue();
        List<String> before = new ArrayList<>(lines("jdbc"));
        List<String> after = new ArrayList<>(lines("quorate"));
        for (String line :
                shown.group(1).lines().filter(line -> line.length() > 1).toList()) {
            List<String> changed = line.startsWith("-") ? before : after;
            assertThat(line).matches("[-+].*");
            assertThat(changed).contains(line.substring(1));
            changed.remove(line.substring(1));
        }
        assertThat(before).isEqualTo(after);
    }

    @Test
    void theChangesAreThoseOfTheDocument() throws IOException {
        assertChanges(Files.readString(DOCUMENT));
    }

    @Test
    void oneMoreDifferenceIsNoticed() throws IOException {
        String document = Files.readString(DOCUMENT);
        String less = document.replaceFirst("(?m)^-import org\\.springframework\\.integration\\..*\n", "");
        assertThat(less).isNotEqualTo(document);
        assertThatThrownBy(() -> assertChanges(less)).isInstanceOf(AssertionError.class);
        String more = document.replaceFirst("(?m)^(\\+import io\\.quorate\\.ElectionClient;)$", "$1 //");
        assertThat(more).isNotEqualTo(document);
        assertThatThrownBy(() -> assertChanges(more)).isInstanceOf(AssertionError.class);
    }
}
