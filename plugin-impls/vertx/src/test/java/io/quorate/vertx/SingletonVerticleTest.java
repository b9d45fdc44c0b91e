package io.quorate.vertx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.ElectionClient;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.Deadline;
import io.quorate.testkit.FreePorts;
import io.quorate.testkit.RealTime;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.SimulatedClusterExtension;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Verticles on the nodes of a cluster in virtual time, each with a Vertx of its own, whose loops run in real time. So a
 * test lets virtual time pass until it hears what it waits for, which a verticle says when it starts and stops.
 */
class SingletonVerticleTest {

    private static final String PATH = "/app/orders";
    private static final Duration A_WHILE = Duration.ofSeconds(5);
    private static final Duration STEP = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final SingletonContender.Limits PATIENT = new SingletonContender.Limits(NEVER, NEVER);
    private static final long DEADLINE_SECONDS = 600;

    @RegisterExtension
    final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);

    private final Map<String, Vertx> vertx = new TreeMap<>();
    private final Map<String, SingletonVerticle> singletons = new TreeMap<>();
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
    /** What a verticle of a node waits for before it has started, or stopped. */
    private final Map<String, Future<?>> starts = new ConcurrentHashMap<>();

    private final Map<String, Future<?>> stops = new ConcurrentHashMap<>();

    /** Says when it starts and stops. */
    private final class Noted extends VerticleBase {
        private final String node;
        private final long token;

        private Noted(String node, long token) {
            this.node = node;
            this.token = token;
        }

        @Override
        public Future<?> start() {
            said.add(node + " starts " + token);
            return starts.getOrDefault(node, Future.succeededFuture());
        }

        @Override
        public Future<?> stop() {
            said.add(node + " stops " + token);
            return stops.getOrDefault(node, Future.succeededFuture());
        }
    }

    @AfterEach
    void close() {
        // Nothing holds up the end of a loop, whatever a test has held up.
        starts.clear();
        stops.clear();
        singletons.values().forEach(each -> get(each.undeploy()));
        vertx.values().forEach(each -> get(each.close()));
    }

    // ---------------------------------------------------------------- helpers

    private Vertx vertx(String node) {
        return vertx.computeIfAbsent(node, id -> Vertx.vertx());
    }

    private SingletonVerticle deploy(
            String node,
            LongFunction<? extends Deployable> supplier,
            DeploymentOptions options,
            SingletonContender.Limits limits) {
        SingletonVerticle deployed =
                get(SingletonVerticle.deploy(vertx(node), cluster.client(node), PATH, supplier, options, limits));
        singletons.put(node, deployed);
        return deployed;
    }

    private SingletonVerticle deploy(String node, SingletonContender.Limits limits) {
        return deploy(node, token -> new Noted(node, token), new DeploymentOptions(), limits);
    }

    private SingletonVerticle deploy(String node) {
        return deploy(node, PATIENT);
    }

    /** A verticle that is deployed on this node. Answers its token. */
    private long deployed(String node) {
        return deployed(node, PATIENT);
    }

    private long deployed(String node, SingletonContender.Limits limits) {
        deploy(node, limits);
        assertThat(cluster.awaitLeader(PATH)).isEqualTo(node);
        long token = cluster.client(node).health().leads().get(PATH);
        hear(node + " starts " + token);
        await("it is deployed", () -> singletons.get(node).isDeployed());
        return token;
    }

    /** The other one is there before the first one leads, and does not lead before it: it ranks last. */
    private void awaitFirstWithAnotherThere() {
        cluster.client("n2").standby(true);
        deploy("n2");
        cluster.awaitLeader(PATH);
        cluster.client("n2").standby(false);
    }

    private <T> T get(Future<T> future) {
        CompletableFuture<T> stage = future.toCompletionStage().toCompletableFuture();
        await("the future is completed", stage::isDone);
        return stage.join();
    }

    /** Lets virtual time pass, slower than real time, so that the loops of Vert.x are not left behind. */
    private void await(String what, BooleanSupplier condition) {
        Deadline.repeat(() -> cluster.advance(Duration.ofNanos(500_000)), condition, () -> what + ", but " + said);
    }

    private boolean contends(String node) {
        return cluster.client("n2").explain(PATH).orElseThrow().contenders().stream()
                .anyMatch(contender -> contender.node().equals(node));
    }

    private String next() {
        await("something is said", () -> !said.isEmpty());
        return said.remove();
    }

    private void hear(String expected) {
        assertThat(next()).isEqualTo(expected);
    }

    /** The next start of a verticle on this node. Answers its token. */
    private long hearStart(String node) {
        String line = next();
        assertThat(line).startsWith(node + " starts ");
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }

    /** Time passes, and nothing is said. The loops have their turns meanwhile. */
    private void assertSilence() {
        for (Duration passed = Duration.ZERO; passed.compareTo(A_WHILE) < 0; passed = passed.plus(STEP)) {
            cluster.advance(STEP);
            for (Vertx each : vertx.values()) {
                CountDownLatch turn = new CountDownLatch(1);
                each.runOnContext(nothing -> turn.countDown());
                awaitTurn(turn);
            }
        }
        assertThat(said).isEmpty();
    }

    private static void awaitTurn(CountDownLatch turn) {
        try {
            assertThat(turn.await(DEADLINE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    // ---------------------------------------------------------------- one in the cluster

    @Test
    void itIsDeployedOnTheLeaderAlone() {
        deployed("n1");
        deploy("n2");
        deploy("n3");
        assertSilence();
        assertThat(singletons.get("n1").isDeployed()).isTrue();
        assertThat(singletons.get("n2").isDeployed()).isFalse();
        assertThat(singletons.get("n3").isDeployed()).isFalse();
    }

    @Test
    void theNextOneStartsWhenItHasStopped() {
        Promise<Void> stop = Promise.promise();
        stops.put("n1", stop.future());
        long first = deployed("n1");
        deploy("n2");
        Future<Void> end = singletons.get("n1").undeploy();
        hear("n1 stops " + first);
        assertSilence();
        assertThat(cluster.leader(PATH)).contains("n1");
        assertThat(singletons.get("n1").isDeployed()).isFalse();
        assertThat(end.isComplete()).isFalse();
        stop.complete();
        assertThat(hearStart("n2")).isGreaterThan(first);
        get(end);
        assertThat(vertx("n1").deploymentIDs()).isEmpty();
    }

    @Test
    void aClientThatClosesWaitsUntilItHasStopped() {
        Promise<Void> stop = Promise.promise();
        stops.put("n1", stop.future());
        long first = deployed("n1");
        deploy("n2");
        CompletableFuture<Void> closed =
                CompletableFuture.runAsync(() -> cluster.client("n1").close());
        hear("n1 stops " + first);
        assertSilence();
        assertThat(closed).isNotDone();
        stop.complete();
        hearStart("n2");
        await("it is closed", closed::isDone);
        // What contended is still deployed, and ends too.
        get(singletons.get("n1").undeploy());
        assertThat(vertx("n1").deploymentIDs()).isEmpty();
    }

    // All that is deployed is undeployed at once then, by Vert.x.
    @Test
    void aVertxThatClosesHandsOnWhenItHasStopped() {
        Promise<Void> stop = Promise.promise();
        stops.put("n1", stop.future());
        long first = deployed("n1");
        deploy("n2");
        Future<Void> closed = vertx("n1").close();
        hear("n1 stops " + first);
        assertSilence();
        assertThat(cluster.leader(PATH)).contains("n1");
        stop.complete();
        hearStart("n2");
        get(closed);
        // It is over.
        get(singletons.get("n1").undeploy());
    }

    // Vert.x logs an error for each verticle that another has begun to undeploy before it.
    @RepeatedTest(3)
    @RealTime
    void closingVertxDoesNotLogErrors() {
        Vertx own = vertx("n1");
        try (ElectionClient client = ElectionClient.builder()
                .nodeId("n1")
                .peers("n1=127.0.0.1:" + FreePorts.take())
                .build()) {
            client.start();
            List<SingletonVerticle> many = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                many.add(get(SingletonVerticle.deploy(
                        own, client, PATH + i, token -> new Noted("n1", token), new DeploymentOptions())));
            }
            await("all are deployed", () -> many.stream().allMatch(SingletonVerticle::isDeployed));
            try (CapturedLog log = new CapturedLog()) {
                get(own.close());
                assertThat(log.lines("Undeploy failed")).isEmpty();
            }
        }
    }

    /** A verticle on n1 that has deployed a singleton. Answers its id. */
    private String parent(Promise<SingletonVerticle> inner, SingletonContender.Limits limits) {
        return get(vertx("n1").deployVerticle(new VerticleBase() {
            @Override
            public Future<?> start() {
                return SingletonVerticle.deploy(
                                vertx,
                                cluster.client("n1"),
                                PATH,
                                token -> new Noted("n1", token),
                                new DeploymentOptions(),
                                limits)
                        .onComplete(inner);
            }
        }));
    }

    @Test
    void itEndsWithTheVerticleThatHasDeployedIt() {
        Promise<SingletonVerticle> inner = Promise.promise();
        String parent = parent(inner, PATIENT);
        cluster.awaitLeader(PATH);
        long token = hearStart("n1");
        deploy("n2");
        await("it is deployed", () -> inner.future().result().isDeployed());
        assertThat(vertx("n1").deploymentIDs()).hasSize(3);
        Future<Void> end = vertx("n1").undeploy(parent);
        hear("n1 stops " + token);
        hearStart("n2");
        get(end);
        assertThat(vertx("n1").deploymentIDs()).isEmpty();
    }

    // It waits a little where it has a parent. That was longer, and then nobody undeployed the verticle.
    @Test
    void verticleWithLittleTimeIsToldToStop() {
        Promise<SingletonVerticle> inner = Promise.promise();
        parent(inner, new SingletonContender.Limits(Duration.ofMillis(1), NEVER));
        cluster.awaitLeader(PATH);
        long token = hearStart("n1");
        await("it is deployed", () -> inner.future().result().isDeployed());
        get(inner.future().result().undeploy());
        hear("n1 stops " + token);
    }

    // What contended has ended by then.
    @Test
    void verticleThatStartsTooLateIsToldToStop() {
        Promise<Void> start = Promise.promise();
        starts.put("n1", start.future());
        Promise<SingletonVerticle> inner = Promise.promise();
        parent(inner, new SingletonContender.Limits(SHORT, NEVER));
        cluster.awaitLeader(PATH);
        long token = hearStart("n1");
        get(inner.future().result().undeploy());
        start.complete();
        hear("n1 stops " + token);
    }

    @Test
    void verticleThatDoesNotLeadLeavesThePath() {
        deployed("n1");
        SingletonVerticle other = deploy("n2");
        get(other.undeploy());
        get(other.undeploy());
        get(singletons.get("n1").undeploy());
        assertThat(next()).startsWith("n1 stops");
        assertSilence();
    }

    @Test
    void verticleUndeployedDuringItsStartIsStopped() {
        Promise<Void> start = Promise.promise();
        starts.put("n1", start.future());
        deploy("n1");
        cluster.awaitLeader(PATH);
        long token = hearStart("n1");
        deploy("n2");
        singletons.get("n1").undeploy();
        assertSilence();
        assertThat(cluster.leader(PATH)).contains("n1");
        start.complete();
        hear("n1 stops " + token);
        hearStart("n2");
    }

    @Test
    void undeployedVerticleIsNotDeployedAgain() {
        CompletableFuture<String> id = new CompletableFuture<>();
        deploy(
                "n1",
                token -> new VerticleBase() {
                    @Override
                    public Future<?> start() {
                        id.complete(context.deploymentID());
                        return Future.succeededFuture();
                    }
                },
                new DeploymentOptions(),
                PATIENT);
        SingletonVerticle singleton = singletons.get("n1");
        await("it is deployed", singleton::isDeployed);
        get(vertx("n1").undeploy(id.join()));
        assertThat(singleton.isDeployed()).isFalse();
        assertSilence();
        assertThat(cluster.leader(PATH)).as("it still leads").contains("n1");
        deploy("n2");
        get(singleton.undeploy());
        hearStart("n2");
    }

    // ---------------------------------------------------------------- leadership that is lost, or stays

    @Test
    void aLostLeaseStopsItAtOnceAndItStartsOnceMoreWhenThisNodeLeadsAgain() {
        long first = deployed("n1");
        cluster.isolate("n1");
        hear("n1 stops " + first);
        cluster.heal();
        assertThat(hearStart("n1")).isGreaterThan(first);
        assertSilence();
    }

    // vert.x#5235: its own high availability leaves two.
    @Test
    void afterACutAndItsEndThereIsOne() {
        long first = deployed("n1");
        deploy("n2");
        deploy("n3");
        cluster.isolate("n1");
        List<String> lines = List.of(next(), next());
        assertThat(lines).contains("n1 stops " + first);
        cluster.heal();
        assertSilence();
        assertThat(singletons.values().stream().filter(SingletonVerticle::isDeployed))
                .hasSize(1);
        assertThat(singletons.get("n1").isDeployed()).isFalse();
    }

    /** This node leads again while what it started for its first leadership still starts. Answers the first token. */
    private long leadsAgainWhileItStarts(Promise<Void> start) {
        starts.put("n1", start.future());
        deploy("n1");
        cluster.awaitLeader(PATH);
        long first = hearStart("n1");
        cluster.isolate("n1");
        assertSilence();
        cluster.heal();
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        assertSilence();
        starts.clear();
        return first;
    }

    @Test
    void verticleOfAnEarlierLeadershipStopsFirst() {
        Promise<Void> start = Promise.promise();
        long first = leadsAgainWhileItStarts(start);
        start.complete();
        hear("n1 stops " + first);
        assertThat(hearStart("n1")).isGreaterThan(first);
        assertSilence();
    }

    // The leadership that it was for is over, and the present one has failed nowhere.
    @Test
    void failureInAnEarlierLeadershipDoesNotEndThisOne() {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            Promise<Void> start = Promise.promise();
            long first = leadsAgainWhileItStarts(start);
            long second = cluster.client("n1").health().leads().get(PATH);
            assertThat(second).isGreaterThan(first);
            start.fail("no database");
            hear("n1 starts " + second);
            assertSilence();
            assertThat(log.lines("WARN")).isEmpty();
            assertThat(log.lines("INFO", PATH, "token " + first, "no database")).hasSize(1);
        }
    }

    // The old one still stops when this node leads again.
    @Test
    void theNextOneOfThisNodeWaitsForTheOneBefore() {
        Promise<Void> stop = Promise.promise();
        stops.put("n1", stop.future());
        long first = deployed("n1");
        cluster.isolate("n1");
        hear("n1 stops " + first);
        cluster.heal();
        assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
        assertSilence();
        stops.clear();
        stop.complete();
        assertThat(hearStart("n1")).isGreaterThan(first);
    }

    @Test
    void aLeaderThatIsBackFromStandbyDeploysAgain() {
        Promise<Void> stop = Promise.promise();
        stops.put("n1", stop.future());
        long first = deployed("n1");
        deploy("n2");
        cluster.advance(A_WHILE);
        cluster.client("n1").standby(true);
        hear("n1 stops " + first);
        cluster.client("n1").standby(false);
        assertSilence();
        stop.complete();
        hear("n1 starts " + first);
    }

    // It has finished when it turns out that nobody is there to follow.
    @Test
    void aLeaderWhoseSuccessorIsGoneDeploysAgain() {
        Promise<Void> stop = Promise.promise();
        stops.put("n1", stop.future());
        long first = deployed("n1");
        deploy("n2");
        cluster.advance(A_WHILE);
        cluster.client("n1").standby(true);
        hear("n1 stops " + first);
        cluster.isolate("n2");
        cluster.advance(A_WHILE);
        stop.complete();
        hear("n1 starts " + first);
    }

    // ---------------------------------------------------------------- what fails

    private long warnings(CapturedLog log, String... fragments) {
        assertThat(log.lines("WARN", PATH)).as(log.text()).hasSize(1);
        return log.lines(Stream.concat(Stream.of("WARN", PATH), Arrays.stream(fragments))
                        .toArray(String[]::new))
                .size();
    }

    @Test
    void failedDeploymentHandsLeadershipOn() {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            starts.put("n1", Future.failedFuture(new IllegalStateException("no database")));
            deploy("n1");
            awaitFirstWithAnotherThere();
            hearStart("n1");
            hearStart("n2");
            assertThat(warnings(log, "no database", "is handed on")).isEqualTo(1);
            assertThat(singletons.get("n1").isDeployed()).isFalse();
            assertSilence();
        }
    }

    // Leadership comes back at once, and what fails is not tried again at once.
    @Test
    void aNodeThatIsAloneDoesNotTryAgainAtOnce() {
        starts.put("n1", Future.failedFuture(new IllegalStateException("no database")));
        deploy("n1");
        cluster.awaitLeader(PATH);
        long first = hearStart("n1");
        await("it has resigned, and leads again", () -> {
            Long token = cluster.client("n1").health().leads().get(PATH);
            return token != null && token > first;
        });
        assertSilence();
        assertThat(cluster.leader(PATH)).contains("n1");
    }

    @Test
    void aNodeThatIsAloneTriesAgainAfterAPause() {
        starts.put("n1", Future.failedFuture(new IllegalStateException("no database")));
        deploy("n1", new SingletonContender.Limits(NEVER, SHORT));
        cluster.awaitLeader(PATH);
        hearStart("n1");
        hearStart("n1");
        starts.clear();
        await("it is deployed", () -> singletons.get("n1").isDeployed());
    }

    static Stream<LongFunction<Deployable>> whatMakesNothing() {
        VerticleBase one = new VerticleBase() {};
        return Stream.of(
                token -> null,
                token -> one,
                token -> {
                    throw new IllegalStateException("thrown by the test");
                },
                token -> {
                    throw new NoClassDefFoundError("thrown by the test");
                });
    }

    // It is asked for two instances.
    @ParameterizedTest
    @MethodSource("whatMakesNothing")
    void aSupplierThatMakesNothingIsHandedOn(LongFunction<Deployable> supplier) {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            deploy("n1", supplier, new DeploymentOptions().setInstances(2), PATIENT);
            awaitFirstWithAnotherThere();
            hearStart("n2");
            assertThat(warnings(log, "cannot be deployed")).isEqualTo(1);
        }
    }

    @Test
    void verticleThatFailsToStopCountsAsStopped() {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            stops.put("n1", Future.failedFuture(new IllegalStateException("no database")));
            long first = deployed("n1");
            deploy("n2");
            get(singletons.get("n1").undeploy());
            hear("n1 stops " + first);
            hearStart("n2");
            assertThat(warnings(log, "no database", "counts as stopped")).isEqualTo(1);
        }
    }

    // Nothing is deployed beside it on its node, even if nobody else is there.
    @Test
    void hangingVerticleDoesNotDelayOthersAndKeepsItsNodeOut() {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            Promise<Void> stop = Promise.promise();
            stops.put("n1", stop.future());
            long first = deployed("n1", new SingletonContender.Limits(SHORT, SHORT));
            deploy("n2");
            cluster.advance(A_WHILE);
            cluster.client("n1").standby(true);
            hear("n1 stops " + first);
            long second = hearStart("n2");
            assertThat(second).isGreaterThan(first);
            assertThat(warnings(log, "token " + first, "has not stopped for PT0.2S"))
                    .isEqualTo(1);
            cluster.client("n1").standby(false);
            cluster.advance(A_WHILE);
            // Behind n1, which hands the next leadership on.
            await("n1 contends again", () -> contends("n1"));
            deploy("n3");
            cluster.advance(A_WHILE);
            get(singletons.get("n2").undeploy());
            hear("n2 stops " + second);
            long last = hearStart("n3");
            assertThat(last).isGreaterThan(second + 1);
            get(singletons.get("n3").undeploy());
            hear("n3 stops " + last);
            assertThat(cluster.awaitLeader(PATH)).isEqualTo("n1");
            assertSilence();
            stops.clear();
            stop.complete();
            assertThat(hearStart("n1")).isGreaterThan(last);
            assertThat(warnings(log)).isEqualTo(1);
        }
    }

    @Test
    void hangingVerticleIsLoggedAfterALostLeaseToo() {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            Promise<Void> stop = Promise.promise();
            stops.put("n1", stop.future());
            long first = deployed("n1", new SingletonContender.Limits(SHORT, SHORT));
            cluster.isolate("n1");
            hear("n1 stops " + first);
            await("it is said", () -> !log.lines("WARN").isEmpty());
            assertThat(warnings(log, "token " + first, "has not stopped for PT0.2S"))
                    .isEqualTo(1);
            // Its end does not wait either.
            get(singletons.get("n1").undeploy());
        }
    }

    @Test
    void verticleThatDoesNotStartDoesNotDelayTheEnd() {
        try (CapturedLog log = CapturedLog.atInfo(SingletonVerticle.class)) {
            starts.put("n1", Promise.promise().future());
            deploy("n1", new SingletonContender.Limits(SHORT, SHORT));
            cluster.awaitLeader(PATH);
            hearStart("n1");
            deploy("n2");
            Future<Void> end = singletons.get("n1").undeploy();
            hearStart("n2");
            get(end);
            assertThat(warnings(log, "has not started")).isEqualTo(1);
        }
    }

    // ---------------------------------------------------------------- options

    static Stream<ThreadingModel> models() {
        Stream<ThreadingModel> ofEachJava = Stream.of(ThreadingModel.EVENT_LOOP, ThreadingModel.WORKER);
        return Runtime.version().feature() < 21
                ? ofEachJava
                : Stream.concat(ofEachJava, Stream.of(ThreadingModel.VIRTUAL_THREAD));
    }

    @ParameterizedTest
    @MethodSource("models")
    void allInstancesStartAndStopWhereTheyAreToRun(ThreadingModel model) {
        AtomicInteger wrong = new AtomicInteger();
        LongFunction<Deployable> supplier = token -> new VerticleBase() {
            @Override
            public Future<?> start() {
                return note("starts");
            }

            @Override
            public Future<?> stop() {
                return note("stops");
            }

            private Future<?> note(String what) {
                Context present = Vertx.currentContext();
                wrong.addAndGet(present == context && present.threadingModel() == model ? 0 : 1);
                said.add(what + " " + token);
                return Future.succeededFuture();
            }
        };
        deploy("n1", supplier, new DeploymentOptions().setThreadingModel(model).setInstances(3), PATIENT);
        cluster.awaitLeader(PATH);
        long token = cluster.client("n1").health().leads().get(PATH);
        for (int i = 0; i < 3; i++) {
            hear("starts " + token);
        }
        deploy("n2");
        await("it is deployed", () -> singletons.get("n1").isDeployed());
        singletons.get("n1").undeploy();
        for (int i = 0; i < 3; i++) {
            hear("stops " + token);
        }
        hearStart("n2");
        assertThat(wrong).hasValue(0);
    }

    private Future<SingletonVerticle> deployed(
            LongFunction<Deployable> supplier, DeploymentOptions options, Duration stopTimeout) {
        return SingletonVerticle.deploy(vertx("n1"), cluster.client("n1"), PATH, supplier, options, stopTimeout);
    }

    @Test
    void illegalOptionsAreRejected() {
        LongFunction<Deployable> supplier = token -> new Noted("n1", token);
        DeploymentOptions options = new DeploymentOptions();
        assertThatNullPointerException()
                .isThrownBy(() -> deployed(null, options, A_WHILE))
                .withMessage("supplier cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> deployed(supplier, null, A_WHILE))
                .withMessage("options cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> deployed(supplier, options, null))
                .withMessage("stopTimeout cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> SingletonVerticle.deploy(null, cluster.client("n1"), PATH, supplier, options))
                .withMessage("vertx cannot be null");
        assertThatNullPointerException()
                .isThrownBy(() -> SingletonVerticle.deploy(vertx("n1"), null, PATH, supplier, options))
                .withMessage("client cannot be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployed(supplier, new DeploymentOptions().setInstances(0), A_WHILE))
                .withMessage("options: 0 instances: must be 1 or more");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> deployed(supplier, options, Duration.ofNanos(999_999)))
                .withMessage("stopTimeout PT0.000999999S: must be PT0.001S or more, and at most PT12H");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> deployed(supplier, options, Duration.ofHours(12).plusNanos(1)))
                .withMessageContaining("must be PT0.001S or more, and at most PT12H");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> SingletonVerticle.deploy(vertx("n1"), cluster.client("n1"), "orders", supplier, options))
                .withMessage("Path must start with / character");
        assertThat(vertx("n1").deploymentIDs()).isEmpty();
    }

    @Test
    void virtualThreadsNeedAJavaThatHasThem() {
        DeploymentOptions options = new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD);
        if (Runtime.version().feature() >= 21) {
            get(deployed(token -> new Noted("n1", token), options, A_WHILE));
        } else {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> deployed(token -> new Noted("n1", token), options, A_WHILE))
                    .withMessageContaining("VIRTUAL_THREAD: needs Java 21 or newer, and this is Java ");
        }
    }

    @Test
    void clientThatCannotContendFails() {
        String path = "/" + "a".repeat(3_000);
        CompletableFuture<SingletonVerticle> tooLong = SingletonVerticle.deploy(
                        vertx("n1"),
                        cluster.client("n1"),
                        path,
                        token -> new Noted("n1", token),
                        new DeploymentOptions())
                .toCompletionStage()
                .toCompletableFuture();
        await("it fails", tooLong::isDone);
        assertThat(tooLong).isCompletedExceptionally();
        get(vertx("n1").close());
        Future<SingletonVerticle> late = deployed(token -> new Noted("n1", token), new DeploymentOptions(), A_WHILE);
        await("it fails", late::isComplete);
        assertThat(late.failed()).isTrue();
    }

    @Test
    void laterChangesOfTheOptionsDoNotCount() {
        DeploymentOptions options = new DeploymentOptions();
        deploy("n1", token -> new Noted("n1", token), options, PATIENT);
        options.setInstances(2);
        cluster.awaitLeader(PATH);
        hearStart("n1");
        assertSilence();
    }
}
