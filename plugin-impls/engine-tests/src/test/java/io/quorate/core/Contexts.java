package io.quorate.core;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Trace;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.engine.LeaseTiming;
import io.quorate.spi.NodeId;
import io.quorate.spi.RankOrder;
import io.quorate.spi.Timing;
import io.quorate.testkit.simulation.HighestUp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Parts of a node on their own: three voters n1 to n3, support 1100, belief 900, heartbeat 100. */
public final class Contexts {

    public static final NodeId N1 = new NodeId("n1");
    public static final NodeId N2 = new NodeId("n2");
    public static final NodeId N3 = new NodeId("n3");
    public static final List<NodeId> VOTERS = List.of(N1, N2, N3);

    private Contexts() {}

    /** Of the first life of {@code self}, at time 0. */
    public static StepContext of(NodeId self) {
        return of(self, VOTERS);
    }

    public static StepContext of(NodeId self, List<NodeId> voters) {
        return of(self, voters, 1);
    }

    /** Of this life of {@code self}. */
    public static StepContext of(NodeId self, List<NodeId> voters, long life) {
        NodeSettings settings = new NodeSettings(
                "test", self, voters, new LeaseTiming(100, 1100, 10), new Timing(10), RankOrder.JOIN_ORDER, 0, false);
        StepContext context = new StepContext(settings, new HighestUp(), (min, max) -> min, Trace.NONE, life);
        context.setNow(0);
        return context;
    }

    /** Voters that all have the directory 7. */
    public static VoterList list(long number, NodeId... voters) {
        List<Member> members = new ArrayList<>();
        for (NodeId voter : voters) {
            members.add(new Member(voter, 7, Optional.empty()));
        }
        return new VoterList(number, 0, members);
    }
}
