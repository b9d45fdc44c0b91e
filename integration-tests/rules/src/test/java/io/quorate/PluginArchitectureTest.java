package io.quorate;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import io.quorate.ballot.BallotAlgorithm;
import io.quorate.camel.QuorateClusterService;
import io.quorate.cdi.LeaderLatches;
import io.quorate.cli.Quorate;
import io.quorate.fencing.FencedFile;
import io.quorate.lab.Lab;
import io.quorate.leaderonly.LeaderOnly;
import io.quorate.ops.OpsServer;
import io.quorate.shedlock.QuorateLockProvider;
import io.quorate.spring.QuorateAutoConfiguration;
import io.quorate.tandem.TandemLatch;
import io.quorate.tcp.TcpTransportProvider;
import io.quorate.vertx.VertxTransportProvider;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * docs/architecture.md#packages: an algorithm knows the SPI and the frame of its machine, and no other algorithm;
 * Vert.x is known to its transport and to singleton verticles only, and no transport knows another; the endpoints, the
 * command line, the starter, those verticles and the ways in from other libraries know the facade, and the guards know
 * nothing of it. Every rule is shown to fail against {@code io.quorate.badimpls}, which breaks them all.
 */
class PluginArchitectureTest {

    private static final String SPI = "io.quorate.spi..";
    private static final String JVM = "io.quorate.jvm";
    private static final String TRANSPORT = "io.quorate.transport";

    /** In a package with the transport, which they do not know. */
    private static final DescribedPredicate<JavaClass> IS_OF_SINGLETONS =
            nameMatching(".*\\.vertx\\.Singleton.*").<JavaClass>forSubtype().as("are of singletons");

    private static final ArchitectureRules RULES = new ArchitectureRules(
            "io.quorate.badimpls",
            List.of(
                    BallotAlgorithm.class,
                    VertxTransportProvider.class,
                    TcpTransportProvider.class,
                    OpsServer.class,
                    Quorate.class,
                    Lab.class,
                    LeaderOnly.class,
                    QuorateAutoConfiguration.class,
                    QuorateLockProvider.class,
                    LeaderLatches.class,
                    QuorateClusterService.class,
                    TandemLatch.class,
                    FencedFile.class),
            PluginArchitectureTest::rules);

    /** The rules for the packages below {@code root}, by what they say. Whatever else is there is an algorithm. */
    private static Map<String, ArchRule> rules(String root) {
        Map<String, ArchRule> rules = new HashMap<>(waysIn(root));
        rules.putAll(Map.of(
                "algorithms know the SPI and the JDK only",
                        classes()
                                .that()
                                .resideOutsideOfPackages(
                                        root + ".vertx..",
                                        root + ".tcp..",
                                        root + ".ops..",
                                        root + ".cli..",
                                        root + ".lab..",
                                        root + ".leaderonly..",
                                        root + ".spring..",
                                        root + ".shedlock..",
                                        root + ".tandem..",
                                        root + ".cdi..",
                                        root + ".camel..",
                                        root + ".fencing..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(root + "..", SPI, "java..", "org.jspecify.."),
                "algorithms know no other algorithm",
                        slices().matching(root + ".(*)..")
                                .should()
                                .notDependOnEachOther()
                                .ignoreDependency(
                                        resideInAPackage(root + ".."),
                                        resideInAnyPackage(SPI, JVM, TRANSPORT, root + ".machine..", root + ".ring.."))
                                .ignoreDependency(
                                        resideInAnyPackage(root + ".cli..", root + ".spring.."),
                                        resideInAPackage(root + ".ops.."))
                                .ignoreDependency(
                                        resideInAPackage(root + ".tandem.."),
                                        resideInAnyPackage("io.quorate.client", "io.quorate.engine"))
                                .ignoreDependency(
                                        resideInAPackage(root + ".cli.."), resideInAPackage("io.quorate.runtime"))
                                .ignoreDependency(
                                        resideInAPackage(root + ".lab.."), resideInAPackage("io.quorate.testkit.."))
                                .ignoreDependency(
                                        resideInAnyPackage(root + ".spring..", root + ".cdi.."),
                                        resideInAPackage(root + ".leaderonly..")),
                "the frame of the rings is known to the rings only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".ring..")
                                .should()
                                .onlyHaveDependentClassesThat()
                                .resideInAnyPackage(root + ".ring..", root + ".lcr..", root + ".tokenring.."),
                "the transport over TCP knows the SPI, what transports share, and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".tcp..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".tcp..",
                                        SPI,
                                        JVM,
                                        TRANSPORT,
                                        "org.slf4j..",
                                        "java..",
                                        "javax.net.ssl..",
                                        "org.jspecify.."),
                "what operators need knows the facade, the JDK, Jetty, Jackson, Micrometer and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".ops..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".ops..",
                                        ArchitectureRules.GOOD,
                                        SPI,
                                        JVM,
                                        TRANSPORT,
                                        "org.eclipse.jetty..",
                                        "javax.net.ssl..",
                                        "jdk.jfr..",
                                        "com.fasterxml.jackson.core..",
                                        "io.micrometer.core..",
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify.."),
                "the command line knows the facade, the endpoints, the HTTP client of the JDK, picocli, Jackson and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".cli..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".cli..",
                                        root + ".ops..",
                                        ArchitectureRules.GOOD,
                                        SPI,
                                        JVM,
                                        TRANSPORT,
                                        "io.quorate.runtime",
                                        "picocli..",
                                        "com.fasterxml.jackson..",
                                        "org.slf4j..",
                                        "java..",
                                        "javax.net.ssl..",
                                        "org.jspecify.."),
                "the lab knows the SPI, the simulator, the checker and the pictures of the kit, picocli and the JDK's HTTP server only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".lab..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".lab..",
                                        SPI,
                                        JVM,
                                        "io.quorate.testkit.model",
                                        "io.quorate.testkit.picture",
                                        "io.quorate.testkit.simulation",
                                        "picocli..",
                                        "com.sun.net.httpserver",
                                        "java..",
                                        "org.jspecify.."),
                "the transport over the event bus knows the SPI, what transports share, Vert.x with its Netty and TLS, and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".vertx..")
                                .and(not(IS_OF_SINGLETONS))
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".vertx..",
                                        SPI,
                                        JVM,
                                        TRANSPORT,
                                        "io.vertx..",
                                        "io.netty..",
                                        "javax.net.ssl..",
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify..")));
        return rules;
    }

