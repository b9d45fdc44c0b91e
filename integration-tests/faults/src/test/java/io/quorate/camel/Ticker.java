package io.quorate.camel;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.camel.Consumer;
import org.apache.camel.Endpoint;
import org.apache.camel.Exchange;
import org.apache.camel.Processor;
import org.apache.camel.Producer;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.impl.DefaultCamelContext;
import org.apache.camel.support.DefaultComponent;
import org.apache.camel.support.DefaultConsumer;
import org.apache.camel.support.DefaultEndpoint;

/** A component {@code ticker:name} whose consumer makes an exchange 20 ms after the last one, and takes its time to stop. */
public final class Ticker extends DefaultComponent {

    private static final long STOP_MILLIS = 200;
    private static final long PERIOD_MILLIS = 20;

    /** From the start of a consumer to its last exchange; open while it runs. */
    static final class Span {
        final long begin = System.nanoTime();
        volatile long stopping = Long.MAX_VALUE;
        volatile long end = Long.MAX_VALUE;

        boolean isOpen() {
            return end == Long.MAX_VALUE;
        }
    }

    /** When consumers ran, in the order of their starts. */
    final List<Span> spans = new CopyOnWriteArrayList<>();

    /** A context of Camel with this component, and with this service for its master endpoints and clustered routes. */
    public DefaultCamelContext context(CamelClusterService service) throws Exception {
        DefaultCamelContext context = new DefaultCamelContext();
        context.disableJMX();
        context.addService(service);
        context.addComponent("ticker", this);
        return context;
    }

    @Override
    protected Endpoint createEndpoint(String uri, String remaining, Map<String, Object> parameters) {
        return new DefaultEndpoint(uri, this) {
            @Override
            public Producer createProducer() {
                throw new UnsupportedOperationException("only consumers");
            }

            @Override
            public Consumer createConsumer(Processor processor) {
                return new TickerConsumer(this, processor);
            }
        };
    }

    private final class TickerConsumer extends DefaultConsumer {
        private ScheduledExecutorService ticks;
        private Span span;

        private TickerConsumer(Endpoint endpoint, Processor processor) {
            super(endpoint, processor);
        }

        @Override
        protected void doStart() throws Exception {
            super.doStart();
            span = new Span();
            spans.add(span);
            ticks = Executors.newSingleThreadScheduledExecutor();
            // With a fixed rate, long exchanges would keep this thread from all other tasks.
            ticks.scheduleWithFixedDelay(this::tick, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }

        private void tick() {
            Exchange exchange = createExchange(true);
            try {
                getProcessor().process(exchange);
            } catch (Exception e) {
                getExceptionHandler().handleException("not processed", exchange, e);
            }
        }

        @Override
        protected void doStop() throws Exception {
            // Camel also stops consumers that it has not started.
            if (span == null) {
                return;
            }
            span.stopping = System.nanoTime();
            // As a consumer that has work in hand.
            ticks.schedule(() -> {}, STOP_MILLIS, TimeUnit.MILLISECONDS).get();
            ticks.shutdown();
            ticks.awaitTermination(600, TimeUnit.SECONDS);
            span.end = System.nanoTime();
            super.doStop();
        }
    }
}
