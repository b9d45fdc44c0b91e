package io.quorate.contract;

import io.quorate.vertx.VertxTransport;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;

/** The contract holds over the event bus. */
class ContractOverEventBusTest extends RealTimeGroups {

    private static final PerGroup<Voters> VOTERS = new PerGroup<>(() -> new Voters(VertxTransport::embedded));

    @AfterAll
    static void closeVoters() throws IOException {
        VOTERS.close();
    }

    @Override
    PerGroup<Voters> voters() {
        return VOTERS;
    }
}
