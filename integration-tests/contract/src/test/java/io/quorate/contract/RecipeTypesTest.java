package io.quorate.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.migration.Recipe;
import io.quorate.migration.Recipe.Place;
import io.quorate.source.Compiled;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code quorate migrate} knows each type of Curator that Quorate has, and each method that its client lacks. */
class RecipeTypesTest {

    private static final Set<String> PACKAGES = Set.of(
            "org.apache.curator.framework",
            "org.apache.curator.framework.imps",
            "org.apache.curator.framework.listen",
            "org.apache.curator.framework.recipes.leader",
            "org.apache.curator.framework.state");

    @TempDir
    private Path directory;

    /** All public types of these packages, and public types inside them. */
    private static List<Class<?>> typesOfCurator() throws Exception {
        TreeMap<String, Class<?>> types = new TreeMap<>();
        for (Class<?> origin : List.of(CuratorFramework.class, LeaderLatch.class)) {
            Path jar = Path.of(
                    origin.getProtectionDomain().getCodeSource().getLocation().toURI());
            try (JarFile entries = new JarFile(jar.toFile())) {
                for (String name : entries.stream().map(Object::toString).toList()) {
                    String type = name.replace('/', '.').replaceAll("\\.class$", "");
                    boolean isWanted = name.endsWith(".class")
                            && PACKAGES.contains(type.substring(0, type.lastIndexOf('.')))
                            && !type.endsWith("package-info");
                    if (isWanted) {
                        Class<?> found = Class.forName(type, false, RecipeTypesTest.class.getClassLoader());
                        if (isPublic(found)) {
                            types.put(type, found);
                        }
                    }
                }
            }
        }
        return List.copyOf(types.values());
    }

    private static boolean isPublic(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return Modifier.isPublic(type.getModifiers())
                && !type.isAnonymousClass()
                && !type.isLocalClass()
                && (outer == null || isPublic(outer));
    }

    @Test
    void eachTypeHasTheOneThatStandsForItOrIsListed() throws Exception {
        List<Class<?>> types = typesOfCurator();
        assertThat(types).hasSizeGreaterThan(40);
        assertThat(types).containsAll(CuratorDifferences.replaced().values());
        Map<Class<?>, Class<?>> standing = CuratorDifferences.replaced().entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
        Map<String, String> files = new TreeMap<>();
        for (int i = 0; i < types.size(); i++) {
            Class<?> type = types.get(i);
            // Only the type counts here; what it takes is a wildcard.
            String parameters = type.getTypeParameters().length == 0
                    ? ""
                    : Stream.of(type.getTypeParameters()).map(each -> "?").collect(Collectors.joining(", ", "<", ">"));
            files.put(
                    "T" + i + ".java",
                    "import " + type.getCanonicalName() + ";\n\npublic class T" + i + " {\n    public "
                            + type.getSimpleName() + parameters + " it;\n}\n");
        }
        Recipe recipe = Recipe.of(directory, files);
        Map<String, String> sources = new TreeMap<>();
        recipe.files().forEach((name, text) -> sources.put(name.replace(".java", ""), text));
        Compiled compiled = Compiled.of(sources);
        for (int i = 0; i < types.size(); i++) {
            Class<?> expected = standing.get(types.get(i));
            String file = "T" + i + ".java";
            Class<?> carried = compiled.loadClass("T" + i).getField("it").getType();
            if (expected == null) {
                assertThat(carried).isEqualTo(types.get(i));
                assertThat(recipe.places()).as(carried.getName()).anyMatch(place -> place.file()
                        .equals(file));
            } else {
                assertThat(carried).isEqualTo(expected);
                assertThat(recipe.places()).as(carried.getName()).noneMatch(place -> place.file()
                        .equals(file));
            }
        }
    }

    private static Set<String> methods(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void eachMethodThatTheClientLacksIsListed() throws IOException {
        Set<String> here = methods(ElectionClient.class);
        Map<String, String> files = new TreeMap<>();
        methods(CuratorFramework.class)
                .forEach(name -> files.put(
                        name + ".java",
                        "import org.apache.curator.framework.CuratorFramework;\nclass A {\n    CuratorFramework it;\n"
                                + "    Object other = it." + name + "();\n}\n"));
        Recipe recipe = Recipe.of(directory, files);
        Set<String> lacking = files.keySet().stream()
                .map(file -> file.replace(".java", ""))
                .filter(name -> !here.contains(name))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(lacking).contains("usingNamespace", "getZookeeperClient").hasSizeGreaterThan(30);
        // It is here, and does not wait for the same.
        lacking.add("blockUntilConnected");
        assertThat(recipe.places()).extracting(Place::line).containsOnly(4);
        assertThat(recipe.places().stream().map(place -> place.what().replaceAll(":.*", "")))
                .containsExactlyElementsOf(lacking);
    }
}
