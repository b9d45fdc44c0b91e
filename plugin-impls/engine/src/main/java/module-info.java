/** The quorum lease, and the driver that runs it with a thread and real time. Applications see nothing of it. */
module io.quorate.core {
    requires transitive io.quorate;
    requires static org.jspecify;

    // The kit runs the same node in virtual time.
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
    // The command line changes the data directory of a node that does not run.
    exports io.quorate.runtime to
            io.quorate.testkit,
            io.quorate.cli;

    provides io.quorate.engine.EngineProvider with
            io.quorate.runtime.DriverProvider;
}
