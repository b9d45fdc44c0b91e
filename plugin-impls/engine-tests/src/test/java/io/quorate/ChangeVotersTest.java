package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.core.voters.VoterList;
import io.quorate.core.voters.VoterList.Member;
import io.quorate.spi.NodeId;
import io.quorate.spi.TransportProvider.HostAndPort;
import io.quorate.testkit.ClusterSettings;
import io.quorate.testkit.SimulatedCluster;
import io.quorate.testkit.simulation.Clients;
import io.quorate.testkit.simulation.FakeEngine;
import io.quorate.testkit.simulation.HighestUp;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a client says of who votes, and what it refuses before anybody is asked. */
class ChangeVotersTest {

    private final FakeEngine engine = new FakeEngine();
    private final ElectionClient client = Clients.over(engine);

    private static VoterList config(long number, String... ids) {
        return new VoterList(
                number,
                0,
                List.of(ids).stream()
                        .map(id -> new Member(new NodeId(id), 0, Optional.of(new HostAndPort("::1", 7400))))
                        .toList());
    }

    private static Throwable failure(CompletionStage<?> stage) {
        return catchThrowable(stage.toCompletableFuture()::get).getCause();
    }

    private CompletableFuture<Void> asked(String... ids) {
        return engine.changes()
                .get(Set.copyOf(List.of(ids).stream().map(NodeId::new).toList()));
    }

    @Test
    void aClientSaysWhoVotes() {
        assertThat(client.voters()).isEqualTo(new Voters(0, List.of()));
        engine.vote(config(8, "n4", "n1", "n2"));
        assertThat(client.voters().number()).isEqualTo(8);
        assertThat(client.voters().ids()).containsExactly("n1", "n2", "n4");
        assertThat(client.voters().members().get(0).toString()).isEqualTo("n1=[::1]:7400");
        assertThat(client.voters()).hasToString("number 8: [n1, n2, n4]");
    }

    @Test
    void aChangeEndsWithTheListThatIsInForce() throws Exception {
        client.start();
        CompletableFuture<Voters> change =
                client.changeVoters(7, "n1", "n4 = 10.0.0.4:7400").toCompletableFuture();
        assertThat(change).isNotDone();
        engine.vote(config(8, "n1", "n4"));
        asked("n1", "n4").complete(null);
        assertThat(change.get()).hasToString("number 8: [n1, n4]");
    }

    @Test
    void whyNothingWasChangedIsToldAsItIs() {
        client.start();
        CompletableFuture<Throwable> told = new CompletableFuture<>();
        CompletionStage<Voters> change = client.changeVoters(7, "n1");
        change.whenComplete((voters, failure) -> told.complete(failure));
        VotersNotChangedException cause = new VotersNotChangedException("number 7 was expected");
        asked("n1").completeExceptionally(cause);
        assertThat(told.join()).isSameAs(cause);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n1,n2,n1 | voter 'n1': is given twice",
                "n1,n1=h:1 | voter 'n1=h:1': is given twice",
                "n1,n 2 | voter 'n 2': node id 'n 2'",
                "n4=h | voter 'n4=h': must be host:port",
                "n4=::1:7400 | voter 'n4=::1:7400': an IPv6 address must be in brackets",
                "n4=h:0 | voter 'n4=h:0': port 0: must be from 1 to 65535",
            })
    void aWrongListIsRefusedBeforeAnybodyIsAsked(String voters, String message) {
        client.start();
        assertThat(failure(client.changeVoters(1, voters.split(","))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
        assertThat(engine.changes()).isEmpty();
    }

    @Test
    void aListHasOneToFifteenVoters() {
        client.start();
        assertThat(failure(client.changeVoters(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("voters []: must be 1 to 15");
        String[] sixteen = IntStream.range(0, 16).mapToObj(i -> "n" + i).toArray(String[]::new);
        assertThat(failure(client.changeVoters(1, sixteen)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(": must be 1 to 15");
        assertThat(failure(client.changeVoters(1, "n4=" + "h".repeat(254) + ":1")))
                .hasMessageEndingWith("host of 254 bytes: must be at most 253");
        assertThatNullPointerException().isThrownBy(() -> client.changeVoters(1, "n1", null));
        assertThat(engine.changes()).isEmpty();
    }

    @Test
    void aClientThatDoesNotRunChangesNothing() {
        assertThat(failure(client.changeVoters(1, "n1")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("LATENT");
        client.start();
        client.close();
        assertThat(failure(client.changeVoters(1, "n1"))).isInstanceOf(ClientClosedException.class);
        assertThat(engine.changes()).isEmpty();
    }

    @Test
    void aClusterChangesItsVoters() throws Exception {
        try (SimulatedCluster cluster =
                new SimulatedCluster(ClusterSettings.ofVoters(3).algorithm(new HighestUp()))) {
            ElectionClient simulated = cluster.client("n1");
            cluster.awaitUntil(
                    "it is connected", () -> simulated.connectionState().isPresent());
            assertThat(simulated.voters()).hasToString("number 1: [n1, n2, n3]");
            CompletableFuture<Voters> change =
                    simulated.changeVoters(1, "n1", "n2").toCompletableFuture();
            cluster.awaitUntil("it has ended", change::isDone);
            assertThat(change.get()).hasToString("number 2: [n1, n2]");
            assertThat(simulated.health().voters()).containsExactly("n1", "n2");
        }
    }
}
