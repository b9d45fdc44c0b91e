package io.quorate.contract;

import io.quorate.ConnectionState;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.Participant;
import java.io.EOFException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.leader.LeaderSelector;

/** Curator's objects behind the neutral interfaces: nothing but delegation. */
final class CuratorTypes {

    private CuratorTypes() {}

    static ConnectionState state(org.apache.curator.framework.state.ConnectionState state) {
        return ConnectionState.valueOf(state.name());
    }

    private static Participant participant(org.apache.curator.framework.recipes.leader.Participant seen) {
        return new Participant(seen.getId(), seen.isLeader());
    }

    private static List<Participant> participants(
            Collection<org.apache.curator.framework.recipes.leader.Participant> seen) {
        return seen.stream().map(CuratorTypes::participant).toList();
    }

    static org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode closeMode(LeaderLatch.CloseMode mode) {
        return mode == null
                ? null
                : org.apache.curator.framework.recipes.leader.LeaderLatch.CloseMode.valueOf(mode.name());
    }

    /** Equal for equal listeners, as the contract speaks of the same listener added twice. */
    private record Listener(LeaderLatchListener target)
            implements org.apache.curator.framework.recipes.leader.LeaderLatchListener {

        static org.apache.curator.framework.recipes.leader.LeaderLatchListener of(LeaderLatchListener target) {
            return target == null ? null : new Listener(target);
        }

        @Override
        public void isLeader() {
            target.isLeader();
        }

        @Override
        public void notLeader() {
            target.notLeader();
        }
    }

    record CuratorLatch(org.apache.curator.framework.recipes.leader.LeaderLatch latch) implements Latch {

        @Override
        public String standing() {
            return latch.getId() + (latch.hasLeadership() ? ": leads" : ": does not lead");
        }

        @Override
        public void start() throws Exception {
            latch.start();
        }

        @Override
        public void close() throws IOException {
            latch.close();
        }

        @Override
        public void close(LeaderLatch.CloseMode mode) throws IOException {
            latch.close(closeMode(mode));
        }

        @Override
        public void addListener(LeaderLatchListener listener) {
            latch.addListener(Listener.of(listener));
        }

        @Override
        public void addListener(LeaderLatchListener listener, Executor executor) {
            latch.addListener(Listener.of(listener), executor);
        }

        @Override
        public void removeListener(LeaderLatchListener listener) {
            latch.removeListener(Listener.of(listener));
        }

        @Override
        public void await() throws InterruptedException, EOFException {
            latch.await();
        }

        @Override
        public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
            return latch.await(timeout, unit);
        }

        @Override
        public String getId() {
            return latch.getId();
        }

        @Override
        public LeaderLatch.State getState() {
            return LeaderLatch.State.valueOf(latch.getState().name());
        }

        @Override
        public boolean hasLeadership() {
            return latch.hasLeadership();
        }

        @Override
        public List<Participant> getParticipants() throws Exception {
            return participants(latch.getParticipants());
        }

        @Override
        public Collection<?> participantsAsTheyAre() throws Exception {
            return latch.getParticipants();
        }

        @Override
        public Participant getLeader() throws Exception {
            return participant(latch.getLeader());
        }

        @Override
        public String getOurPath() {
            return latch.getOurPath();
        }

        @Override
        public String getLastPathIsLeader() {
            return latch.getLastPathIsLeader();
        }
    }

    record CuratorSelector(LeaderSelector selector) implements Selector {

        @Override
        public void start() {
            selector.start();
        }

        @Override
        public void close() {
            selector.close();
        }

        @Override
        public boolean requeue() {
            return selector.requeue();
        }

        @Override
        public void autoRequeue() {
            selector.autoRequeue();
        }

        @Override
        public void interruptLeadership() {
            selector.interruptLeadership();
        }

        @Override
        public void setId(String id) {
            selector.setId(id);
        }

        @Override
        public String getId() {
            return selector.getId();
        }

        @Override
        public boolean hasLeadership() {
            return selector.hasLeadership();
        }

        @Override
        public List<Participant> getParticipants() throws Exception {
            return participants(selector.getParticipants());
        }

        @Override
        public Participant getLeader() throws Exception {
            return participant(selector.getLeader());
        }
    }
}
