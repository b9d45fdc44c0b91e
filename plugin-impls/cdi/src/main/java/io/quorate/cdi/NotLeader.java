package io.quorate.cdi;

import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.ScheduledExecution;
import io.quorate.leaderonly.LeaderOnly;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Lets the scheduler of Quarkus know that a run is skipped, which its events and meters then say:
 *
 * <pre>{@code @Scheduled(every = "60s", skipExecutionIf = NotLeader.class) @LeaderOnly("/app/reports")
 * void sendReports() { ... }
 * }</pre>
 *
 * <p>The path is that of {@link LeaderOnly}, which decides: without this the scheduler calls the method, and the call
 * returns at once.
 */
@Singleton
public class NotLeader implements Scheduled.SkipPredicate {

    private final LeaderLatches latches;
    private final DeclaredPaths declared;

    @Inject
    NotLeader(LeaderLatches latches, DeclaredPaths declared) {
        this.latches = latches;
        this.declared = declared;
    }

    /**
     * {@return whether this process does not lead the path of the method, or leaves it}
     *
     * @throws IllegalStateException if the method that is scheduled is not {@link LeaderOnly}
     */
    @Override
    public boolean test(ScheduledExecution execution) {
        String method = execution.getTrigger().getMethodDescription();
        // A job that a program adds to the scheduler has no method.
        List<String> paths = method == null ? null : declared.methods().get(method);
        if (paths == null) {
            throw new IllegalStateException(
                    "skipExecutionIf = NotLeader.class of " + method + ": the method must be @LeaderOnly");
        }
        return paths.stream().noneMatch(latches::mayBegin);
    }
}
