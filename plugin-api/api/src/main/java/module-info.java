/** Leader election among the processes of an application: what it imports, and what plug-ins implement. */
module io.quorate {
    requires transitive org.slf4j;
    requires static org.jspecify;

    exports io.quorate;
    exports io.quorate.spi;
    // The seam is no promise: the engine and the kit change with it.
    exports io.quorate.engine to
            io.quorate.core,
            io.quorate.testkit;
    exports io.quorate.settings to
            io.quorate.core,
            io.quorate.testkit;

    // The kit puts a client over an engine in virtual time.
    opens io.quorate to
            io.quorate.testkit;

    uses io.quorate.engine.EngineProvider;
    uses io.quorate.spi.ElectionAlgorithm;
    uses io.quorate.spi.TransportProvider;
}
