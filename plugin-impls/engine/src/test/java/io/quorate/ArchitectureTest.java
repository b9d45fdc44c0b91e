package io.quorate;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleNameEndingWith;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import io.quorate.core.Node;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.TransportProvider;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * docs/architecture.md#packages: spi, settings, the seam and the facade of the API, and core and runtime of the engine,
 * each of which knows those below it only, and so do the packages of the core; and a core that is a pure function of
 * its events. Every rule is shown to fail against {@code io.quorate.badlayers}, which breaks them all.
 */
class ArchitectureTest {

    private static final ArchitectureRules RULES = new ArchitectureRules(
            "io.quorate.badlayers", List.of(LeaderLatch.class, Node.class), ArchitectureTest::rules);

    /** The rules for the packages below {@code root}, by what they say. */
    private static Map<String, ArchRule> rules(String root) {
        Map<String, ArchRule> rules = new TreeMap<>(Map.of(
                "spi depends on jvm and the JDK only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".spi..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".spi..",
                                        root + ".jvm",
                                        "java..",
                                        "javax.crypto.spec..",
                                        "javax.net.ssl..",
                                        "org.jspecify.."),
                "core depends on spi, the values of the seam, exceptions of the facade, printable text and the JDK only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".core..")
                                .should()
                                .onlyDependOnClassesThat(resideInAnyPackage(
                                                root + ".core..",
                                                root + ".engine",
                                                root + ".spi..",
                                                "java..",
                                                "org.jspecify..")
                                        .or(resideInAPackage(root).and(simpleNameEndingWith("Exception")))
                                        .or(PRINTABLE)),
                "core knows no engine",
                        noClasses()
                                .that()
                                .resideInAPackage(root + ".core..")
                                .should()
                                .dependOnClassesThat(NO_VALUE_OF_THE_SEAM),
                "core has no threads, clock, randomness, input or output",
                        noClasses()
                                .that()
                                .resideInAPackage(root + ".core..")
                                .should()
                                .dependOnClassesThat(WORLD),
                "no thread of the JDK waits for what is late",
                        noClasses()
                                .that()
                                .resideInAPackage(root + "..")
                                .should()
                                .callMethodWhere(JDK_TIMER),
                "no file of core knows one that knows it",
                        slices().assignedFrom(files(root + ".core..")).should().beFreeOfCycles(),
                "no file of runtime knows one that knows it",
                        slices().assignedFrom(files(root + ".runtime")).should().beFreeOfCycles(),
                // The listener is given the client, as Curator's is.
                "no file of the facade knows one that knows it",
                        slices().assignedFrom(files(root, root + ".client", root + ".engine", root + ".settings"))
                                .should()
                                .beFreeOfCycles()
                                .ignoreDependency(
                                        simpleNameEndingWith("ConnectionStateListener"),
                                        simpleNameEndingWith("ElectionClient")),
                "core asks the system nothing",
                        noClasses()
                                .that()
                                .resideInAPackage(root + ".core..")
                                .should()
                                .callMethodWhere(SYSTEM_CALL)));
        ABOVE.forEach((layer, above) -> rules.put(
                layer + " does not know what is above it",
                noClasses()
                        .that()
                        .resideInAPackage(root + "." + layer + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(above.stream().map(root::concat).toArray(String[]::new))));
        BELOW.forEach((layer, below) -> rules.put(
                "core." + layer + " knows the layers below it only",
                classes()
                        .that()
                        .resideInAPackage(root + ".core." + layer)
                        .should()
                        .onlyDependOnClassesThat(resideInAnyPackage(Stream.concat(
                                                Stream.of(
                                                        "java..",
                                                        "org.jspecify..",
                                                        root + ".spi",
                                                        root + ".engine",
                                                        root + ".core." + layer),
                                                below.stream().map(each -> root + ".core." + each))
                                        .toArray(String[]::new))
                                .or(PRINTABLE))));
        BELOW_SPI.forEach((layer, below) -> rules.put(
                layer + " depends on " + String.join(" and ", below) + ", the JDK and slf4j only",
                classes()
                        .that()
                        .resideInAPackage(root + "." + layer)
                        .should()
                        .onlyDependOnClassesThat()
                        .resideInAnyPackage(Stream.concat(
                                        Stream.of(
                                                "java..",
                                                "javax.net.ssl..",
                                                "javax.security.auth.x500..",
                                                "org.jspecify..",
                                                "org.slf4j..",
                                                root + "." + layer),
                                        below.stream().map(each -> root + "." + each))
                                .toArray(String[]::new))));
        rules.put(
                "facade does not know what is behind the seam",
                noClasses()
                        .that()
                        .resideInAPackage(root)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(root + ".core..", root + ".runtime"));
        return rules;
    }

