package io.quorate.engine;

import io.quorate.ElectionConfig;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.TransportProvider;
import java.util.Optional;

/** Makes the engines of clients; found by {@link java.util.ServiceLoader}. For any thread. */
public interface EngineProvider {

    /**
     * Makes an engine that was not started.
     *
     * @param config    the checked settings of the client
     * @param algorithm the one that they name
     * @param provider  of the transport; empty if {@link ElectionConfig#transport()} holds one
     * @param secret    under which each frame carries a MAC; empty if it carries none
     * @throws IllegalArgumentException if the transport does not fit the class path
     */
    Engine create(
            ElectionConfig config,
            ElectionAlgorithm algorithm,
            Optional<TransportProvider> provider,
            Optional<ClusterSecret> secret);
}
