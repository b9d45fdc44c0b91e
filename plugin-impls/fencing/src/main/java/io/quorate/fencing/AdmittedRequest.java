package io.quorate.fencing;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request that has entered a gate. It leaves once: when its thread returns, or later, if it goes on without it. */
final class AdmittedRequest extends HttpServletRequestWrapper implements AsyncListener {

    private final RequestGate gate;
    private final AtomicBoolean hasLeft = new AtomicBoolean();
    private volatile boolean goesOn;

    AdmittedRequest(HttpServletRequest request, RequestGate gate) {
        super(request);
        this.gate = gate;
    }

    /** The servlet has returned, or has thrown. */
    void returned() {
        if (!goesOn) {
            leave();
        }
    }

    private void leave() {
        if (hasLeft.compareAndSet(false, true)) {
            gate.leave();
        }
    }

    @Override
    public AsyncContext startAsync() {
        return followed(super.startAsync());
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return followed(super.startAsync(request, response));
    }

    /** At once: another thread may complete it before the servlet returns. */
    private AsyncContext followed(AsyncContext started) {
        started.addListener(this);
        goesOn = true;
        return started;
    }

    @Override
    public void onComplete(AsyncEvent event) {
        leave();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        // It is completed next.
    }

    @Override
    public void onError(AsyncEvent event) {
        // It is completed next.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // A further start has no listeners.
        event.getAsyncContext().addListener(this);
    }
}
