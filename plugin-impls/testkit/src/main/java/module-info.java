/** The test kit of applications, algorithms and transports. */
module io.quorate.testkit {
    requires transitive io.quorate;
    requires io.quorate.core;
    requires static transitive org.junit.jupiter.api;
    requires static com.tngtech.archunit;
    requires java.management;
    requires static org.jspecify;

    exports io.quorate.testkit;
    // The lab shows what the model checker and the simulator do.
    exports io.quorate.testkit.model to
            io.quorate.lab;
    exports io.quorate.testkit.picture to
            io.quorate.lab;
    exports io.quorate.testkit.simulation to
            io.quorate.lab;
    // JUnit calls the tests of the conformance.
    opens io.quorate.testkit to
            org.junit.platform.commons;
}
