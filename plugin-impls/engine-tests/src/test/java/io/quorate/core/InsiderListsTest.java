package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.message.VotersMessage.Prepare;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.testkit.Effort;
import io.quorate.testkit.simulation.Seeds;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Only an operator changes the voters, whatever a removed voter and contenders say about lists, and however long a
 * majority is missing. {@code -Dinsiders=1000} for more runs, {@code -Dseed=N} for one.
 */
class InsiderListsTest {

    private static final int RUNS = Integer.getInteger("insiders", Effort.of(20, 8));
    private static final int DEEDS = 40;

    /** Support lasts a second, so this is a long outage. */
    private static final int OUTAGE_MILLIS_MAX = 15_000;

    /** n4 was removed; n7 and n8 contend. */
    private static final List<NodeId> LIARS = nodes(4, 7, 8);

    /** n5 joins and may come to vote; n6 joins without a directory. */
    private static final List<NodeId> HONEST = nodes(1, 2, 3, 5, 6);

    private static final class Run {
        private final SplittableRandom random;
        private final ChangingCluster changing;
        private final VirtualCluster cluster;
        private final Set<NodeId> up = new TreeSet<>(HONEST);

        Run(long seed) {
            random = new SplittableRandom(seed);
            changing = new ChangingCluster(seed);
            cluster = changing.cluster;
        }

        void start() {
            changing.start(4, 4);
            assertThat(changing.change(1, 1, 2, 3)).isEqualTo("done");
            for (int number = 5; number <= 8; number++) {
                cluster.add(
                        VirtualCluster.settings(node(number), nodes(1, 2, 3)).joining());
                if (number == 6) {
                    cluster.diskless(node(number));
                }
                cluster.start(node(number));
            }
            cluster.advance(5000);
            assertThat(HONEST).allMatch(honest -> cluster.node(honest).voters().number() > 1);
        }

        void next() {
            switch (random.nextInt(4)) {
                case 0 -> stopSome();
                case 1 -> startAll();
                case 2 -> askForAChange();
                default -> lie();
            }
            lie();
            cluster.advance(random.nextInt(random.nextInt(4) == 0 ? OUTAGE_MILLIS_MAX : 1000));
            assertNoLiarVotes();
        }

        private void stopSome() {
            for (NodeId honest : List.copyOf(up)) {
                if (random.nextInt(3) == 0) {
                    cluster.crash(honest);
                    up.remove(honest);
                }
            }
        }

        private void startAll() {
            for (NodeId honest : HONEST) {
                if (up.add(honest)) {
                    cluster.start(honest);
                }
            }
        }

        private void askForAChange() {
            NodeId coordinator = node(1 + random.nextInt(3));
            if (up.contains(coordinator)) {
                cluster.changeVoters(
                        coordinator,
                        cluster.node(coordinator).voters().number(),
                        random.nextBoolean() ? nodes(1, 2, 3) : nodes(1, 2, 3, 5));
            }
        }

        /** Several say the same, to one node or to all. */
        private void lie() {
            if (up.isEmpty()) {
                return;
            }
            List<NodeId> victims = List.copyOf(up);
            NodeId near = victims.get(random.nextInt(victims.size()));
            VoterList base = madeUp(cluster.node(near).voters());
            VoterList value = madeUp(base);
            int kind = random.nextInt(3);
            boolean isForAll = random.nextBoolean();
            for (int i = 0; i < 3; i++) {
                for (NodeId liar : LIARS) {
                    Round round = new Round(1 + random.nextInt(9), liar, cluster.incarnation(liar));
                    NodeMessage lie =
                            switch (kind) {
                                case 0 -> new Prepare(round, base);
                                case 1 -> new Accept(round, base, value);
                                default -> new DecidedVoters(base);
                            };
                    for (NodeId victim : isForAll ? victims : List.of(near)) {
                        cluster.inject(liar, cluster.incarnation(liar), victim, lie);
                    }
                }
                cluster.advance(random.nextInt(300));
            }
        }

        private VoterList madeUp(VoterList known) {
            List<Member> members = new ArrayList<>();
            known.members().stream()
                    .filter(member -> !LIARS.contains(member.id()) && random.nextInt(3) == 0)
                    .forEach(members::add);
            LIARS.forEach(liar -> members.add(new Member(liar, 4711, Optional.empty())));
            return new VoterList(known.number() + 1 + random.nextInt(3), known.floor(), members);
        }

        private void assertNoLiarVotes() {
            for (NodeId honest : up) {
                assertThat(cluster.node(honest).voters().ids())
                        .as(() -> honest + ": " + cluster.describe())
                        .doesNotContainAnyElementsOf(LIARS);
            }
        }
    }

    @Test
    void onlyAnOperatorChangesTheVoters() {
        Seeds.each(RUNS, 1, seed -> {
            Run run = new Run(seed);
            run.start();
            for (int deed = 0; deed < DEEDS; deed++) {
                run.next();
            }
        });
    }
}
