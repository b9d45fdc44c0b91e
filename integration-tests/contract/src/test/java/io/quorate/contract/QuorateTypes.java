package io.quorate.contract;

import io.quorate.ConnectionState;
import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import io.quorate.LeaderLatchListener;
import io.quorate.LeaderSelector;
import io.quorate.Participant;
import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Quorate's objects behind the neutral interfaces: nothing but delegation. */
final class QuorateTypes {

    private QuorateTypes() {}

    record QuorateClient(String node, ElectionClient client) implements Client {

        @Override
        public void start() {
            client.start();
        }

        @Override
        public void close() {
            client.close();
        }

        @Override
        public boolean blockUntilConnected(Duration longest) throws InterruptedException {
            return client.blockUntilConnected((int) longest.toMillis(), TimeUnit.MILLISECONDS);
        }

        @Override
        public void standby(boolean wanted) {
            client.standby(wanted);
        }

        @Override
        public void eligibleWhile(BooleanSupplier eligible) {
            client.eligibleWhile(eligible);
        }

        @Override
        public void onStateChange(Consumer<ConnectionState> listener) {
            client.getConnectionStateListenable().addListener((source, state) -> listener.accept(state));
        }
    }

    record QuorateLatch(LeaderLatch latch) implements Latch {

        @Override
        public String standing() {
            return latch.explain().toString();
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
            latch.close(mode);
        }

        @Override
        public void addListener(LeaderLatchListener listener) {
            latch.addListener(listener);
        }

        @Override
        public void addListener(LeaderLatchListener listener, Executor executor) {
            latch.addListener(listener, executor);
        }

        @Override
        public void removeListener(LeaderLatchListener listener) {
            latch.removeListener(listener);
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
            return latch.getState();
        }

        @Override
        public boolean hasLeadership() {
            return latch.hasLeadership();
        }

        @Override
        public List<Participant> getParticipants() throws Exception {
            return List.copyOf(latch.getParticipants());
        }

        @Override
        public Collection<?> participantsAsTheyAre() throws Exception {
            return latch.getParticipants();
        }

        @Override
        public Participant getLeader() throws Exception {
            return latch.getLeader();
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

    record QuorateSelector(LeaderSelector selector) implements Selector {

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
            return List.copyOf(selector.getParticipants());
        }

        @Override
        public Participant getLeader() throws Exception {
            return selector.getLeader();
        }
    }
}
