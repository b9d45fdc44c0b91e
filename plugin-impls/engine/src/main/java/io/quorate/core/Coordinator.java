package io.quorate.core;

import io.quorate.core.step.NodeEffect;
import io.quorate.core.step.NodeEvent;
import io.quorate.core.step.StepContext;
import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Carries out changes of voters, one at a time: docs/reconfiguration.md. Any voter may coordinate, and before the first
 * change any node that the settings name. None of this state has to survive: a voter that has accepted a proposal
 * completes that one step (R11), and the application may ask for the same list again.
 */
final class Coordinator {

    private final StepContext context;
    private final Proposer proposer;
    private Optional<VoterChange> change = Optional.empty();
    private long queries;

    /** @param onDecided called with the list that a majority has accepted */
    Coordinator(StepContext context, Consumer<VoterList> onDecided) {
        this.context = context;
        proposer = new Proposer(context, onDecided);
    }

    /** The change that is under way, which is told what nodes answer. */
    Optional<VoterChange> change() {
        return change;
    }

    void onChange(NodeEvent.ChangeVoters event) {
        Map<NodeId, Optional<HostAndPort>> wanted = new TreeMap<>(event.wanted());
        VoterPlan plan = VoterPlan.of(context, context.voters(), wanted, Map.of());
        Optional<RuntimeException> refusal = plan.refusal(event.number(), change.flatMap(VoterChange::asksFor));
        if (refusal.isPresent() || event.number() != context.voters().number()) {
            context.emit(new NodeEffect.ChangeEnded(event.request(), refusal));
            return;
        }
        // The new change finds what the open one has left behind, and proposes it again.
        change.ifPresent(open -> open.end(Optional.empty()));
        begin(wanted, Optional.empty(), failure -> context.emit(new NodeEffect.ChangeEnded(event.request(), failure)));
    }

    /**
     * Completes the step that this node's voter has accepted and no other node has completed (R11): the list is decided
     * already if a majority has accepted it, and is decided now if not.
     */
    void onLeftOpen(VoterList value) {
        if (change.isEmpty()) {
            Map<NodeId, Optional<HostAndPort>> wanted =
                    value.members().stream().collect(Collectors.toMap(Member::id, Member::address));
            begin(new TreeMap<>(wanted), Optional.of(value), failure -> {});
        }
    }

    private void begin(
            Map<NodeId, Optional<HostAndPort>> wanted,
            Optional<VoterList> leftOpen,
            Consumer<Optional<RuntimeException>> onEnd) {
        wanted.forEach((node, address) -> {
            if (!node.equals(context.self())) {
                address.ifPresent(at -> context.emit(new NodeEffect.Reach(node, at)));
            }
        });
        VoterChange begun = new VoterChange(context, proposer, () -> ++queries, wanted, leftOpen, failure -> {
            change = Optional.empty();
            onEnd.accept(failure);
        });
        change = Optional.of(begun);
        begun.ask();
    }

    /** The voter list of this node has changed: everything under way for an older list is void, promises included. */
    void onVoters() {
        proposer.onVoters();
        change.ifPresent(VoterChange::onVoters);
    }

    void stop() {
        change.ifPresent(VoterChange::stop);
    }
}
