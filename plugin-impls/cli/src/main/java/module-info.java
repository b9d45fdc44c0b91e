/** The command {@code quorate}: asks and changes a cluster over HTTP, checks settings, runs a witness. */
module io.quorate.cli {
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.jr.ob;
    requires info.picocli;
    requires io.quorate;
    requires io.quorate.core;
    requires io.quorate.ops;
    requires java.net.http;
    requires org.slf4j;
    requires static org.jspecify;

    // It makes the commands, and sets their options.
    opens io.quorate.cli to
            info.picocli;
}
