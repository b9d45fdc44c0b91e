package io.quorate.core.message;

import io.quorate.core.settings.WireParts;
import io.quorate.engine.Epoch;
import io.quorate.spi.MalformedInputException;
import io.quorate.spi.NodeId;
import io.quorate.spi.WireReader;
import io.quorate.spi.WireWriter;
import java.util.List;

/** The messages of the directory of contenders: what nodes register, and what voters list. */
public sealed interface DirectoryMessage extends NodeMessage {

    /**
     * Changes of the sender's own contenders and watched paths; acknowledged by number.
     *
     * @param epoch of the receiver's support for the sender: with a new epoch, everything is reported anew
     */
    record Registrations(Epoch epoch, long batch, List<Change> changes) implements DirectoryMessage {

        public Registrations {
            changes = List.copyOf(changes);
        }

        @Override
        public void writeTo(WireWriter out) {
            epoch.writeTo(out);
            out.writeUnsigned(batch);
            WireParts.writeList(changes, Change::writeTo, out);
        }

        static Registrations read(WireReader in, Names names) throws MalformedInputException {
            return new Registrations(
                    Epoch.read(in),
                    in.readUnsigned(),
                    WireParts.readList(LIST_MAX, each -> Change.read(each, names), in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            if (to.voter().isPresent()) {
                to.voter().get().onRegistrations(from, incarnation, this);
            }
        }
    }

    /** The sender, a voter, has the batch of this number of what the receiver registers. */
    record RegistrationsAck(long batch) implements DirectoryMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(batch);
        }

        static RegistrationsAck read(WireReader in) throws MalformedInputException {
            return new RegistrationsAck(in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onRegistrationsAck(from, this);
        }
    }

    /**
     * Changes of what the sender, a voter, lists on paths that the receiver contends on or watches.
     *
     * @param epoch of the sender's support for the receiver: with a new epoch, everything is listed anew
     */
    record Listings(Epoch epoch, long batch, List<Item> items) implements DirectoryMessage {

        public Listings {
            items = List.copyOf(items);
        }

        @Override
        public void writeTo(WireWriter out) {
            epoch.writeTo(out);
            out.writeUnsigned(batch);
            WireParts.writeList(items, Item::writeTo, out);
        }

        static Listings read(WireReader in, Names names) throws MalformedInputException {
            return new Listings(
                    Epoch.read(in),
                    in.readUnsigned(),
                    WireParts.readList(LIST_MAX, each -> Item.read(each, names), in));
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            to.contender().onListings(from, this);
        }
    }

    /** The sender has the batch of this number of what the receiver, a voter, lists. */
    record ListingsAck(long batch) implements DirectoryMessage {

        @Override
        public void writeTo(WireWriter out) {
            out.writeUnsigned(batch);
        }

        static ListingsAck read(WireReader in) throws MalformedInputException {
            return new ListingsAck(in.readUnsigned());
        }

        @Override
        public void dispatch(Receivers to, NodeId from, long incarnation) {
            if (to.voter().isPresent()) {
                to.voter().get().onListingsAck(from, this);
            }
        }
    }

    /** One change that a node reports of itself. */
    sealed interface Change {

        /** Applies each kind of change. */
        interface Handler {

            void on(Join join);

            void on(Leave leave);

            void on(Watch watch);
        }

        /** Calls the method of the handler that is for this kind. */
        void dispatch(Handler handler);

        /** The path that it is about. */
        String path();

        /** Whether the sender is to be told of the path because of this. */
        default boolean isWanted() {
            return true;
        }

        /** Whether the sender lacks the voter's list of the path, and wants it whole. */
        boolean asks();

        /** Writes its kind, and then its fields. */
        void writeTo(WireWriter out);

        private static Change read(WireReader in, Names names) throws MalformedInputException {
            int kind = in.readByte();
            String path = in.readString(NodeMessage.PATH_MAX);
            return switch (kind) {
                case Join.KIND -> new Join(path, ContenderRecord.read(in, names), in.readBoolean());
                case Leave.KIND -> new Leave(path, in.readUnsigned(), in.readBoolean(), in.readBoolean());
                case Watch.KIND -> new Watch(path, in.readBoolean(), in.readBoolean());
                default -> throw new MalformedInputException("change of unknown kind " + kind);
            };
        }

