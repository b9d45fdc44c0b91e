package io.quorate.algorithms;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.Effect;
import io.quorate.spi.Election;
import io.quorate.spi.Event;
import io.quorate.spi.WireWriter;
import io.quorate.testkit.simulation.ElectionCluster;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * An observer that gives every event also to a fresh machine, restored from the state before it: effects and state must
 * come out equal. Over all states seen, encodings are equal if and only if the states are.
 */
public final class SnapshotChecks implements ElectionCluster.Observer {

    private final ElectionCluster cluster;
    private final IntFunction<Election> factory;
    private final Map<Integer, List<Effect>> expected = new HashMap<>();
    private final Map<Integer, Election> twins = new HashMap<>();
    private final Map<Election.State, ByteBuffer> encodings = new HashMap<>();
    private final Map<ByteBuffer, Election.State> states = new HashMap<>();

    private SnapshotChecks(ElectionCluster cluster, IntFunction<Election> factory) {
        this.cluster = cluster;
        this.factory = factory;
    }

    /** Makes a random run, and checks each of its states. */
    public static void assertRestored(RandomRun run) {
        SnapshotChecks checks = new SnapshotChecks(run.cluster(), run::create);
        run.cluster().observe(checks);
        run.run();
        assertThat(checks.states).isNotEmpty();
    }

    @Override
    public void before(int process, Event event) {
        Election.State state = cluster.election(process).snapshot();
        Election twin = factory.apply(process);
        twin.restore(state);
        expected.put(process, twin.on(cluster.now(), event));
        twins.put(process, twin);
        // The twin must not have touched what it shares with the state.
        assertThat(cluster.election(process).snapshot()).isEqualTo(state);
    }

    @Override
    public void after(int process, Event event, List<Effect> effects) {
        Election election = cluster.election(process);
        assertThat(effects).as("effects of %s at %d", event, process).isEqualTo(expected.get(process));
        Election.State state = election.snapshot();
        assertThat(twins.get(process).snapshot()).isEqualTo(state);
        assertThat(twins.get(process).leader()).isEqualTo(election.leader());
        WireWriter out = new WireWriter();
        state.writeTo(out);
        ByteBuffer encoding = ByteBuffer.wrap(out.toBytes());
        ByteBuffer encodingBefore = encodings.putIfAbsent(state, encoding);
        Election.State stateBefore = states.putIfAbsent(encoding, state);
        assertThat(encodingBefore == null || encodingBefore.equals(encoding))
                .as("one encoding of %s", state)
                .isTrue();
        assertThat(stateBefore == null || stateBefore.equals(state))
                .as("%s or %s", state, stateBefore)
                .isTrue();
    }
}
