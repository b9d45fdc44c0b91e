package io.quorate.cli;

import io.quorate.ElectionConfig;
import io.quorate.jvm.SettingFile;
import io.quorate.spi.ElectionAlgorithm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Forbidden differences between the settings of several nodes: docs/settings.md lists the settings that must be equal.
 */
final class ConfigDifferences {

    private static final String MUST = "must be equal on all nodes";
    private static final String SHOULD = "should be equal on all nodes";

    /** In bytes; the library has refused a longer file before. */
    private static final int SECRETS_LENGTH_MAX = 1024 * 1024;

    private final List<Checked> all;
    private final List<Difference> found = new ArrayList<>();

    private ConfigDifferences(List<Checked> all) {
        this.all = all;
    }

    /**
     * The settings of one node, without a fault.
     *
     * @param transport as it is named; empty if it is not, and the only one there is taken
     * @param secrets   that it knows, the one that it sends with first; empty if there is none
     */
    record Checked(Path file, ElectionConfig config, Optional<String> transport, List<String> secrets) {

        static Checked of(Path file, Properties properties, ElectionConfig config) {
            List<String> secrets =
                    config.hasSecret() ? secrets(properties.getProperty("quorate.secret-file")) : List.of();
            return new Checked(file, config, Optional.ofNullable(properties.getProperty("quorate.transport")), secrets);
        }

        /** The lines of a file that the library has found to be right. */
        private static List<String> secrets(String file) {
            try {
                // Bytes as they are: the secret need not be in any encoding.
                byte[] bytes = SettingFile.bytes(Path.of(file.strip()), SECRETS_LENGTH_MAX);
                return new String(bytes, StandardCharsets.ISO_8859_1)
                        .lines()
                        .filter(line -> !line.isEmpty())
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException("was readable a moment ago", e);
            }
        }

        /** Legal settings that may be mistakes. */
        List<String> remarks() {
            Set<String> known = ServiceLoader.load(ElectionAlgorithm.class).stream()
                    .map(provider -> provider.get().name())
                    .collect(Collectors.toCollection(TreeSet::new));
            return known.contains(config.algorithm())
                    ? List.of()
                    : List.of("algorithm '" + config.algorithm() + "': is none of Quorate's own, which are "
                            + String.join(", ", known) + "; the application has to bring it");
        }

        /** Never the secrets. */
        @Override
        public String toString() {
            return file.toString();
        }
    }

    /**
     * One setting that differs.
     *
     * @param key   of the setting
     * @param rule  that is broken
     * @param files the names of the files by their value, which is never a secret
     */
    record Difference(String key, String rule, Map<String, List<String>> files) {
        @Override
        public String toString() {
            return key + ": " + rule + ": "
                    + files.entrySet().stream()
                            .map(each -> each.getKey() + " in " + String.join(", ", each.getValue()))
                            .collect(Collectors.joining("; "));
        }
    }

    static List<Difference> of(List<Checked> all) {
        ConfigDifferences differences = new ConfigDifferences(all);
        differences.find();
        return differences.found;
    }

    private void find() {
        equal("quorate.cluster-id", MUST, ElectionConfig::clusterId);
        // A joining node is told the voters and their addresses; its settings name the nodes that it asks.
        List<Checked> told = all.stream().filter(each -> !each.config.joins()).toList();
        compare("quorate.peers", MUST, told, each -> new TreeMap<>(each.config.peers()).toString());
        compare("quorate.voters", MUST, told, each -> new TreeSet<>(each.config.voters()).toString());
        equal("quorate.support", MUST, config -> config.supportDuration().toString());
        equal("quorate.drift", MUST, config -> config.driftPercent() + " %");
        equal("quorate.namespace", MUST, config -> "'" + config.namespace() + "'");
        equal("quorate.migration", MUST, config -> "'" + config.migration() + "'");
        compare(
                "quorate.transport",
                MUST,
                all.stream().filter(each -> each.transport.isPresent()).toList(),
                each -> each.transport.orElse(""));
        equal(
                "quorate.tls.*",
                "all nodes must have keys, or none",
                config -> config.tls().isPresent() ? "keys" : "none");
        compare(
                "quorate.data-directory",
                "all voters must have one, or none",
                all.stream()
                        .filter(each -> each.config.voters().contains(each.config.nodeId()))
                        .toList(),
                each -> each.config.dataDirectory().isPresent() ? "one" : "none");
        secrets();
        equal("quorate.algorithm", SHOULD, ElectionConfig::algorithm);
        equal("quorate.rank-order", SHOULD, config -> config.rankOrder().toString());
        equal("quorate.delta", SHOULD, config -> config.delta().toString());
        Map<String, List<String>> nodes = byValue(all, each -> each.config.nodeId());
        nodes.values().removeIf(files -> files.size() == 1);
        report("quorate.node-id", "must be of one node only", nodes, 1);
    }

    private void equal(String key, String rule, Function<ElectionConfig, String> value) {
        compare(key, rule, all, each -> value.apply(each.config));
    }

    private void compare(String key, String rule, List<Checked> compared, Function<Checked, String> value) {
        report(key, rule, byValue(compared, value), 2);
    }

    private void report(String key, String rule, Map<String, List<String>> files, int least) {
        if (files.size() >= least) {
            found.add(new Difference(key, rule, files));
        }
    }

    private static Map<String, List<String>> byValue(List<Checked> compared, Function<Checked, String> value) {
        return compared.stream()
                .collect(Collectors.groupingBy(
                        value, TreeMap::new, Collectors.mapping(Checked::toString, Collectors.toList())));
    }

    /** Each node must accept what each other one sends, as in the middle of a change of secrets. */
    private void secrets() {
        Map<String, List<String>> presence = byValue(all, each -> each.secrets.isEmpty() ? "none" : "one");
        if (presence.size() > 1) {
            report("quorate.secret-file", "all nodes must have one, or none", presence, 2);
            return;
        }
        Set<String> strangers = new TreeSet<>();
        for (Checked one : all) {
            for (Checked other : all) {
                if (!one.secrets.isEmpty() && !other.secrets.contains(one.secrets.get(0))) {
                    strangers.addAll(Arrays.asList(one.toString(), other.toString()));
                }
            }
        }
        if (!strangers.isEmpty()) {
            report(
                    "quorate.secret-file",
                    "each node must know the secret that each other one sends with",
                    Collections.singletonMap("another secret", List.copyOf(strangers)),
                    1);
        }
    }
}
