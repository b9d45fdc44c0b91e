package io.quorate.contract;

import io.quorate.tcp.TcpTransport;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;

/** The contract holds over plain TCP. */
class ContractOverTcpTest extends RealTimeGroups {

    private static final PerGroup<Voters> VOTERS = new PerGroup<>(() -> new Voters(TcpTransport::new));

    @AfterAll
    static void closeVoters() throws IOException {
        VOTERS.close();
    }

    @Override
    PerGroup<Voters> voters() {
        return VOTERS;
    }
}
