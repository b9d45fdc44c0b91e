package io.quorate.camel;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatch.CloseMode;
import io.quorate.LeaderLatchListener;
import io.quorate.LeaderObserver;
import io.quorate.Leadership;
import io.quorate.Participant;
import io.quorate.jvm.Daemons;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.support.cluster.AbstractCamelClusterView;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader of a namespace. While the view is started, this node contends for the path.
 *
 * <p>The local member is asked the lease: it is no leader any more before a listener hears of the loss, and also if
 * nobody can tell it, because the process stood still. A listener that is added later is told at once who leads. Each
 * listener is called by one thread at a time, in the order of what happened. The end of leadership has ended its call
 * when this node contends again, or 30 s have passed.
 *
 * <p>A planned end of leadership waits until the listeners have heard that the local member is no leader any more, and
 * have returned, for the client's {@code drainTimeout} at most, which is 30 s by default.
 *
 * <p>A loss is told once more two seconds later, unless the member leads again, because a {@code master:} consumer of
 * Camel before 4.22 forgets a loss in the second before it starts.
 *
 * <p>A stop gives leadership up, and tells this loss on a thread of the view, because the thread that stops may hold
 * locks of a listener. Of members, listeners are told when they are added, and not later.
 */
public final class QuorateClusterView extends AbstractCamelClusterView {

    private static final Logger LOG = LoggerFactory.getLogger(QuorateClusterView.class);

    /** A master consumer starts a second after its leadership. */
    static final Duration LOSS_AGAIN = Duration.ofSeconds(2);

