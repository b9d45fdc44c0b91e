package io.quorate.leaderonly;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets a method of a bean run only in the process that leads a path; in every other process the call returns at once.
 * It suits scheduled methods that one instance should run. A skipped method returns null, or an empty {@code Optional}
 * if it returns an {@code Optional}. Somebody must read this: {@code quorate-spring-boot-starter} or {@code
 * quorate-cdi}.
 *
 * <pre>{@code @LeaderOnly("/app/reports")
 * void sendReports() { ... }
 * }</pre>
 *
 * <p>Leadership is checked once, before the method begins. A planned end of it, such as a transfer, standby, or the
 * end of the application, waits for methods that run: for {@code quorate.drain-timeout} at most, 30 s by default.
 * Meanwhile no method begins on that path but those that these call on their own thread. A lease that is lost does not
 * wait; so a write that only the leader may make carries the fencing token, which the bean {@code LeaderLatches} gives.
 *
 * <p>Calls from other beans are checked, and those from the same object need not be. Refused when the application
 * starts or is built: a method that is private, static or final, or of a final class; one that returns a primitive
 * value; and one whose work would go on unchecked, because it returns a {@code Future}, a {@code CompletionStage} or a
 * {@code Publisher}, runs on a thread of its own, or is a {@code suspend} function of Kotlin. Also refused is a method
 * that receives messages, because a message that is skipped is lost; with {@code quorate-cdi} and SmallRye Reactive
 * Messaging an {@code @Incoming} method may have it, and its channel is paused where this process does not lead.
 */
@Documented
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderOnly {

    /**
     * Names the path to lead, as that of a {@code LeaderLatch}. Methods with one path have one leader.
     *
     * @return begins with a slash; <code>${...}</code> is resolved from the settings of the application
     */
    String value();
}
