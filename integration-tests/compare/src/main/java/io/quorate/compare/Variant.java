package io.quorate.compare;

import io.quorate.demo.PluginNames;

/** Which Quorate is measured: an algorithm and a transport. In tables and files the event bus is not mentioned. */
record Variant(PluginNames plugins) {

    static Variant of(String algorithm, String transport) {
        return new Variant(new PluginNames(algorithm, transport));
    }

    String algorithm() {
        return plugins.algorithm();
    }

    String transport() {
        return plugins.transport();
    }

    /** The word for it: {@code ballot}, {@code ballot/tcp}. */
    String label() {
        return transport().equals(PluginNames.VERTX) ? algorithm() : algorithm() + "/" + transport();
    }
}
