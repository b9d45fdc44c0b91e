package io.quorate.cdi;

import io.quorate.ElectionClient;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.spi.Extension;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.jboss.weld.environment.se.Weld;
import org.jboss.weld.environment.se.WeldContainer;

/** An application in a container of Weld SE, with these beans and settings. */
final class Application implements AutoCloseable {

    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** What {@link OwnClient} produces. */
    private static volatile ElectionClient given;

    private final WeldContainer container;

    /** A client that the application brings, such as one of a simulated cluster. */
    @Singleton
    static class OwnClient {
        @Produces
        @Singleton
        ElectionClient client() {
            return given;
        }
    }

    private Application(Config config, List<Class<?>> beans, Extension... others) {
        // Asked for once, at the start.
        ConfigProviderResolver.instance()
                .registerConfig(config, Thread.currentThread().getContextClassLoader());
        try {
            container = new Weld("test-" + NUMBER.incrementAndGet())
                    .disableDiscovery()
                    .addBeanClasses(beans.toArray(Class<?>[]::new))
                    .addExtensions(others)
                    .initialize();
        } finally {
            ConfigProviderResolver.instance().releaseConfig(config);
        }
    }

    static Config config(Map<String, String> settings) {
        return new SmallRyeConfigBuilder()
                .withSources(new PropertiesConfigSource(settings, "test", 100))
                .build();
    }

    /** With a client from the settings. */
    static Application of(Map<String, String> settings, Class<?>... beans) {
        return new Application(config(settings), List.of(beans));
    }

    /** With this client. */
    static Application with(ElectionClient client, Map<String, String> settings, Class<?>... beans) {
        given = client;
        List<Class<?>> all = new ArrayList<>(List.of(beans));
        all.add(OwnClient.class);
        return new Application(config(settings), all);
    }

    /** Without a client, beside an extension of another library. */
    static Application beside(Extension other) {
        return new Application(config(Map.of("quorate.enabled", "false")), List.of(), other);
    }

    <T> T get(Class<T> type) {
        return container.select(type).get();
    }

    WeldContainer container() {
        return container;
    }

    @Override
    public void close() {
        container.close();
    }
}
