/** The command {@code quorate}: asks and changes a cluster over HTTP, checks settings, runs a witness, draws elections. */
module io.quorate.cli {
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires io.quorate;
    requires io.quorate.core;
    requires io.quorate.ops;
    requires java.net.http;
    requires org.slf4j;
    // The kit names a test framework, which a program has no use for. So the lab runs from a class path.
    requires static io.quorate.testkit;
    requires static org.jspecify;

    uses io.quorate.spi.ElectionAlgorithm;

    // It makes the commands, and sets their options.
    opens io.quorate.cli to
            info.picocli;
}
