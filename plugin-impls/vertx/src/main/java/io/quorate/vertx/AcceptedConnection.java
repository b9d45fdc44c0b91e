package io.quorate.vertx;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.vertx.Callers.Caller;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
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

    /** How long a connection may take to carry the first frame of a node, if nothing else proves whose it is. */
    static final long PROOF_MILLIS = 2000;
    /** Ends a connection after so many frames in a row from callers that may not speak. */
    static final int FAILED_MAX = 16;

    private final Caller caller;
    private final Endpoint endpoint;
    private final Consumer<String> reasons;
    private final boolean hasKeys;
    private Optional<NodeId> proved = Optional.empty();
    private boolean isOfNode;
    private boolean isOver;
    private boolean hasSpoken;
    private int failed;
    private @Nullable Future<?> patience;

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
        return becomeOfNode();
    }

    private boolean becomeOfNode() {
        isOfNode = true;
        if (patience != null) {
            patience.cancel(false);
        }
        return caller.prove();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        if (!hasKeys) {
            patience = context.executor().schedule(() -> onImpatient(context), PROOF_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private void onImpatient(ChannelHandlerContext context) {
        // A caller that only checks whether the port is open gets no line.
        end(context, hasSpoken ? "no frame of a node within " + PROOF_MILLIS + " ms" : "");
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        if (patience != null) {
            patience.cancel(false);
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
        if (!hasKeys && Tls.isRecord(length)) {
            in.skipBytes(in.readableBytes());
            caller.shut();
            end(context, Tls.ONE_SIDE);
            return;
        }
        if (length < 0 || length > BusMessage.LENGTH_MAX) {
            in.skipBytes(in.readableBytes());
            caller.shut();
            end(
                    context,
                    "a message of " + Integer.toUnsignedString(length) + " bytes, of " + BusMessage.LENGTH_MAX
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
        } else {
            onMessage(context, message);
        }
    }

    private void onMessage(ChannelHandlerContext context, ByteBuf message) {
        if (!endpoint.isReceiving()) {
            return;
        }
        if (endpoint.received(proved, BusMessage.body(message, endpoint::isOurs).map(ByteBufUtil::getBytes))) {
            failed = 0;
            if (!isOfNode && !becomeOfNode()) {
                end(context, "there are " + endpoint.callers().provedMax() + " such connections");
            }
            return;
        }
        failed++;
        if (failed >= FAILED_MAX) {
            caller.shut();
            end(context, FAILED_MAX + " messages in a row that no node of this cluster sends");
        }
    }

    private void end(ChannelHandlerContext context, String reason) {
        isOver = true;
        if (!reason.isEmpty()) {
            reasons.accept(reason);
        }
        context.close();
    }
}
