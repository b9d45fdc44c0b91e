package io.quorate.contract;

import io.quorate.ElectionClient;
import io.quorate.Profile;
import io.quorate.contract.QuorateTypes.QuorateClient;
import io.quorate.engine.Plugins;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.WaitingCall;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * Quorate in virtual time, with any algorithm. Callbacks run on the test's thread; other threads wait in real time, so
 * while they are waited for, a little of both times passes by turns.
 */
final class VirtualSide extends QuorateSide {

    private static final Duration STEP = Duration.ofMillis(1);
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final ClusterSettings settings;
    private final SimulatedCluster cluster;
    private final Set<String> cut = new TreeSet<>();
    /** The threads that wait in real time. */
    private final List<WaitingCall<?>> calls = new ArrayList<>();

    private final long patienceNanos;
    private final boolean isAfterAChange;
    private boolean hasVoters;
    private int clients;

    /** Without a disk: no node remembers anything after a restart. */
    VirtualSide(String algorithm) {
        this(algorithm, PATIENCE);
    }

    /** @param patience how long, in real time, is waited at least for what never comes */
    VirtualSide(String algorithm, Duration patience) {
        this(ClusterSettings.ofVoters(VOTERS.size()).diskless(), algorithm, patience, false);
    }

    private VirtualSide(ClusterSettings settings, String algorithm, Duration patience, boolean isAfterAChange) {
        this.settings = settings.contenders(CONTENDERS.size())
                .algorithm(Plugins.algorithm(algorithm))
                .clientsAreStartedByTheTest();
        patienceNanos = patience.toNanos();
        this.isAfterAChange = isAfterAChange;
        cluster = new SimulatedCluster(settings);
    }

    /** The voters were one more, and have a later list, for which each needs its disk. */
    static VirtualSide afterAChange(String algorithm) {
        return new VirtualSide(ClusterSettings.ofVoters(VOTERS.size() + 1), algorithm, PATIENCE, true);
    }

    /** The cluster, whose voters start when they are first needed. */
    private SimulatedCluster cluster() {
        if (!hasVoters) {
            hasVoters = true;
            VOTERS.forEach(voter -> cluster.client(voter).start());
            if (isAfterAChange) {
                change();
            }
        }
        return cluster;
    }

    private void change() {
        String gone = "n" + (VOTERS.size() + 1);
        ElectionClient first = cluster.client(VOTERS.get(0));
        cluster.client(gone).start();
        cluster.advance(session().multipliedBy(3));
        CompletableFuture<?> change =
                first.changeVoters(1, VOTERS.toArray(String[]::new)).toCompletableFuture();
        cluster.awaitUntil("the voters have changed", change::isDone);
        if (first.voters().number() != 2) {
            throw new AssertionError("the voters have not changed: " + first.voters());
        }
        cluster.crash(gone);
    }

    @Override
    public void policy(Policy chosen) {
        if (hasVoters) {
            throw new IllegalStateException("there are clients already");
        }
        settings.connectionStateErrorPolicy(chosen.ofQuorate());
    }

    @Override
    public Client newClient() {
        String node = CONTENDERS.get(clients);
        ElectionClient client = cluster().client(node);
        clients++;
        return new QuorateClient(node, client);
    }

    // ---------------------------------------------------------------- time

    @Override
    public boolean isPunctual() {
        return true;
    }

    @Override
    public void pass(Duration duration) {
        cluster.advance(duration);
    }

    @Override
    public void eventually(String what, BooleanSupplier condition) {
        long begin = System.nanoTime();
        Duration limit = cluster.now().plus(SimulatedCluster.AWAIT_LIMIT);
        while (!condition.getAsBoolean()) {
            // Both, because the condition may depend on a thread that waits in real time.
            // Justification: ten minutes, and virtual time has to pass too.
            if (cluster.now().compareTo(limit) > 0 && System.nanoTime() - begin > patienceNanos) {
                throw new AssertionError("never: " + what + "\n" + cluster.describe());
            }
            cluster.advance(STEP);
            // A call that this step has woken acts before the next one; where none waits, nothing is given up.
            calls.removeIf(WaitingCall::isDone);
            calls.forEach(WaitingCall::awaitRest);
        }
    }

    @Override
    public <T> T inThread(Callable<T> call) throws Exception {
        WaitingCall<T> waiting = waiting(call);
        eventually("the call returns", waiting::isDone);
        return waiting.answer();
    }

    @Override
    public <T> WaitingCall<T> waiting(Callable<T> call) {
        WaitingCall<T> begun = WaitingCall.begun(call);
        calls.add(begun);
        return begun;
    }

    // ---------------------------------------------------------------- faults

    @Override
    public Duration session() {
        return Profile.DEFAULT.supportDuration();
    }

    @Override
    public void cut(Client client) {
        cut.add(node(client));
        cluster.isolate(node(client));
    }

    @Override
    public void heal(Client client) {
        cut.remove(node(client));
        cluster.heal();
        cut.forEach(cluster::isolate);
    }

    @Override
    public void crash(Client client) {
        cluster.crash(node(client));
    }

    @Override
    public void stopService() {
        cluster();
        VOTERS.forEach(cluster::crash);
    }

    @Override
    public void startService() {
        VOTERS.forEach(voter -> cluster.restart(voter).start());
    }

    /** After a change it remembers: who has lost all directories of a later list needs an operator. */
    @Override
    public void wipeService() {
        stopService();
        startService();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
