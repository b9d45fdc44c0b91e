package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.junit.jupiter.api.Test;

/** The tables of types and methods against both libraries. */
class CuratorTypesTest {

    @Test
    void eachSharedTypeIsThereOnBothSides() throws ClassNotFoundException {
        assertThat(CuratorTypes.SHARED).hasSize(8);
        for (Map.Entry<String, String> each : CuratorTypes.SHARED.entrySet()) {
            assertThat(Class.forName(each.getKey())).isPublic();
            assertThat(Class.forName(each.getValue())).isPublic();
        }
    }

    @Test
    void eachPublicTypeOfThePackageOfElectionsIsInQuorate() throws Exception {
        Path jar = Path.of(LeaderLatch.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Set<String> found = new TreeSet<>();
        try (JarFile entries = new JarFile(jar.toFile())) {
            for (String name : entries.stream().map(Object::toString).toList()) {
                String type = name.replace('/', '.').replaceAll("\\.class$", "");
                if (name.endsWith(".class")
                        && CuratorTypes.isOfElection(type)
                        && Modifier.isPublic(Class.forName(type).getModifiers())) {
                    String simple = type.substring(CuratorTypes.LEADER.length() + 1);
                    assertThat(Class.forName(CuratorTypes.QUORATE + "." + simple))
                            .isPublic();
                    found.add(simple);
                }
            }
        }
        assertThat(found).contains("LeaderLatch$State", "LeaderLatch$CloseMode");
        found.removeIf(type -> type.contains("$"));
        assertThat(CuratorTypes.OF_ELECTIONS).containsExactlyElementsOf(found);
    }

    private static Set<String> methods(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> method.getDeclaringClass() != Object.class)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // A method that both clients have says nothing about data, and a missing one is marked.
    @Test
    void eachMethodThatBothClientsHaveIsNotOfData() {
        Set<String> ours = methods(ElectionClient.class);
        Set<String> ofCurator = methods(CuratorFramework.class);
        assertThat(ofCurator).hasSizeGreaterThan(30).contains("create", "start", "usingNamespace");
        assertThat(ofCurator.stream().filter(name -> !CuratorTypes.isOfData(CuratorTypes.CLIENT, name)))
                .containsExactlyInAnyOrderElementsOf(ofCurator.stream()
                        .filter(name -> ours.contains(name) || CuratorTypes.isMissing(CuratorTypes.CLIENT, name))
                        .toList())
                .hasSize(12);
        assertThat(ours).noneMatch(name -> CuratorTypes.isMissing(CuratorTypes.CLIENT, name));
    }
}
