package io.quorate.core.directory;

import io.quorate.core.message.ContenderRecord;
import io.quorate.core.message.DirectoryMessage.Change;
import io.quorate.core.message.DirectoryMessage.Change.Join;
import io.quorate.core.message.DirectoryMessage.Change.Leave;
import io.quorate.core.message.DirectoryMessage.Change.Watch;
import io.quorate.core.message.DirectoryMessage.Registrations;
import io.quorate.core.step.Printable;
import io.quorate.core.step.StepContext;
import io.quorate.core.step.Timers;
import io.quorate.core.support.SupportHeld;
import io.quorate.core.voters.PerVoter;
import io.quorate.engine.Epoch;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the voters informed of this node's contenders and watched paths; the counterpart of {@link ContenderDirectory}.
 */
public final class DirectoryClient {

    /** A contender of a path, or the watching of the path. */
    private record Key(String path, long number) {
        private static final long WATCH = -1;

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && number == key.number && path.equals(key.path);
        }

        @Override
        public int hashCode() {
            return 31 * path.hashCode() + Long.hashCode(number);
        }
    }

    private final StepContext context;
    private final OwnRegistrations own;
    private final SupportHeld supportHeld;
    private final PerVoter<Session> sessions;

    private long version;
    /** The number of the last batch to any voter. */
    private long batches;

    /** The two directions of the exchange with one voter. */
    private static final class Session {
        private final Outbox<Key> outbox = new Outbox<>();
        /** The epoch of the voter's support in which it is being told. */
        private @Nullable Epoch epoch;

        private long lastListing;
        /** Why the voter does not support this node. */
        private @Nullable String refusal;
        /** Why the voter does not list everything, and when it said so last. */
        private @Nullable String full;

        private long fullAt;
        private Timers.@Nullable Handle resend;
    }

    /** @param own what there is to register */
    public DirectoryClient(StepContext context, OwnRegistrations own, SupportHeld supportHeld) {
        this.context = context;
        this.own = own;
        this.supportHeld = supportHeld;
        sessions = context.perVoter(Session::new);
    }

    /** The version of what is registered next. */
    public long nextVersion() {
        return ++version;
    }

    /** There is another contender: the voters are to be told. */
    public void joined(String path, long number) {
        Key key = new Key(path, number);
        for (Session session : sessions.all()) {
            session.outbox.begin(key);
        }
    }

    /** The registration of the contender has changed, so the voters must be told. */
    public void changed(String path, long number) {
        Key key = new Key(path, number);
        for (Session session : sessions.all()) {
            session.outbox.mark(key);
        }
    }

    /** The contender has left for good: the voters that may know of it are to be told. */
    public void left(String path, long number) {
        Key key = new Key(path, number);
        for (int voter = 0; voter < sessions.size(); voter++) {
            Outbox<Key> outbox = sessions.of(voter).outbox;
            // A voter that answers may have voted for it before it heard of the end, and the release may have been
            // lost.
            if (supportHeld.believes(voter) || outbox.end(key)) {
                outbox.mark(key);
            }
        }
        if (!own.isListening(path)) {
            for (Session session : sessions.all()) {
                session.outbox.end(new Key(path, Key.WATCH));
            }
        }
    }

    /**
     * The node watches the path, or no longer.
     *
     * @param isNew whether nothing of this node has listened to it until now: then no voter knows of it
     */
    public void watchChanged(String path, boolean isNew) {
        Key key = new Key(path, Key.WATCH);
        for (Session session : sessions.all()) {
            Outbox<Key> outbox = session.outbox;
            if (isNew) {
                outbox.begin(key);
            } else if (own.isListening(path) || outbox.end(key)) {
                outbox.mark(key);
            }
        }
    }

    /**
     * The voter supports this node in this epoch. Answers whether that is another than before: then it has forgotten
     * everything, and is to be told everything again.
     */
    public boolean onEpoch(int voter, Epoch epoch) {
        Session session = sessions.of(voter);
        session.refusal = null;
        if (epoch.equals(session.epoch)) {
            return false;
        }
        session.epoch = epoch;
        session.lastListing = 0;
        session.full = null;
        session.outbox.clear();
        return true;
    }

    /** The voter is to be told of the contender. It may know of it: that may have changed since it began anew. */
    public void register(int voter, String path, long number) {
        sessions.of(voter).outbox.mark(new Key(path, number));
    }

    /** As {@link #register}, of the watching of the path. */
    public void registerWatch(int voter, String path) {
        register(voter, path, Key.WATCH);
    }

    /** Whether this is the epoch in which the voter is being told, and tells. */
    public boolean isCurrent(int voter, Epoch epoch) {
        return epoch.equals(sessions.of(voter).epoch);
    }

    /** Whether a batch of listings is newer than all before; notes it. */
    public boolean acceptListing(int voter, long batch) {
        Session session = sessions.of(voter);
        boolean isNewer = batch > session.lastListing;
        session.lastListing = Math.max(batch, session.lastListing);
        return isNewer;
    }

    /** The voter has the batch of this number. */
    public void onAck(NodeId from, long batch) {
        sessions.of(context.voterIndex(from)).outbox.acknowledged(batch);
    }

    /** The voter gives no support, and says why; noted once per minute. */
    public void onNoSupport(NodeId voter, String reason) {
        sessions.of(context.voterIndex(voter)).refusal = Printable.of(reason);
        context.noteOnce("no support", voter, "voter %s does not support this node: %s", voter, reason);
    }

    /** The voter has no room for all that this node registers, and says why. */
    public void onFull(NodeId from, String reason) {
        Session session = sessions.of(context.voterIndex(from));
        session.full = Printable.of(reason);
        session.fullAt = context.now();
        context.noteOnce(
                "full", from, "voter %s does not list all contenders and paths of this node: %s", from, reason);
    }

    /** Returns what voters refuse to this node, for logs and error messages. */
    public String describe() {
        StringBuilder text = new StringBuilder();
        for (int voter = 0; voter < context.voterCount(); voter++) {
            String refusal = sessions.of(voter).refusal;
            if (refusal != null) {
                text.append(", refused by ")
                        .append(context.voter(voter))
                        .append(": ")
                        .append(refusal);
            }
        }
        for (int voter = 0; voter < context.voterCount(); voter++) {
            NodeId by = context.voter(voter);
            full(voter).ifPresent(reason -> text.append(", not all listed by ")
                    .append(by)
                    .append(": ")
                    .append(reason));
        }
        return text.toString();
    }

    /** Why the voter does not list everything that this node registers. */
    public Optional<String> full(int voter) {
        return Optional.ofNullable(sessions.of(voter).full);
    }

    /** The voters that may have room by now for what they had none for. Each is named once per support time. */
    public List<Integer> takeFull() {
        List<Integer> taken = new ArrayList<>(0);
        for (int voter = 0; voter < sessions.size(); voter++) {
            Session session = sessions.of(voter);
            if (session.full != null
                    && context.now() - session.fullAt >= context.lease().support()) {
                session.full = null;
                taken.add(voter);
            }
        }
        return taken;
    }

    /** Sends what has changed, at most one batch per voter; called at the end of each step. */
    public void flush() {
        long patience = ContenderDirectory.resendPatience(context);
        for (int voter = 0; voter < sessions.size(); voter++) {
            Session session = sessions.of(voter);
            Outbox<Key> outbox = session.outbox;
            if (session.epoch == null || outbox.isIdle() || !supportHeld.believes(voter)) {
                continue;
            }
            Optional<List<Key>> keys = outbox.next(batches + 1, context.now(), patience, this::size);
            if (keys.isPresent()) {
                batches++;
                List<Change> changes = new ArrayList<>(keys.get().size());
                for (Key key : keys.get()) {
                    changes.add(change(key, voter));
                }
                context.send(context.voter(voter), new Registrations(session.epoch, batches, changes));
                // The step at that time finds the batch unacknowledged and sends it again.
                session.resend = context.timers().replace(session.resend, outbox.resendAt(patience), () -> {});
            }
        }
    }

    private Change change(Key key, int voter) {
        boolean isHere = own.isHere(key.path);
        boolean asks = isHere && !own.hasListing(key.path, voter);
        if (key.number == Key.WATCH) {
            return new Watch(key.path, own.isListening(key.path), asks);
        }
        Optional<ContenderRecord> registration = own.registration(key.number);
        return registration.isPresent()
                ? new Join(key.path, registration.get(), asks)
                : new Leave(key.path, key.number, own.isGone(key.number), isHere);
    }

    /** About the bytes that the change takes on the wire. */
    private int size(Key key) {
        return 3 * (key.path.length() + own.nameLength(key.number)) + NodeId.LENGTH_MAX + 64;
    }
}
