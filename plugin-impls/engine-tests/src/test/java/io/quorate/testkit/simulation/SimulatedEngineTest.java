package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.engine.Connection;
import io.quorate.engine.Engine;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.runtime.TermStore;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The lives of one node, which lie under its clients: what is left of one does not reach the next. */
class SimulatedEngineTest {

    private static final NodeId ALONE = new NodeId("n1");
    private static final long SECOND = 1000 * VirtualTime.MILLI;

    private final VirtualCluster cluster = new VirtualCluster(1, new HighestUp());
    private final SimulatedWorld world = new SimulatedWorld(cluster);
    private final DriverHost host;
    private final List<Tenure> granted = new ArrayList<>();
    private final List<Tenure> ended = new ArrayList<>();

    SimulatedEngineTest() {
        host = cluster.addDriver(VirtualCluster.settings(ALONE, List.of(ALONE)), oneDisk());
    }

    private final Engine.ContenderListener listener = new Engine.ContenderListener() {
        @Override
        public void granted(Tenure tenure) {
            granted.add(tenure);
        }

        @Override
        public void ended(Tenure tenure, String reason) {
            ended.add(tenure);
        }
    };

    private SimulatedEngine started() {
        SimulatedEngine engine = new SimulatedEngine(world, cluster.process(ALONE), host);
        assertThat(engine.connection()).isEqualTo(Connection.NONE);
        engine.start();
        return engine;
    }

    private static Supplier<TermStore> oneDisk() {
        LastingTerms disk = new LastingTerms();
        return () -> disk;
    }

    // Between the crash and the close of the client, another thread may ask the latch.
    @Test
    void aCrashEndsLeadershipBeforeTheClientIsClosed() {
        SimulatedEngine engine = started();
        engine.contend("/p", "", listener);
        world.advanceTo(5 * SECOND);
        assertThat(granted).hasSize(1).allMatch(tenure -> tenure.isValid(engine.clock()));
        engine.crash();
        assertThat(granted).noneMatch(tenure -> tenure.isValid(engine.clock()));
        assertThat(ended).isEmpty();
    }

    @Test
    void requestsToADeadLifeDoNotReachTheNext() {
        SimulatedEngine first = started();
        Engine.Candidacy candidacy = first.contend("/p", "", listener);
        world.advanceTo(5 * SECOND);
        first.crash();
        SimulatedEngine second = started();
        candidacy.rejoin();
        candidacy.tenureEnded(granted.get(0));
        candidacy.leave();
        first.unwatch("/p");
        first.close();
        assertThat(candidacy.explain().reason()).isEqualTo("its client is not running");
        assertThat(first.contend("/p", "", listener).explain().reason()).isEqualTo("its client is not running");
        assertThat(first.describe()).isEqualTo("n1: not running");
        world.advanceTo(10 * SECOND);
        assertThat(granted).hasSize(1);
        assertThat(second.connection()).isEqualTo(Connection.CONNECTED);
        second.contend("/p", "", listener);
        world.advanceTo(15 * SECOND);
        assertThat(granted).hasSize(2);
    }

    @Test
    void requestsToACrashedNodeFail() {
        NodeId voter = new NodeId("v");
        NodeId outsider = new NodeId("o");
        DriverHost outside = cluster.addDriver(VirtualCluster.settings(outsider, List.of(voter)), oneDisk());
        SimulatedEngine engine = new SimulatedEngine(world, cluster.process(outsider), outside);
        engine.start();
        CompletableFuture<PathView> view = engine.view("/p").toCompletableFuture();
        world.advanceTo(SECOND);
        assertThat(view).isNotDone();
        engine.crash();
        engine.close();
        assertThat(view).isCompletedExceptionally();
        assertThatThrownBy(view::get).isInstanceOf(ExecutionException.class).hasMessageContaining("o is closed");
    }

    // A bug of a node is a finding, wherever it is thrown and whoever catches it.
    @Test
    void throwingNodeFailsAllLaterRequests() {
        cluster.time().after(SECOND, () -> {
            throw new IllegalStateException("a bug");
        });
        assertThatThrownBy(() -> world.advanceTo(2 * SECOND))
                .isInstanceOf(AssertionError.class)
                .hasMessageContainingAll("a bug", "seed=1");
        assertThatThrownBy(world::throwIfBroken).hasMessageContaining("a bug");
    }

    @Test
    void callbacksThatNeverEndAreNoticed() {
        SimulatedEngine engine = started();
        Runnable[] again = new Runnable[1];
        again[0] = () -> engine.callbacks().execute(again[0]);
        again[0].run();
        assertThatThrownBy(() -> world.advanceTo(SECOND))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("callbacks at one instant");
    }
}
