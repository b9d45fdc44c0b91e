package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.quorate.ElectionClient;
import io.quorate.ElectionConfig;
import io.quorate.engine.Fatal;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.HighestUp;
import io.quorate.testkit.simulation.LocalNetwork;
import io.quorate.testkit.simulation.LocalNetwork.LocalTransport;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is loaded ahead is no condition of a start: the loader of an application may refuse it. */
class FirstHandOverTest {

    private static final String OURS = "io.quorate.";

    /** Has some classes of its own, and cannot load others. */
    private static final class Loader extends ClassLoader {
        private final List<String> asked = new ArrayList<>();
        private final Predicate<String> isOwn;
        private final Predicate<String> isRefused;
        private final Throwable refusal;

        Loader(Predicate<String> isOwn, Predicate<String> isRefused, Throwable refusal) {
            super(FirstHandOverTest.class.getClassLoader());
            this.isOwn = isOwn;
            this.isRefused = isRefused;
            this.refusal = refusal;
        }

        @Override
        protected Class<?> loadClass(String name, boolean isResolved) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                if (isRefused.test(name)) {
                    asked.add(name);
                    throw Loader.<RuntimeException>undeclared(refusal);
                }
                if (!isOwn.test(name)) {
                    return super.loadClass(name, isResolved);
                }
                Class<?> known = findLoadedClass(name);
                return known != null ? known : defined(name);
            }
        }

        private Class<?> defined(String name) throws ClassNotFoundException {
            try (InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }

        @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
        private static <T extends Throwable> T undeclared(Throwable refusal) throws T {
            throw (T) refusal;
        }
    }

    /** Answers the names that are loaded, by a loader that refuses all of them. */
    private static List<String> prepared(Throwable refusal) throws ReflectiveOperationException {
        String name = FirstHandOver.class.getName();
        Loader loader = new Loader(
                name::equals,
                asked -> asked.startsWith(OURS)
                        && !List.of(name, Fatal.class.getName()).contains(asked),
                refusal);
        try {
            Method prepare = loader.loadClass(name).getDeclaredMethod("prepare");
            prepare.setAccessible(true);
            prepare.invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError("prepare() threw", e.getCause());
        }
        return loader.asked;
    }

    // A name that no longer exists would be passed over, and its successor loaded while nobody leads.
    @Test
    void eachNameIsThatOfAClass() throws ReflectiveOperationException {
        List<String> names = prepared(new ClassNotFoundException("thrown by the test"));
        assertThat(names).hasSizeGreaterThan(10).doesNotHaveDuplicates();
        for (String name : names) {
            assertThatCode(() -> Class.forName(name, false, getClass().getClassLoader()))
                    .as(name)
                    .doesNotThrowAnyException();
        }
    }

    // As of an image that was made without these names, a damaged jar, an application that is being removed.
    @ParameterizedTest
    @ValueSource(
            classes = {
                ClassNotFoundException.class,
                LinkageError.class,
                ExceptionInInitializerError.class,
                IllegalStateException.class,
                IOException.class,
                StackOverflowError.class
            })
    void whateverTheLoaderThrowsHarmsNoStart(Class<? extends Throwable> type) throws ReflectiveOperationException {
        assertThat(prepared(type.getDeclaredConstructor().newInstance())).isNotEmpty();
    }

    /** What {@link ElectionClient#start} leaves, with all classes of the loader that has this one. */
    public static final class Start implements Callable<String> {
        @Override
        public String call() {
            LocalTransport transport = new LocalNetwork().transport(new NodeId("n1"));
            ElectionConfig config = ElectionConfig.builder()
                    .nodeId("n1")
                    .voters("n1")
                    .transport(transport)
                    .build();
            ElectionClient client = Clients.over(
                    new DriverProvider().create(config, new HighestUp(), Optional.empty(), Optional.empty()));
            try {
                client.start();
                return "no failure";
            } catch (OutOfMemoryError e) {
                return client.getState() + ", its transport is closed: " + transport.isClosed();
            }
        }
    }

    @Test
    void aStartWithoutMemoryForThemLeavesNothingRunning() throws Exception {
        Loader loader = new Loader(
                name -> name.startsWith(OURS),
                name -> name.endsWith(".Blockade"),
                new OutOfMemoryError("thrown by the test"));
        Object start =
                loader.loadClass(Start.class.getName()).getDeclaredConstructor().newInstance();
        assertThat(((Callable<?>) start).call()).isEqualTo("STOPPED, its transport is closed: true");
    }
}
