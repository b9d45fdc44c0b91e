package com.example.users;

import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.apache.curator.CuratorZookeeperClient;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.listen.Listenable;
import org.apache.curator.framework.recipes.leader.LeaderLatch;
import org.apache.curator.framework.recipes.leader.LeaderLatchListener;
import org.apache.curator.framework.state.ConnectionStateListener;

/** A test with mocks. */
class SchedulerTest {

    private final CuratorFramework client = mock(CuratorFramework.class);
    private final LeaderLatch latch = mock(LeaderLatch.class);

    @SuppressWarnings("unchecked")
    void theLeaderWorks() throws Exception {
        Listenable<ConnectionStateListener> listeners = mock(Listenable.class);
        when(client.getConnectionStateListenable()).thenReturn(listeners);
        when(latch.hasLeadership()).thenReturn(true);
        latch.start();
        verify(latch).start();
        verify(latch).addListener(any(LeaderLatchListener.class));
    }

    void aBrokenConnectionIsSeen() {
        CuratorZookeeperClient zooKeeper = mock(CuratorZookeeperClient.class);
        when(client.getZookeeperClient()).thenReturn(zooKeeper);
        when(zooKeeper.isConnected()).thenReturn(false);
    }
}
