package io.quorate.ops.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The body of an answer, up to a bound: an address may be that of anything. For one answer. */
public final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

    /** It was longer than the bound. */
    public static final class TooLong extends IOException {

        private static final long serialVersionUID = 1;

        TooLong(int lengthMax) {
            super("more than " + lengthMax + " bytes");
        }
    }

    private final int lengthMax;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

    /** @param lengthMax in bytes, from 0 on */
    public BoundedBody(int lengthMax) {
        this.lengthMax = lengthMax;
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription begun) {
        subscription = begun;
        begun.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            if (body.isDone()) {
                return;
            }
            if (bytes.size() + buffer.remaining() > lengthMax) {
                if (subscription != null) {
                    subscription.cancel();
                }
                body.completeExceptionally(new TooLong(lengthMax));
                return;
            }
            byte[] part = new byte[buffer.remaining()];
            buffer.get(part);
            bytes.writeBytes(part);
        }
    }

    @Override
    public void onError(Throwable cause) {
        body.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
        body.complete(bytes.toByteArray());
    }
}
