package io.quorate.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The YAML of docs/kubernetes.md. */
final class Recipe {

    private static final Path DOCUMENT = Path.of("..", "..", "plugin-api", "docs", "kubernetes.md");
    private static final Pattern BLOCK = Pattern.compile("(?s)\n```yaml\n(.*?)\n```\n");

    private final List<Object> objects;

    private Recipe(String yaml) {
        objects = StreamSupport.stream(
                        new Yaml(new SafeConstructor(new LoaderOptions()))
                                .loadAll(yaml)
                                .spliterator(),
                        false)
                .toList();
    }

    /** The first block of YAML that the document has, which is whole. */
    static Recipe ofDocument() {
        return new Recipe(blocks().get(0));
    }

    /** What the document says to put into it: by the key of each. */
    static Map<String, Object> parts() {
        Map<String, Object> parts = new LinkedHashMap<>();
        for (String block : blocks().subList(1, blocks().size())) {
            Map<?, ?> part = new Yaml(new SafeConstructor(new LoaderOptions())).load(block);
            part.forEach((key, value) -> parts.put((String) key, value));
        }
        return parts;
    }

    private static List<String> blocks() {
        try {
            return BLOCK.matcher(Files.readString(DOCUMENT))
                    .results()
                    .map(block -> block.group(1))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A value of the object of a kind.
     *
     * @param path keys of mappings and indices of lists
     * @throws IllegalStateException if it is not there
     */
    Object get(String kind, Object... path) {
        Object value = objects.stream()
                .filter(object -> kind.equals(((Map<?, ?>) object).get("kind")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + kind));
        for (Object step : path) {
            value = value instanceof List<?> list ? list.get((Integer) step) : ((Map<?, ?>) value).get(step);
            if (value == null) {
                throw new IllegalStateException(kind + " has no " + List.of(path));
            }
        }
        return value;
    }

    private Object ofSet(Object... path) {
        return get("StatefulSet", path);
    }

    private Object ofPod(Object... path) {
        Object value = ofSet("spec", "template", "spec");
        for (Object step : path) {
            value = value instanceof List<?> list ? list.get((Integer) step) : ((Map<?, ?>) value).get(step);
        }
        return value;
    }

    private Object ofContainer(String key) {
        return ofPod("containers", 0, key);
    }

    int replicas() {
        return (Integer) ofSet("spec", "replicas");
    }

    /** The name of a pod. */
    String pod(int ordinal) {
        return ofSet("metadata", "name") + "-" + ordinal;
    }

    /** Under which name the others find a pod, in the namespace {@code default}. */
    String domain(String pod) {
        return pod + "." + ofSet("spec", "serviceName") + ".default.svc.cluster.local";
    }

    Duration minReady() {
        return Duration.ofSeconds((Integer) ofSet("spec", "minReadySeconds"));
    }

    Duration grace() {
        return Duration.ofSeconds((Integer) ofPod("terminationGracePeriodSeconds"));
    }

    /** Path and port of a probe, such as {@code :8080/ready}. */
    String probe(String name) {
        Map<?, ?> get = (Map<?, ?>) ((Map<?, ?>) ofContainer(name)).get("httpGet");
        int port = ((List<?>) ofContainer("ports"))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .filter(each -> get.get("port").equals(each.get("name")))
                        .mapToInt(each -> (Integer) each.get("containerPort"))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException("no port " + get.get("port")));
        return ":" + port + get.get("path");
    }

    /** Where each volume of the container is mounted. */
    Map<String, String> mounts() {
        Map<String, String> mounts = new LinkedHashMap<>();
        for (Object each : (List<?>) ofContainer("volumeMounts")) {
            Map<?, ?> mount = (Map<?, ?>) each;
            mounts.put((String) mount.get("name"), (String) mount.get("mountPath"));
        }
        return mounts;
    }

    /**
     * What a pod gets.
     *
     * @param volumes a directory in place of each of {@link #mounts}
     */
    Map<String, String> environment(String pod, Map<String, Path> volumes) {
        Map<String, String> environment = new LinkedHashMap<>();
        for (Object each : (List<?>) ofContainer("env")) {
            Map<?, ?> variable = (Map<?, ?>) each;
            Object value = variable.get("value");
            environment.put((String) variable.get("name"), value == null ? field(pod, variable) : value.toString());
        }
        mounts().forEach((volume, mount) -> environment.replaceAll((name, value) ->
                value.startsWith(mount + "/") ? volumes.get(volume) + value.substring(mount.length()) : value));
        return environment;
    }

    private static String field(String pod, Map<?, ?> variable) {
        Object expected = Map.of("fieldRef", Map.of("fieldPath", "metadata.name"));
        if (!expected.equals(variable.get("valueFrom"))) {
            throw new IllegalStateException("not the name of the pod: " + variable);
        }
        return pod;
    }
}
