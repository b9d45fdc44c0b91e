package io.quorate.core.directory;

import io.quorate.core.collection.SmallLists;
import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A voter's page of one path: its contenders, and the nodes that are told of them. A subclass adds the vote, so that
 * the directory does not know ballots and a path still costs one object.
 */
public abstract class Page {

    private String path;
    private RankedContenders contenders = RankedContenders.EMPTY;
    private List<NodeId> watchers = List.of();

    /** The page of a path on which nobody contends. */
    public Page(String path) {
        this.path = path;
    }

    /** The highest term that was voted in or closed. */
    public abstract long term();

    /** The contender that has this voter's vote. */
    protected abstract Optional<ContenderId> voted();

    /** Whether this voter's vote is this contender's, in the term of its token or a later one. */
    protected abstract boolean backs(ContenderRecord registration);

    /** The contender has left for good: it no longer needs this voter's vote. Answers whether it had it. */
    protected abstract boolean onGone(ContenderId gone);

    String path() {
        return path;
    }

    void setPath(String equal) {
        path = equal;
    }

    RankedContenders contenders() {
        return contenders;
    }

    void setContenders(RankedContenders changed) {
        contenders = changed;
    }

    Optional<ContenderRecord> find(ContenderId id) {
        return contenders.find(id);
    }

    /** The equal id that is registered already; the given one if there is none. */
    public ContenderId shared(ContenderId id) {
        Optional<ContenderRecord> found = find(id);
        return found.isPresent() ? found.get().id() : id;
    }

    /** Whether nobody contends here, nobody watches, and nobody has this voter's vote. */
    boolean isUnused() {
        return contenders.isEmpty() && watchers.isEmpty() && voted().isEmpty();
    }

    /** The contender that has this voter's vote, if it is not registered here. */
    Optional<ContenderId> votedAhead() {
        Optional<ContenderId> voted = voted();
        return voted.isPresent() && find(voted.get()).isEmpty() ? voted : Optional.empty();
    }

    boolean isSubscribed(NodeId node) {
        return watchers.contains(node) || RankedContenders.hasAnyOf(node, contenders);
    }

    /** The nodes that are to be told of the path, each once. */
    List<NodeId> subscribers() {
        List<NodeId> nodes = new ArrayList<>(watchers);
        for (ContenderRecord registration : contenders) {
            if (!nodes.contains(registration.id().node())) {
                nodes.add(registration.id().node());
            }
        }
        return nodes;
    }

    void watch(NodeId node) {
        watchers = SmallLists.with(watchers, node);
    }

    void unwatch(NodeId node) {
        watchers = SmallLists.without(watchers, node);
    }

    /**
     * A contender as the voter tells it: as leading only if this voter's vote is its own. So no contender can just say
     * that it leads, or with which token. A majority backs a leader, so a node that hears a majority hears one of these
     * voters.
     */
    ContenderRecord told(ContenderRecord registration) {
        return registration.isLeading() && !backs(registration) ? registration.withoutToken() : registration;
    }
}
