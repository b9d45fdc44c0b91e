package com.example.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first example of each page for users, as it is printed: built from installed artifacts with the dependencies of the
 * page, and started with its commands. Three processes elect a leader; it is killed, and another one works. This class
 * adds to a page only a part that the page takes for granted, such as the build of a Spring Boot project.
 */
class PagesTest {

    private static final String VERSION = System.getProperty("pages.version");
    private static final String CURATOR = System.getProperty("pages.curator");
    private static final long DEADLINE_SECONDS = 600;
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    // ---------------------------------------------------------------- what the pages take for granted

    private static final String POM =
            """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.example</groupId>
              <artifactId>app</artifactId>
              <version>1</version>
              <properties>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
                <maven.compiler.release>17</maven.compiler.release>
              </properties>
              %s
              <build>
                <finalName>app</finalName>
                <pluginManagement>
                  <plugins>
                    %s
                  </plugins>
                </pluginManagement>
                <plugins>
                  %s
                </plugins>
              </build>
            </project>
            """;

    private static final Map<String, String> PLUGINS = Map.of(
            "maven-compiler-plugin", "3.14.1",
            "maven-resources-plugin", "3.4.0",
            "maven-jar-plugin", "3.5.0",
            "maven-surefire-plugin", "3.5.4",
            "maven-dependency-plugin", "3.9.0");

    private static String dependency(String coordinates) {
        String[] parts = coordinates.split(":");
        return "<dependency><groupId>" + parts[0] + "</groupId><artifactId>" + parts[1] + "</artifactId>"
                + (parts.length > 2 ? "<version>" + parts[2] + "</version>" : "")
                + (parts.length > 3 ? "<type>pom</type><scope>import</scope>" : "") + "</dependency>";
    }

    private static String plugins() {
        return PLUGINS.entrySet().stream()
                .map(each -> dependency("org.apache.maven.plugins:" + each.getKey() + ":" + each.getValue())
                        .replace("dependency>", "plugin>"))
                .collect(Collectors.joining());
    }

    private static String plugin(String coordinates, String goal) {
        return dependency(coordinates)
                .replace("dependency>", "plugin>")
                .replace(
                        "</plugin>",
                        "<executions><execution><goals><goal>" + goal + "</goal></goals></execution></executions>"
                                + "</plugin>");
    }

    /** A project with the dependencies that the page prints, and with those of the application. */
    private static String pom(Page page, String bom, List<String> further, String plugin) {
        String shown = page.blocks("xml").get(0);
        String more = further.stream().map(PagesTest::dependency).collect(Collectors.joining());
        String all = shown.contains("<dependencies>") ? shown : "<dependencies>" + shown + "</dependencies>";
        if (!bom.isEmpty()) {
            all = all.replaceFirst("(?s)(<dependencyManagement>\\s*<dependencies>)", "$1" + dependency(bom));
        }
        int end = all.lastIndexOf("</dependencies>");
        return POM.formatted(all.substring(0, end) + more + all.substring(end), plugins(), plugin);
    }

    private static Shell project(String name, String pom) throws Exception {
        return project(Path.of("target", "pages", name).toAbsolutePath(), pom);
    }

    private static Shell project(Path folder, String pom) throws Exception {
        Shell shell = new Shell(folder);
        Files.writeString(folder.resolve("pom.xml"), pom);
        return shell;
    }

    private static void write(Shell shell, String file, String content) throws Exception {
        Path path = shell.folder().resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    // ---------------------------------------------------------------- processes

    private static boolean works(Path log, String line) throws Exception {
        return Files.readString(log, StandardCharsets.UTF_8).contains(line);
    }

    private static String awaitWorker(Map<String, Process> processes, Map<String, Path> logs, String line)
            throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (System.nanoTime() - end < 0) {
            for (String node : processes.keySet()) {
                if (works(logs.get(node), line)) {
                    return node;
                }
                assertThat(processes.get(node).isAlive())
                        .as("%s has ended: %s", node, Files.readString(logs.get(node)))
                        .isTrue();
            }
            Thread.sleep(50);
        }
        throw new AssertionError("nobody works; the logs are " + logs.values());
    }

