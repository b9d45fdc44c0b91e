package io.quorate.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.step.StepContext;
import io.quorate.core.voters.Round;
import io.quorate.core.voters.Seat;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a voter keeps of its promises when its disk fails; the rest stands in the tests of whole nodes. */
class AcceptorTest {

    private static final class Owner implements Acceptor.Owner {

        @Override
        public void onDecided(VoterList config) {
            throw new AssertionError("nothing newer was decided");
        }

        @Override
        public long olderSupport() {
            return 0;
        }

        @Override
        public long quarantineLeft() {
            return 0;
        }

        @Override
        public Optional<String> exclusion() {
            return Optional.empty();
        }

        @Override
        public void onLeftOpen(VoterList value) {
            throw new AssertionError("nothing was accepted");
        }

        @Override
        public long termMax() {
            return 0;
        }
    }

    // The addresses in the settings are others after a restart, and the list is the same.
    @Test
    void aFailedWriteTakesNoPromiseBackBecauseAnAddressChanged() {
        StepContext context = Contexts.of(Contexts.N1);
        VoterList before = VoterList.first(Contexts.VOTERS, Map.of(Contexts.N2, new HostAndPort("before", 7400)));
        Seat promised = Seat.at(before).promise(2, new Round(1, Contexts.N3, 1));
        Acceptor acceptor = new Acceptor(context, 7, promised, true, new Owner());
        acceptor.onFailed("no space left");
        context.takeEffects();
        acceptor.onHeartbeatPeriod();
        assertThat(context.takeEffects())
                .as("a write that replaces the promise")
                .isEmpty();
    }
}
