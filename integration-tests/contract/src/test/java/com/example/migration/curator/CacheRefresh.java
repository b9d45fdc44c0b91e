package com.example.migration.curator;

import java.io.Closeable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.leader.LeaderSelector;
import org.apache.curator.framework.recipes.leader.LeaderSelectorListenerAdapter;

/** Refreshes a cache in portions, then lets the next process do the same; queues again by itself. */
final class CacheRefresh extends LeaderSelectorListenerAdapter implements Closeable {

    private static final int PORTIONS = 3;
    private static final long PORTION_MILLIS = 20;

    private final LeaderSelector selector;
    private final Consumer<String> log;
    private int turns;

    CacheRefresh(CuratorFramework client, String id, Consumer<String> log) {
        this.selector = new LeaderSelector(client, "/reports/cache", this);
        this.log = log;
        selector.setId(id);
        selector.autoRequeue();
    }

    void start() {
        selector.start();
    }

    @Override
    public void takeLeadership(CuratorFramework client) throws InterruptedException {
        turns++;
        for (int portion = 0; portion < PORTIONS; portion++) {
            long now = System.nanoTime();
            if (selector.hasLeadership()) {
                log.accept("cache refreshed " + turns + " " + now);
            }
            TimeUnit.MILLISECONDS.sleep(PORTION_MILLIS);
        }
    }

    @Override
    public void close() {
        selector.close();
    }
}
