package io.quorate.core;

import static io.quorate.core.ChangingCluster.node;
import static io.quorate.core.ChangingCluster.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.ListingsAck;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.message.SupportMessage.Ack;
import io.quorate.core.message.SupportMessage.Goodbye;
import io.quorate.core.message.SupportMessage.Heartbeat;
import io.quorate.core.settings.NodeSettings;
import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Epoch;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What voter n3 tells n1, when an acknowledgement of an earlier session comes late, or has not left by its end. */
class LateAcknowledgementTest {

    private static final long MILLI = 1_000_000;
    private static final String PATH = "/p";

    private final NodeSettings settings = VirtualCluster.settings(node(3), nodes(1, 2, 3));
    private final Node voter =
            new Node(settings, new HighestUp(), new Birth(1, 0, true, 73, Optional.empty()), (min, max) -> min);
    private final List<NodeMessage> told = new ArrayList<>();
    private long now;
    private long sequence;
    private long batch;

    private void take(List<NodeEffect> effects) {
        for (NodeEffect effect : effects) {
            if (effect instanceof NodeEffect.Send send && send.to().equals(node(1))) {
                told.add(send.message());
            } else if (effect instanceof NodeEffect.ReserveTerms terms) {
                take(voter.step(now, new NodeEvent.TermsReserved(terms.upTo())));
            }
        }
    }

    private void hears(NodeMessage message) {
        take(voter.step(now, new NodeEvent.Received(node(1), 1, message)));
    }

    private void pass(long millis) {
        for (long end = now + millis * MILLI; now < end; ) {
            now += 100 * MILLI;
            take(voter.step(now, NodeEvent.Wake.INSTANCE));
        }
    }

    private <M extends NodeMessage> M lastTold(Class<M> type) {
        M last = told.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .reduce((former, later) -> later)
                .orElseThrow(() -> new AssertionError("no " + type + " in " + told));
        told.clear();
        return last;
    }

    private Heartbeat heartbeat(boolean isUrgent) {
        long hash = NodeSettings.configHash(settings, new HighestUp().name(), nodes(1, 2, 3));
        return new Heartbeat(1, 0, ++sequence, Optional.empty(), true, isUrgent, 0, hash, true, -1);
    }

    /** n1 is supported anew and registers. Answers how the voter lists the path. */
    private Listings session() {
        hears(heartbeat(true));
        Epoch epoch = lastTold(Ack.class).epoch();
        ContenderRecord contender = new ContenderRecord(new ContenderId(node(1), 1, 1), "a", 1, 0, 0, 1);
        hears(new Registrations(epoch, ++batch, List.of(new Join(PATH, contender, true))));
        Listings listings = lastTold(Listings.class);
        assertThat(listings.epoch()).isEqualTo(epoch);
        return listings;
    }

    @Test
    void anAcknowledgementOfAnEarlierSessionEndsNoRepetition() {
        take(voter.start(now));
        pass(3000);
        Listings first = session();
        pass(3000);
        Listings lost = session();
        assertThat(lost.epoch()).isNotEqualTo(first.epoch());
        hears(new ListingsAck(first.batch()));
        pass(500);
        Listings again = lastTold(Listings.class);
        assertThat(again.items()).isEqualTo(lost.items());
        hears(new ListingsAck(again.batch()));
        pass(300);
        assertThat(told).noneMatch(Listings.class::isInstance);
    }

    // What is kept for a node that is gone would be kept for ever, if that one no longer votes.
    @Test
    void anAcknowledgementThatWaitsEndsWithTheSupport() {
        take(voter.start(now));
        pass(3000);
        told.clear();
        hears(heartbeat(false));
        hears(new Goodbye());
        pass(1000);
        assertThat(told).noneMatch(Ack.class::isInstance);
        hears(heartbeat(false));
        pass(1000);
        assertThat(told).anyMatch(Ack.class::isInstance);
    }
}
