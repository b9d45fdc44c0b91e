package io.quorate.cdi;

import jakarta.enterprise.util.AnnotationLiteral;
import jakarta.inject.Qualifier;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of which path a latch is injected, or an event is observed:
 *
 * <pre>{@code
 * @Inject @LeaderPath("/app/reports") LeaderLatch latch;
 *
 * void begin(@Observes @LeaderPath("/app/reports") LeadershipGained event) { ... }
 * }</pre>
 *
 * <p>The process contends for each path that a bean names so, from the start of the application on; but who observes
 * {@link LeaderChanged} alone only watches. The latch is that of {@link LeaderLatches}, and must not be closed. A path
 * that is known only at run time is asked for there.
 */
@Qualifier
@Documented
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface LeaderPath {

    /**
     * Names the path, as that of a {@code LeaderLatch}.
     *
     * @return begins with a slash; <code>${...}</code> is resolved from the settings of the application where a latch is
     *         injected, and refused where an event is observed
     */
    String value();

    /** The annotation as an object, for look-ups by a program. */
    final class Literal extends AnnotationLiteral<LeaderPath> implements LeaderPath {

        private static final long serialVersionUID = 1L;

        /** The path. */
        private final String value;

        /**
         * A qualifier.
         *
         * @param path the path
         */
        public Literal(String path) {
            this.value = path;
        }

        @Override
        public String value() {
            return value;
        }
    }
}
