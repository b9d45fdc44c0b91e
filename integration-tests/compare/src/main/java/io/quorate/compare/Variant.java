package io.quorate.compare;

import io.quorate.demo.PluginNames;
import java.util.Optional;

/**
 * Which Quorate is measured: an algorithm and a transport. In tables and files the event bus is not mentioned.
 *
 * @param code of another commit; empty for the one that this process runs
 */
record Variant(PluginNames plugins, Optional<OtherCode> code) {

    static Variant of(String algorithm, String transport) {
        return new Variant(new PluginNames(algorithm, transport), Optional.empty());
    }

    Variant with(OtherCode other) {
        return new Variant(plugins, Optional.of(other));
    }

    String algorithm() {
        return plugins.algorithm();
    }

    String transport() {
        return plugins.transport();
    }

    /** The word for it: {@code ballot}, {@code ballot/tcp}, {@code ballot/tcp@1a2b3c4d}. */
    String label() {
        return (transport().equals(PluginNames.VERTX) ? algorithm() : algorithm() + "/" + transport())
                + code.map(other -> "@" + other.commit()).orElse("");
    }
}