    private final ElectionClient client;
    private final String path;
    private final Duration lossAgain;
    private final CamelClusterMember local = new LocalMember();
    // In place of the list of Camel's view, which calls listeners under a lock that their removal waits for.
    private final List<Registration> registrations = new CopyOnWriteArrayList<>();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, Daemons.named("quorate-camel"));
    /** Null while the view is not started. */
    private volatile @Nullable Contention contention;

    /** The objects from a start to the next stop. */
    private record Contention(LeaderLatch latch, LeaderObserver observer) {

        /** A leader that leaves leads no more for those who are to stop before the next one leads. */
        boolean leads() {
            return latch.leadership().filter(present -> !present.isLeaving()).isPresent();
        }
    }

    private record RemoteMember(String getId, boolean isLeader) implements CamelClusterMember {
        @Override
        public boolean isLocal() {
            return false;
        }

        @Override
        public String toString() {
            return getId;
        }
    }

    private final class LocalMember implements CamelClusterMember {
        @Override
        public String getId() {
            return client.nodeId();
        }

        @Override
        public boolean isLeader() {
            Contention current = contention;
            return current != null && current.leads();
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public String toString() {
            return getId();
        }
    }

    QuorateClusterView(
            QuorateClusterService service, ElectionClient client, String namespace, String path, Duration lossAgain) {
        super(service, namespace);
        this.client = client;
        this.path = path;
        this.lossAgain = lossAgain;
        // Its thread is there only while there is something to tell.
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    // ---------------------------------------------------------------- start and stop

    @Override
    protected void doStart() throws Exception {
        // In this mode listeners hear of the end when the client is closed, too: routes stop before it is.
        LeaderLatch latch = new LeaderLatch(client, path, client.nodeId(), CloseMode.NOTIFY_LEADER);
        LeaderObserver observer = new LeaderObserver(client, path);
        Contention begun = new Contention(latch, observer);
        latch.addListener(new LeaderLatchListener() {
            @Override
            public void isLeader() {
                tell(begun);
            }

            @Override
            public void notLeader() {
                tell(begun);
                timer.schedule(() -> remind(begun), lossAgain.toMillis(), TimeUnit.MILLISECONDS);
            }
        });
        // So the routes have stopped before the next one leads.
        latch.drain(leadership -> {
            tell(begun);
            lookAgain(begun);
            return CompletableFuture.completedStage(null);
        });
        observer.getListenable().addListener((leader, token) -> tell(begun));
        contention = begun;
        latch.start();
        observer.start();
    }

    @Override
    protected void doStop() throws Exception {
        Contention ended = contention;
        contention = null;
        if (ended != null) {
            ended.observer.close();
            timer.execute(() -> registrations.forEach(registration -> registration.stopped(ended)));
            // Waits for no listener, nor for a drain that tells one: it may wait for the thread that stops this.
            ended.latch.closeAsync(CloseMode.SILENT).whenComplete((closed, failure) -> {
                if (failure != null) {
                    LOG.debug("{}: is not open", path, failure);
                }
            });
        }
    }

    // ---------------------------------------------------------------- who leads

    @Override
    public Optional<CamelClusterMember> getLeader() {
        Contention current = contention;
        if (current == null) {
            return Optional.empty();
        }
        if (current.leads()) {
            return Optional.of(local);
        }
        Participant known = current.observer.getLeader();
        // The observer's view of this node is out of date; the latch knows better.
        boolean isOther = known.isLeader() && !known.getId().equals(client.nodeId());
        return isOther ? Optional.of(new RemoteMember(known.getId(), true)) : Optional.empty();
    }

    @Override
    public CamelClusterMember getLocalMember() {
        return local;
    }

    /**
     * Answers who contends, as far as this node knows. The first question may wait for a voter.
     *
     * @return the local member among others; the local member alone while no majority of voters is connected
     */
    @Override
    public List<CamelClusterMember> getMembers() {
        Contention current = contention;
        boolean isConnected =
                client.connectionState().filter(state -> state.isConnected()).isPresent();
        if (current == null || !isConnected) {
            return List.of(local);
        }
        try {
            return current.latch.getParticipants().stream().map(this::member).toList();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of(local);
        } catch (Exception e) {
            // Justification: it declares that, as Curator's does.
            LOG.debug("{}: who contends is not known", path, e);
            return List.of(local);
        }
    }

    private CamelClusterMember member(Participant participant) {
        boolean isLocal = participant.getId().equals(client.nodeId());
        return isLocal ? local : new RemoteMember(participant.getId(), participant.isLeader());
    }

    /**
     * Answers the fencing token with which this node leads. A route sends it with each write that only the leader may
     * do, and takes it before its work. Never blocks.
     *
     * @return at least 1; empty if this node does not lead
     */
    public OptionalLong fencingToken() {
        Contention current = contention;
        Optional<Leadership> leadership = current == null ? Optional.empty() : current.latch.leadership();
        return leadership.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(leadership.get().fencingToken());
    }

    // ---------------------------------------------------------------- listeners

    @Override
    @SuppressWarnings("exports") // of an annotation that nobody needs
    public void addEventListener(@Nullable CamelClusterEventListener listener) {
        if (listener == null) {
            return;
        }
        Registration added = new Registration(this, listener);
        added.begin(() -> registrations.add(added));
    }

    @Override
    @SuppressWarnings("exports")
    public void removeEventListener(@Nullable CamelClusterEventListener listener) {
        registrations.removeIf(registration -> registration.end(listener));
    }

    private void tell(Contention source) {
        if (source == contention) {
            registrations.forEach(registration -> registration.tell(source));
        }
    }

    private void remind(Contention source) {
        if (source == contention) {
            registrations.forEach(registration -> registration.remind(source));
        }
    }

    /** A leader that was to leave may stay, of which nobody is told. */
    private void lookAgain(Contention source) {
        timer.schedule(
                () -> {
                    tell(source);
                    if (source == contention && source.latch.hasLeadership() && !source.leads()) {
                        lookAgain(source);
                    }
                },
                1,
                TimeUnit.SECONDS);
    }

    /** Replaced at each start; null while the view is not started. */
    @Nullable
    Object contention() {
        return contention;
    }
}