    /**
     * Starts the command, which is printed for n1, for each node, kills the one that prints the line, and waits for
     * another one that does, if there are others. No other one must have printed it before the kill, in the time that the
     * first one took once more: processes that do not find each other would all work. On a machine that stands still
     * leadership may move meanwhile, so that is asked three times.
     */
    private static void assertElects(Shell shell, String command, int nodes, String line) throws Exception {
        boolean isAlone = false;
        for (int run = 0; run < 3 && !isAlone; run++) {
            Map<String, Process> processes = new LinkedHashMap<>();
            Map<String, Path> logs = new LinkedHashMap<>();
            long begin = System.nanoTime();
            for (String node : NODES.subList(0, nodes)) {
                Path log = shell.folder().resolve(node + "-" + run + ".log");
                logs.put(node, log);
                String its = command.replaceAll("(NODE_ID=|data-|\\.java )n1", "$1" + node);
                processes.put(node, shell.start(its, log));
            }
            Process first = processes.remove(awaitWorker(processes, logs, line));
            if (!processes.isEmpty()) {
                TimeUnit.NANOSECONDS.sleep(System.nanoTime() - begin);
            }
            isAlone = true;
            for (String node : processes.keySet()) {
                isAlone &= !works(logs.get(node), line);
            }
            Shell.kill(first);
            if (!processes.isEmpty()) {
                awaitWorker(processes, logs, line);
            }
            shell.killAll();
        }
        assertThat(isAlone).as("one process works at a time").isTrue();
    }

    // ---------------------------------------------------------------- pages with a whole application

    /** Its first program, its commands with this piece, and what a leader of it prints. */
    private static void assertRuns(Page page, Shell shell, String source, String command, String line)
            throws Exception {
        write(shell, source, page.blocks("java").get(0));
        shell.run(source.contains("/") ? "mvn clean package" : "mvn dependency:copy-dependencies");
        assertElects(shell, command, NODES.size(), line);
    }

    @Test
    void readme() throws Exception {
        Page page = Page.read("README.md");
        try (Shell shell = project("readme", pom(page, "", List.of(), ""))) {
            // The command stands in the sentence before the program.
            String command = "java -cp 'target/dependency/*' App.java n1";
            assertThat(page.text()).contains("`mvn dependency:copy-dependencies`", "`" + command + "`");
            assertRuns(page, shell, "App.java", command, " leads with token ");
        }
    }

    @Test
    void spring() throws Exception {
        Page page = Page.read("plugin-api/docs/spring.md");
        String pom = pom(
                page,
                "org.springframework.boot:spring-boot-dependencies:3.5.16:pom",
                List.of("org.springframework.boot:spring-boot-starter"),
                plugin("org.springframework.boot:spring-boot-maven-plugin:3.5.16", "repackage"));
        try (Shell shell = project("spring", pom)) {
            write(
                    shell,
                    "src/main/resources/application.yaml",
                    page.blocks("yaml").get(0));
            String program = "package com.example;\n\n" + page.blocks("java").get(0);
            write(shell, "src/main/java/com/example/App.java", program);
            shell.run("mvn clean package");
            assertElects(shell, page.block("", "app.jar"), NODES.size(), "sends the reports");
        }
    }

    @Test
    void quarkus() throws Exception {
        Page page = Page.read("plugin-api/docs/quarkus.md");
        String pom = pom(
                page,
                "io.quarkus.platform:quarkus-bom:3.38.0:pom",
                List.of("io.quarkus:quarkus-arc", "io.quarkus:quarkus-scheduler"),
                plugin("io.quarkus.platform:quarkus-maven-plugin:3.38.0", "build"));
        try (Shell shell = project("quarkus", pom)) {
            write(
                    shell,
                    "src/main/resources/application.properties",
                    page.blocks("properties").get(0));
            assertRuns(
                    page,
                    shell,
                    "src/main/java/Reports.java",
                    page.block("", "quarkus-run.jar"),
                    "sends the reports with token ");
        }
    }

    @Test
    void vertx() throws Exception {
        Page page = Page.read("plugin-api/docs/vertx.md");
        String pom = pom(page, "", List.of("io.vertx:vertx-core:4.5.34"), "");
        try (Shell shell = project("vertx", pom)) {
            assertRuns(page, shell, "LeaderVerticle.java", page.block("", "LeaderVerticle.java"), "leads ");
        }
    }

