/**
 * A client as a bean of CDI 4.1, on Quarkus and on other containers. Document: docs/quarkus.md.
 *
 * <p>{@code QuorateExtension} runs when the application is built or deployed: it finds the paths that beans name,
 * checks leader-only methods, and registers the beans of this package. {@code ConfigSettings} reads the settings,
 * {@code ClientLifecycle} starts the client and closes it. {@link io.quorate.cdi.LeaderLatches} holds the latches,
 * {@code LeaderOnlyInterceptor} asks them, and {@code LeaderEvents} tells observers what they say. {@code NodeHealth}
 * answers probes, and {@link io.quorate.cdi.NotLeader} the scheduler of Quarkus.
 *
 * <p>A leader-only method of CDI: the annotation counts where it stands on the method of the bean's class itself, or of
 * a superclass. The end of the application is the event {@code Shutdown}.
 */
@NullMarked
package io.quorate.cdi;

import org.jspecify.annotations.NullMarked;