    /** What applications with a framework take. */
    private static Map<String, ArchRule> waysIn(String root) {
        return Map.of(
                "what starter and CDI share knows the JDK only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".leaderonly..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(root + ".leaderonly..", "java..", "org.jspecify.."),
                "the starter knows the facade, leader-only methods, the meters, Spring and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".spring..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".spring..",
                                        ArchitectureRules.GOOD,
                                        root + ".ops..",
                                        root + ".leaderonly..",
                                        "io.micrometer.core..",
                                        "org.springframework..",
                                        "org.aopalliance..",
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify.."),
                "the beans of CDI know the facade, leader-only methods, CDI, MicroProfile, the scheduler of Quarkus and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".cdi..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".cdi..",
                                        ArchitectureRules.GOOD,
                                        root + ".leaderonly..",
                                        "jakarta.annotation..",
                                        "jakarta.enterprise..",
                                        "jakarta.inject..",
                                        "jakarta.interceptor..",
                                        "org.eclipse.microprofile..",
                                        "io.quarkus.scheduler..",
                                        "io.smallrye.reactive.messaging..",
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify.."),
                "the lock provider knows the facade, ShedLock and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".shedlock..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".shedlock..",
                                        ArchitectureRules.GOOD,
                                        SPI,
                                        JVM,
                                        "net.javacrumbs.shedlock..",
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify.."),
                "tandems know the facade, what it is made of, the seam and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".tandem..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".tandem..",
                                        ArchitectureRules.GOOD,
                                        "io.quorate.client",
                                        "io.quorate.engine",
                                        SPI,
                                        JVM,
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify.."),
                "the cluster service knows the facade, Camel, Spring and the log only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".camel..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".camel..",
                                        ArchitectureRules.GOOD,
                                        SPI,
                                        JVM,
                                        "org.apache.camel..",
                                        "org.springframework..",
                                        "org.slf4j..",
                                        "java..",
                                        "org.jspecify.."),
                "the guards know the JDK and servlets only",
                        classes()
                                .that()
                                .resideInAPackage(root + ".fencing..")
                                .should()
                                .onlyDependOnClassesThat()
                                .resideInAnyPackage(
                                        root + ".fencing..",
                                        "jakarta.servlet..",
                                        "javax.sql..",
                                        "java..",
                                        "org.jspecify.."),
                "verticles that are deployed once know the facade, Vert.x and the log only",
                        classes()
                                .that(IS_OF_SINGLETONS)
                                .should()
                                .onlyDependOnClassesThat(resideInAnyPackage(
                                                ArchitectureRules.GOOD,
                                                SPI,
                                                JVM,
                                                "io.vertx..",
                                                "org.slf4j..",
                                                "java..",
                                                "org.jspecify..")
                                        .or(IS_OF_SINGLETONS)));
    }

    @TestFactory
    Stream<DynamicTest> everyRuleHolds() {
        return RULES.hold();
    }

    @TestFactory
    Stream<DynamicTest> everyRuleCanFail() {
        return RULES.canFail();
    }

    // The classes of quorate-api are in packages of ours too, but not among those of the plug-ins.
    @Test
    void nobodyButWhatUsersRunReachesAroundTheSpi() {
        Set<String> own =
                RULES.goodClasses().stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
        assertThat(RULES.goodClasses().stream()
                        .filter(not(IS_OF_SINGLETONS))
                        .filter(type -> !Set.of(
                                        "io.quorate.ops",
                                        "io.quorate.cli",
                                        "io.quorate.lab",
                                        "io.quorate.spring",
                                        "io.quorate.shedlock",
                                        "io.quorate.tandem",
                                        "io.quorate.cdi",
                                        "io.quorate.camel")
                                .contains(type.getPackageName()))
                        .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                        .map(dependency -> dependency.getTargetClass().getPackageName())
                        .filter(name -> name.startsWith(ArchitectureRules.GOOD))
                        .filter(name -> !own.contains(name)))
                .containsOnly("io.quorate.spi", JVM, TRANSPORT);
    }

    // A rule about packages that are not there would hold as well.
    @Test
    void everyPackageIsThere() {
        assertThat(RULES.goodClasses().stream().map(JavaClass::getPackageName))
                .contains(
                        "io.quorate.ballot",
                        "io.quorate.bully",
                        "io.quorate.lcr",
                        "io.quorate.tokenring",
                        "io.quorate.threephase",
                        "io.quorate.machine",
                        "io.quorate.ring",
                        "io.quorate.vertx",
                        "io.quorate.tcp",
                        "io.quorate.ops",
                        "io.quorate.cli",
                        "io.quorate.lab",
                        "io.quorate.leaderonly",
                        "io.quorate.spring",
                        "io.quorate.shedlock",
                        "io.quorate.tandem",
                        "io.quorate.cdi",
                        "io.quorate.camel",
                        "io.quorate.fencing");
    }
}
