package io.quorate.testkit;

import io.quorate.core.Connection;
import io.quorate.core.Node;
import io.quorate.core.NodeSettings;
import io.quorate.core.Tenure;
import io.quorate.spi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A process: what is in memory, and what is on disk. */
final class VirtualProcess {
    final NodeId id;
    final NodeSettings settings;
    Node node;
    long life;
    long termsOnDisk;
    long incarnationOnDisk;
    boolean hasDisk = true;
    boolean isPaused;
    long wakeAt = Long.MAX_VALUE;
    long wakeLife;
    double rate = 1.0;
    long clockAtChange;
    long realAtChange;
    final Map<Integer, String> contenders = new TreeMap<>();
    final Map<Integer, Tenure> tenures = new TreeMap<>();
    final List<Runnable> deferred = new ArrayList<>();
    boolean rejoinsByItself = true;
    RuntimeException failure;
    final List<Connection> connections = new ArrayList<>();

    VirtualProcess(NodeSettings settings) {
        this.id = settings.self();
        this.settings = settings;
    }

    long clock(long real) {
        return clockAtChange + (long) ((real - realAtChange) * rate);
    }

    long realOf(long clock) {
        return realAtChange + (long) Math.ceil((clock - clockAtChange) / rate);
    }
}
