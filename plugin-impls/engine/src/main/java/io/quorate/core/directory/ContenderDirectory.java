package io.quorate.core.directory;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Item;
import io.quorate.core.message.DirectoryMessage.Listings;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.message.DirectoryMessage.RegistrationsAck;
import io.quorate.core.message.SupportMessage.Refused;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.SupportGiven;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a voter, one {@link Page} per path. Registrations of a node live as long as this voter's support for
 * that node, as the ephemeral nodes of a session do.
 *
 * @param <P> the pages, which know of votes
 */
public final class ContenderDirectory<P extends Page> {

    /** The most paths that a voter keeps; a node that comes with one more is refused. */
    static final int PATHS_MAX = 1_000_000;

    static final int PATHS_PER_NODE_MAX = 100_000;

    static final int CONTENDERS_PER_NODE_MAX = 200_000;

    /** The most characters of all the names together that one node brings: of its paths, and of its contenders. */
    static final int NAMES_PER_NODE_MAX = 16 * 1024 * 1024;

    /**
     * The most characters of all names of paths on which one node holds this voter's vote and has not registered:
     * messages overtake each other. With thousands of paths, a node claims those that a majority has registered, and
     * the other voters follow soon.
     */
    public static final int NAMES_AHEAD_MAX = 2 * 1024 * 1024;

    /** A list of more bytes than this travels in parts. */
    private static final int SNAPSHOT_BYTES_MAX = 12 * 1024;

    /** With thousands of paths of a node that is gone, the others wait after so many. */
    private static final int PLACES_AT_ONCE = 512;

