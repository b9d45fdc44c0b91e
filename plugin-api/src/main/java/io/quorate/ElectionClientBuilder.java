package io.quorate;

import io.quorate.runtime.ElectionDriver;
import io.quorate.runtime.FileTermStore;
import io.quorate.runtime.MemoryTermStore;
import io.quorate.runtime.Plugins;
import io.quorate.spi.Clock;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.TermStore;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes an {@link ElectionClient}; {@link ElectionSettings} explains the settings. */
public final class ElectionClientBuilder extends ElectionSettings<ElectionClientBuilder> {

    private static final Logger LOG = LoggerFactory.getLogger(ElectionClientBuilder.class);

    ElectionClientBuilder() {
    }

    @Override
    ElectionClientBuilder self() {
        return this;
    }

    /**
     * A client, not started: no thread, port or file is in use before {@link ElectionClient#start}.
     *
     * @throws IllegalArgumentException as {@link ElectionConfig#validate}, or if the algorithm or the transport is not
     *                                  on the class path, or ambiguous
     */
    public ElectionClient build() {
        return assemble(ElectionConfig.of(this));
    }

    static ElectionClient assemble(ElectionConfig config) {
        ElectionAlgorithm algorithm = Plugins.algorithm(config.algorithm());
        NodeId self = new NodeId(config.nodeId());
        Transport transport = config.transport().orElseGet(() -> Plugins.transport(config.transportName())
                .create(new TransportProvider.Settings(config.clusterId(), self, config.peers())));
        TermStore store = config.dataDirectory()
                .<TermStore>map(directory -> new FileTermStore(directory, self, config.clusterId()))
                .orElseGet(MemoryTermStore::new);
        ElectionDriver driver = new ElectionDriver(config.nodeSettings(), algorithm, transport, store, Clock.SYSTEM);
        config.hints().forEach(hint -> LOG.info("Node {}: {}", config.nodeId(), hint));
        return new ElectionClient(driver, new ElectionClient.ClientSettings(config.namespace(),
                config.connectionTimeout(), config.connectionStateErrorPolicy()));
    }
}
