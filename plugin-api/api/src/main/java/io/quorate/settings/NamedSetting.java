package io.quorate.settings;

import java.util.Locale;
import java.util.Set;

/**
 * The settings that have a key in properties and a variable in the environment. {@link SettingText} reads their values,
 * and {@code ElectionSettings} makes them.
 */
public enum NamedSetting {

    // Who this node is, and who the others are.
    NODE_ID("node-id"),
    CLUSTER_ID("cluster-id"),
    PEERS("peers"),
    PEERS_TEMPLATE("peers-template"),
    VOTERS("voters"),
    JOINS("joins"),
    DATA_DIRECTORY("data-directory"),

    // Times.
    PROFILE("profile"),
    HEARTBEAT("heartbeat"),
    SUPPORT("support"),
    DELTA("delta"),
    DRIFT("drift"),
    CONNECTION_TIMEOUT("connection-timeout"),
    DRAIN_TIMEOUT("drain-timeout"),

    // What elects, and whom.
    ALGORITHM("algorithm"),
    RANK_ORDER("rank-order"),
    PRIORITY("priority"),
    PREEMPT("preempt"),
    NAMESPACE("namespace"),
    MIGRATION("migration"),
    CONNECTION_STATE_ERROR_POLICY("connection-state-error-policy"),

    // What carries the frames, and who may speak.
    TRANSPORT("transport"),
    LISTEN("listen"),
    SECRET_FILE("secret-file"),
    TLS_CERTIFICATE("tls.certificate"),
    TLS_KEY("tls.key"),
    TLS_TRUST("tls.trust"),
    TLS_KEY_STORE("tls.key-store"),
    TLS_PASSWORD_FILE("tls.password-file"),
    PLAINTEXT("plaintext");

    /** What each key begins with. */
    static final String PREFIX = "quorate.";

    /** What each variable of the environment begins with. */
    static final String VARIABLE_PREFIX = "QUORATE_";

    /** Variables that the command line reads, and that are no settings of a client: docs/command-line.md. */
    static final Set<String> OF_THE_COMMAND_LINE = Set.of("QUORATE_URLS", "QUORATE_TOKEN_FILE");

    private final String name;

    NamedSetting(String name) {
        this.name = name;
    }

    public String key() {
        return PREFIX + name;
    }

    public String variable() {
        return VARIABLE_PREFIX + name.replaceAll("[-.]", "_").toUpperCase(Locale.ROOT);
    }
}