    /** An item for a node: one contender of a path, or without a contender the list, or that it is complete. */
    private record Key(String path, @Nullable ContenderId contender, boolean isWhole) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && isWhole == key.isWhole
                    && path.equals(key.path)
                    && Objects.equals(contender, key.contender);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * path.hashCode() + Objects.hashCode(contender)) + Boolean.hashCode(isWhole);
        }
    }

    private static Key contenderOf(Page page, ContenderId contender) {
        return new Key(page.path(), contender, false);
    }

    private static final class Session {
        private final NodeId node;
        private final Epoch epoch;
        private final long incarnation;
        private final Subscriptions<Page> subscriptions;
        private final Outbox<Key> outbox = new Outbox<>();
        private long lastBatch;
        private int paths;
        private int contenders;
        private long names;
        private Timers.@Nullable Handle resend;

        private Session(NodeId node, Epoch epoch, long incarnation) {
            this.subscriptions = new Subscriptions<>(page -> page.isSubscribed(node));
            this.node = node;
            this.epoch = epoch;
            this.incarnation = incarnation;
        }
    }

    /** Void registrations of a node, which are removed from its pages, some in each step. */
    private record Ended(NodeId node, Deque<Page> places) {}

    /** The pages with this voter's vote for contenders of one node that are not registered there. */
    private static final class Ahead {
        private final Set<Page> pages = new LinkedHashSet<>();
        private long names;

        private void add(Page page) {
            names += pages.add(page) ? page.path().length() : 0;
        }

        private void remove(Page page) {
            names -= pages.remove(page) ? page.path().length() : 0;
        }
    }

    private final StepContext context;
    private final SupportGiven support;
    private final Function<String, P> newPage;
    private final Map<String, P> pages = new HashMap<>();
    private final Map<NodeId, Session> sessions = new TreeMap<>();
    private final Set<NodeId> toFlush = new LinkedHashSet<>();
    private final Map<NodeId, Ahead> votesAhead = new TreeMap<>();
    private final Deque<Ended> ended = new ArrayDeque<>();
    /** How many places of these may still be looked at before the next {@link #work}. */
    private int placesLeft = PLACES_AT_ONCE;

    private long floor;
    /** The number of the last batch to any node. */
    private long batches;

    /**
     * @param floor   the term of every path of which nothing is kept yet
     * @param newPage makes the page of a path
     */
    public ContenderDirectory(StepContext context, SupportGiven support, long floor, Function<String, P> newPage) {
        this.context = context;
        this.support = support;
        this.newPage = newPage;
        this.floor = floor;
    }

    /** The term of every path without a page; it only rises. */
    public long floor() {
        return floor;
    }

    /** Raises the floor to this term. */
    public void raiseFloor(long to) {
        floor = Math.max(floor, to);
    }

    /** The page of a path, which is made if there is none. */
    public P page(String path) {
        return pages.computeIfAbsent(path, newPage);
    }

    /** The application holds this string, so the page needs no equal copy. */
    public void adopt(String path) {
        P page = pages.remove(path);
        if (page != null) {
            page.setPath(path);
            pages.put(path, page);
        }
    }

    /** The page of a path; empty if nothing is kept of it. */
    public Optional<P> find(String path) {
        return Optional.ofNullable(pages.get(path));
    }

    /** The registered contenders of the path. */
    public RankedContenders contenders(String path) {
        Page page = pages.get(path);
        return page == null ? RankedContenders.EMPTY : page.contenders();
    }

    /** The number of paths that are kept. */
    public int size() {
        return pages.size();
    }

    /** A contender, as it was registered here, that does not contend now. */
    public record Leaver(String path, ContenderRecord gone) {}

    /** A node reports its contenders; this counts only in the epoch in which it is supported. Answers who has left. */
    public List<Leaver> onRegistrations(NodeId from, long incarnation, Registrations message) {
        Epoch supported = support.epochOf(from, incarnation);
        if (supported == null || !supported.equals(message.epoch())) {
            return List.of();
        }
        List<Leaver> leavers = new ArrayList<>(0);
        Session session = sessions.get(from);
        if (session == null || !session.epoch.equals(supported)) {
            end(from);
            if (isEnding(from)) {
                // The node sends it again.
                return List.of();
            }
            session = new Session(from, supported, incarnation);
            sessions.put(from, session);
        }
        if (message.batch() > session.lastBatch) {
            session.lastBatch = message.batch();
            Optional<String> refusal = Optional.empty();
            for (Change change : message.changes()) {
                Optional<String> full = full(session, change);
                if (full.isEmpty()) {
                    apply(from, session, change, leavers);
                } else {
                    refusal = full;
                }
            }
            if (refusal.isPresent()) {
                refuse(from, refusal.get());
            }
        }
        context.send(from, new RegistrationsAck(message.batch()));
        return leavers;
    }

    private void refuse(NodeId node, String reason) {
        context.noteOnce("registrations", node, "no longer listing registrations of node %s: %s", node, reason);
        context.send(node, new Refused(false, reason));
    }

    /** Why there is no room for the change; empty if there is, or if it takes none. */
    private Optional<String> full(Session session, Change change) {
        if (!change.isWanted()) {
            return Optional.empty();
        }
        Page page = pages.get(change.path());
        boolean isNewPath = page == null || !page.isSubscribed(session.node);
        boolean isNewContender = false;
        long names = isNewPath ? change.path().length() : 0;
        if (change instanceof Change.Join join) {
            Optional<ContenderRecord> old = page == null
                    ? Optional.empty()
                    : page.find(join.registration().id());
            isNewContender = old.isEmpty();
            names += namesAdded(old, join.registration());
        }
        if (page == null && pages.size() >= PATHS_MAX) {
            return Optional.of("this voter keeps " + PATHS_MAX + " paths, and no more");
        }
        if (isNewPath && session.paths >= PATHS_PER_NODE_MAX) {
            return Optional.of("a node may contend on or watch " + PATHS_PER_NODE_MAX + " paths, and no more");
        }
        if (isNewContender && session.contenders >= CONTENDERS_PER_NODE_MAX) {
            return Optional.of("a node may have " + CONTENDERS_PER_NODE_MAX + " contenders, and no more");
        }
        if (session.names + names > NAMES_PER_NODE_MAX) {
            return Optional.of("the names of a node's paths and contenders may have " + NAMES_PER_NODE_MAX
                    + " characters together, and no more");
        }
        return Optional.empty();
    }

    /** The number of characters by which the contender's name is longer than the one that is listed. */
    private static int namesAdded(Optional<ContenderRecord> old, ContenderRecord registration) {
        return registration.participantId().length()
                - (old.isPresent() ? old.get().participantId().length() : 0);
    }

    /** The node has the batch of this number. */
    public void onListingsAck(NodeId from, long batch) {
        Session session = sessions.get(from);
        if (session != null) {
            session.outbox.acknowledged(batch);
            toFlush.add(from);
        }
    }

    /** This node no longer votes: nothing is listed here. */
    public void endAll() {
        List.copyOf(sessions.keySet()).forEach(this::end);
    }

    /** The node's support has ended. Its votes are void with its epoch, and what it registered ends here. */
    public void end(NodeId node) {
        Session session = sessions.remove(node);
        toFlush.remove(node);
        if (session != null) {
            ended.add(new Ended(node, new ArrayDeque<>(session.subscriptions.places())));
            takeOut();
        }
    }

    /** Whether something is left of what the node had registered before its support ended. */
    private boolean isEnding(NodeId node) {
        for (Ended each : ended) {
            if (each.node.equals(node)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is something to do besides what messages ask for. */
    public boolean hasWork() {
        return !ended.isEmpty();
    }

    /** Does some of it, at so many paths at most; called in each step. */
    public void work(int max) {
        placesLeft = Math.max(placesLeft, max);
        takeOut();
    }

    private void takeOut() {
        for (Ended first = ended.peek(); first != null && placesLeft > 0; first = ended.peek()) {
            if (first.places.isEmpty()) {
                ended.remove();
            } else {
                placesLeft--;
                takeOut(first.node, first.places.remove());
            }
        }
    }

    private void takeOut(NodeId node, Page page) {
        if (!page.isSubscribed(node)) {
            return;
        }
        context.agenda().add(page.path());
        page.unwatch(node);
        for (ContenderRecord registration : page.contenders()) {
            if (registration.id().node().equals(node)) {
                page.setContenders(page.contenders().without(registration.id()));
                tellGone(page, registration.id());
            }
        }
        forgetIfUnused(page);
    }

    /** The registration of the contender, unless it is void and only waits for its removal. */
    public Optional<ContenderRecord> registered(Page page, ContenderId contender) {
        return isEnding(contender.node()) ? Optional.empty() : page.find(contender);
    }

    /**
     * Whether the contender may have this voter's vote: it is registered, or the votes of its node ahead of
     * registration have room.
     */
    public boolean hasRoomForVote(String path, ContenderId claimer) {
        Page page = pages.get(path);
        if (page != null && registered(page, claimer).isPresent()) {
            return true;
        }
        Ahead ahead = votesAhead.get(claimer.node());
        long names = path.length() + (ahead == null ? 0 : ahead.names);
        return ahead != null && page != null && ahead.pages.contains(page)
                || names <= NAMES_AHEAD_MAX && (page != null || pages.size() < PATHS_MAX);
    }

    /**
     * Whether the contender is registered, and this voter's vote does not back its token: it is told without its token.
     */
    public boolean isUnbacked(Page page, ContenderId contender) {
        Optional<ContenderRecord> known = registered(page, contender);
        return known.isPresent() && !page.backs(known.get());
    }

    /** This voter's vote has become the contender's. */
    public void onVoted(Page page, ContenderId claimer) {
        Optional<ContenderRecord> registration = registered(page, claimer);
        if (registration.isEmpty()) {
            votesAhead.computeIfAbsent(claimer.node(), node -> new Ahead()).add(page);
        } else if (registration.get().isLeading()) {
            // Until now the contender was told without its token.
            tell(page, claimer);
        }
    }

    /** Forgets pages on which nobody has registered after all, of each node some; called now and then. */
    public void sweep() {
        for (Ahead ahead : List.copyOf(votesAhead.values())) {
            for (int i = Math.min(PLACES_AT_ONCE, ahead.pages.size()); i > 0; i--) {
                Page page = ahead.pages.iterator().next();
                ahead.remove(page);
                forgetIfUnused(page);
            }
        }
        votesAhead.values().removeIf(ahead -> ahead.pages.isEmpty());
    }

    /** Sends what is to be told, at most one batch per node; called at the end of each step. */
    public void flush() {
        for (NodeId node : List.copyOf(toFlush)) {
            Session session = Objects.requireNonNull(sessions.get(node), "session");
            long patience = resendPatience(context);
            Optional<List<Key>> keys = session.outbox.next(batches + 1, context.now(), patience, this::size);
            toFlush.remove(node);
            if (keys.isPresent()) {
                batches++;
                List<Item> items = new ArrayList<>(keys.get().size());
                for (Key key : keys.get()) {
                    items.add(key.isWhole ? snapshot(key.path, session) : item(key));
                }
                context.send(node, new Listings(session.epoch, batches, items));
                session.resend = context.timers().replace(session.resend, session.outbox.resendAt(patience), () -> {
                    if (sessions.get(node) == session && session.outbox.isUnderWay()) {
                        toFlush.add(node);
                    }
                });
            }
        }
    }

    static long resendPatience(StepContext context) {
        return Math.max(context.timing().deltas(4), context.lease().heartbeat() / 2);
    }

    /**
     * Drops a page that holds no live vote and that nobody contends on; its terms live on in the floor. One with a vote
     * ahead of a registration is looked at again when the vote may have ended.
     */
    public void forgetIfUnused(Page page) {
        Optional<ContenderId> ahead = page.votedAhead();
        if (ahead.isPresent()) {
            votesAhead.computeIfAbsent(ahead.get().node(), voted -> new Ahead()).add(page);
        }
        if (page.isUnused() && pages.get(page.path()) == page) {
            floor = Math.max(floor, page.term());
            pages.remove(page.path());
        }
    }

    private void apply(NodeId from, Session session, Change change, List<Leaver> leavers) {
        Page page = page(change.path());
        boolean wasSubscribed = page.isSubscribed(from);
        change.dispatch(new Change.Handler() {
            @Override
            public void on(Change.Join join) {
                register(from, session, page, join.registration());
            }

            @Override
            public void on(Change.Leave leave) {
                remove(session, page, leave, leavers);
            }

            @Override
            public void on(Change.Watch watch) {
                page.unwatch(from);
                if (watch.isWanted()) {
                    page.watch(from);
                }
            }
        });
        boolean isSubscribed = page.isSubscribed(from);
        if (isSubscribed && !wasSubscribed) {
            session.subscriptions.add(page);
            session.paths++;
            session.names += page.path().length();
        } else if (!isSubscribed && wasSubscribed) {
            session.subscriptions.leave();
            session.paths--;
            session.names -= page.path().length();
        }
        if (isSubscribed && (change.isWanted() && change.asks() || !wasSubscribed)) {
            session.outbox.mark(new Key(page.path(), null, true));
            toFlush.add(from);
        }
        forgetIfUnused(page);
    }

    private void register(NodeId from, Session session, Page page, ContenderRecord registration) {
        boolean isOwn =
                registration.id().node().equals(from) && registration.id().incarnation() == session.incarnation;
        Optional<ContenderRecord> old = page.find(registration.id());
        boolean isNewer = old.isEmpty() || old.get().version() < registration.version();
        if (isOwn && isNewer) {
            page.setContenders(page.contenders().with(registration, context.ranking()));
            session.contenders += old.isEmpty() ? 1 : 0;
            session.names += namesAdded(old, registration);
            if (old.isEmpty()) {
                Key key = contenderOf(page, registration.id());
                for (Outbox<Key> outbox : told(page)) {
                    outbox.begin(key);
                }
            } else {
                tell(page, registration.id());
            }
        }
    }

    private void remove(Session session, Page page, Change.Leave leave, List<Leaver> leavers) {
        ContenderId gone = new ContenderId(session.node, session.incarnation, leave.number());
        Optional<ContenderRecord> found = page.find(gone);
        if (found.isPresent()) {
            ContenderRecord registration = found.get();
            page.setContenders(page.contenders().without(gone));
            session.contenders--;
            session.names -= registration.participantId().length();
            tellGone(page, gone);
            leavers.add(new Leaver(page.path(), registration));
        }
        if (!leave.stays()) {
            page.unwatch(session.node);
        } else if (!page.isSubscribed(session.node)) {
            page.watch(session.node);
        }
        // The contender's release may have been lost, and without a claim nobody would find out. It never claims again.
        if (leave.isGone() && page.onGone(gone)) {
            context.agenda().add(page.path());
        }
    }

    private void tell(Page page, ContenderId contender) {
        Key key = contenderOf(page, contender);
        for (Outbox<Key> outbox : told(page)) {
            outbox.mark(key);
        }
    }

    private void tellGone(Page page, ContenderId contender) {
        Key key = contenderOf(page, contender);
        for (Outbox<Key> outbox : told(page)) {
            if (outbox.end(key)) {
                outbox.mark(key);
            }
        }
    }

    /** The outboxes of all nodes that are told of the page; they are sent at the end of the step. */
    private List<Outbox<Key>> told(Page page) {
        List<Outbox<Key>> told = new ArrayList<>();
        for (NodeId node : page.subscribers()) {
            Session session = sessions.get(node);
            if (session != null) {
                told.add(session.outbox);
                toFlush.add(node);
            }
        }
        return told;
    }

    private Item item(Key key) {
        Page page = pages.get(key.path);
        if (key.contender == null) {
            return new Item.Complete(key.path, page == null ? floor : page.term());
        }
        Optional<ContenderRecord> found = page == null ? Optional.empty() : page.find(key.contender);
        return page != null && found.isPresent()
                ? new Item.Listed(key.path, page.told(found.get()))
                : new Item.Unlisted(key.path, key.contender);
    }

    /** The whole list as it is now. Registrations that do not fit follow it, and so cannot be older. */
    private Item snapshot(String path, Session session) {
        Page page = pages.get(path);
        if (page == null) {
            return new Item.Snapshot(path, floor, true, List.of());
        }
        List<ContenderRecord> told = new ArrayList<>();
        boolean isComplete = true;
        int bytes = 0;
        for (ContenderRecord registration : page.contenders()) {
            bytes += size(registration);
            if (bytes <= SNAPSHOT_BYTES_MAX) {
                told.add(page.told(registration));
                session.outbox.told(contenderOf(page, registration.id()));
            } else {
                isComplete = false;
                session.outbox.mark(contenderOf(page, registration.id()));
            }
        }
        if (!isComplete) {
            session.outbox.markLast(new Key(path, null, false));
        }
        return new Item.Snapshot(path, page.term(), isComplete, told);
    }

    /** About the bytes that the item takes on the wire. */
    private int size(Key key) {
        Page page = pages.get(key.path);
        int size = 3 * key.path.length() + NodeId.LENGTH_MAX + 64;
        if (page == null) {
            return size;
        }
        if (key.contender != null) {
            Optional<ContenderRecord> found = page.find(key.contender);
            return found.isPresent() ? size + size(found.get()) : size;
        }
        int list = 0;
        for (ContenderRecord registration : page.contenders()) {
            list += key.isWhole ? size(registration) : 0;
        }
        return size + Math.min(list, SNAPSHOT_BYTES_MAX);
    }

    private static int size(ContenderRecord registration) {
        return 3 * registration.participantId().length() + NodeId.LENGTH_MAX + 48;
    }
}
