package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.spi.NodeId;
import io.quorate.spi.Transport;
import io.quorate.testkit.simulation.LocalNetwork;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a default would answer in place of the wrapped transport, no test on the wrapper would ever meet. */
class CuttableTransportTest {

    private static void assertPassesOn(Class<?> wrapper, Class<?> wrapped) throws NoSuchMethodException {
        for (Method method : wrapped.getDeclaredMethods()) {
            if (!Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()) {
                assertThat(wrapper.getMethod(method.getName(), method.getParameterTypes())
                                .getDeclaringClass())
                        .as("%s", method)
                        .isEqualTo(wrapper);
            }
        }
    }

    @Test
    void everythingIsPassedOn() throws NoSuchMethodException {
        assertPassesOn(CuttableTransport.class, Transport.class);
        AtomicReference<Transport.Receiver> given = new AtomicReference<>();
        LocalNetwork network = new LocalNetwork();
        Transport inner = network.transport(new NodeId("n1"));
        new CuttableTransport(new Transport() {
                    @Override
                    public void start(Receiver receiver) {
                        given.set(receiver);
                    }

                    @Override
                    public void send(NodeId to, byte[] frame) {
                        inner.send(to, frame);
                    }

                    @Override
                    public void close() {
                        inner.close();
                    }
                })
                .start((sender, frame) -> true);
        assertPassesOn(given.get().getClass(), Transport.Receiver.class);
    }
}
