package io.quorate.ops;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** One request and its answer. Nothing here waits: an answer is sent by the server's threads, as fast as it is read. */
final class Exchange {

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final Callers callers;
    private final EndPoint endPoint;

    Exchange(Request request, Response response, Callback callback, Callers callers) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.callers = callers;
        this.endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    }

    // ---------------------------------------------------------------- the request

    String method() {
        return request.getMethod();
    }

    /** As it was sent: no path of ours has a character that would be encoded. */
    String path() {
        return String.valueOf(request.getHttpURI().getPath());
    }

    /** The raw text behind the question mark. */
    @Nullable
    String query() {
        return request.getHttpURI().getQuery();
    }

    @Nullable
    String authorization() {
        return request.getHeaders().get(HttpHeader.AUTHORIZATION);
    }

    List<String> hosts() {
        return request.getHeaders().getValuesList(HttpHeader.HOST);
    }

    /**
     * Reads the body to its end, and keeps nothing of it.
     *
     * @param lengthMax in bytes
     * @param then      is told whether it has no more bytes than that; not called if the connection breaks before
     */
    void readBody(int lengthMax, Consumer<Boolean> then) {
        readBody(0, lengthMax, then);
    }

    private void readBody(int before, int lengthMax, Consumer<Boolean> then) {
        int length = before;
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                int known = length;
                request.demand(() -> readBody(known, lengthMax, then));
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                abort(chunk.getFailure());
                return;
            }
            length += chunk.remaining();
            boolean isLast = chunk.isLast();
            chunk.release();
            if (length > lengthMax || isLast) {
                then.accept(length <= lengthMax);
                return;
            }
        }
    }

    /**
     * Lets the request wait, unless too many of its address do.
     *
     * @param late is run, once at most, if the time is over before there is an answer; it is closed then
     * @return whether it may wait
     */
    boolean waits(Runnable late) {
        return callers.waits(endPoint, late);
    }

    // ---------------------------------------------------------------- the answer

    /** To be called once, by any thread. */
    void send(Answer answer) {
        callers.enter(endPoint, Callers.Phase.READS, null);
        response.setStatus(answer.status());
        answer.headersTo(response.getHeaders());
        ByteBuffer body = answer.bytes();
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, body.remaining());
        response.write(true, body, new Callback() {
            @Override
            public void succeeded() {
                // Before the server reads the next request of the connection.
                end();
            }

            @Override
            public void failed(Throwable cause) {
                abort(cause);
            }
        });
    }

    /** The head of an answer that is sent piece by piece. */
    HttpFields.Mutable begin() {
        callers.enter(endPoint, Callers.Phase.LISTENS, null);
        response.setStatus(200);
        return response.getHeaders();
    }

    /** @param then is told once it has been handed to the system, or cannot be */
    void sendPiece(String piece, Callback then) {
        response.write(false, ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)), then);
    }

    /** After the last piece. */
    void end() {
        callers.asks(endPoint);
        callback.succeeded();
    }

    /** Closes the connection. That a client has gone is nothing that an operator has to read. */
    void abort(Throwable cause) {
        endPoint.close();
        callback.failed(new EofException(cause));
    }
}
