package io.quorate.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ElectionConfig;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Providers are found by name, and ambiguity is an error. The class path of these tests is made by each test. */
class PluginsTest {

    private static final String BROKEN = "io.quorate.engine.PluginsTest$Broken";
    private static final String NAMELESS = "io.quorate.engine.PluginsTest$Nameless";

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

    /** As a provider whose library is missing. */
    public static final class Broken extends First {
        public Broken() {
            throw new NoClassDefFoundError("a class of the test");
        }
    }

    /** It cannot even say what it is. */
    public static final class Nameless extends First {
        @Override
        public String name() {
            throw new StackOverflowError("of the test");
        }
    }

    @AfterEach
    void restore() throws IOException {
        if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader && loader != original) {
            loader.close();
        }
        Thread.currentThread().setContextClassLoader(original);
    }

    /** An engine that nothing asks for a node. */
    public static class OneEngine implements EngineProvider {
        @Override
        public Engine create(
                ElectionConfig config,
                ElectionAlgorithm algorithm,
                Optional<TransportProvider> provider,
                Optional<ClusterSecret> secret) {
            throw new UnsupportedOperationException("not needed");
        }
    }

    /** Another one. */
    public static final class OtherEngine extends OneEngine {}

    private void provide(String... classes) throws IOException {
        provide(TransportProvider.class, classes);
    }

    private void provide(Class<?> service, String... classes) throws IOException {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.write(services.resolve(service.getName()), List.of(classes));
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

    @ParameterizedTest
    @ValueSource(strings = {"no.such.Provider", "io.quorate.engine.PluginsTest", BROKEN, NAMELESS})
    void aProviderIsFoundBehindOneThatIsBroken(String broken) throws Exception {
        provide(broken, First.class.getName());
        assertThat(Plugins.transport("a")).isInstanceOf(First.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transport("c"))
                .withMessageContainingAll("is not on the class path; found a (", "cannot be loaded", broken);
    }

    @Test
    void withoutAnyProviderTheMessageSaysSo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Plugins.transport("nonesuch"))
                .withMessageStartingWith("transport 'nonesuch': is not on the class path; found ");
    }

    @Test
    void twoEnginesAreAnErrorThatNamesBoth() throws Exception {
        provide(EngineProvider.class, OneEngine.class.getName(), OtherEngine.class.getName());
        assertThatIllegalArgumentException()
                .isThrownBy(Plugins::engine)
                .withMessageStartingWith("more than one engine is on the class path: ")
                .withMessageContaining(OneEngine.class.getName())
                .withMessageContaining(OtherEngine.class.getName());
    }

    // The class path of these tests has the API alone.
    @Test
    void noEngineIsAnErrorThatNamesTheArtifact() {
        assertThatIllegalArgumentException()
                .isThrownBy(Plugins::engine)
                .withMessage(
                        "no engine is on the class path: add io.quorate:quorate, or io.quorate:quorate-engine alone");
    }

    @Test
    void theEngineOfTheClassPathIsFound() throws Exception {
        provide(EngineProvider.class, OneEngine.class.getName());
        assertThat(Plugins.engine()).isInstanceOf(OneEngine.class);
    }

    @Test
    void anEngineThatCannotBeLoadedIsNamed() throws Exception {
        provide(EngineProvider.class, "no.such.Engine");
        assertThatIllegalArgumentException()
                .isThrownBy(Plugins::engine)
                .withMessageContaining("no engine is on the class path")
                .withMessageContaining("no.such.Engine");
    }
}
