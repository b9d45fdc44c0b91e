package io.quorate.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class DaemonsTest {

    /** What an application does that causes a thread. */
    public static final class Application implements BiConsumer<List<Thread>, Runnable> {

        /** What an application holds for the threads that it makes. */
        private static final InheritableThreadLocal<Object> HELD = new InheritableThreadLocal<>();

        @Override
        public void accept(List<Thread> threads, Runnable work) {
            HELD.set(new Application());
            Thread.currentThread().setContextClassLoader(Application.class.getClassLoader());
            threads.add(Daemons.named("a daemon").newThread(work));
            HELD.remove();
        }
    }

    /** Loads that class itself, and all others as this test does. */
    private static final class Loader extends ClassLoader {

        private Loader() {
            super(DaemonsTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Application.class.getName())) {
                return super.loadClass(name, resolve);
            }
            try (InputStream in = DaemonsTest.class.getResourceAsStream(
                    "DaemonsTest$" + Application.class.getSimpleName() + ".class")) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static WeakReference<ClassLoader> deploy(List<Thread> threads) throws ReflectiveOperationException {
        ClassLoader loader = new Loader();
        ((BiConsumer<List<Thread>, Runnable>) loader.loadClass(Application.class.getName())
                        .getDeclaredConstructor()
                        .newInstance())
                .accept(threads, () -> {});
        return new WeakReference<>(loader);
    }

    @Test
    void aThreadKeepsNothingOfTheApplicationThatCausesIt() throws ReflectiveOperationException {
        List<Thread> threads = new ArrayList<>();
        ClassLoader own = Thread.currentThread().getContextClassLoader();
        try {
            WeakReference<ClassLoader> loader = deploy(threads);
            Thread.currentThread().setContextClassLoader(own);
            Deadline.repeat(System::gc, () -> loader.get() == null, () -> "the class loader is still there");
        } finally {
            Thread.currentThread().setContextClassLoader(own);
        }
        assertThat(threads).singleElement().satisfies(thread -> {
            assertThat(thread.isDaemon()).isTrue();
            assertThat(thread.getName()).isEqualTo("a daemon");
        });
    }

    // A group is a class of whoever made it, and so keeps its class loader.
    @Test
    void aThreadHasNeitherTheGroupNorThePriorityOfItsMaker() throws InterruptedException {
        ThreadGroup group = new ThreadGroup("of the application") {};
        Thread[] made = new Thread[1];
        Thread maker = new Thread(group, () -> made[0] = Daemons.thread("a daemon", () -> {}));
        maker.setPriority(Thread.MIN_PRIORITY);
        maker.start();
        maker.join();
        assertThat(made[0].getThreadGroup()).isNotSameAs(group);
        assertThat(made[0].getPriority()).isEqualTo(Thread.NORM_PRIORITY);
    }
}
