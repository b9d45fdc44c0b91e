package io.quorate.core;

import io.quorate.core.NodeMessage.Change;
import io.quorate.core.NodeMessage.Item;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * What a voter keeps of the paths: per path its ballot and who contends there, and to whom that is to be told. What a
 * node registered lives as long as this voter's support for that node, as the ephemeral nodes of a session do.
 */
final class Roster {

    /** The most paths of which a voter lists contenders; it lists none on a path beyond that. */
    static final int PATHS_MAX = 1_000_000;

    /** One path. */
    final class Page {
        private String path;
        private final Ballot ballot;
        private Roll roll = Roll.EMPTY;
        private List<NodeId> watchers = List.of();

        private Page(String path) {
            this.path = path;
            this.ballot = new Ballot(floor);
        }

        String path() {
            return path;
        }

        Ballot ballot() {
            return ballot;
        }

        private boolean isSubscribed(NodeId node) {
            return watchers.contains(node) || roll.hasAnyOf(node);
        }

        private List<NodeId> subscribers() {
            List<NodeId> nodes = new ArrayList<>(watchers);
            for (Registration registration : roll) {
                if (!nodes.contains(registration.id().node())) {
                    nodes.add(registration.id().node());
                }
            }
            return nodes;
        }

        private void unwatch(NodeId node) {
            if (watchers.contains(node)) {
                watchers = SmallLists.without(watchers, node);
            }
        }

        /** The equal id that the roll holds already; the given one if there is none. */
        ContenderId shared(ContenderId id) {
            return find(id).map(Registration::id).orElse(id);
        }

        private Optional<Registration> find(ContenderId id) {
            return roll.find(id);
        }
    }

    /** What is to be told: one contender of a path, or (null) that the list of the path is complete. */
    private record Key(String path, ContenderId contender) {

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && path.equals(key.path) && Objects.equals(contender, key.contender);
        }

