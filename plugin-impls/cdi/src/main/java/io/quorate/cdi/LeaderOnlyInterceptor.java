package io.quorate.cdi;

import io.quorate.leaderonly.LeaderOnly;
import jakarta.annotation.Priority;
import jakarta.inject.Inject;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Puts the question who leads before each method that is {@link LeaderOnly}. It comes before the interceptors of
 * transactions, so that a skipped method begins none. The extension gives it its binding, because the annotation may
 * stand on methods only.
 */
@Interceptor
@Priority(Interceptor.Priority.PLATFORM_BEFORE)
class LeaderOnlyInterceptor {

    private final LeaderLatches latches;

    @Inject
    LeaderOnlyInterceptor(LeaderLatches latches) {
        this.latches = latches;
    }

    @AroundInvoke
    @Nullable
    Object invoke(InvocationContext invocation) throws Exception {
        LeaderOnly leaderOnly = invocation.getInterceptorBinding(LeaderOnly.class);
        boolean receives = LeaderLatches.receives(invocation.getMethod());
        LedPath entered = receives ? latches.receive(leaderOnly.value()) : latches.enter(leaderOnly.value());
        if (entered == null && receives) {
            return invocation.proceed();
        }
        if (entered == null) {
            return invocation.getMethod().getReturnType() == Optional.class ? Optional.empty() : null;
        }
        try {
            return invocation.proceed();
        } finally {
            entered.leave();
        }
    }
}
