package io.quorate.cli;

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
final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {

    /** Some 200,000 paths that one node leads. */
    static final int LENGTH_MAX = 16 * 1024 * 1024;

    /** It was longer than that. */
    static final class TooLong extends IOException {

        private static final long serialVersionUID = 1;

        TooLong() {
            super("more than " + LENGTH_MAX + " bytes");
        }
    }

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private Flow.@Nullable Subscription subscription;

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
            if (bytes.size() + buffer.remaining() > LENGTH_MAX) {
                if (subscription != null) {
                    subscription.cancel();
                }
                body.completeExceptionally(new TooLong());
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
