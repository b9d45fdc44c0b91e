package io.quorate.runtime;

import io.quorate.ElectionConfig;
import io.quorate.core.settings.NodeSettings;
import io.quorate.engine.Clock;
import io.quorate.engine.Engine;
import io.quorate.engine.EngineProvider;
import io.quorate.engine.LeaseTiming;
import io.quorate.engine.Migration;
import io.quorate.settings.ClusterSecret;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.spi.Timing;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportProvider;
import java.util.Optional;

/** The quorum lease, run with a thread and real time. */
public final class DriverProvider implements EngineProvider {

    @Override
    public Engine create(
            ElectionConfig config,
            ElectionAlgorithm algorithm,
            Optional<TransportProvider> provider,
            Optional<ClusterSecret> secret) {
        NodeId self = new NodeId(config.nodeId());
        Transport transport = config.transport().orElseGet(() -> new CheckedProvider(provider.orElseThrow())
                .create(new TransportProvider.Settings(
                        config.clusterId(),
                        self,
                        config.peers(),
                        config.listen(),
                        config.tls(),
                        secret.map(known -> new GreetingProof(known, config.clusterId())))));
        TermStore store = config.dataDirectory()
                .<TermStore>map(directory -> new FileTermStore(directory, self, config.clusterId()))
                .orElseGet(MemoryTermStore::new);
        return new ElectionDriver(
                nodeSettings(config), secret, algorithm, transport, store, Clock.SYSTEM, NodeEnvironment.REAL);
    }

    /** Makes what the node is told of these settings. */
    public static NodeSettings nodeSettings(ElectionConfig config) {
        LeaseTiming lease = new LeaseTiming(
                config.heartbeat().toNanos(), config.supportDuration().toNanos(), config.driftPercent());
        return new NodeSettings(
                config.migration().isEmpty() ? config.clusterId() : Migration.clusterId(config.clusterId()),
                new NodeId(config.nodeId()),
                config.voters().stream().map(NodeId::new).toList(),
                lease,
                new Timing(config.delta().toNanos()),
                config.rankOrder(),
                config.priority(),
                config.preempt(),
                config.joins(),
                config.peers());
    }
}
