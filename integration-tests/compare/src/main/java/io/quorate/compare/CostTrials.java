package io.quorate.compare;

import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What one call costs, and what one node more. */
final class CostTrials {

    private static final double MICRO = 1e3;
    private static final String PATH = "/cost";
    private static final String CROWDED_PATH = "/crowd";
    /** How many contend for that. */
    private static final int CROWD = 1000;
    /** In seconds. It is the difference of two figures that says what a node more costs. */
    private static final int CONTENDERS_SETTLING = 20;

    private final Trials trials;
    private final Deployment deployment;

    CostTrials(Trials trials) {
        this.trials = trials;
        this.deployment = trials.deployment();
    }

    /** @param isCrowdMeasured whether a path with many contenders is measured too */
    void run(boolean isCrowdMeasured) {
        calls();
        if (isCrowdMeasured) {
            crowd();
        }
    }

    /** Of the leader's latch, one call after the other. */
    private void calls() {
        NodeHandle leader = trials.contend(PATH).node();
        calls(leader, PATH, "hasLeadership", Metric.HAS_LEADERSHIP, 1, 1);
        calls(leader, PATH, "getLeader", Metric.GET_LEADER, 1, MICRO);
        calls(leader, PATH, "getParticipants", Metric.GET_PARTICIPANTS, 1, MICRO);
    }

    /** Of a path for which many contend, on three nodes. */
    private void crowd() {
        for (int i = 0; i < Deployment.NODES; i++) {
            int count = CROWD / Deployment.NODES + (i < CROWD % Deployment.NODES ? 1 : 0);
            deployment.nodes.get(i).ask("openCrowd " + CROWDED_PATH + " " + count);
        }
        NodeHandle node = deployment.nodes.get(0);
        long limit = TimeUnit.SECONDS.toNanos(trials.extent().limit());
        if (Boolean.parseBoolean(node.ask("await " + CROWDED_PATH + " " + CROWD + " " + limit))) {
            calls(node, CROWDED_PATH, "getParticipants", Metric.GET_PARTICIPANTS, CROWD, MICRO);
        } else {
            trials.sink()
                    .notDone(Metric.GET_PARTICIPANTS, CROWD, trials.extent().limit(), OptionalLong.empty());
        }
    }

    private void calls(NodeHandle node, String path, String method, Metric metric, int contenders, double unit) {
        for (String nanos : node.ask(
                        "cost " + path + " " + method + " " + trials.extent().cost())
                .split(" ")) {
            trials.sink().add(metric, contenders, Double.parseDouble(nanos) / unit);
        }
    }

    /** What so many nodes that contend and do not vote add to what the voters cost by themselves. */
    void contenders(int count) {
        trials.settle(Math.min(CONTENDERS_SETTLING, trials.extent().settling()));
        Idling alone = Idling.measure(deployment, trials.extent().seconds());
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        deployment.startContenders(lines::add);
        try {
            if (lines.poll(Trials.DEADLINE_NANOS, TimeUnit.NANOSECONDS) == null) {
                throw new IllegalStateException(count + " contenders do not agree: " + deployment.servers());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
        trials.settle(Math.min(CONTENDERS_SETTLING, trials.extent().settling()));
        Idling each = Idling.measure(deployment, trials.extent().seconds()).addedTo(alone, count);
        trials.sink().add(Metric.CONTENDER_CPU, count, each.cpuMillis());
        trials.sink().add(Metric.CONTENDER_BYTES, count, each.bytes());
        trials.sink().add(Metric.CONTENDER_SOCKETS, count, each.sockets());
    }
}
