package io.quorate.fencing;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;

/**
 * Requests of a leader to a server with a {@link FencingFilter}, by the HTTP client of the JDK:
 * {@code check(client.send(fence(request, path, token).build(), handler))}. Used by any thread.
 */
public final class FencedHttp {

    /** The name of the header, in requests and in answers with status 409. */
    public static final String HEADER = "Fencing-Token";

    private static final int CONFLICT = 409;

    private FencedHttp() {}

    /**
     * Sets the header {@link #HEADER}. A client that follows redirects sends it to the other server, too.
     *
     * @param request is built by the caller
     * @param path    what is led: begins with a slash, at most 2048 bytes of UTF-8
     * @param token   of the leadership, taken before the work began; at least 1
     * @return the builder
     * @throws IllegalArgumentException if path or token are not as said
     */
    public static HttpRequest.Builder fence(HttpRequest.Builder request, String path, long token) {
        return request.setHeader(HEADER, new Fence(path, token).toString());
    }

    /**
     * Notices a response that says that a higher token has been seen. One with status 409 that has no such header is
     * the application's own. Each other response is the caller's to look at: with 400 or 503, say, nothing was written.
     *
     * @param response to a request of {@link #fence}
     * @param <T>      what its body is read as
     * @return the response
     * @throws StaleTokenException if the server has refused the token
     */
    public static <T> HttpResponse<T> check(HttpResponse<T> response) {
        if (response.statusCode() == CONFLICT) {
            Optional<Fence> sent =
                    response.request().headers().firstValue(HEADER).flatMap(FencedHttp::parsed);
            Optional<Fence> seen = response.headers().firstValue(HEADER).flatMap(FencedHttp::parsed);
            if (sent.isPresent()
                    && seen.isPresent()
                    && sent.get().path().equals(seen.get().path())) {
                sent.get().refuseBelow(seen.get().token());
            }
        }
        return response;
    }

    private static Optional<Fence> parsed(String header) {
        try {
            return Optional.of(Fence.parse(header));
        } catch (IllegalArgumentException e) {
            // Somebody else's header.
            return Optional.empty();
        }
    }
}
