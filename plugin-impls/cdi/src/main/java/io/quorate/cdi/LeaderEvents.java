package io.quorate.cdi;

import jakarta.enterprise.inject.spi.BeanContainer;
import jakarta.enterprise.inject.spi.EventContext;
import jakarta.enterprise.inject.spi.EventMetadata;
import jakarta.enterprise.inject.spi.InjectionPoint;
import jakarta.enterprise.inject.spi.ObserverMethod;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the observers of the application what happens to a path, on the calling thread. */
@Singleton
class LeaderEvents {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderEvents.class);

    private final BeanContainer container;

    /** That of the application, which the callback threads of the library do not have. */
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    @Inject
    LeaderEvents(BeanContainer container) {
        this.container = container;
    }

    /** Calls the observers by their priority. An exception of an observer is logged, and the next one is called. */
    <E> void fire(String path, E event) {
        Annotation qualifier = new LeaderPath.Literal(path);
        List<ObserverMethod<? super E>> observers = container.resolveObserverMethods(event, qualifier).stream()
                .filter(observer -> !observer.isAsync())
                .sorted(Comparator.comparingInt(ObserverMethod::getPriority))
                .toList();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            observers.forEach(observer -> tell(observer, event, qualifier));
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    // Justification: catches everything. The observers are the application's. An event that is fired in the usual way
    // ends with the first observer that throws.
    private static <T, E extends T> void tell(ObserverMethod<T> observer, E event, Annotation qualifier) {
        try {
            observer.notify(new Fired<T>(event, qualifier));
        } catch (Throwable e) {
            LOG.warn(
                    "{}: an observer of {} threw",
                    event,
                    observer.getBeanClass().getName(),
                    e);
        }
    }

    /** An event with what an observer may ask about it. */
    private record Fired<T>(T event, Annotation qualifier) implements EventContext<T>, EventMetadata {

        @Override
        public T getEvent() {
            return event;
        }

        @Override
        public EventMetadata getMetadata() {
            return this;
        }

        @Override
        public Set<Annotation> getQualifiers() {
            return Set.of(qualifier);
        }

        /** None: it was not fired by a bean. */
        @Override
        public @Nullable InjectionPoint getInjectionPoint() {
            return null;
        }

        @Override
        public Type getType() {
            return event.getClass();
        }
    }
}
