package io.quorate.runtime;

import io.quorate.core.step.NodeEvent;
import io.quorate.engine.Engine;
import io.quorate.engine.Guard;
import io.quorate.engine.Situation;
import io.quorate.engine.Tenure;
import io.quorate.spi.NodeId;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** A contender of a driver's node: passes calls of the application to the node, and tenures to a listener. */
final class DriverCandidacy implements Engine.Candidacy {

    private final Driver driver;
    private final long number;
    private final String path;
    private final Engine.ContenderListener listener;
    /** The present tenure; confined to the driver's thread, null if there is none. */
    private @Nullable Tenure current;

    interface Driver {

        NodeId self();

        void post(NodeEvent event);

        CompletionStage<Void> transferTo(DriverCandidacy candidacy, String participantId);

        Situation explain(long number);
    }

    DriverCandidacy(Driver driver, long number, String path, Engine.ContenderListener listener) {
        this.driver = driver;
        this.number = number;
        this.path = path;
        this.listener = listener;
    }

    /** This contender among all of its node; part of its identity in the cluster. */
    long number() {
        return number;
    }

    String path() {
        return path;
    }

    // ---------------------------------------------------------------- the driver's thread

    void granted(Tenure tenure) {
        current = tenure;
        try {
            listener.granted(tenure);
        } catch (Throwable e) {
            // Justification: catches everything but what nobody survives, as Guard.tell. A lambda for that would be
            // linked while nobody leads.
            Guard.threw(driver.self(), e);
            // The listener threw, so the application does not know that it leads: give leadership up.
            tenure.end();
            tenureEnded(tenure);
        }
    }

    Optional<Tenure> current() {
        return Optional.ofNullable(current);
    }

    /**
     * Its tenure is over. If telling the listener fails with an error of the machine, {@link #abandon} tells it again.
     */
    void ended(Tenure tenure, String reason) {
        Guard.tell(driver.self(), () -> listener.ended(tenure, reason));
        if (current == tenure) {
            current = null;
        }
    }

    void leaving(Tenure tenure, long departure, String reason) {
        if (!Guard.tell(driver.self(), () -> listener.leaving(tenure, departure, reason))) {
            // The listener threw, so nobody would ever say that the work is finished.
            drained(tenure, departure);
        }
    }

    void stays(Tenure tenure, String reason) {
        Guard.tell(driver.self(), () -> listener.stays(tenure, reason));
    }

    /** The node has failed: nobody may act upon the tenure from now on. Allocates nothing. */
    void endTenure() {
        if (current != null) {
            current.end();
        }
    }

    /** The node has failed: a listener that has not been told of the end is told. Answers whether it knows now. */
    boolean abandon(String reason) {
        Tenure tenure = current;
        if (tenure == null) {
            return true;
        }
        try {
            ended(tenure, reason);
            return true;
        } catch (VirtualMachineError e) {
            // The others are told all the same, and this one later.
            return false;
        }
    }

    // ---------------------------------------------------------------- the application's threads

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
    public void drains(boolean wanted) {
        driver.post(new NodeEvent.Drains(number, wanted));
    }

    @Override
    public void leaves(Tenure tenure, String reason) {
        driver.post(new NodeEvent.Leave(number, tenure, reason));
    }

    @Override
    public void drained(Tenure tenure, long departure) {
        driver.post(new NodeEvent.Drained(number, tenure, departure));
    }

    @Override
    public CompletionStage<Void> transferTo(String participantId) {
        return driver.transferTo(this, participantId);
    }

    @Override
    public void leave() {
        driver.post(new NodeEvent.Withdraw(number));
    }

    @Override
    public void rankLast(Duration length, String reason) {
        driver.post(new NodeEvent.RankLast(number, length.toNanos(), reason));
    }

    @Override
    public Situation explain() {
        return driver.explain(number);
    }
}
