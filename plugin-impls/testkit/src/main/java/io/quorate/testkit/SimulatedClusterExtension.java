package io.quorate.testkit;

import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.Recorder;
import io.quorate.testkit.simulation.VirtualCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A {@link SimulatedCluster} for JUnit 5, new for each test and closed after it. A test that fails says where every
 * node stood, with which seed, and where its picture is: a page with who led when, and what was lost, beside the report
 * of the test ({@code -Dquorate.pictures=DIRECTORY} for another place).
 *
 * <pre>{@code
 * @RegisterExtension
 * final SimulatedCluster cluster = SimulatedClusterExtension.ofVoters(3);
 * }</pre>
 */
public final class SimulatedClusterExtension extends SimulatedCluster
        implements BeforeEachCallback,
                AfterEachCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {

    /** Of which path nodes have a belief: a driver is not asked for that, so of none. */
    private static final String WATCHED = "";

    private volatile Optional<Recorder> recorder = Optional.empty();

    /**
     * An extension that gives each test a cluster with these settings.
     *
     * @param settings the nodes and their settings; not changed afterwards
     */
    public SimulatedClusterExtension(ClusterSettings settings) {
        super(settings);
    }

    /**
     * Makes an extension that gives each test a cluster of the voters {@code n1 .. n<count>}, with default settings.
     *
     * @param count 1 to 15
     * @return an extension to register in a field, static or not
     * @throws IllegalArgumentException if {@code count} is out of its range
     */
    public static SimulatedClusterExtension ofVoters(int count) {
        return new SimulatedClusterExtension(ClusterSettings.ofVoters(count));
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        // A test that was not run to its end has left its cluster behind.
        close();
    }

    @Override
    void opened(VirtualCluster cluster, List<NodeId> nodes) {
        recorder = Optional.of(new Recorder(cluster, nodes, WATCHED));
    }

    @Override
    void changed(String what) {
        recorder.ifPresent(present -> present.mark(what));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        failure.addSuppressed(new AssertionError("the simulated cluster: " + describe()
                + (FailurePicture.isWanted(failure) ? picture(context, failure) : "")));
        throw failure;
    }

    /** Writes the test's run as a page beside its report. */
    private String picture(ExtensionContext context, Throwable failure) {
        String[] sentence = {""};
        still(() -> recorder.ifPresent(present -> {
            sentence[0] = "\n"
                    + FailurePicture.write(context, name -> {
                        present.mark("FAILED: " + failure.getMessage());
                        return present.recording(name, "seed " + seed());
                    });
        }));
        recorder = Optional.empty();
        return sentence[0];
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        handleTestExecutionException(context, failure);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }
}
