package com.example.platforms.vertx;

// docs: begin
import io.quorate.ElectionClient;
import io.quorate.FencedLeaderLatchListener;
import io.quorate.LeaderLatch;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;

public class LeaderVerticle extends AbstractVerticle implements FencedLeaderLatchListener {

    private final ElectionClient client;

    public LeaderVerticle(ElectionClient client) {
        this.client = client;
    }

    @Override
    public void start(Promise<Void> started) throws Exception {
        LeaderLatch latch = new LeaderLatch(client, "/app/leader", client.nodeId());
        latch.addListener(this, call -> context.runOnContext(nothing -> call.run()));
        latch.start(); // joins when the client has started
        Future.fromCompletionStage(client.startAsync(), context).onComplete(started);
    }

    @Override
    public void stop(Promise<Void> stopped) {
        Future.fromCompletionStage(client.closeAsync(), context)
                .onSuccess(nothing -> System.out.println("closed"))
                .onComplete(stopped);
    }

    @Override
    public void isLeader(long token) {
        System.out.println("leads " + token); // the work begins, and each write carries this token
    }

    @Override
    public void notLeader() {
        System.out.println("no longer leads"); // the work ends
    }

    public static void main(String[] arguments) {
        ElectionClient client = ElectionClient.builder().from(System.getenv()).build();
        Vertx vertx = Vertx.vertx();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> await(vertx.close())));
        try {
            await(vertx.deployVerticle(new LeaderVerticle(client)));
        } catch (RuntimeException e) {
            await(vertx.close());
            throw e;
        }
    }

    private static <T> T await(Future<T> future) {
        return future.toCompletionStage().toCompletableFuture().join();
    }
}
// docs: end
