/** HTTP endpoints for probes, proxies and operators, meters and events. */
module io.quorate.ops {
    requires transitive io.quorate;
    requires com.fasterxml.jackson.core;
    requires java.net.http;
    requires org.eclipse.jetty.server;
    requires org.slf4j;
    requires static org.jspecify;
    // Of whoever uses FlightEvents or QuorateMeters, who requires them. Transitive, they would be required of everybody
    // who compiles a module with this one.
    requires static jdk.jfr;
    requires static micrometer.core;

    exports io.quorate.ops;
    exports io.quorate.ops.web to
            io.quorate.cli;
}
