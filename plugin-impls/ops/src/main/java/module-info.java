/** HTTP endpoints for probes, proxies and operators. */
module io.quorate.ops {
    requires transitive io.quorate;
    requires com.fasterxml.jackson.core;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;
    requires static org.jspecify;

    exports io.quorate.ops;
}