    /** What our own artifacts have in common, below and above the SPI. */
    private static final Map<String, List<String>> BELOW_SPI =
            Map.of("jvm", List.of(), "transport", List.of("spi", "jvm"));

    /** The core tells what it was sent, and only as it may stand in a log. */
    private static final DescribedPredicate<JavaClass> PRINTABLE = simpleName("Printable");

    /** Packages, each with those that it must not know. The runtime is given the settings of a client. */
    private static final Map<String, List<String>> ABOVE = Map.of(
            "runtime", List.of(".client"),
            "engine", List.of(".client", ".core..", ".runtime"),
            "client", List.of(".core..", ".runtime"),
            "settings", List.of(".client", ".engine", ".core..", ".runtime", ""));

    /** The packages of the core, each with those that it may know: docs/architecture.md#packages. */
    private static final Map<String, List<String>> BELOW = Map.of(
            "collection", List.of(),
            "settings", List.of(),
            "voters", List.of("settings"),
            "message", List.of("settings", "voters"),
            "step", List.of("settings", "voters", "message"),
            "support", List.of("settings", "voters", "message", "step"),
            "vote", List.of("settings", "voters", "message", "step", "support"),
            "directory", List.of("collection", "settings", "voters", "message", "step", "support"),
            "election", List.of("settings", "voters", "message", "step", "support", "directory"),
            "path",
                    List.of(
                            "collection",
                            "settings",
                            "voters",
                            "message",
                            "step",
                            "support",
                            "vote",
                            "directory",
                            "election"));

    /** Each source file of these packages is a slice of its own. */
    private static SliceAssignment files(String... packages) {
        return new SliceAssignment() {
            @Override
            public SliceIdentifier getIdentifierOf(JavaClass type) {
                JavaClass file = type;
                while (file.getEnclosingClass().isPresent()) {
                    file = file.getEnclosingClass().get();
                }
                return resideInAnyPackage(packages).test(file)
                        ? SliceIdentifier.of(family(file).getName())
                        : SliceIdentifier.ignore();
            }

            @Override
            public String getDescription() {
                return "the files of " + String.join(", ", packages);
            }
        };
    }

    /** A sealed interface names those that implement it: they are one thing, in however many files. */
    private static JavaClass family(JavaClass file) {
        return file.getRawInterfaces().stream()
                .filter(each -> each.getPackageName().startsWith(ArchitectureRules.GOOD)
                        && each.reflect().isSealed())
                .findFirst()
                .map(family -> family(family))
                .orElse(file);
    }

    private static final DescribedPredicate<JavaClass> NO_VALUE_OF_THE_SEAM =
            new DescribedPredicate<>("be in the seam and no value") {
                @Override
                public boolean test(JavaClass type) {
                    return type.getPackageName().endsWith(".engine")
                            && !List.of(
                                            "Connection",
                                            "Epoch",
                                            "Fatal",
                                            "Lease",
                                            "LeaseTiming",
                                            "Migration",
                                            "PathView",
                                            "Situation",
                                            "Tenure")
                                    .contains(type.getBaseComponentType()
                                            .getName()
                                            .replaceAll(".*\\.|\\$.*", ""));
                }
            };

    private static final DescribedPredicate<JavaClass> WORLD = new DescribedPredicate<>("touch the world") {
        @Override
        public boolean test(JavaClass type) {
            String name = type.getName();
            return Stream.of(
                                            "java.io.",
                                            "java.nio.channels.",
                                            "java.nio.file.",
                                            "java.net.",
                                            "java.time.",
                                            "java.util.Random",
                                            "java.util.SplittableRandom",
                                            "java.util.UUID",
                                            "java.util.Timer",
                                            "java.util.random.",
                                            "java.security.",
                                            "java.util.logging.",
                                            "org.slf4j.",
                                            "java.lang.Thread",
                                            "java.lang.Process",
                                            "java.lang.Runtime")
                                    .anyMatch(name::startsWith)
                            && !name.equals("java.lang.RuntimeException")
                    // The lease is read by the application's threads: that is what atomic values are for.
                    || name.startsWith("java.util.concurrent.") && !name.startsWith("java.util.concurrent.atomic.");
        }
    };

    private static final DescribedPredicate<JavaMethodCall> SYSTEM_CALL = new DescribedPredicate<>("ask the system") {
        @Override
        public boolean test(JavaMethodCall call) {
            String owner = call.getTargetOwner().getName();
            return owner.equals("java.lang.System") && !call.getName().equals("arraycopy")
                    || owner.equals("java.lang.Math") && call.getName().equals("random")
                    // A tenure is asked by the application, which brings its clock.
                    || call.getName().equals("nanoTime")
                            && !call.getOriginOwner().getSimpleName().equals("Tenure");
        }
    };

