package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Providers are found by name, and ambiguity is an error. The class path of these tests is made by each test. */
class PluginsTest {

    private final ClassLoader original = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path directory;

    /** A provider named a. */
    public static class First implements TransportProvider {
        @Override
        public String name() {
            return "a";
        }

        @Override
        public Transport create(Settings settings) {
            throw new UnsupportedOperationException("not needed");
        }
    }

    /** A provider named b. */
    public static final class Second extends First {
        @Override
        public String name() {
            return "b";
        }
    }

    /** Another provider named a. */
    public static final class Rival extends First {}

    @AfterEach
    void restore() throws IOException {
        if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader && loader != original) {
            loader.close();
        }
        Thread.currentThread().setContextClassLoader(original);
    }

    private void provide(String... classes) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.write(services.resolve(TransportProvider.class.getName()), List.of(classes));
        Thread.currentThread()
                .setContextClassLoader(
                        new URLClassLoader(new URL[] {directory.toUri().toURL()}, original));
    }

    @Test
    void aProviderIsFoundByItsName() throws Exception {
        provide(First.class.getName(), Second.class.getName());
        assertThat(Plugins.transport("a")).isInstanceOf(First.class);
        assertThat(Plugins.transport("b")).isInstanceOf(Second.class);
    }

    @Test
    void theOnlyProviderNeedNotBeNamedButOfSeveralTheNameDecides() throws Exception {
        provide(First.class.getName());
        assertThat(Plugins.transportOrOnly("b")).isInstanceOf(First.class);
        provide(First.class.getName(), Second.class.getName());
        assertThat(Plugins.transportOrOnly("b")).isInstanceOf(Second.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transportOrOnly("c"))
                .withMessageStartingWith("transport 'c': is not on the class path; found a (");
    }

    @Test
    void anUnknownNameListsWhatWasFound() throws Exception {
        provide(First.class.getName(), Second.class.getName());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transport("c"))
                .withMessageStartingWith("transport 'c': is not on the class path; found a (" + First.class.getName()
                        + "), b (" + Second.class.getName() + ")");
    }

    @Test
    void twoProvidersWithOneNameAreAnError() throws Exception {
        provide(First.class.getName(), Rival.class.getName());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transport("a"))
                .withMessageStartingWith("transport 'a': is the name of 2 providers; found a (" + First.class.getName()
                        + "), a (" + Rival.class.getName() + ")");
    }

    @Test
    void aProviderThatCannotBeLoadedIsNamed() throws Exception {
        provide("no.such.Provider");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transport("a"))
                .withMessageContaining("no.such.Provider");
    }

    @Test
    void withoutAnyProviderTheMessageSaysSo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transport("nonesuch"))
                .withMessageStartingWith("transport 'nonesuch': is not on the class path; found ");
    }
}
