/** HTTP endpoints for probes, proxies and operators, meters and events. */
module io.quorate.ops {
    requires transitive io.quorate;
    requires com.fasterxml.jackson.core;
    requires java.net.http;
    requires org.eclipse.jetty.server;
    requires org.slf4j;
    requires static org.jspecify;
    // Users of FlightEvents or QuorateMeters require these. If they were transitive, every module that compiles with
    // this one would require them.
    requires static jdk.jfr;
    requires static micrometer.core;

    exports io.quorate.ops;
    exports io.quorate.ops.web to
            io.quorate.cli;
}
