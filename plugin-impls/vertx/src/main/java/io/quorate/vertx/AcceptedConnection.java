package io.quorate.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport.Standing;
import io.quorate.vertx.Callers.Caller;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands on a connection that was accepted, before the event bus. It cuts what comes into messages, gives the frames in
 * them to the node, and passes nothing to the bus but questions for a sign of life: so the bus never holds more than
 * those of a stranger, and the connection of each frame is known. Reasons: ADR-0094.
 *
 * <p>Confined to the event loop.
 */
final class AcceptedConnection extends ByteToMessageDecoder {

    /** How long a connection may take to carry the first frame of a node, if no certificate proves whose it is. */
    static final long FIRST_MILLIS = 2000;
    /**
     * How long it may take to carry news of a node. A node that starts on a busy machine needs seconds until it can ask
     * its peers whether they live.
     */
    static final long PROOF_MILLIS = 10_000;
    /**
     * How many messages it may carry before. A process sends a silent peer four per heartbeat, and all of them wait when
     * this one has stood still. With many more, recorded frames fill the mailbox of the node.
     */
    static final int UNPROVED_MAX = 256;

    /** Ends a connection after this number of frames in a row from callers that may not speak. */
    static final int FAILED_MAX = 16;

    private static final String UNPROVED = " do not show that a living node sent them; if one did, check its address in"
            + " the peers of this node, and that no second process runs under its id";

    private final Caller caller;
    private final Endpoint endpoint;
    private final Consumer<String> reasons;
    private final boolean hasKeys;
    private final Standing standing = new Standing() {
        @Override
        public void answer(byte[] frame) {
            ChannelHandlerContext to = context;
            // A peer that does not read its answers gets none.
            if (to != null && to.channel().isWritable()) {
                to.writeAndFlush(BusMessage.answer(frame));
            }
        }
    };
    private volatile @Nullable ChannelHandlerContext context;
    private Optional<NodeId> proved = Optional.empty();
    private boolean isOfNode;
    private boolean isOver;
    private boolean hasSpoken;
    private boolean isTaken;
    private int failed;
    private int unproved;

    /**
     * Not yet on a channel.
     *
     * @param reasons is told why the connection is closed, if there is something to say
     * @param hasKeys whether the other side has to show a certificate, in a time that TLS looks after
     */
    AcceptedConnection(Caller caller, Endpoint endpoint, Consumer<String> reasons, boolean hasKeys) {
        this.caller = caller;
        this.endpoint = endpoint;
        this.reasons = reasons;
        this.hasKeys = hasKeys;
    }

    /** The certificate of the other side names this node. Answers whether there is room for the connection. */
    boolean onProved(NodeId node) {
        proved = Optional.of(node);
        isOfNode = true;
        return caller.prove();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        this.context = context;
        if (!hasKeys) {
            awaitNews(context, 0, FIRST_MILLIS);
        }
    }

    private void awaitNews(ChannelHandlerContext context, long from, long to) {
        context.executor().schedule(() -> onImpatient(context, to), to - from, TimeUnit.MILLISECONDS);
    }

    private void onImpatient(ChannelHandlerContext context, long millis) {
        if (isTaken && millis < PROOF_MILLIS) {
            awaitNews(context, millis, PROOF_MILLIS);
        } else if (context.channel().isActive() && !isOfNode && !standing.isOfNode()) {
            String what = isTaken
                    ? "the messages of " + millis + " ms" + UNPROVED
                    : "no frame of a node within " + millis + " ms";
            // A caller that only checks whether the port is open gets no line.
            end(context, hasSpoken ? what : "");
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        hasSpoken = true;
        if (isOver) {
            in.skipBytes(in.readableBytes());
            return;
        }
        if (in.readableBytes() < Integer.BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        boolean isTls = !hasKeys && Tls.isRecord(length);
        if (isTls || length < 0 || length > BusMessage.LENGTH_MAX) {
            in.skipBytes(in.readableBytes());
            shut(
                    context,
                    isTls
                            ? Tls.ONE_SIDE
                            : "a message of " + Integer.toUnsignedString(length) + " bytes, of " + BusMessage.LENGTH_MAX
                                    + " at most");
            return;
        }
        if (in.readableBytes() - Integer.BYTES < length) {
            return;
        }
        int begin = in.readerIndex();
        in.skipBytes(Integer.BYTES);
        ByteBuf message = in.readSlice(length);
        if (BusMessage.isPing(message)) {
            // A peer that asks without end and reads no answer is no longer answered.
            if (context.channel().isWritable()) {
                out.add(in.retainedSlice(begin, Integer.BYTES + length));
            }
        } else if (endpoint.received(
                proved, BusMessage.body(message, endpoint::isOurs).map(ByteBufUtil::getBytes), standing)) {
            isTaken = true;
            failed = 0;
        } else {
            failed++;
        }
        look(context);
    }

    /**
     * Decides after each message, because the node may note later what earlier ones were worth. A node may have sent
     * copies, and frames that show nothing, so its address is not shut out. The rate of new connections bounds them.
     */
    private void look(ChannelHandlerContext context) {
        if (failed >= FAILED_MAX) {
            shut(context, FAILED_MAX + " messages in a row that no node of this cluster sends");
        } else if (standing.isReplayed()) {
            end(
                    context,
                    Standing.COPIES_MAX + " copies in a row of earlier frames, which a stranger may have recorded");
        } else if (!isOfNode && standing.isOfNode()) {
            isOfNode = true;
            if (!caller.prove()) {
                end(context, "there are " + endpoint.callers().provedMax() + " such connections");
            }
        } else if (!isOfNode && ++unproved >= UNPROVED_MAX) {
            end(context, "the first " + UNPROVED_MAX + " messages" + UNPROVED);
        }
    }

    private void shut(ChannelHandlerContext context, String reason) {
        caller.shut();
        end(context, reason);
    }

    private void end(ChannelHandlerContext context, String reason) {
        isOver = true;
        if (!reason.isEmpty()) {
            reasons.accept(reason);
        }
        context.close();
    }
}
