package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.quorate.camel.QuorateClusterService;
import io.quorate.cdi.LeaderLatches;
import io.quorate.core.Node;
import io.quorate.engine.Clock;
import io.quorate.ops.OpsServer;
import io.quorate.runtime.TermStore;
import io.quorate.shedlock.QuorateLockProvider;
import io.quorate.spi.Transport;
import io.quorate.spring.QuorateAutoConfiguration;
import io.quorate.tandem.TandemLatch;
import io.quorate.tcp.TcpTransportProvider;
import io.quorate.vertx.VertxTransportProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** docs/contributing.md#errors: code of others may throw anything that Java has, at every place where it is called. */
class ForeignCodeTest {

    private static final List<Supplier<Throwable>> ANYTHING = List.of(
            () -> new IllegalStateException("thrown by the test"),
            () -> new NoClassDefFoundError("thrown by the test"),
            () -> new StackOverflowError("thrown by the test"),
            () -> new OutOfMemoryError("thrown by the test"),
            ThreadDeath::new,
            // Which nobody declares: as Kotlin throws it.
            () -> new IOException("thrown by the test"));

    /** What others may use, and only this library implements, or its kit. */
    private static final Set<String> OURS = Set.of(
            Listenable.class.getName(),
            Transport.Receiver.class.getName(),
            io.quorate.spi.Proof.class.getName(),
            Clock.class.getName(),
            TermStore.class.getName(),
            "io.quorate.spring.FencedContext");

    /** What is called on the thread of whoever asked, by classes of its own. */
    private static final Set<String> PARTS =
            Set.of(io.quorate.jvm.BoundedWait.class.getName(), io.quorate.spi.Election.State.class.getName());

    private static final ArchitectureRules RULES = new ArchitectureRules(
            "io.quorate.badimpls",
            List.of(
                    LeaderLatch.class,
                    Node.class,
                    VertxTransportProvider.class,
                    TcpTransportProvider.class,
                    OpsServer.class,
                    QuorateAutoConfiguration.class,
                    QuorateLockProvider.class,
                    TandemLatch.class,
                    LeaderLatches.class,
                    QuorateClusterService.class),
            root -> Map.of());

    @TestFactory
    Stream<DynamicTest> throwablesOfForeignCodeStayInTheirPlace() {
        return Arrays.stream(ForeignPlace.values())
                .filter(place -> place.test().isEmpty())
                .flatMap(place -> ANYTHING.stream()
                        .map(Supplier::get)
                        .map(thrown -> DynamicTest.dynamicTest(
                                place + ": " + thrown.getClass().getSimpleName(), () -> {
                                    try (ForeignScene scene = new ForeignScene(thrown)) {
                                        place.run(scene);
                                        assertThat(scene.hasFailed())
                                                .as("it was thrown")
                                                .isTrue();
                                    }
                                })));
    }

    // A new interface for others is a new place.
    @Test
    void eachInterfaceForOthersIsListed() {
        Set<String> listed = Stream.concat(
                        Stream.concat(OURS.stream(), PARTS.stream()),
                        Arrays.stream(ForeignPlace.values()).flatMap(place -> place.type().stream()))
                .collect(Collectors.toSet());
        Set<String> found = new TreeSet<>();
        for (JavaClass type : RULES.goodClasses()) {
            if (isForOthers(type)) {
                found.add(type.getName());
            }
        }
        assertThat(found).contains(LeaderLatchListener.class.getName());
        assertThat(listed).containsAll(found);
    }

    private static boolean isForOthers(JavaClass type) {
        return type.isInterface()
                && !type.isAnnotation()
                && Set.of("io.quorate", "io.quorate.spi", "io.quorate.spring", "io.quorate.tandem")
                        .contains(type.getPackageName())
                && type.getModifiers().contains(JavaModifier.PUBLIC)
                && !isSealed(type);
    }

    /** Spring is not here, and what needs it cannot be loaded. */
    private static boolean isSealed(JavaClass type) {
        return !type.getPackageName().equals("io.quorate.spring")
                && type.reflect().isSealed();
    }

    // A new caller is a new place too.
    @Test
    void eachCallerIsListed() {
        Map<String, Set<String>> listed = new TreeMap<>();
        Map<String, Set<String>> found = new TreeMap<>();
        Map<String, ForeignPlace> places = new TreeMap<>();
        for (ForeignPlace place : ForeignPlace.values()) {
            place.type()
                    .filter(type -> !Set.of(BooleanSupplier.class.getName(), Function.class.getName())
                            .contains(type))
                    .ifPresent(type -> {
                        places.put(type, place);
                        listed.put(place.name(), new TreeSet<>(place.callers()));
                        found.put(place.name(), new TreeSet<>());
                    });
        }
        for (JavaClass origin : RULES.goodClasses()) {
            Stream<JavaAccess<?>> accesses = Stream.concat(
                    origin.getMethodCallsFromSelf().stream(), origin.getMethodReferencesFromSelf().stream());
            accesses.forEach(access -> {
                ForeignPlace place = places.get(access.getTargetOwner().getName());
                // Of the executors, which the JDK and the library have too, those that an application gives.
                boolean isExecutor =
                        place == ForeignPlace.LISTENERS_EXECUTOR || place == ForeignPlace.SELECTOR_EXECUTOR;
                boolean isOurs = isExecutor
                                && !Set.of("io.quorate", "io.quorate.client", "io.quorate.tandem")
                                        .contains(origin.getPackageName())
                        || access.getName().equals("checkLength");
                if (place != null && !isOurs) {
                    found.get(place.name()).add(file(origin));
                }
            });
        }
        assertThat(found).isEqualTo(listed);
    }

    private static String file(JavaClass type) {
        JavaClass file = type;
        while (file.getEnclosingClass().isPresent()) {
            file = file.getEnclosingClass().get();
        }
        return file.getSimpleName();
    }

    @Test
    void testsThatAreNamedAreThere() throws IOException {
        Set<String> files = new HashSet<>();
        Wording.sources(Path.of("..", "..")).forEach(file -> files.add(file.replaceFirst(".*/", "")));
        for (ForeignPlace place : ForeignPlace.values()) {
            place.test().ifPresent(test -> assertThat(files).as(place.name()).contains(test + ".java"));
        }
    }
}
