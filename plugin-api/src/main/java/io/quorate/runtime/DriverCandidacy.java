package io.quorate.runtime;

import io.quorate.core.NodeEvent;
import io.quorate.core.Situation;
import io.quorate.core.Tenure;
import io.quorate.spi.NodeId;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A contender of a driver's node: what the application does goes to the node, and what the node does to a listener. */
final class DriverCandidacy implements Engine.Candidacy {

    private static final Logger LOG = LoggerFactory.getLogger(DriverCandidacy.class);

    private final ElectionDriver driver;
    private final int number;
    private final String path;
    private final Engine.ContenderListener listener;
    /** Of the driver's thread alone; null if there is none. */
    private Tenure current;

    DriverCandidacy(ElectionDriver driver, int number, String path, Engine.ContenderListener listener) {
        this.driver = driver;
        this.number = number;
        this.path = path;
        this.listener = listener;
    }

    String path() {
        return path;
    }

    // ---------------------------------------------------------------- the driver's thread

    void granted(Tenure tenure) {
        current = tenure;
        if (!tell(driver.self(), () -> listener.granted(tenure))) {
            // A leader that does not know that it leads is none: somebody else shall lead.
            tenure.end();
            tenureEnded(tenure);
        }
    }

    void ended(Tenure tenure, String reason) {
        current = null;
        tell(driver.self(), () -> listener.ended(tenure, reason));
    }

    /** The node has failed: a tenure ends with it. */
    void abandon(String reason) {
        Tenure tenure = current;
        if (tenure != null) {
            tenure.end();
            ended(tenure, reason);
        }
    }

    /** Answers whether the listener returned without throwing. */
    static boolean tell(NodeId self, Runnable listener) {
        try {
            listener.run();
            return true;
        } catch (RuntimeException e) {
            // Justification: somebody else's code; what it throws must not end what it has nothing to do with.
            LOG.error("node {}: a listener threw", self, e);
            return false;
        }
    }

    // ---------------------------------------------------------------- the application's threads

    @Override
    public int number() {
        return number;
    }

    @Override
    public void rejoin() {
        driver.post(new NodeEvent.Rejoin(number));
    }

    @Override
    public void tenureEnded(Tenure tenure) {
        driver.post(new NodeEvent.TenureSeenEnded(number, tenure));
    }

    @Override
    public void resign(Tenure tenure) {
        driver.post(new NodeEvent.Resign(number, tenure));
    }

    @Override
    public CompletionStage<Void> transferTo(String participantId) {
        return driver.transferTo(this, participantId);
    }

    @Override
    public void leave() {
        driver.withdraw(number);
    }

    @Override
    public Situation explain() {
        return driver.explain(number);
    }
}
