/** Leader election among the processes of an application: what it imports, and what plug-ins implement. */
module io.quorate {
    requires transitive org.slf4j;
    requires static org.jspecify;

    exports io.quorate;
    exports io.quorate.spi;
    // The seam is no promise. The engine, the kit and tandems change with it.
    exports io.quorate.engine to
            io.quorate.core,
            io.quorate.tandem,
            io.quorate.testkit;
    exports io.quorate.client to
            io.quorate.tandem;
    exports io.quorate.settings to
            io.quorate.core,
            io.quorate.testkit;

    // These are no promise either: our own artifacts have them in common, and a plug-in of others needs neither.
    exports io.quorate.jvm to
            io.quorate.camel,
            io.quorate.cli,
            io.quorate.core,
            io.quorate.lab,
            io.quorate.ops,
            io.quorate.shedlock,
            io.quorate.tandem,
            io.quorate.tcp,
            io.quorate.testkit,
            io.quorate.vertx;
    exports io.quorate.transport to
            io.quorate.cli,
            io.quorate.core,
            io.quorate.ops,
            io.quorate.tcp,
            io.quorate.vertx;

    // The kit puts a client over an engine in virtual time.
    opens io.quorate to
            io.quorate.testkit;

    uses io.quorate.engine.EngineProvider;
    uses io.quorate.spi.ElectionAlgorithm;
    uses io.quorate.spi.TransportProvider;
}
