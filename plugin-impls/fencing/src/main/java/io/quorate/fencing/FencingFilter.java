package io.quorate.fencing;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A guard before servlets that a leader sends to. A request has the header {@code Fencing-Token: <path> <token>}, which
 * {@link FencedHttp} sets. One with a lower token than another that came before is answered with status 409 and the
 * higher token in the same header. Map it to what only the leader may call, and behind what authenticates: anyone who
 * may send a token may send a high one.
 *
 * <p>Requests of one token run together. One with a higher token waits until those of lower ones have ended, for 10 s
 * at most; then it is answered with status 503. This holds within one process. Where several serve one path, the
 * servlet calls {@link FencedTable#check(java.sql.Connection, String, long)} in its transaction too.
 *
 * <p>A forward of a request that was let in is not checked again. One from outside is checked, if the filter is mapped
 * to forwards. An asynchronous request has ended when its server completes it, also after a time-out: work that goes on
 * then is no longer waited for.
 *
 * <p>Other answers: 400 for a header that is malformed or missing, or whose path is not guarded here, and 503 if the
 * table cannot be read. Each names what is wrong.
 *
 * <p>It keeps one number for each path that it was made with, and nothing of what strangers send. Used by any number of
 * threads.
 */
public final class FencingFilter implements Filter {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** The attribute of a request that was let in: by which filter. */
    private static final String LET_IN = FencingFilter.class.getName() + ".letIn";

    private final Map<String, RequestGate> gates;
    private final @Nullable FencedTable table;
    private final boolean isHeaderNeeded;

    private FencingFilter(Map<String, RequestGate> gates, @Nullable FencedTable table, boolean isHeaderNeeded) {
        this.gates = gates;
        this.table = table;
        this.isHeaderNeeded = isHeaderNeeded;
    }

    /**
     * A guard that forgets the tokens when its process ends: after a restart a lower token passes until a higher one
     * comes. Servers that share nothing do not know each other's tokens.
     *
     * @param paths what is led; no other is let in
     * @return a filter that refuses requests without the header
     * @throws IllegalArgumentException if there is none, or one does not begin with a slash or is longer than 2048 bytes
     *                                  of UTF-8
     */
    public static FencingFilter inMemory(Set<String> paths) {
        return new FencingFilter(gates(paths, PATIENCE), null, true);
    }

    /**
     * A guard that keeps the tokens in a table: they outlive a restart, and any number of servers may share it. It
     * reads the table for each request, and answers 503 while it cannot.
     *
     * @param table has the tokens
     * @param paths as in {@link #inMemory}
     * @return a filter that refuses requests without the header
     * @throws IllegalArgumentException as in {@link #inMemory}
     */
    public static FencingFilter inTable(FencedTable table, Set<String> paths) {
        return inTable(table, paths, PATIENCE);
    }

    static FencingFilter inTable(FencedTable table, Set<String> paths, Duration patience) {
        return new FencingFilter(gates(paths, patience), table, true);
    }

    private static Map<String, RequestGate> gates(Set<String> paths, Duration patience) {
        if (paths.isEmpty()) {
            throw new IllegalArgumentException("paths []: must have at least one that is led");
        }
        return paths.stream().collect(Collectors.toUnmodifiableMap(Fence::checkedPath, (Function<String, RequestGate>)
                path -> new RequestGate(patience)));
    }

    /**
     * Lets requests without the header pass, unguarded: reads of others, say.
     *
     * @return a filter with the same tokens
     */
    public FencingFilter passingWithoutHeader() {
        return new FencingFilter(gates, table, false);
    }

    /**
     * Lets the request pass, or answers it.
     *
     * @throws IOException      if the servlet does, or the answer cannot be sent
     * @throws ServletException if the servlet does
     */
    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest asked = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        List<String> headers = Collections.list(asked.getHeaders(FencedHttp.HEADER));
        // Let in when it came, and forwarded or going on later since. A forward from outside has no such attribute.
        boolean isInside = asked.getAttribute(LET_IN) == this;
        if (isInside || headers.isEmpty() && !isHeaderNeeded) {
            chain.doFilter(request, response);
            return;
        }
        Fence fence;
        RequestGate gate;
        try {
            fence = fence(headers);
            gate = gate(fence.path());
        } catch (IllegalArgumentException e) {
            answer(answer, HttpServletResponse.SC_BAD_REQUEST, FencedHttp.HEADER + ": " + e.getMessage());
            return;
        }
        if (isLetIn(asked, answer, fence, gate)) {
            pass(asked, answer, chain, gate);
        }
    }

    private static Fence fence(List<String> headers) {
        if (headers.size() != 1) {
            throw new IllegalArgumentException(
                    headers.size() + " headers: must be one, <path> <token>, as in '/app/leader 7'");
        }
        return Fence.parse(headers.get(0));
    }

    private RequestGate gate(String path) {
        RequestGate gate = gates.get(path);
        if (gate == null) {
            throw new IllegalArgumentException(
                    "path '" + Fence.encoded(path) + "': must be one of those that this server was given");
        }
        return gate;
    }

    /** Answers the request if it is not. */
    private boolean isLetIn(HttpServletRequest asked, HttpServletResponse answer, Fence fence, RequestGate gate)
            throws IOException {
        try {
            if (table != null) {
                table.remember(fence);
            }
            if (gate.enter(fence)) {
                return true;
            }
            answer(
                    answer,
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    fence + ": a request with a lower token still runs here, so try again");
        } catch (StaleTokenException e) {
            answer.setHeader(FencedHttp.HEADER, new Fence(e.path(), e.highest()).toString());
            answer(answer, HttpServletResponse.SC_CONFLICT, String.valueOf(e.getMessage()));
        } catch (SQLException e) {
            asked.getServletContext().log(fence + ": the table with the fencing tokens cannot be read", e);
            answer(
                    answer,
                    HttpServletResponse.SC_SERVICE_UNAVAILABLE,
                    fence + ": the fencing tokens cannot be read, so try again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            answer(answer, HttpServletResponse.SC_SERVICE_UNAVAILABLE, fence + ": the server stops");
        }
        return false;
    }

    private void pass(HttpServletRequest asked, HttpServletResponse answer, FilterChain chain, RequestGate gate)
            throws IOException, ServletException {
        AdmittedRequest admitted = new AdmittedRequest(asked, gate);
        asked.setAttribute(LET_IN, this);
        try {
            chain.doFilter(admitted, answer);
        } finally {
            admitted.returned();
        }
    }

    private static void answer(HttpServletResponse answer, int status, String text) throws IOException {
        answer.setStatus(status);
        answer.setContentType("text/plain;charset=UTF-8");
        answer.getWriter().println(text);
    }
}
