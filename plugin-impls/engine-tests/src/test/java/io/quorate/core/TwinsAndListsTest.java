package io.quorate.core;

import static io.quorate.core.Contexts.N1;
import static io.quorate.core.Contexts.N2;
import static io.quorate.core.Contexts.N3;
import static io.quorate.core.Contexts.VOTERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.VotersMessage.Accept;
import io.quorate.core.message.VotersMessage.DecidedVoters;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two processes under the id of voter n2, with a directory each, while the voters change: docs/reconfiguration.md and
 * docs/protocol.md#one-process-per-id. n1 hears the first one, and refuses the second one all the time. n3 lost the
 * first one for a support time, and hears the second one.
 */
class TwinsAndListsTest {

    private static final String PATH = "/app/leader";
    private static final long MILLI = 1_000_000;
    private static final long DELAY = MILLI;

    private record Flight(long at, long order, String to, NodeId from, long life, NodeMessage message) {}

    /** One process; the name of its life is also that of its directory. */
    private final class Process {
        private final NodeId id;
        private final long life;
        private final Node node;
        private final List<String> changes = new ArrayList<>();
        private Optional<Tenure> tenure = Optional.empty();
        private Optional<RuntimeException> failure = Optional.empty();

        private Process(NodeId id, long life) {
            this.id = id;
            this.life = life;
            node = new Node(
                    VirtualCluster.settings(id, VOTERS),
                    new HighestUp(),
                    new Birth(life, 0, true, life, Optional.empty()),
                    (min, max) -> min + (max - min) * (life % 7) / 7);
        }

        private void perform(List<NodeEffect> effects) {
            for (NodeEffect effect : effects) {
                if (effect instanceof NodeEffect.Send send) {
                    route(this, send.to(), send.message());
                } else if (effect instanceof NodeEffect.ReserveTerms terms) {
                    step(new NodeEvent.TermsReserved(terms.upTo()));
                } else if (effect instanceof NodeEffect.StorePaxosState store) {
                    step(new NodeEvent.PaxosStateStored(store.paxos()));
                } else if (effect instanceof NodeEffect.Granted granted) {
                    tenure = Optional.of(granted.tenure());
                } else if (effect instanceof NodeEffect.ChangeEnded ended) {
                    changes.add(ended.failure().map(Throwable::getMessage).orElse("done"));
                } else if (effect instanceof NodeEffect.Failed failed) {
                    failure = Optional.of(failed.cause());
                }
            }
        }

        private void step(NodeEvent event) {
            perform(node.step(now, event));
        }

        private boolean leads() {
            return tenure.filter(each -> !each.isEnded() && !each.lease().isOver(now))
                    .isPresent();
        }

        private void change(NodeId... wanted) {
            Map<NodeId, Optional<HostAndPort>> all = new HashMap<>();
            for (NodeId each : wanted) {
                all.put(each, Optional.empty());
            }
            step(new NodeEvent.ChangeVoters(1, node.voters().number(), all));
        }
    }

    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final PriorityQueue<Flight> flights =
            new PriorityQueue<>((a, b) -> a.at == b.at ? Long.compare(a.order, b.order) : Long.compare(a.at, b.at));
    private Predicate<Flight> isLost = flight -> false;
    private boolean areTwins;
    private boolean isN1Cut;
    private long order;
    private long now;

    private Process start(String name, NodeId id, long life) {
        Process process = new Process(id, life);
        processes.put(name, process);
        process.perform(process.node.start(now));
        return process;
    }

    /** The process that hears this; "" for none. */
    private String target(Process from, NodeId to) {
        if (!to.equals(N2)) {
            return to.value();
        }
        return from.id.equals(N3) && areTwins ? "second n2" : "n2";
    }

    private boolean reaches(String from, String to) {
        boolean isOfFirst = from.equals("n2") || to.equals("n2");
        boolean isOfSecond = from.equals("second n2") || to.equals("second n2");
        boolean isOfN1 = from.equals("n1") || to.equals("n1");
        boolean isOfN3 = from.equals("n3") || to.equals("n3");
        return !(isN1Cut && isOfN1 && isOfN3) && !(areTwins && isOfFirst && isOfN3) && !(isOfSecond && isOfN1);
    }

