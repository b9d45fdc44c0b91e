package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.fencing.Database.Kind;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.WaitingCall;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard of a server, over sockets, with the client of the JDK. */
class FencingFilterTest {

    private static final String PATH = "/app/my leader";
    private static final Set<String> PATHS = Set.of(PATH, "/other");

    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> writes = new CopyOnWriteArrayList<>();
    private GuardedServer server;

    @TempDir
    Path directory;

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** Writes down the body. */
    private final class Writes extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            writes.add(request.getReader().readLine());
        }
    }

    private void start(FencingFilter filter) throws Exception {
        start(filter, new Writes());
    }

    private void start(FencingFilter filter, HttpServlet servlet) throws Exception {
        server = new GuardedServer(filter, servlet);
    }

    private HttpRequest.Builder put(String body) {
        return HttpRequest.newBuilder(URI.create(server.address()))
                .timeout(Duration.ofSeconds(Deadline.SECONDS_MAX))
                .PUT(HttpRequest.BodyPublishers.ofString(body));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private HttpResponse<String> write(String path, long token) throws Exception {
        return FencedHttp.check(send(FencedHttp.fence(put("by " + token), path, token)));
    }

    private void assertRefused(long token, long highest) {
        assertThatThrownBy(() -> write(PATH, token)).isInstanceOfSatisfying(StaleTokenException.class, e -> {
            assertThat(e.path()).isEqualTo(PATH);
            assertThat(e.token()).isEqualTo(token);
            assertThat(e.highest()).isEqualTo(highest);
        });
    }

    // ---------------------------------------------------------------- which token passes

    @Test
    void aLowerTokenIsRefused() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        assertThat(write(PATH, 7).statusCode()).isEqualTo(200);
        assertThat(write(PATH, 7).statusCode()).isEqualTo(200);
        assertThat(write(PATH, 65_538).statusCode()).isEqualTo(200);
        assertRefused(7, 65_538);
        assertThat(write("/other", 1).statusCode()).isEqualTo(200);
        assertThat(writes).containsExactly("by 7", "by 7", "by 65538", "by 1");
    }

    @Test
    void theAnswerHasTheHigherToken() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        write(PATH, 8);
        HttpResponse<String> answer = send(put("late").header("Fencing-Token", "/app/my%20leader 7"));
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.headers().firstValue("Fencing-Token")).contains("/app/my%20leader 8");
        assertThat(answer.body()).contains("token 7 is refused", "token 8");
        assertThat(writes).containsExactly("by 8");
    }

    // ---------------------------------------------------------------- requests that are none of a leader

    @ParameterizedTest
    @ValueSource(strings = {"", "/app", "/app seven", "/app -1", "/app 0", "/app 99999999999999999999", "/% 1"})
    void aMalformedHeaderIsNamed(String header) throws Exception {
        start(FencingFilter.inMemory(Set.of("/app")).passingWithoutHeader());
        HttpResponse<String> answer = send(put("x").header("Fencing-Token", header));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).startsWith("Fencing-Token: ").contains(" must be ");
        assertThat(answer.body()).contains(header.equals("/app 0") ? "token 0" : "'" + header + "'");
        assertThat(writes).isEmpty();
    }

    @Test
    void aRequestWithoutTheHeaderIsRefused() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        HttpResponse<String> answer = send(put("x"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).startsWith("Fencing-Token: 0 headers: must be one");
        assertThat(writes).isEmpty();
    }

    @Test
    void aRequestWithoutTheHeaderMayPass() throws Exception {
        start(FencingFilter.inMemory(PATHS).passingWithoutHeader());
        assertThat(send(put("x")).statusCode()).isEqualTo(200);
        write(PATH, 8);
        assertRefused(7, 8);
        assertThat(writes).containsExactly("x", "by 8");
    }

    @Test
    void twoHeadersAreRefused() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        HttpResponse<String> answer =
                send(put("x").header("Fencing-Token", "/other 1").header("Fencing-Token", "/other 2"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("2 headers: must be one");
    }

    // Nothing is kept of paths that strangers think of.
    @Test
    void anUnknownPathIsRefused() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        HttpResponse<String> answer = send(FencedHttp.fence(put("x"), "/nobody", 1));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("path '/nobody': must be one of those");
        assertThat(writes).isEmpty();
    }

    @Test
    void pathsAreChecked() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FencingFilter.inMemory(Set.of()))
                .withMessageContaining("at least one");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FencingFilter.inMemory(Set.of("app")))
                .withMessageContaining("'app'");
    }

    // ---------------------------------------------------------------- what is not ours

    @Test
    void aConflictOfTheApplicationIsItsOwn() throws Exception {
        start(FencingFilter.inMemory(PATHS), new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doPut(HttpServletRequest request, HttpServletResponse response) {
                response.setStatus(409);
                if (request.getQueryString() != null) {
                    response.setHeader(
                            "Fencing-Token", URLDecoder.decode(request.getQueryString(), StandardCharsets.UTF_8));
                }
            }
        });
        assertThat(write(PATH, 8).statusCode()).isEqualTo(409);
        for (String header : List.of("nonsense", "/other%209", "/app/my%2520leader%207")) {
            HttpRequest request = FencedHttp.fence(put("x"), PATH, 8)
                    .uri(URI.create(server.address() + "?" + header))
                    .build();
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(FencedHttp.check(answer)).as(header).isSameAs(answer);
        }
        HttpRequest refused = FencedHttp.fence(put("x"), PATH, 8)
                .uri(URI.create(server.address() + "?/app/my%2520leader%209"))
                .build();
        HttpResponse<String> answer = client.send(refused, HttpResponse.BodyHandlers.ofString());
        assertThatThrownBy(() -> FencedHttp.check(answer)).isInstanceOf(StaleTokenException.class);
    }

    // ---------------------------------------------------------------- one after the other

    /** Holds up requests with the body "slow" until it is told. */
    private final class Slow extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient CountDownLatch begun = new CountDownLatch(1);
        private final transient CountDownLatch goOn = new CountDownLatch(1);

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            String body = request.getReader().readLine();
            if (body.equals("slow")) {
                begun.countDown();
                Deadline.await(goOn, "slow request");
            }
            writes.add(body);
        }
    }

    @Test
    void aNewerLeaderWaitsForARequestOfAnOlderOne() throws Exception {
        try (Database database = new Database(Kind.H2, directory)) {
            FencedTable table = FencedTable.create(database.dataSource());
            Slow slow = new Slow();
            start(FencingFilter.inTable(table, PATHS, Duration.ZERO), slow);
            WaitingCall<HttpResponse<String>> old =
                    new WaitingCall<>(() -> send(FencedHttp.fence(put("slow"), PATH, 5)));
            Deadline.await(slow.begun, "the slow request");
            HttpResponse<String> early = write(PATH, 6);
            assertThat(early.statusCode()).isEqualTo(503);
            assertThat(early.body()).contains("/app/my%20leader 6: a request with a lower token still runs");
            assertRefused(5, 6);
            assertThat(writes).isEmpty();
            slow.goOn.countDown();
            assertThat(old.awaitAnswer().statusCode()).isEqualTo(200);
            Deadline.until(() -> isWritten(6), writes);
            assertThat(writes).containsExactly("slow", "by 6");
        }
    }

    /** The answer of the slow request may come before it has left. */
    private boolean isWritten(long token) {
        try {
            return write(PATH, token).statusCode() == 200;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Completes requests with the body "slow" when it is told, and on another thread. */
    private final class Asynchronous extends HttpServlet {
        private static final long serialVersionUID = 1L;
        private final transient CountDownLatch returned = new CountDownLatch(1);
        private final transient CountDownLatch left = new CountDownLatch(1);
        private transient volatile AsyncContext context;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
            String body = request.getReader().readLine();
            writes.add(body);
            if (body.equals("slow")) {
                context = request.startAsync();
                context.setTimeout(0);
                context.addListener(new Left());
                returned.countDown();
            }
        }

        /** Comes after the listener of the filter. */
        private final class Left implements AsyncListener {
            @Override
            public void onComplete(AsyncEvent event) {
                left.countDown();
            }

            @Override
            public void onTimeout(AsyncEvent event) {}

            @Override
            public void onError(AsyncEvent event) {}

            @Override
            public void onStartAsync(AsyncEvent event) {}
        }
    }

    @Test
    void aRequestThatGoesOnWithoutItsThreadIsStillInside() throws Exception {
        try (Database database = new Database(Kind.H2, directory)) {
            Asynchronous servlet = new Asynchronous();
            FencedTable table = FencedTable.create(database.dataSource());
            start(FencingFilter.inTable(table, PATHS, Duration.ZERO), servlet);
            WaitingCall<HttpResponse<String>> old =
                    new WaitingCall<>(() -> send(FencedHttp.fence(put("slow"), PATH, 5)));
            Deadline.await(servlet.returned, "the slow request");
            assertThat(write(PATH, 6).statusCode()).isEqualTo(503);
            servlet.context.complete();
            Deadline.await(servlet.left, "the end of the slow request");
            assertThat(write(PATH, 6).statusCode()).isEqualTo(200);
            assertThat(old.awaitAnswer().statusCode()).isEqualTo(200);
            assertThat(writes).containsExactly("slow", "by 6");
        }
    }

    @Test
    void aServletThatThrowsHasLeft() throws Exception {
        start(FencingFilter.inMemory(PATHS), new HttpServlet() {
            private static final long serialVersionUID = 1L;

            @Override
            protected void doPut(HttpServletRequest request, HttpServletResponse response) {
                throw new IllegalStateException("thrown by the test");
            }
        });
        assertThat(write(PATH, 5).statusCode()).isEqualTo(500);
        assertThat(write(PATH, 6).statusCode()).isEqualTo(500);
        assertRefused(5, 6);
    }

    // ---------------------------------------------------------------- forwards

    /** Forwards what comes to the address of the server, and writes what is forwarded. */
    private final class Forwarding extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response)
                throws jakarta.servlet.ServletException, java.io.IOException {
            if (request.getDispatcherType() == DispatcherType.FORWARD) {
                writes.add(request.getReader().readLine());
            } else {
                request.getRequestDispatcher("/guarded").forward(request, response);
            }
        }
    }

    // Nobody has let it in before.
    @Test
    void aForwardFromOutsideIsChecked() throws Exception {
        EnumSet<DispatcherType> both = EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD);
        server = new GuardedServer(FencingFilter.inMemory(PATHS), new Forwarding(), "/guarded", both);
        write(PATH, 8);
        assertRefused(7, 8);
        assertThat(send(put("x")).statusCode()).isEqualTo(400);
        assertThat(writes).containsExactly("by 8");
    }

    // A second time it would meet the newer leader that waits for it, and be refused in the middle of its work.
    @Test
    void aForwardOfARequestThatWasLetInIsNotCheckedAgain() throws Exception {
        EnumSet<DispatcherType> both = EnumSet.of(DispatcherType.REQUEST, DispatcherType.FORWARD);
        try (Database database = new Database(Kind.H2, directory)) {
            List<String> readings = new CopyOnWriteArrayList<>();
            FencedTable table = FencedTable.create(database.dataSource((method, text) -> {
                if (text.startsWith("SELECT token")) {
                    readings.add(text);
                }
            }));
            table.run(PATH, 8, connection -> {});
            readings.clear();
            server = new GuardedServer(FencingFilter.inTable(table, PATHS), new Forwarding(), "/*", both);
            assertThat(write(PATH, 8).statusCode()).isEqualTo(200);
            assertThat(writes).containsExactly("by 8");
            assertThat(readings).hasSize(1);
        }
    }

    // ---------------------------------------------------------------- restarts

    @Test
    void withATableTheTokenOutlivesTheServer() throws Exception {
        try (Database database = new Database(Kind.DERBY, directory)) {
            start(FencingFilter.inTable(FencedTable.create(database.dataSource()), PATHS));
            write(PATH, 8);
            server.stop();
            database.restart();
            start(FencingFilter.inTable(FencedTable.create(database.dataSource()), PATHS));
            assertRefused(7, 8);
            write(PATH, 8);
            assertThat(writes).containsExactly("by 8", "by 8");
        }
    }

    @Test
    void twoServersShareATable() throws Exception {
        try (Database database = new Database(Kind.H2, directory)) {
            FencedTable table = FencedTable.create(database.dataSource());
            start(FencingFilter.inTable(table, PATHS));
            GuardedServer first = server;
            write(PATH, 7);
            start(FencingFilter.inTable(table, PATHS));
            write(PATH, 8);
            server.stop();
            server = first;
            assertRefused(7, 8);
        }
    }

    @Test
    void untilTheTableCanBeReadNobodyWrites() throws Exception {
        try (Database database = new Database(Kind.H2, directory)) {
            AtomicBoolean isDown = new AtomicBoolean();
            FencedTable table = FencedTable.create(database.dataSource((method, text) -> {
                if (isDown.get() && text.startsWith("SELECT token")) {
                    throw new SQLException("the database is down");
                }
            }));
            table.run(PATH, 8, connection -> {});
            isDown.set(true);
            start(FencingFilter.inTable(table, PATHS));
            HttpResponse<String> answer = write(PATH, 8);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body())
                    .contains("the fencing tokens cannot be read, so try again")
                    .doesNotContain("the database is down");
            assertThat(writes).isEmpty();
            isDown.set(false);
            assertRefused(7, 8);
            assertThat(write(PATH, 8).statusCode()).isEqualTo(200);
            assertThat(writes).containsExactly("by 8");
        }
    }

    // What the Javadoc of inMemory says.
    @Test
    void inMemoryTheTokenIsForgotten() throws Exception {
        start(FencingFilter.inMemory(PATHS));
        write(PATH, 8);
        server.stop();
        start(FencingFilter.inMemory(PATHS));
        assertThat(write(PATH, 7).statusCode()).isEqualTo(200);
    }
}