    @Test
    void camel() throws Exception {
        Page page = Page.read("plugin-api/docs/camel.md");
        List<String> further = List.of(
                "io.quorate:quorate", "org.apache.camel:camel-core:4.18.0", "org.apache.camel:camel-master:4.18.0");
        try (Shell shell = project("camel", pom(page, "", further, ""))) {
            assertRuns(page, shell, "App.java", page.block("", "App.java"), "sends a bill");
        }
    }

    @Test
    void shedlock() throws Exception {
        Page page = Page.read("plugin-api/docs/shedlock.md");
        List<String> further = List.of("io.quorate:quorate", "net.javacrumbs.shedlock:shedlock-core:7.10.1");
        try (Shell shell = project("shedlock", pom(page, "", further, ""))) {
            assertRuns(page, shell, "App.java", page.block("", "App.java"), "writes the report");
        }
    }

    // ---------------------------------------------------------------- pages with statements

    private static final String FROM_ENVIRONMENT =
            "ElectionClient client = ElectionClient.builder().from(System.getenv()).build();\n";
    private static final String LEADS =
            """
            client.start();
            LeaderLatch latch = new LeaderLatch(client, "/app/leader", client.nodeId());
            latch.start();
            latch.await();
            """;
    private static final String STAYS =
            """
            System.out.println("it works");
            Thread.currentThread().join();
            """;

    /** Asks until it is answered so. */
    private static String asks(int port, String path, String answer) {
        return """
                var request = java.net.http.HttpRequest.newBuilder(java.net.URI.create("http://127.0.0.1:%d%s")).build();
                while (true) {
                    var answer = java.net.http.HttpClient.newHttpClient()
                            .send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
                    if (answer.statusCode() == 200 && answer.body().contains("%s")) {
                        break;
                    }
                    Thread.sleep(100);
                }
                """
                .formatted(port, path, answer);
    }

    private static String program(String statements) {
        return """
                import io.micrometer.prometheusmetrics.*;
                import io.quorate.*;
                import io.quorate.fencing.*;
                import io.quorate.ops.*;
                import java.nio.file.Path;
                import java.sql.PreparedStatement;
                public class App {
                    public static void main(String[] arguments) throws Exception {
                %s
                    }
                }
                """
                .formatted(statements);
    }

    private static void assertWorks(Page page, String name, String statements, int nodes, String... commands)
            throws Exception {
        String dependencies = """
                <dependencies>%s</dependencies>
                """
                .formatted(List.of(
                                "io.quorate:quorate:" + VERSION,
                                "io.quorate:quorate-ops:" + VERSION,
                                "io.quorate:quorate-fencing:" + VERSION,
                                "io.micrometer:micrometer-registry-prometheus:1.17.2",
                                "com.h2database:h2:2.3.232")
                        .stream()
                        .map(PagesTest::dependency)
                        .collect(Collectors.joining()));
        try (Shell shell = project(name, POM.formatted(dependencies, plugins(), ""))) {
            write(shell, "App.java", program(statements));
            write(shell, "token", "a-token-that-nobody-guesses");
            shell.run("mvn dependency:copy-dependencies");
            for (String command : commands) {
                shell.run(command);
            }
            String peers = NODES.subList(0, nodes).stream()
                    .map(node -> node + "=127.0.0.1:" + page.port(7400 + Integer.parseInt(node.substring(1))))
                    .collect(Collectors.joining(","));
            String run = "export OPS_TOKEN_FILE=token QUORATE_PEERS=" + peers
                    + "\nQUORATE_NODE_ID=n1 java -cp 'target/dependency/*' App.java\n";
            assertElects(shell, run, nodes, "it works");
        }
    }

    @Test
    void settings() throws Exception {
        Page page = Page.read("plugin-api/docs/settings.md");
        assertWorks(page, "settings", page.blocks("java").get(0) + LEADS + STAYS, NODES.size());
    }

    @Test
    void security() throws Exception {
        Page page = Page.read("plugin-api/docs/security.md");
        String statements = page.blocks("java").get(0) + LEADS + STAYS;
        assertWorks(page, "security", statements, NODES.size(), page.block("", "openssl rand"));
    }

