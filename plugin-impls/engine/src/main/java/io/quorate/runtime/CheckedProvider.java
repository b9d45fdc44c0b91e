package io.quorate.runtime;

import io.quorate.spi.EventLoop;
import io.quorate.spi.NodeId;
import io.quorate.spi.Problem;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider;
import io.quorate.spi.TransportProvider.HostAndPort;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A provider of the class path, whose transport may lack a library that it was compiled with: a platform decides which
 * version its applications get. The error of the JVM then names a class, but neither the transport nor a cure.
 *
 * @param provider the one that makes the transport
 */
public record CheckedProvider(TransportProvider provider) {

    /**
     * As {@link TransportProvider#create}.
     *
     * @throws IllegalArgumentException if the transport does not fit the class path
     */
    public Transport create(TransportProvider.Settings settings) {
        try {
            return new CheckedTransport(provider.name(), provider.create(settings));
        } catch (LinkageError e) {
            throw new IllegalArgumentException(misfit(provider.name(), e), e);
        }
    }

    private static String misfit(String name, LinkageError error) {
        return "transport '" + name
                + "': does not fit the class path, which lacks what it needs, or has another version: " + error
                + "; the transport 'tcp' (artifact quorate-tcp) needs the JDK alone";
    }

    private record CheckedTransport(String name, Transport transport) implements Transport {

        @Override
        public void start(Receiver receiver) {
            try {
                transport.start(receiver);
            } catch (LinkageError e) {
                throw new TransportException(misfit(name, e), e);
            } catch (TransportException e) {
                // An error on a thread of the transport arrives as the cause of the transport's own error.
                if (e.getCause() instanceof LinkageError cause) {
                    throw new TransportException(misfit(name, cause), e);
                }
                throw e;
            }
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            transport.send(to, frame);
        }

        @Override
        public void reach(NodeId node, HostAndPort address) {
            transport.reach(node, address);
        }

        @Override
        public Optional<EventLoop> loop() {
            return transport.loop();
        }

        @Override
        public Optional<String> failure() {
            return transport.failure();
        }

        @Override
        public Optional<Instant> certificateEnd() {
            return transport.certificateEnd();
        }

        @Override
        public List<Problem> problems() {
            return transport.problems();
        }

        @Override
        public void close() {
            transport.close();
        }
    }
}
