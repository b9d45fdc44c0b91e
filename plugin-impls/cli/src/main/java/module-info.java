/** The command {@code quorate}: asks and changes a cluster over HTTP, checks settings, and runs a witness. */
module io.quorate.cli {
    requires com.fasterxml.jackson.core;
    requires info.picocli;
    requires io.quorate;
    requires io.quorate.ops;
    requires java.net.http;
    requires org.slf4j;
    requires static org.jspecify;

    uses io.quorate.spi.ElectionAlgorithm;

    // It makes the commands, and sets their options.
    opens io.quorate.cli to
            info.picocli;
}
