package io.quorate.demo;

import java.util.List;

/**
 * The plug-ins that nodes run with, by their names.
 *
 * @param algorithm nominates
 * @param transport carries the frames
 */
public record PluginNames(String algorithm, String transport) {

    /** The event bus. */
    public static final String VERTX = "vertx";

    /** Plain TCP. */
    public static final String TCP = "tcp";

    /** All transports that ship. */
    public static final List<String> TRANSPORTS = List.of(VERTX, TCP);

    @Override
    public String toString() {
        return algorithm + " over " + transport;
    }
}