        /**
         * The contender is as given; {@code registration.id()} is one of the sender's.
         *
         * @param asks as in {@link Change#asks}
         */
        record Join(String path, ContenderRecord registration, boolean asks) implements Change {

            private static final int KIND = 1;

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                registration.writeTo(out);
                out.writeBoolean(asks);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }

        /**
         * The contender does not contend.
         *
         * @param isGone whether that is for good: then it needs no vote any more, and what it holds is free
         * @param stays  whether the sender wants to hear of the path further on
         */
        record Leave(String path, long number, boolean isGone, boolean stays) implements Change {

            private static final int KIND = 2;

            @Override
            public boolean isWanted() {
                return false;
            }

            @Override
            public boolean asks() {
                return false;
            }

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                out.writeUnsigned(number);
                out.writeBoolean(isGone);
                out.writeBoolean(stays);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }

        /**
         * The sender begins or ceases to watch a path on which it does not contend.
         *
         * @param asks as in {@link Change#asks}
         */
        record Watch(String path, boolean isWanted, boolean asks) implements Change {

            private static final int KIND = 3;

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                out.writeBoolean(isWanted);
                out.writeBoolean(asks);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }
    }

    /** One change of a voter's listings. */
    sealed interface Item {

        /** Applies each kind of item. */
        interface Handler {

            void on(Listed listed);

            void on(Unlisted unlisted);

            void on(Snapshot snapshot);

            void on(Complete complete);
        }

        /** Calls the method of the handler that is for this kind. */
        void dispatch(Handler handler);

        /** The path that it is about. */
        String path();

        /** The highest term on the path that the voter tells of with this; 0 if it tells none. */
        default long term() {
            return 0;
        }

        /** Writes its kind, and then its fields. */
        void writeTo(WireWriter out);

        private static Item read(WireReader in, Names names) throws MalformedInputException {
            int kind = in.readByte();
            String path = in.readString(NodeMessage.PATH_MAX);
            return switch (kind) {
                case Listed.KIND -> new Listed(path, ContenderRecord.read(in, names));
                case Unlisted.KIND -> new Unlisted(path, ContenderId.read(in));
                case Complete.KIND -> new Complete(path, in.readUnsigned());
                case Snapshot.KIND ->
                    new Snapshot(
                            path,
                            in.readUnsigned(),
                            in.readBoolean(),
                            WireParts.readList(
                                    Snapshot.REGISTRATIONS_MAX, each -> ContenderRecord.read(each, names), in));
                default -> throw new MalformedInputException("listing of unknown kind " + kind);
            };
        }

        /** The voter lists this contender, or lists it in a new version. */
        record Listed(String path, ContenderRecord registration) implements Item {

            private static final int KIND = 1;

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                registration.writeTo(out);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }

        /** The voter does not list this contender. */
        record Unlisted(String path, ContenderId contender) implements Item {

            private static final int KIND = 2;

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                contender.writeTo(out);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }

        /**
         * The list of the voter on the path; it replaces everything that the voter told of the path before.
         *
         * @param term       the highest term that the voter voted in or closed, on this path
         * @param isComplete whether that is all; else {@link Listed} follow, and then {@link Complete}
         */
        record Snapshot(String path, long term, boolean isComplete, List<ContenderRecord> registrations)
                implements Item {

            private static final int KIND = 4;
            /** The most contenders that one snapshot holds. */
            private static final int REGISTRATIONS_MAX = 1024;

            public Snapshot {
                registrations = List.copyOf(registrations);
            }

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                out.writeUnsigned(term);
                out.writeBoolean(isComplete);
                WireParts.writeList(registrations, ContenderRecord::writeTo, out);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }

        /**
         * Everything that the voter lists on the path has been sent.
         *
         * @param term the highest term that the voter voted in or closed, on this path
         */
        record Complete(String path, long term) implements Item {

            private static final int KIND = 3;

            @Override
            public void writeTo(WireWriter out) {
                out.writeByte(KIND);
                out.writeString(path);
                out.writeUnsigned(term);
            }

            @Override
            public void dispatch(Handler handler) {
                handler.on(this);
            }
        }
    }
}
