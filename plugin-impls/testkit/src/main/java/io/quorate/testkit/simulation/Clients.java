package io.quorate.testkit.simulation;

import io.quorate.ConnectionStateErrorPolicy;
import io.quorate.ElectionClient;
import io.quorate.ElectionSettings;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.engine.Engine;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;

/** Clients over the kit's engines. What they are made by is no part of the interface that applications see. */
public final class Clients {

    private static final MethodHandle OVER = over();

    private Clients() {}

    private static MethodHandle over() {
        try {
            return MethodHandles.privateLookupIn(ElectionClient.class, MethodHandles.lookup())
                    .findConstructor(
                            ElectionClient.class,
                            MethodType.methodType(
                                    void.class,
                                    Engine.class,
                                    String.class,
                                    Duration.class,
                                    Duration.class,
                                    ConnectionStateErrorPolicy.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** With no namespace, and the other settings at their defaults. */
    public static ElectionClient over(Engine engine) {
        return over(engine, "", ElectionSettings.DEFAULT_CONNECTION_TIMEOUT, new SessionConnectionStateErrorPolicy());
    }

    /**
     * A client that starts and closes the engine.
     *
     * @throws IllegalArgumentException if the namespace is not legal
     */
    public static ElectionClient over(
            Engine engine, String namespace, Duration connectionTimeout, ConnectionStateErrorPolicy errorPolicy) {
        return over(engine, namespace, connectionTimeout, Duration.ZERO, errorPolicy);
    }

    /** A client whose leaders may finish their work for so long; otherwise with defaults. */
    public static ElectionClient draining(Engine engine, Duration drainTimeout) {
        return over(
                engine,
                "",
                ElectionSettings.DEFAULT_CONNECTION_TIMEOUT,
                drainTimeout,
                new SessionConnectionStateErrorPolicy());
    }

    /** A client whose leaders may finish their work for so long; otherwise as the one without a time for that. */
    public static ElectionClient over(
            Engine engine,
            String namespace,
            Duration connectionTimeout,
            Duration drainTimeout,
            ConnectionStateErrorPolicy errorPolicy) {
        try {
            return (ElectionClient) OVER.invokeExact(engine, namespace, connectionTimeout, drainTimeout, errorPolicy);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a client over " + engine + ": " + e, e);
        }
    }
}
