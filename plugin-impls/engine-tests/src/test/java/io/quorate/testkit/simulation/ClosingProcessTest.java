package io.quorate.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A slow process with the production driver takes time to end in order: it says goodbye first. The close waits for that
 * on the stack of the simulator and goes on whatever happens to the process meanwhile, so no second fault may end or
 * replace the process before the first one has.
 */
class ClosingProcessTest {

    private static final NodeId N1 = new NodeId("n1");
    private static final NodeId N2 = new NodeId("n2");
    private static final List<NodeId> VOTERS = List.of(N1, N2, new NodeId("n3"));
    private static final String PATH = "/a";
    private static final String CLOSES = "at 4000 until 5000 shutdown n1";

    private final VirtualCluster cluster = new VirtualCluster(42, new HighestUp());
    private final Injector injector;

    ClosingProcessTest() {
        VOTERS.forEach(id -> cluster.addDriver(VirtualCluster.settings(id, VOTERS), Optional.empty()));
        injector = new Injector(cluster, VOTERS, new Mixture(List.of(new HighestUp())));
        VOTERS.forEach(id -> injector.start(cluster.process(id)));
        happens("at 1500 until 999999 contend n1/a", "at 2500 until 999999 contend n2/a");
        at(3500);
        assertThat(cluster.leaders(PATH)).containsExactly(N1);
        // Each turn takes 24 ms from now on, and so does the goodbye.
        happens("at 3990 until 4500 slow n1 24");
    }

    private void happens(String... faults) {
        Stream.of(faults).map(Fault::parse).forEach(injector::schedule);
    }

    private void at(long millis) {
        cluster.advance(millis - cluster.nowMillis());
    }

    private VirtualProcess n1() {
        return cluster.process(N1);
    }

    private void assertClosesOnceAndComesBack() {
        long life = n1().life();
        at(4600);
        assertThat(n1().isRunning()).isFalse();
        assertThat(n1().life()).as("ends").isEqualTo(life + 1);
        assertThat(cluster.leaders(PATH)).as("who was told goodbye").containsExactly(N2);
        at(4999);
        assertThat(n1().isRunning()).isFalse();
        at(5000);
        assertThat(n1().isRunning()).isTrue();
        at(9000);
        assertThat(n1().isRunning()).isTrue();
        assertThat(n1().contenders).containsValue(PATH);
        assertThat(cluster.leaders(PATH)).containsExactly(N2);
    }

    @Test
    void aSlowProcessTakesTimeToClose() {
        happens(CLOSES);
        assertClosesOnceAndComesBack();
    }

    // The second fault is over before the process has closed, or while it is down.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "4015 shutdown n1",
                "4900 shutdown n1",
                "4015 settings n1 1",
                "4900 settings n1 1",
                "4015 crash n1",
                "4900 crash n1",
                "4900 crash_after_write n1"
            })
    void aProcessThatIsClosingEndsOnce(String second) {
        happens(CLOSES, "at 4010 until " + second);
        assertClosesOnceAndComesBack();
    }

    @Test
    void aProcessThatIsClosingHasItsNewSettingsWhenItComesBack() {
        happens(CLOSES, "at 4010 until 4900 settings n1 1");
        at(9000);
        assertThat(cluster.process(N2).host().describe()).contains("n1 is configured differently");
    }

    @Test
    void aProcessThatIsClosingCanBeStoppedAndGoesOn() {
        happens(CLOSES, "at 4010 until 4300 pause n1");
        List<Boolean> isStopped = new ArrayList<>();
        cluster.time().at(4200 * VirtualTime.MILLI, () -> isStopped.add(n1().isClosing() && n1().isPaused()));
        assertClosesOnceAndComesBack();
        assertThat(isStopped).containsExactly(true);
    }

    @Test
    void closingProcessRejectsStartAndEnd() {
        happens(CLOSES);
        List<Consumer<VirtualProcess>> deeds =
                List.of(VirtualProcess::shutdown, VirtualProcess::crash, VirtualProcess::start);
        List<Throwable> refused = new ArrayList<>();
        cluster.time()
                .at(
                        4010 * VirtualTime.MILLI,
                        () -> deeds.forEach(deed -> refused.add(catchThrowable(() -> deed.accept(n1())))));
        assertClosesOnceAndComesBack();
        assertThat(refused).hasSize(3).allSatisfy(thrown -> assertThat(thrown)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("n1 is closing: it has to end first"));
    }
}
