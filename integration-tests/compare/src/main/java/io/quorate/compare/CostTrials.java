package io.quorate.compare;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What one call costs, and what one node more. */
final class CostTrials {

    private static final double MICRO = 1e3;
    private static final String PATH = "/cost";

    private final Trials trials;
    private final Deployment deployment;

    CostTrials(Trials trials) {
        this.trials = trials;
        this.deployment = trials.deployment();
    }

    /** Of the leader's latch, one call after the other. */
    void calls() {
        NodeHandle leader = trials.contend(PATH).node();
        calls(leader, "hasLeadership", Metric.HAS_LEADERSHIP, 1);
        calls(leader, "getLeader", Metric.GET_LEADER, MICRO);
        calls(leader, "getParticipants", Metric.GET_PARTICIPANTS, MICRO);
    }

    private void calls(NodeHandle node, String method, Metric metric, double unit) {
        for (String nanos : node.ask(
                        "cost " + PATH + " " + method + " " + trials.extent().cost())
                .split(" ")) {
            trials.sink().add(metric, Double.parseDouble(nanos) / unit);
        }
    }

    /** What so many nodes that contend and do not vote add to what the voters cost by themselves. */
    void contenders(int count) {
        trials.settle();
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
        trials.settle();
        Idling each = Idling.measure(deployment, trials.extent().seconds()).addedTo(alone, count);
        trials.sink().add(Metric.CONTENDER_CPU, count, each.cpuMillis());
        trials.sink().add(Metric.CONTENDER_BYTES, count, each.bytes());
        trials.sink().add(Metric.CONTENDER_SOCKETS, count, each.sockets());
    }
}
