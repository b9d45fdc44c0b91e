package io.quorate.testkit.simulation;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.engine.Engine;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;

/** Clients over the kit's engines. Their factory is not part of the interface that applications see. */
public final class Clients {

    private static final MethodHandle OVER = over();

    private Clients() {}

    private static MethodHandle over() {
        try {
            return MethodHandles.privateLookupIn(ElectionClient.class, MethodHandles.lookup())
                    .findConstructor(
                            ElectionClient.class,
                            MethodType.methodType(void.class, Engine.class, ElectionConfig.class, Duration.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The settings of a client over an engine: without time to drain, and otherwise with the defaults. */
    public static ElectionConfig.Builder config() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=localhost:1").drainTimeout(Duration.ZERO);
    }

    /** A client that starts and closes the engine. */
    public static ElectionClient over(Engine engine) {
        return over(engine, config().build());
    }

    /** As the other one, with namespace, policy and times of these settings. */
    public static ElectionClient over(Engine engine, ElectionConfig config) {
        try {
            return (ElectionClient) OVER.invokeExact(engine, config, config.connectionTimeout());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a client over " + engine + ": " + e, e);
        }
    }
}
