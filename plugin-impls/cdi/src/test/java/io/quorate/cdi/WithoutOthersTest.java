package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.leaderonly.LeaderOnly;
import jakarta.inject.Singleton;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** An application without Quarkus and MicroProfile Health on its class path starts, and is checked. */
class WithoutOthersTest {

    @Singleton
    static class Work {
        @LeaderOnly("/work")
        String work() {
            return "done";
        }
    }

    /** Runs with the classes of a loader that lacks those of others. */
    public static final class Scene implements Callable<String> {
        @Override
        public String call() {
            try (Application application = Application.of(Map.of("quorate.enabled", "false"), Work.class)) {
                return "skipped: " + application.get(Work.class).work();
            }
        }
    }

    private static URL[] classPathWithout(String... names) throws MalformedURLException {
        List<URL> kept = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (List.of(names).stream().noneMatch(entry::contains)) {
                kept.add(Path.of(entry).toUri().toURL());
            }
        }
        return kept.toArray(URL[]::new);
    }

    private static boolean has(ClassLoader loader, String type) {
        return loader.getResource(type.replace('.', '/') + ".class") != null;
    }

    @Test
    void itStarts() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(
                classPathWithout(
                        "quarkus-scheduler", "microprofile-health", "smallrye-health", "smallrye-reactive-messaging"),
                ClassLoader.getPlatformClassLoader())) {
            for (String type : List.of(
                    "io.quarkus.scheduler.Scheduled",
                    "org.eclipse.microprofile.health.HealthCheck",
                    "io.smallrye.reactive.messaging.PausableChannel")) {
                assertThat(has(before, type)).isTrue();
                assertThat(has(loader, type)).isFalse();
            }
            Thread.currentThread().setContextClassLoader(loader);
            Callable<?> scene = (Callable<?>) loader.loadClass(Scene.class.getName())
                    .getDeclaredConstructor()
                    .newInstance();
            assertThat(scene.call()).isEqualTo("skipped: null");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }
}
