package io.quorate.core.step;

import io.quorate.core.message.ContenderId;
import io.quorate.core.message.NodeMessage;
import io.quorate.core.voters.PaxosState;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.Connection;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.Optional;

/** An action that a {@code Node} requests. They are performed in order. */
public sealed interface NodeEffect {

    /** Performs each kind of effect. */
    interface Handler {

        void on(Send send);

        void on(ReserveTerms reserveTerms);

        void on(Granted granted);

        void on(Revoked revoked);

        void on(Leaving leaving);

        void on(Stays stays);

        void on(TransferBegun transferBegun);

        void on(TransferRefused transferRefused);

        void on(ConnectionChanged connectionChanged);

        void on(ViewChanged viewChanged);

        void on(StorePaxosState storePaxosState);

        void on(VotersChanged votersChanged);

        void on(Reach reach);

        void on(ChangeEnded changeEnded);

        void on(Failed failed);

        void on(Note note);
    }

    /** Calls the method of the handler that is for this kind. */
    void dispatch(Handler handler);

    /** Send, best effort. Messages of one step to one node travel together. */
    record Send(NodeId to, NodeMessage message) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Make terms up to this one durable, and answer with {@link NodeEvent.TermsReserved} or
     * {@link NodeEvent.ReserveFailed}.
     */
    record ReserveTerms(long upTo) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A contender of this node leads. */
    record Granted(long number, Tenure tenure) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A tenure that was granted has ended; {@code reason} is a sentence for the log. */
    record Revoked(long number, Tenure tenure, String reason) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * This contender is to leave, and leads on until {@link NodeEvent.Drained} says that its application has finished
     * its work. Only of contenders that were said to {@linkplain NodeEvent.Drains drain}.
     *
     * @param departure comes back in that event
     */
    record Leaving(long number, Tenure tenure, long departure, String reason) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A contender that was leaving leads as before, and why. */
    record Stays(long number, Tenure tenure, String reason) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Answers {@link NodeEvent.TransferTo}: this contender is to lead. It may be the one that leads already; if it is
     * another one, the tenure with this token ends in this step, or when its application has finished its work.
     */
    record TransferBegun(long number, ContenderId successor, long token) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Answers {@link NodeEvent.TransferTo}: that contender does not get the leadership, and why.
     *
     * @param successor all transfers to this one are over; empty if the last request is, which has changed nothing
     */
    record TransferRefused(long number, Optional<ContenderId> successor, RuntimeException cause) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The node's standing with the voters changed, and why: for the log. */
    record ConnectionChanged(Connection connection, String reason) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** This node's view of a path has changed, or the node no longer uses the path. */
    record ViewChanged(String path) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /**
     * Make this durable, and answer with {@link NodeEvent.PaxosStateStored} or {@link NodeEvent.PaxosStateFailed}.
     *
     * @param identity of the data directory, which becomes durable with it
     */
    record StorePaxosState(long identity, PaxosState paxos) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The voters have changed. */
    record VotersChanged(VoterList config) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** A node that is to vote is reached there: it is asked how it stands before it does. */
    record Reach(NodeId node, HostAndPort address) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Answers {@link NodeEvent.ChangeVoters}; without a failure the wanted voters are in force. */
    record ChangeEnded(long request, Optional<RuntimeException> failure) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** The node has stopped voting and leading for good. */
    record Failed(RuntimeException cause) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }

    /** Something an operator should read. Bounded: at most one per peer, or path, and change of state. */
    record Note(boolean isWarning, String text) implements NodeEffect {
        @Override
        public void dispatch(Handler handler) {
            handler.on(this);
        }
    }
}
