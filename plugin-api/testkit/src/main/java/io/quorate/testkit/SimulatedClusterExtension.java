package io.quorate.testkit;

import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * A {@link SimulatedCluster} for JUnit 5, new for each test and closed after it. A test that fails says where every
 * node stood, and with which seed.
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
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        failure.addSuppressed(new AssertionError("the simulated cluster: " + describe()));
        throw failure;
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
