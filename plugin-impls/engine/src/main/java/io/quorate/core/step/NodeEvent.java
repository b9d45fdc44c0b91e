package io.quorate.core.step;

import io.quorate.core.message.NodeMessage;
import io.quorate.core.voters.PaxosState;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.Map;
import java.util.Optional;

/** An event of a {@code Node}. */
public sealed interface NodeEvent {

    /** Handles what the application does to contenders, and to paths. */
    interface ToContenders {

        void onContend(Contend contend);

        void onWithdraw(Withdraw withdraw);

        void onRejoin(Rejoin rejoin);

        void onTenureSeenEnded(TenureSeenEnded tenureSeenEnded);

        void onResign(Resign resign);

        void onTransferTo(TransferTo transferTo);

        void onDrains(Drains drains);

        void onLeave(Leave leave);

        void onDrained(Drained drained);

        void onStandBy(StandBy standBy);

        void onPriority(Priority priority);

        void onRankLast(RankLast rankLast);

        void onWatchPath(WatchPath watchPath);
    }

    /** Handles each kind of event. */
    interface Handler {

        /** Handles those about contenders. */
        ToContenders contenders();

        void on(Wake wake);

        void on(Received received);

        void on(TermsReserved termsReserved);

        void on(ReserveFailed reserveFailed);

        void on(OwnIdHeard ownIdHeard);

        void on(PlaceTaken placeTaken);

        void on(ForeignFrames foreignFrames);

        void on(ChangeVoters changeVoters);

        void on(PaxosStateStored paxosStateStored);

        void on(PaxosStateFailed paxosStateFailed);

        void on(Close close);
    }

    /** Calls the method of the handler that is for this kind. */
    void dispatch(Handler handler);

    /** Time has passed; given when {@code Node.nextWake} is due, and harmless at any other time. */
    record Wake() implements NodeEvent {
        /** The only one that is needed. */
        public static final Wake INSTANCE = new Wake();

        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A message arrived from this life of that node. */
    record Received(NodeId from, long incarnation, NodeMessage message) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The application opens a contender; {@code number} was never used before in this life of the node. */
    record Contend(String path, long number, String participantId) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onContend(this);
        }
    }

    /** The application closes a contender. Its tenure has been {@linkplain Tenure#end ended} already. */
    record Withdraw(long number) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onWithdraw(this);
        }
    }

    /** A contender whose tenure ended joins again, at the tail. */
    record Rejoin(long number) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onRejoin(this);
        }
    }

    /** The application found this tenure over, or ended it. */
    record TenureSeenEnded(long number, Tenure tenure) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onTenureSeenEnded(this);
        }
    }

    /** The application gives this tenure up, and has ended it: the next in rank follows. */
    record Resign(long number, Tenure tenure) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onResign(this);
        }
    }

    /** The application wants the contender to hand its leadership to the one with this participant id. */
    record TransferTo(long number, String participantId) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onTransferTo(this);
        }
    }

    /** Whether the application finishes its work before a tenure of this contender ends on purpose. */
    record Drains(long number, boolean wanted) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onDrains(this);
        }
    }

    /** The application is going to end this tenure when it has finished its work, and why. */
    record Leave(long number, Tenure tenure, String reason) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onLeave(this);
        }
    }

    /** Answers {@link NodeEffect.Leaving}: the application has finished its work, and the tenure may end. */
    record Drained(long number, Tenure tenure, long departure) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onDrained(this);
        }
    }

    /** The application wants all contenders of this node to rank last, and why; empty if they are to rank as usual. */
    record StandBy(Optional<String> reason) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onStandBy(this);
        }
    }

    /** The application wants all contenders of this node to have this priority from now on. */
    record Priority(int value) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onPriority(this);
        }
    }

    /** The application fails as leader with this contender, which is to rank last for so long from now on. */
    record RankLast(long number, long nanos, String reason) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onRankLast(this);
        }
    }

    /** The application wants to know who contends on a path, or no longer. */
    record WatchPath(String path, boolean wanted) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.contenders().onWatchPath(this);
        }
    }

    /** Answers {@link NodeEffect.ReserveTerms}: terms up to this one are durable. */
    record TermsReserved(long upTo) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Answers {@link NodeEffect.ReserveTerms}: storing failed, and why. Earlier reservations stay. */
    record ReserveFailed(String reason) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A frame came from this node's own id, with another incarnation. */
    record OwnIdHeard(long incarnation) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * A node refuses this one, because another life of its id has the place there.
     *
     * @param life     that life; 0 if the node does not say which
     * @param isRecent whether the refusal is known to be of something that this node sent recently: anyone on the way
     *                 may have held it back
     */
    record PlaceTaken(NodeId by, long life, boolean isRecent) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Frames come that this node cannot take, because somebody is configured wrongly; to be said in the log, and in
     * explanations.
     *
     * @param kind of the cause, for the log: each is told once per peer and minute
     * @param from who sent them; this node, if that is not known
     * @param text what comes, what should, and the cure
     */
    record ForeignFrames(String kind, NodeId from, String text) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * The application wants other voters.
     *
     * @param request comes back in {@link NodeEffect.ChangeEnded}
     * @param number  of the configuration that it wants to change
     * @param wanted  1 to 15 voters, and where each is reached, if the settings do not say that
     */
    record ChangeVoters(long request, long number, Map<NodeId, Optional<HostAndPort>> wanted) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Answers {@link NodeEffect.StorePaxosState}: it is durable. */
    record PaxosStateStored(PaxosState paxos) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Answers {@link NodeEffect.StorePaxosState}: storing failed, and why. */
    record PaxosStateFailed(String reason) implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The application closes the node. */
    record Close() implements NodeEvent {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }
}
