package io.quorate.contract;

import io.quorate.ElectionClient;
import io.quorate.contract.QuorateTypes.QuorateClient;
import io.quorate.testkit.CuttableTransport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Quorate as in production: threads, sockets and real time. */
final class RealTimeSide extends QuorateSide implements RealTime {

    private final Voters voters;
    private final Map<String, ElectionClient> clients = new LinkedHashMap<>();
    private final Map<String, CuttableTransport> links = new LinkedHashMap<>();
    private Policy policy = Policy.DEFAULT;

    RealTimeSide(Voters voters) {
        this.voters = voters;
    }

    @Override
    public void policy(Policy chosen) {
        policy = chosen;
    }

    @Override
    public Client newClient() {
        String node = CONTENDERS.get(clients.size());
        CuttableTransport link = voters.transport(node);
        ElectionClient.Builder described = voters.node(node, link);
        if (policy != Policy.DEFAULT) {
            described.connectionStateErrorPolicy(policy.ofQuorate());
        }
        ElectionClient client = described.build();
        clients.put(node, client);
        links.put(node, link);
        return new QuorateClient(node, client);
    }

    @Override
    public Duration session() {
        return Voters.SUPPORT;
    }

    @Override
    public void cut(Client client) {
        links.get(node(client)).cut();
    }

    @Override
    public void heal(Client client) {
        links.get(node(client)).heal();
    }

    @Override
    public void crash(Client client) {
        cut(client);
    }

    @Override
    public void stopService() {
        voters.stop();
    }

    @Override
    public void startService() {
        voters.start();
    }

    @Override
    public void wipeService() {
        voters.stop();
        voters.start();
    }

    @Override
    public void close() {
        voters.start();
        links.values().forEach(CuttableTransport::heal);
        clients.values().forEach(ElectionClient::close);
    }
}
