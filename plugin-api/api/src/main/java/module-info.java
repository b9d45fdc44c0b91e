/** Leader election among the processes of an application: what it imports, and what plug-ins implement. */
module io.quorate {
    requires transitive org.slf4j;
    requires static org.jspecify;

    exports io.quorate;
    exports io.quorate.spi;
    // The kit runs the same node in virtual time, and puts a client over it.
    opens io.quorate to
            io.quorate.testkit;

    exports io.quorate.engine to
            io.quorate.testkit;
    exports io.quorate.settings to
            io.quorate.testkit;
    exports io.quorate.core to
            io.quorate.testkit;
    exports io.quorate.core.directory to
            io.quorate.testkit;
    exports io.quorate.core.message to
            io.quorate.testkit;
    exports io.quorate.core.path to
            io.quorate.testkit;
    exports io.quorate.core.settings to
            io.quorate.testkit;
    exports io.quorate.core.step to
            io.quorate.testkit;
    exports io.quorate.core.voters to
            io.quorate.testkit;
    exports io.quorate.runtime to
            io.quorate.testkit,
            io.quorate.cli;

    uses io.quorate.spi.ElectionAlgorithm;
    uses io.quorate.spi.TransportProvider;
    uses io.quorate.engine.EngineProvider;

    provides io.quorate.engine.EngineProvider with
            io.quorate.runtime.DriverProvider;
}
