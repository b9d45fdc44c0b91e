package io.quorate;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/**
 * Rules for the shipped classes of one or more artifacts, each with the proof that it can fail: it is also put to test
 * classes that were written to break it.
 */
public final class ArchitectureRules {

    /** Below which package the shipped classes are. */
    public static final String GOOD = "io.quorate";

    private final String bad;
    private final JavaClasses goodClasses;
    private final JavaClasses badClasses;
    private final Function<String, Map<String, ArchRule>> rules;

    /**
     * @param bad     below which package the classes that break the rules are
     * @param shipped one class of each artifact that must keep the rules
     * @param rules   the rules for the packages below a root, by what they say
     */
    public ArchitectureRules(String bad, List<Class<?>> shipped, Function<String, Map<String, ArchRule>> rules) {
        this.bad = bad;
        goodClasses = new ClassFileImporter()
                .importLocations(
                        shipped.stream().map(ArchitectureRules::artifactOf).toList());
        this.rules = rules;
        badClasses = new ClassFileImporter().importPackages(bad);
    }

    /** The jar or the folder that the class comes from. */
    private static Location artifactOf(Class<?> type) {
        String url = type.getProtectionDomain().getCodeSource().getLocation().toString();
        return Location.of(URI.create(url.endsWith(".jar") ? "jar:" + url + "!/" : url));
    }

    /** The shipped classes. */
    public JavaClasses goodClasses() {
        return goodClasses;
    }

    /** One test for each rule: the shipped classes keep it. */
    public Stream<DynamicTest> hold() {
        return rules.apply(GOOD).entrySet().stream()
                .map(rule -> DynamicTest.dynamicTest(
                        rule.getKey(), () -> rule.getValue().check(goodClasses)));
    }

    /** One test for each rule: the bad classes break it. */
    public Stream<DynamicTest> canFail() {
        return rules.apply(bad).keySet().stream()
                .map(rule -> DynamicTest.dynamicTest(rule, () -> {
                    if (violations(rule).isEmpty()) {
                        throw new AssertionError(rule + ": finds nothing in " + bad);
                    }
                }));
    }

    /** What this rule finds in the bad classes; empty if nothing. */
    public String violations(String rule) {
        return String.join(
                "\n",
                rules.apply(bad)
                        .get(rule)
                        .evaluate(badClasses)
                        .getFailureReport()
                        .getDetails());
    }
}
