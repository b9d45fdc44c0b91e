package io.quorate.testkit.simulation;

import io.quorate.core.settings.NodeSettings;
import io.quorate.core.voters.VoterList;
import io.quorate.engine.PathView;
import io.quorate.engine.Tenure;
import io.quorate.spi.ElectionAlgorithm;
import io.quorate.spi.NodeId;
import io.quorate.testkit.simulation.VirtualCluster.Flight;
import java.util.List;
import java.util.Optional;

/** The program in a {@link VirtualProcess}; all calls come on its thread. */
interface VirtualHost {

    /** Whether a new life can begin; if not, a supervisor tries again. */
    boolean canStart();

    /** A new life begins, with what is on the disk. */
    void start();

    void crash();

    void close();

    void receive(Flight flight);

    void wake();

    /** Instants of the clock are others of real time now. */
    void clockChanged();

    void contend(String path, int number);

    void withdraw(int number);

    void rejoin(int number);

    /** The application has ended this tenure, and gives it up. */
    void resign(int number, Tenure tenure);

    /** Whether the contender finishes its work before a tenure ends on purpose. */
    default void drains(int number, boolean wanted) {
        throw new UnsupportedOperationException("no work to finish");
    }

    /** The application is going to end this tenure. */
    default void leaves(int number, Tenure tenure) {
        throw new UnsupportedOperationException("no work to finish");
    }

    /** The work of this tenure is finished. */
    default void drained(int number, Tenure tenure, long departure) {
        throw new UnsupportedOperationException("no work to finish");
    }

    default void transferTo(int number, NodeId successor) {
        throw new UnsupportedOperationException("no transfers");
    }

    /** From its next start on the node runs with these settings and this algorithm. */
    default void configure(NodeSettings settings, ElectionAlgorithm algorithm) {
        throw new UnsupportedOperationException("a node of that kind keeps its settings");
    }

    void diskIsFull(boolean isFull);

    /** Whether a write that is under way when the process is killed reaches the disk, without an answer. */
    void completesWriteAtCrash(boolean completes);

    /** Whether the node takes itself for the leader without a lease, and so perhaps not alone. */
    default boolean leadsUnleased() {
        return false;
    }

    /** Whom a node without a lease takes for the leader. */
    default Optional<NodeId> leaderUnleased() {
        return Optional.empty();
    }

    /** Which life runs, or ran last; 0 if that does not matter. */
    default long incarnation() {
        return 0;
    }

    default void changeVoters(List<NodeId> wanted) {
        throw new UnsupportedOperationException("no voters");
    }

    /** The voters, as far as it knows them; only while it runs. */
    default VoterList voters() {
        return VoterList.NONE;
    }

    /** Whether it votes under the list that it knows. */
    default boolean votes() {
        return true;
    }

    /** The identity of its directory; 0 if it has none. */
    default long store() {
        return 0;
    }

    /** The disk is lost. Only while it does not run. */
    default void wipe() {
        throw new UnsupportedOperationException("no disk");
    }

    /** The application wants to know who leads the path, or no longer. */
    default void watch(String path, boolean wanted) {
        // Nobody asks a node of that kind.
    }

    default void priority(int value) {
        throw new UnsupportedOperationException("no rank");
    }

    /** The node's contenders are to rank last, or as usual again. */
    default void standBy(boolean wanted) {
        // A node of that kind has no ranks to change.
    }

    /** The node's view of the path, if it can be asked. */
    default Optional<PathView> view(String path) {
        return Optional.empty();
    }

    /** How many timers and the like are kept, for a bound. */
    int load();

    String describe();
}