    @Test
    void operations() throws Exception {
        Page page = Page.read("plugin-api/docs/operations.md");
        String asks = asks(page.port(8080), "/leader?path=/app/leader", "\\\"leads\\\":true");
        assertWorks(page, "operations", FROM_ENVIRONMENT + page.blocks("java").get(0) + LEADS + asks + STAYS, 1);
    }

    @Test
    void metrics() throws Exception {
        Page page = Page.read("plugin-api/docs/metrics.md");
        String asks = asks(page.port(8080), "/metrics", "quorate_leader{path=\\\"/app/leader\\\"} 1");
        assertWorks(page, "metrics", FROM_ENVIRONMENT + page.blocks("java").get(0) + LEADS + asks + STAYS, 1);
    }

    @Test
    void kubernetes() throws Exception {
        Page page = Page.read("plugin-api/docs/kubernetes.md");
        String asks = asks(page.port(8080), "/ready", "UP");
        assertWorks(page, "kubernetes", page.blocks("java").get(0) + asks + STAYS, 1);
    }

    @Test
    void fencing() throws Exception {
        Page page = Page.read("plugin-api/docs/fencing.md");
        String before =
                """
                var dataSource = new org.h2.jdbcx.JdbcDataSource();
                dataSource.setURL("jdbc:h2:mem:app;DB_CLOSE_DELAY=-1");
                try (var connection = dataSource.getConnection(); var statement = connection.createStatement()) {
                    statement.execute("CREATE TABLE report (total BIGINT)");
                }
                """;
        String statements =
                FROM_ENVIRONMENT + LEADS + before + page.blocks("java").get(0) + STAYS;
        assertWorks(page, "fencing", statements, 1);
    }

    // ---------------------------------------------------------------- pages with commands

    @Test
    void commandLineAndLab() throws Exception {
        try (Shell shell = project("command-line", "")) {
            Files.delete(shell.folder().resolve("pom.xml"));
            String jar = Page.read("plugin-api/docs/command-line.md").block("", "dependency:copy");
            // A script of a shell does not expand an alias.
            String quorate = jar.replaceAll("alias quorate='(.*)'", "quorate() { $1 \"\\$@\"; }\n");
            assertThat(shell.run(quorate + "quorate --version")).contains("quorate " + VERSION);
            Page page = Page.read("plugin-api/docs/lab.md");
            String lab = page.block("", "dependency:copy") + page.block("", "$ quorate lab");
            assertThat(shell.run(lab.replaceAll("(?m)^\\$ ", ""))).contains("LEADS with token 1");
            assertThat(shell.folder().resolve("lcr-partition-3-2.html")).isNotEmptyFile();
        }
    }

    @Test
    void migration(@TempDir Path outside) throws Exception {
        Path example = Page.ROOT.resolve("integration-tests/contract/src/test/java/com/example/migration");
        String curator =
                "<dependencies>" + dependency("org.apache.curator:curator-recipes:" + CURATOR) + "</dependencies>";
        // OpenRewrite does not read files that Git ignores, and this checkout ignores target.
        try (Shell shell = project(outside.resolve("migration"), POM.formatted(curator, plugins(), ""))) {
            List<String> names = List.of("CacheRefresh.java", "ReportApplication.java", "ReportJob.java");
            for (String name : names) {
                write(
                        shell,
                        "src/main/java/" + name,
                        Files.readString(example.resolve("curator").resolve(name)));
            }
            shell.run(Page.read("plugin-api/docs/migration.md").block("", "rewrite-maven-plugin"));
            for (String name : names) {
                assertThat(withoutHeader(Files.readString(shell.folder().resolve("src/main/java/" + name))))
                        .isEqualTo(withoutHeader(
                                Files.readString(example.resolve("quorate").resolve(name))));
            }
            String jar = Page.read("plugin-api/docs/command-line.md").block("", "dependency:copy");
            String check = jar.replaceAll("alias quorate='(.*)'", "quorate() { $1 \"\\$@\"; }\n")
                    + "quorate migrate --check src || test $? = 1";
            assertThat(shell.run(check))
                    .contains("pom.xml:", "ReportApplication.java:", ": write ElectionClient.builder()");
        }
    }

    /** Without the package, the imports, and the line that builds the client. */
    private static String withoutHeader(String source) {
        return source.replaceAll("(?m)^(import|package) .*\n", "")
                .replaceAll("(?s)ElectionClient client =\\s.*?;", "")
                .strip();
    }
}
