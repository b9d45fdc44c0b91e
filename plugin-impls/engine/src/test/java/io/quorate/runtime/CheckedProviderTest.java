package io.quorate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.spi.TransportException;
import io.quorate.spi.TransportProvider;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A transport that misses a class says which one, and what to take in its place. */
class CheckedProviderTest {

    private static final NodeId SELF = new NodeId("n1");
    private static final TransportProvider.Settings SETTINGS = new TransportProvider.Settings(
            "own", SELF, Map.of(SELF, new TransportProvider.HostAndPort("127.0.0.1", 7400)));

    private final List<String> calls = new ArrayList<>();

    private TransportProvider making(Transport transport) {
        return new TransportProvider() {
            @Override
            public String name() {
                return "bus";
            }

            @Override
            public Transport create(Settings settings) {
                if (transport == null) {
                    throw new NoClassDefFoundError("io/bus/Deployable");
                }
                return transport;
            }
        };
    }

    /** Notes what it is asked for. */
    private class Noting implements Transport {
        @Override
        public void start(Receiver receiver) {
            calls.add("start");
        }

        @Override
        public void send(NodeId to, byte[] frame) {
            calls.add("send to " + to);
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    @Test
    void aTransportThatCannotBeMadeNamesTheClassAndTheCure() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CheckedProvider(making(null)).create(SETTINGS))
                .withMessageStartingWith("transport 'bus': does not fit the class path")
                .withMessageContaining("io/bus/Deployable")
                .withMessageEndingWith("the transport 'tcp' (artifact quorate-tcp) needs the JDK alone")
                .withCauseInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void soDoesOneThatCannotStart() {
        Transport transport = new CheckedProvider(making(new Noting() {
                    @Override
                    public void start(Receiver receiver) {
                        throw new NoSuchMethodError("void io.bus.Future.done()");
                    }
                }))
                .create(SETTINGS);
        assertThatThrownBy(() -> transport.start((sender, frame) -> true))
                .isExactlyInstanceOf(TransportException.class)
                .hasMessageStartingWith("transport 'bus': does not fit the class path")
                .hasMessageContaining("void io.bus.Future.done()")
                .hasMessageEndingWith("the transport 'tcp' (artifact quorate-tcp) needs the JDK alone");
    }

    // On a thread of its own, which only its own error can tell of.
    @Test
    void soDoesOneThatFindsItOnAThreadOfItsOwn() {
        for (Throwable cause : List.of(new NoSuchMethodError("void io.bus.Future.done()"), new IOException("in use"))) {
            Transport transport = new CheckedProvider(making(new Noting() {
                        @Override
                        public void start(Receiver receiver) {
                            throw new TransportException("cannot listen: " + cause.getMessage(), cause);
                        }
                    }))
                    .create(SETTINGS);
            assertThatThrownBy(() -> transport.start((sender, frame) -> true))
                    .isExactlyInstanceOf(TransportException.class)
                    .hasMessageStartingWith(
                            cause instanceof LinkageError
                                    ? "transport 'bus': does not fit the class path"
                                    : "cannot listen: in use");
        }
    }

    @Test
    void validProviderIsCalledUnchanged() {
        CheckedProvider provider = new CheckedProvider(making(new Noting()));
        try (Transport transport = provider.create(SETTINGS)) {
            transport.start((sender, frame) -> true);
            transport.send(SELF, new byte[1]);
        }
        assertThat(calls).containsExactly("start", "send to n1", "close");
    }

    // A method with a default is forgotten easily: the transport's own answer would be lost without a word.
    @Test
    void everyMethodIsPassedOn() throws Exception {
        Transport own = (Transport) Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    return answer(method);
                });
        List<String> names = new ArrayList<>();
        try (Transport checked = new CheckedProvider(making(own)).create(SETTINGS)) {
            for (Method method : Transport.class.getMethods()) {
                if (Modifier.isStatic(method.getModifiers())) {
                    continue;
                }
                names.add(method.getName());
                assertThat(method.invoke(checked, new Object[method.getParameterCount()]))
                        .isEqualTo(answer(method));
            }
        }
        names.add("close");
        assertThat(calls).isEqualTo(names);
    }

    private static @Nullable Object answer(Method method) {
        if (method.getReturnType() == List.class) {
            return List.of(Instant.EPOCH);
        }
        return method.getReturnType() == Optional.class ? Optional.of(Instant.EPOCH) : null;
    }
}
