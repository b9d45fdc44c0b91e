package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.Profile;
import io.quorate.demo.Cluster;
import io.quorate.demo.DemoNode;
import io.quorate.demo.Launch;
import io.quorate.demo.NodeProcess;
import io.quorate.demo.PluginNames;
import io.quorate.demo.RunHistory;
import io.quorate.testkit.RealTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two applications and a witness, each a JVM: docs/command-line.md#witness. */
@RealTime
class WitnessTest {

    private static final long RESIDENT_KILOBYTES_MAX = 80 * 1024;

    /** The test does not depend on times, and a busy machine must not cost a lease. */
    private static final Profile PROFILE = Profile.CALM;

    /** Far beyond the time after which a leader without a majority must have stopped. */
    private static final Duration LONG = PROFILE.supportDuration().multipliedBy(2);

    private static final Launch CALM = new Launch() {
        @Override
        public Map<String, String> environment(String node) {
            return Map.of(DemoNode.PROFILE, PROFILE.name());
        }
    };

    private final Cluster cluster = new Cluster(3, new PluginNames("ballot", "tcp"), CALM);
    private final List<Witness> witnesses = new ArrayList<>();
    /** Where the witnesses of one attempt keep their terms. */
    private Path directory = Path.of("");

    @AfterEach
    void close() {
        witnesses.forEach(witness -> witness.jvm().end());
        cluster.close();
    }

    private Witness startWitness() {
        String peers =
                cluster.ids().stream().map(id -> id + "=" + cluster.address(id)).collect(Collectors.joining(","));
        Witness witness = Witness.start(
                directory,
                List.of(
                        "quorate.node-id=n3",
                        "quorate.cluster-id=demo",
                        "quorate.profile=" + PROFILE.name(),
                        "quorate.peers=" + peers));
        witnesses.add(witness);
        return witness;
    }

    private void awaitUp(Witness witness) {
        cluster.await("the witness is up", () -> {
            assertThat(witness.jvm().isAlive()).as(witness::log).isTrue();
            return witness.isUp();
        });
    }

    private RunHistory.Answers startAll() {
        cluster.start("n1");
        cluster.start("n2");
        awaitUp(startWitness());
        RunHistory.Answers first = cluster.awaitLeaderAfter(0);
        cluster.awaitContends("n1");
        cluster.awaitContends("n2");
        return first;
    }

    /** Starts an application again, and waits until it votes again, which takes longer than to contend. */
    private void restart(String node) {
        cluster.start(node);
        cluster.awaitContends(node);
        Witness witness = witnesses.get(witnesses.size() - 1);
        cluster.await(node + " votes", () -> witness.isSupportedBy(cluster.ids()));
    }

    /** It leads without a break from now until long after the loss of a voter. */
    private void assertGoesOn(RunHistory.Answers leader) {
        long later = System.nanoTime() + LONG.toNanos();
        // Whoever leads again after a break has another token.
        cluster.await(leader.life() + " leads still", () -> {
            RunHistory.Answers last = cluster.history().lastLeader().orElseThrow();
            assertThat(last.token()).as(cluster::describe).isEqualTo(leader.token());
            return last.span().lastAsked() - later > 0;
        });
    }

    private static String other(String node) {
        return node.equals("n1") ? "n2" : "n1";
    }

    @Test
    void eachOfTheThreeMayBeLost(@TempDir Path temporary) throws Exception {
        directory = Files.createTempDirectory(temporary, "witness");
        RunHistory.Answers first = startAll();
        String leader = first.life().node();

        cluster.node(leader).kill();
        RunHistory.Answers second = cluster.awaitLeaderAfter(first.token());
        assertThat(second.life().node()).as(cluster::describe).isEqualTo(other(leader));
        restart(leader);

        NodeProcess follower = cluster.node(leader);
        follower.kill();
        assertGoesOn(second);
        restart(leader);

        Witness lost = witnesses.get(0);
        // It has voted, which runs code that an idle one does not.
        assertThat(lost.residentKilobytes()).isLessThan(RESIDENT_KILOBYTES_MAX);
        lost.jvm().kill();
        assertGoesOn(second);

        // It comes back with the terms that it had. And it is needed: else whoever is to follow must not be busy when
        // the leader closes, because one of three is left then.
        Witness back = startWitness();
        awaitUp(back);
        cluster.await("it votes", () -> back.isSupportedBy(cluster.ids()));
        cluster.leader().close();
        RunHistory.Answers third = cluster.awaitLeaderAfter(second.token());
        assertThat(third.life().node()).as(cluster::describe).isEqualTo(leader);
        assertWitnessNeverLed();

        back.jvm().terminate();
        // 128 and the number of the signal.
        assertThat(back.jvm().awaitExit()).as(back::log).isEqualTo(143);
        assertThat(back.log()).doesNotContain("\tat ", "ERROR");
    }

    private void assertWitnessNeverLed() {
        for (Witness witness : witnesses) {
            assertThat(witness.log())
                    .contains("votes in cluster demo, and contends for nothing")
                    .doesNotContain("leads /");
        }
        assertThat(witnesses.get(witnesses.size() - 1).status()).contains("\"leads\":[]");
        cluster.await(
                "somebody contends", () -> !cluster.leader().participants().isEmpty());
        assertThat(cluster.leader().participants()).doesNotContain("n3");
        assertThat(cluster.history().reigns())
                .as(cluster::describe)
                .allMatch(reign -> !reign.life().node().equals("n3"));
        assertThat(cluster.history().faults()).as(cluster::describe).isEmpty();
        assertThat(cluster.report().violations()).as(cluster.report()::toString).isEmpty();
    }
}
