package io.quorate.nemesis;

import io.quorate.demo.Launch;
import io.quorate.nemesis.Network.Link;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The ways of datagrams between the nodes of a cluster, one for each direction of each link: a node is told the address
 * of a way for each of the others. Each datagram fares for itself.
 */
final class LossyNetwork implements Launch, AutoCloseable {

    private static final int ROOM = 1 << 20;
    private static final int LENGTH_MAX = 1 << 16;

    /**
     * What happens to the datagrams of one direction.
     *
     * @param lossPercent    of those that are lost
     * @param doubledPercent of those that arrive twice, if they do
     * @param delayMaxMillis each takes from 0 to so long, by chance: so they overtake each other
     */
    record Weather(int lossPercent, int doubledPercent, int delayMaxMillis) {
        static final Weather CALM = new Weather(0, 0, 0);
    }

    /** What has happened to datagrams. */
    record Counts(long came, long lost, long doubled, long overtaken) {

        private Counts plus(Counts other) {
            return new Counts(
                    came + other.came, lost + other.lost, doubled + other.doubled, overtaken + other.overtaken);
        }
    }

    private final Random random;
    private final Selector selector;
    private final Map<Link, Way> ways = new LinkedHashMap<>();
    private final PriorityQueue<Datagram> underWay =
            new PriorityQueue<>(Comparator.comparingLong(Datagram::due).thenComparingLong(Datagram::number));
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LENGTH_MAX);
    private final Thread thread = new Thread(this::run, "lossy network");
    private long numbers;

    /** One that is under way; numbers count in the order in which they came. */
    private record Datagram(Way way, long number, long due, ByteBuffer bytes) {}

    /** One direction of one link. */
    private static final class Way {
        private final DatagramChannel channel;
        private final InetSocketAddress target;
        private Weather weather = Weather.CALM;
        private Counts counts = new Counts(0, 0, 0, 0);
        private long lastPassed;

        private Way(DatagramChannel channel, InetSocketAddress target) {
            this.channel = channel;
            this.target = target;
        }

        private void count(int came, int lost, int doubled, int overtaken) {
            counts = counts.plus(new Counts(came, lost, doubled, overtaken));
        }
    }

    /** @param random draws what happens to each datagram */
    LossyNetwork(Random random) {
        this.random = random;
        try {
            selector = Selector.open();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        thread.setDaemon(true);
    }

    @Override
    public synchronized String peers(String node, Map<String, String> addresses) {
        if (ways.isEmpty()) {
            addresses.keySet().forEach(from -> addresses.keySet().stream()
                    .filter(to -> !to.equals(from))
                    .forEach(to -> ways.put(new Link(from, to), way(addresses.get(to)))));
            thread.start();
        }
        return addresses.entrySet().stream()
                .map(peer -> peer.getKey() + "="
                        + (peer.getKey().equals(node)
                                ? peer.getValue()
                                : "127.0.0.1:"
                                        + ways.get(new Link(node, peer.getKey()))
                                                .channel
                                                .socket()
                                                .getLocalPort()))
                .collect(Collectors.joining(","));
    }

    private Way way(String address) {
        try {
            DatagramChannel channel = DatagramChannel.open();
            channel.setOption(StandardSocketOptions.SO_RCVBUF, ROOM);
            channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            channel.configureBlocking(false);
            int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
            Way way = new Way(channel, new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.register(selector, SelectionKey.OP_READ, way);
            return way;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on, for what comes from now on. */
    synchronized void set(String from, String to, Weather weather) {
        ways.get(new Link(from, to)).weather = weather;
    }

    /** All ways are as at the beginning. */
    synchronized void heal() {
        ways.values().forEach(way -> way.weather = Weather.CALM);
    }

    /** Of all ways together. */
    synchronized Counts counts() {
        return ways.values().stream().map(way -> way.counts).reduce(new Counts(0, 0, 0, 0), Counts::plus);
    }

    private void run() {
        try {
            while (selector.isOpen()) {
                selector.select(key -> take((Way) key.attachment()), timeout());
                pass();
            }
        } catch (IOException | java.nio.channels.ClosedSelectorException e) {
            // Justification: it is closed; else a test notices that nothing arrives any more.
        }
    }

    /** In milliseconds, at least 1. */
    private synchronized long timeout() {
        return underWay.isEmpty()
                ? TimeUnit.SECONDS.toMillis(1)
                : Math.max(1, TimeUnit.NANOSECONDS.toMillis(underWay.peek().due - System.nanoTime()));
    }

    private synchronized void take(Way way) {
        try {
            while (way.channel.receive(buffer.clear()) != null) {
                buffer.flip();
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                onDatagram(way, bytes);
            }
        } catch (IOException e) {
            // Justification: an answer of the machine that nobody listens, or the end.
        }
    }

    private void onDatagram(Way way, byte[] bytes) {
        if (isDrawn(way.weather.lossPercent)) {
            way.count(1, 1, 0, 0);
            return;
        }
        boolean isDoubled = isDrawn(way.weather.doubledPercent);
        way.count(1, 0, isDoubled ? 1 : 0, 0);
        long number = numbers++;
        for (int copy = 0; copy < (isDoubled ? 2 : 1); copy++) {
            long delay = TimeUnit.MILLISECONDS.toNanos(way.weather.delayMaxMillis);
            long due = System.nanoTime() + (delay == 0 ? 0 : random.nextLong(delay));
            underWay.add(new Datagram(way, number, due, ByteBuffer.wrap(bytes)));
        }
    }

    private boolean isDrawn(int percent) {
        return random.nextInt(100) < percent;
    }

    private synchronized void pass() {
        while (!underWay.isEmpty() && underWay.peek().due - System.nanoTime() <= 0) {
            Datagram next = underWay.remove();
            Way way = next.way;
            way.count(0, 0, 0, next.number < way.lastPassed ? 1 : 0);
            way.lastPassed = Math.max(way.lastPassed, next.number);
            try {
                way.channel.send(next.bytes, way.target);
            } catch (IOException e) {
                // Justification: nobody listens there now, and a datagram may be lost.
            }
        }
    }

    @Override
    public void close() {
        try {
            selector.close();
            for (Way way : ways.values()) {
                way.channel.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