    private void route(Process from, NodeId to, NodeMessage message) {
        String name = processes.entrySet().stream()
                .filter(each -> each.getValue() == from)
                .findFirst()
                .orElseThrow()
                .getKey();
        Flight flight = new Flight(now + DELAY, order++, target(from, to), from.id, from.life, message);
        if (reaches(name, flight.to) && !isLost.test(flight)) {
            flights.add(flight);
        }
    }

    private void advance(long millis) {
        long end = now + millis * MILLI;
        while (now < end) {
            now += MILLI;
            while (!flights.isEmpty() && flights.element().at <= now) {
                Flight flight = flights.remove();
                Process to = processes.get(flight.to);
                if (to != null && to.failure.isEmpty()) {
                    to.step(new NodeEvent.Received(flight.from, flight.life, flight.message));
                }
            }
            for (Process each : List.copyOf(processes.values())) {
                while (each.failure.isEmpty() && each.node.nextWake() <= now) {
                    each.step(NodeEvent.Wake.INSTANCE);
                }
            }
            Process second = processes.get("second n2");
            // It calls n1 as long as n1 is a voter to it.
            if (second != null
                    && second.failure.isEmpty()
                    && now / MILLI % 100 == 0
                    && second.node.voters().ids().contains(N1)) {
                second.step(new NodeEvent.PlaceTaken(N1, n2.life, true));
            }
        }
    }

    private Process n1;
    private Process n2;
    private Process n3;
    private Process second;

    @BeforeEach
    void threeVoteAndASecondProcessBegins() {
        n1 = start("n1", N1, 1);
        n2 = start("n2", N2, 2);
        n3 = start("n3", N3, 3);
        advance(2500);
        areTwins = true;
        // The place of the first process at n3 is free, and a later life is believed when it has been alone as long.
        advance(1000);
        second = start("second n2", N2, 22);
        advance(1500);
        assertThat(second.failure).isEmpty();
        assertThat(second.node.describe()).contains("quarantine");
    }

    private void bothContend() {
        n1.step(new NodeEvent.Contend(PATH, 1, "n1"));
        n3.step(new NodeEvent.Contend(PATH, 1, "n3"));
    }

    private long millisWithTwoLeaders() {
        long both = 0;
        for (int i = 0; i < 10_000; i++) {
            advance(1);
            both += n1.leads() && n3.leads() ? 1 : 0;
        }
        return both;
    }

    private String describe() {
        return n1.node.describe() + "\n" + n2.node.describe() + "\n" + n3.node.describe() + "\n"
                + second.node.describe() + "\n" + n3.changes + n1.changes;
    }

    // Without a change the second process is silent, and ends.
    @Test
    void secondProcessesAreSilentWithoutAChange() {
        isN1Cut = true;
        bothContend();
        assertThat(millisWithTwoLeaders()).as("%s", describe()).isZero();
        assertThat(second.failure).isPresent();
    }

    // An operator has n1 removed, at n3. n1 accepts the list, and is cut off before it hears that it is decided.
    @Test
    void removalsOfTheRefusingVoterDoNotLetTheSecondProcessVote() {
        isLost = flight -> {
            isN1Cut |= flight.message instanceof DecidedVoters && flight.to.equals("n1");
            return isN1Cut && (flight.to.equals("n1") && flight.from.equals(N3));
        };
        n3.change(N2, N3);
        bothContend();
        long both = millisWithTwoLeaders();
        assertThat(both)
                .as("milliseconds of 10 s with two leaders: %s", describe())
                .isZero();
    }

    // An operator has n1 removed, at n3. n1 and n3 have promised, and n1 is cut off before it is asked to accept. Then
    // an operator has n3 removed, at n1.
    @Test
    void onlyOneListIsDecidedUnderANumber() {
        isLost = flight -> {
            isN1Cut |= flight.message instanceof Accept && flight.to.equals("n1") && flight.from.equals(N3);
            return isN1Cut && flight.to.equals("n1") && flight.from.equals(N3);
        };
        n3.change(N2, N3);
        advance(300);
        n1.change(N1, N2);
        advance(20_000);
        if (n1.node.voters().number() == n3.node.voters().number()) {
            assertThat(n1.node.voters()).as("%s", describe()).isEqualTo(n3.node.voters());
        }
    }
}