        @Override
        public int hashCode() {
            return 31 * path.hashCode() + Objects.hashCode(contender);
        }
    }

    /** One node in one epoch of support. */
    private static final class Session {
        private final Epoch epoch;
        private final long incarnation;
        private final Subscriptions<Page> subscriptions;
        private final Outbox<Key> outbox = new Outbox<>();
        private long lastBatch;

        private Session(NodeId node, Epoch epoch, long incarnation) {
            this.subscriptions = new Subscriptions<>(page -> page.isSubscribed(node));
            this.epoch = epoch;
            this.incarnation = incarnation;
        }
    }

    private final Context context;
    private final Support support;
    private final Map<String, Page> pages = new HashMap<>();
    private final Map<NodeId, Session> sessions = new TreeMap<>();
    private final Set<NodeId> toFlush = new LinkedHashSet<>();
    private long floor;

    Roster(Context context, Support support, long floor) {
        this.context = context;
        this.support = support;
        this.floor = floor;
    }

    /** The term of every path without a page. Only rises. */
    long floor() {
        return floor;
    }

    void raiseFloor(long to) {
        floor = Math.max(floor, to);
    }

    /** The page of a path, which is made if there is none. */
    Page page(String path) {
        return pages.computeIfAbsent(path, Page::new);
    }

    /** The application holds this string: then the page needs no other, equal one. */
    void adopt(String path) {
        Page page = pages.remove(path);
        if (page != null) {
            page.path = path;
            pages.put(path, page);
        }
    }

    Optional<Page> find(String path) {
        return Optional.ofNullable(pages.get(path));
    }

    Roll roll(String path) {
        Page page = pages.get(path);
        return page == null ? Roll.EMPTY : page.roll;
    }

    int size() {
        return pages.size();
    }

    /**
     * A node reports its contenders; only in the epoch in which it is supported.
     *
     * @param onLeft takes each contender that has left, as it was registered here, and its path
     */
    void onRegistrations(NodeId from, long incarnation, NodeMessage.Registrations message,
            BiConsumer<String, Registration> onLeft) {
        Epoch supported = support.epochOf(from, incarnation);
        if (supported == null || !supported.equals(message.epoch())) {
            return;
        }
        Session session = sessions.get(from);
        if (session == null || !session.epoch.equals(supported)) {
            end(from);
            session = new Session(from, supported, incarnation);
            sessions.put(from, session);
        }
        if (message.batch() > session.lastBatch) {
            session.lastBatch = message.batch();
            for (Change change : message.changes()) {
                if (pages.size() < PATHS_MAX || pages.containsKey(change.path())) {
                    apply(from, session, change, onLeft);
                }
            }
        }
        context.send(from, new NodeMessage.RegistrationsAck(message.batch()));
    }

    void onListingsAck(NodeId from, long batch) {
        Session session = sessions.get(from);
        if (session != null) {
            session.outbox.acknowledged(batch);
            toFlush.add(from);
        }
    }

    /** The node's support has ended: so has what it registered. Answers the paths that changed. */
    Set<String> end(NodeId node) {
        Session session = sessions.remove(node);
        toFlush.remove(node);
        if (session == null) {
            return Set.of();
        }
        Set<String> changed = new LinkedHashSet<>();
        for (Page page : session.subscriptions.pages()) {
            changed.add(page.path);
            page.unwatch(node);
            for (Registration registration : page.roll) {
                if (registration.id().node().equals(node)) {
                    page.roll = page.roll.without(registration.id());
                    tell(page, registration.id());
                }
            }
            forgetIfUnused(page);
        }
        return changed;
    }

    /** Sends what is to be told, at most one batch per node; called at the end of each step. */
    void flush() {
        for (NodeId node : List.copyOf(toFlush)) {
            Session session = sessions.get(node);
            long patience = resendPatience(context);
            Optional<List<Key>> keys = session.outbox.next(context.now(), patience, this::size);
            toFlush.remove(node);
            if (keys.isPresent()) {
                List<Item> items = new ArrayList<>(keys.get().size());
                for (Key key : keys.get()) {
                    items.add(item(key));
                }
                context.send(node, new NodeMessage.Listings(session.epoch, session.outbox.batch(), items));
                context.timers.set(session.outbox.resendAt(patience), () -> {
                    if (sessions.get(node) == session && session.outbox.isUnderWay()) {
                        toFlush.add(node);
                    }
                });
            }
        }
    }

    /** How long a batch waits for its acknowledgement. */
    static long resendPatience(Context context) {
        return Math.max(context.settings.timing().deltas(4), context.settings.lease().heartbeat() / 2);
    }

    /** Drops a page that holds no live vote and that nobody contends on; its terms live on in the floor. */
    void forgetIfUnused(Page page) {
        if (page.roll.isEmpty() && page.watchers.isEmpty() && !page.ballot.isLive(support)
                && pages.get(page.path) == page) {
            floor = Math.max(floor, page.ballot.term());
            pages.remove(page.path);
        }
    }

    private void apply(NodeId from, Session session, Change change, BiConsumer<String, Registration> onLeft) {
        Page page = page(change.path());
        boolean wasSubscribed = page.isSubscribed(from);
        if (change instanceof NodeMessage.Join join) {
            register(from, session, page, join.registration());
        } else if (change instanceof NodeMessage.Leave leave) {
            ContenderId gone = new ContenderId(from, session.incarnation, leave.number());
            page.find(gone).ifPresent(registration -> {
                page.roll = page.roll.without(gone);
                tell(page, gone);
                onLeft.accept(page.path, registration);
            });
        } else if (change instanceof NodeMessage.Watch watch) {
            page.unwatch(from);
            if (watch.wanted()) {
                page.watchers = SmallLists.with(page.watchers, from);
            }
        }
        boolean isSubscribed = page.isSubscribed(from);
        // Who asks knows nothing: it may have forgotten the path and come back, which travels as one change.
        boolean asks = change instanceof NodeMessage.Watch watch && watch.wanted();
        if (asks || isSubscribed && !wasSubscribed) {
            if (!wasSubscribed) {
                session.subscriptions.add(page);
            }
            for (Registration registration : page.roll) {
                session.outbox.mark(new Key(page.path, registration.id()));
            }
            session.outbox.mark(new Key(page.path, null));
            toFlush.add(from);
        } else if (!isSubscribed && wasSubscribed) {
            session.subscriptions.leave();
        }
        forgetIfUnused(page);
    }

    private void register(NodeId from, Session session, Page page, Registration registration) {
        boolean isOwn = registration.id().node().equals(from) && registration.id().incarnation() == session.incarnation;
        Optional<Registration> old = page.find(registration.id());
        boolean isNewer = old.isEmpty() || old.get().version() < registration.version();
        if (isOwn && isNewer) {
            page.roll = page.roll.with(registration, context.ranking);
            tell(page, registration.id());
        }
    }

    private void tell(Page page, ContenderId contender) {
        for (NodeId node : page.subscribers()) {
            Session session = sessions.get(node);
            if (session != null) {
                session.outbox.mark(new Key(page.path, contender));
                toFlush.add(node);
            }
        }
    }

    private Item item(Key key) {
        Page page = pages.get(key.path);
        if (key.contender == null) {
            return new NodeMessage.Complete(key.path, page == null ? floor : page.ballot.term());
        }
        Optional<Registration> registration = page == null ? Optional.empty() : page.find(key.contender);
        return registration.isPresent() ? new NodeMessage.Listed(key.path, registration.get())
                : new NodeMessage.Unlisted(key.path, key.contender);
    }

    /** About the bytes that the item takes on the wire. */
    private int size(Key key) {
        Page page = key.contender == null ? null : pages.get(key.path);
        Optional<Registration> registration = page == null ? Optional.empty() : page.find(key.contender);
        int participant = registration.isPresent() ? 3 * registration.get().participantId().length() : 0;
        return 3 * key.path.length() + participant + NodeId.LENGTH_MAX + 64;
    }
}
