package io.quorate.compare;

import io.quorate.process.NodeMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * One of the three processes of {@link FloorTrial}. Arguments: its index, and the ports of all. It says {@code connected
 * <nanos>}, and {@code called <nanos>} when a frame has reached its last process; {@code send <hops>} sends one.
 */
public final class FloorNode {

    static final String CONNECTED = "connected ";
    static final String CALLED = "called ";
    static final String SEND = "send";

    /** A heartbeat with its acknowledgement, without a secret: docs/verification.md, "Comparison". */
    private static final int FRAME = 57;

    private static final long HEARTBEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final int index;
    private final Selector selector = Selector.open();
    private final SocketChannel[] peers = new SocketChannel[Deployment.NODES];
    private final Queue<Integer> commands = new ConcurrentLinkedQueue<>();
    private final ExecutorService callbacks = Executors.newSingleThreadExecutor();

    private FloorNode(int index, List<Integer> ports) throws IOException, InterruptedException {
        this.index = index;
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocketChannel server =
                ServerSocketChannel.open().bind(new InetSocketAddress(loopback, ports.get(index)))) {
            for (int peer = 0; peer < index; peer++) {
                peers[peer] = connect(new InetSocketAddress(loopback, ports.get(peer)));
                peers[peer].write(ByteBuffer.wrap(new byte[] {(byte) index}));
            }
            for (int peer = index + 1; peer < Deployment.NODES; peer++) {
                SocketChannel accepted = server.accept();
                ByteBuffer name = ByteBuffer.allocate(1);
                accepted.read(name);
                peers[name.get(0)] = accepted;
            }
        }
        for (int peer = 0; peer < Deployment.NODES; peer++) {
            if (peer != index) {
                peers[peer].setOption(StandardSocketOptions.TCP_NODELAY, true);
                peers[peer].configureBlocking(false);
                peers[peer].register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(FRAME));
            }
        }
    }

    private static SocketChannel connect(InetSocketAddress address) throws InterruptedException {
        while (true) {
            try {
                return SocketChannel.open(address);
            } catch (IOException notYet) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
    }

    void run() throws IOException {
        Thread reader = new Thread(this::obey);
        reader.setDaemon(true);
        reader.start();
        NodeMain.say(CONNECTED + System.nanoTime());
        long beat = System.nanoTime();
        while (true) {
            selector.select(Math.max(1, (beat - System.nanoTime()) / 1_000_000));
            for (Integer hops = commands.poll(); hops != null; hops = commands.poll()) {
                sendToBoth((index + 1) % Deployment.NODES, hops);
            }
            if (System.nanoTime() - beat >= 0) {
                beat += HEARTBEAT_NANOS;
                sendToBoth(index, 0);
            }
            for (SelectionKey key : selector.selectedKeys()) {
                read((SocketChannel) key.channel(), (ByteBuffer) key.attachment());
            }
            selector.selectedKeys().clear();
        }
    }

    private void obey() {
        try {
            NodeMain.obeyToTheEnd(words -> {
                long now = System.nanoTime();
                commands.add(Integer.valueOf(words[1]));
                selector.wakeup();
                NodeMain.say(SEND + " " + now);
            });
        } catch (Exception e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    /** Each frame has a like for the third process, as the questions to all voters have. */
    private void sendToBoth(int to, int hops) throws IOException {
        for (int peer = 0; peer < Deployment.NODES; peer++) {
            if (peer != index) {
                ByteBuffer frame = ByteBuffer.allocate(FRAME);
                frame.put(0, (byte) (peer == to ? hops : 0));
                peers[peer].write(frame);
            }
        }
    }

    private void read(SocketChannel peer, ByteBuffer frame) throws IOException {
        if (peer.read(frame) < 0) {
            Runtime.getRuntime().halt(0);
        }
        while (!frame.hasRemaining()) {
            int hops = frame.get(0);
            frame.clear();
            if (hops == 1) {
                callbacks.execute(() -> NodeMain.say(CALLED + System.nanoTime()));
            } else if (hops > 1) {
                sendToBoth(Arrays.asList(peers).indexOf(peer), hops - 1);
            }
            peer.read(frame);
        }
    }

    /** Runs until the input ends. */
    public static void main(String[] arguments) throws Exception {
        new FloorNode(
                        Integer.parseInt(arguments[0]),
                        Arrays.stream(arguments).skip(1).map(Integer::valueOf).toList())
                .run();
    }
}
