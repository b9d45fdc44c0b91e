/** The program {@code quorate lab}: runs elections in virtual time, and draws them. */
module io.quorate.lab {
    requires info.picocli;
    requires io.quorate;
    requires jdk.httpserver;
    // The kit names a test framework, which a program has no use for. So the lab runs from a class path.
    requires static io.quorate.testkit;
    requires static org.jspecify;

    uses io.quorate.spi.ElectionAlgorithm;

    // It makes the command, and sets its options.
    opens io.quorate.lab to
            info.picocli;
}
