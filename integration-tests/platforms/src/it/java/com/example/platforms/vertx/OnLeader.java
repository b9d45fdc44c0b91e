package com.example.platforms.vertx;

// docs: begin
import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.vertx.core.Future;
import io.vertx.core.Verticle;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.LongFunction;

public final class OnLeader implements FencedLeaderLatchListener {
    private final Vertx vertx;
    private final LongFunction<Verticle> supplier;
    private final LeaderLatch latch;
    private Future<String> deployed = Future.succeededFuture("");

    public OnLeader(Vertx vertx, ElectionClient client, String path, LongFunction<Verticle> supplier) throws Exception {
        this.vertx = vertx;
        this.supplier = supplier;
        latch = new LeaderLatch(client, path, client.nodeId(), LeaderLatch.CloseMode.NOTIFY_LEADER);
        latch.addListener(this);
        latch.drain(leadership -> undeploy().toCompletionStage(), Duration.ofSeconds(30));
        latch.start();
    }

    @Override
    public synchronized void isLeader(long token) {
        deployed = deployed.compose(gone -> vertx.deployVerticle(supplier.apply(token)));
        deployed.onFailure(reason -> vertx.setTimer(5_000, timer -> latch.resign()));
    }

    @Override
    public void notLeader() {
        undeploy();
    }

    private synchronized Future<String> undeploy() {
        deployed = deployed.compose(id -> vertx.undeploy(id).map("")).otherwise("");
        return deployed;
    }
}
// docs: end
