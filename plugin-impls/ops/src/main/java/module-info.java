/** HTTP endpoints for probes, proxies and operators, meters and events. */
module io.quorate.ops {
    requires transitive io.quorate;
    requires com.fasterxml.jackson.core;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;
    requires static org.jspecify;
    // Of whoever uses QuorateMeters or FlightEvents, and of nobody else.
    requires static transitive jdk.jfr;
    requires static transitive micrometer.core;

    exports io.quorate.ops;
}
