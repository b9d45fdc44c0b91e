package io.quorate.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method of a bean run only in the process that leads a path; in every other process the call returns at once.
 * It suits {@code @Scheduled} methods that one instance should run. A skipped method returns null, or an empty {@code
 * Optional} if it returns an {@code Optional}.
 *
 * <pre>{@code @Scheduled(fixedDelay = 60_000) @LeaderOnly("/app/reports")
 * void sendReports() { ... }
 * }</pre>
 *
 * <p>Leadership is checked once, before the method begins. A planned end of it, such as a transfer, standby, or the
 * close of the context, waits for methods that run: for {@code quorate.leader-only.drain} at most, 30 s by default.
 * Meanwhile no method begins on that path but those that these call on their own thread. A lease that is lost does not
 * wait; so a write that only the leader may make carries the fencing token, which {@link LeaderLatches} gives.
 *
 * <p>Like all advice of Spring, this works on calls from other beans, and not on those from the same object. Refused
 * when the bean is made: a method that is private, static or final, or of a final class; one that returns a primitive
 * value; and one whose work would go on unchecked: it returns a {@code Future}, a {@code CompletionStage} or a {@code
 * Publisher}, is {@code @Async}, or is a {@code suspend} function of Kotlin.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {

    /**
     * Names the path to lead, as that of a {@link io.quorate.LeaderLatch}. Methods with one path have one leader.
     *
     * @return begins with a slash; <code>${...}</code> and <code>#{...}</code> are resolved when the bean is made
     */
    String value();
}
