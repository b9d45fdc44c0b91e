package io.quorate.spring;

import java.lang.reflect.RecordComponent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.ReflectionUtils;

/**
 * The settings as Boot binds them, and as {@code /actuator/configprops} shows them. They are texts, because the library
 * judges their values. Boot ignores a text that names a group, such as a variable {@code QUORATE_TLS}, and the library
 * reports it. {@code EnvironmentSettingsTest} writes the components from the library's rows.
 */
@ConfigurationProperties(prefix = QuorateProperties.PREFIX, ignoreInvalidFields = true)
record QuorateProperties(
        @Nullable String enabled,
        @Nullable String readiness,
        @Nullable String nodeId,
        @Nullable String clusterId,
        @Nullable List<String> peers,
        @Nullable String peersTemplate,
        @Nullable List<String> voters,
        @Nullable String joins,
        @Nullable String dataDirectory,
        @Nullable String profile,
        @Nullable String heartbeat,
        @Nullable String support,
        @Nullable String delta,
        @Nullable String drift,
        @Nullable String algorithm,
        @Nullable String transport,
        @Nullable String rankOrder,
        @Nullable String priority,
        @Nullable String preempt,
        @Nullable String listen,
        @Nullable String secretFile,
        @Nullable String plaintext,
        @Nullable String namespace,
        @Nullable String migration,
        @Nullable String connectionTimeout,
        @Nullable String drainTimeout,
        @Nullable String connectionStateErrorPolicy,
        @Nullable Tls tls) {

    record Tls(
            @Nullable String certificate,
            @Nullable String key,
            @Nullable String trust,
            @Nullable String keyStore,
            @Nullable String passwordFile) {}

    // The settings by their keys.

    static final String PREFIX = "quorate";

    /** Adds each component that has a value, under its key. */
    static void addTo(Map<Object, Object> texts, String prefix, Record bound) {
        for (RecordComponent component : bound.getClass().getRecordComponents()) {
            String key = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            ReflectionUtils.makeAccessible(component.getAccessor());
            Object value = ReflectionUtils.invokeMethod(component.getAccessor(), bound);
            if (value instanceof Record nested) {
                addTo(texts, key, nested);
            } else if (value instanceof List<?> list) {
                texts.put(key, list.stream().map(String::valueOf).collect(Collectors.joining(",")));
            } else if (value != null) {
                texts.put(key, value);
            }
        }
    }
}