    /** Its thread keeps the context class loader of whoever was the first to call. */
    private static final DescribedPredicate<JavaMethodCall> JDK_TIMER =
            new DescribedPredicate<>("use the timer of CompletableFuture") {
                @Override
                public boolean test(JavaMethodCall call) {
                    return call.getTargetOwner().getName().equals("java.util.concurrent.CompletableFuture")
                            && List.of("orTimeout", "completeOnTimeout", "delayedExecutor")
                                    .contains(call.getName());
                }
            };

    @TestFactory
    Stream<DynamicTest> everyRuleHolds() {
        return RULES.hold();
    }

    @TestFactory
    Stream<DynamicTest> everyRuleCanFail() {
        return RULES.canFail();
    }

    // Each kind of dependency by itself: the rule against the world is a list, and an entry may be wrong.
    @Test
    void everyPartOfTheWorldIsNoticed() {
        String violations = RULES.violations("core has no threads, clock, randomness, input or output")
                + RULES.violations("core asks the system nothing");
        assertThat(violations)
                .contains(
                        "java.lang.Thread",
                        "java.util.Random",
                        "java.io.File",
                        "java.nio.file.Files",
                        "org.slf4j.LoggerFactory",
                        "java.util.concurrent.Executors",
                        "java.time.Instant",
                        "java.lang.System.nanoTime",
                        "java.lang.System.currentTimeMillis",
                        "java.lang.Math.random");
        assertThat(violations).doesNotContain("AtomicLong", "RuntimeException");
    }

    // A rule about packages that are not there would hold as well.
    @Test
    void everyLayerIsThere() {
        Stream<String> parts = BELOW.keySet().stream().map(part -> ".core." + part);
        Stream.concat(
                        Stream.of(
                                ".jvm",
                                ".spi",
                                ".transport",
                                ".core",
                                ".runtime",
                                ".engine",
                                ".settings",
                                ".client",
                                ""),
                        parts)
                .forEach(layer -> assertThat(RULES.goodClasses().stream().map(JavaClass::getPackageName))
                        .contains(ArchitectureRules.GOOD + layer));
    }

    // A type that an author neither implements nor is given belongs to another package: transport, jvm, or the facade.
    @Test
    void spiHoldsWhatAuthorsImplementOrAreGiven() {
        Set<JavaClass> reached = new LinkedHashSet<>();
        Deque<JavaClass> next = new ArrayDeque<>(List.of(
                RULES.goodClasses().get(ElectionAlgorithm.class),
                RULES.goodClasses().get(TransportProvider.class)));
        while (!next.isEmpty()) {
            JavaClass type = next.pop();
            if (type.getPackageName().equals("io.quorate.spi") && reached.add(type)) {
                shownBy(type).map(JavaClass::getBaseComponentType).forEach(next::push);
            }
        }
        Set<String> others = RULES.goodClasses().stream()
                .filter(type -> type.getPackageName().equals("io.quorate.spi"))
                .filter(type -> type.getEnclosingClass().isEmpty() && !reached.contains(type))
                .map(JavaClass::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        others.remove("package-info");
        assertThat(reached).hasSizeGreaterThan(20);
        // An author throws the second, and calls the first. The core is given the third, which an application chooses.
        assertThat(others).containsExactlyInAnyOrder("Check", "TransportException", "RankOrder");
    }

    /** The types that an author sees who implements or uses this one. */
    private static Stream<JavaClass> shownBy(JavaClass type) {
        Stream<JavaClass> members = type.getMembers().stream()
                .filter(member -> !member.getModifiers().contains(JavaModifier.PRIVATE))
                .flatMap(member -> member instanceof JavaCodeUnit unit
                        ? Stream.of(
                                        unit.getReturnType().getAllInvolvedRawTypes().stream(),
                                        unit.getParameterTypes().stream()
                                                .flatMap(each -> each.getAllInvolvedRawTypes().stream()),
                                        unit.getThrowsClause().stream().map(each -> each.getRawType()))
                                .flatMap(types -> types)
                        : ((JavaField) member).getType().getAllInvolvedRawTypes().stream());
        Stream<JavaClass> nested = RULES.goodClasses().stream()
                .filter(each -> each.getEnclosingClass().equals(Optional.of(type)));
        return Stream.of(members, nested, type.getRawInterfaces().stream(), type.getRawSuperclass().stream())
                .flatMap(types -> types);
    }
}
