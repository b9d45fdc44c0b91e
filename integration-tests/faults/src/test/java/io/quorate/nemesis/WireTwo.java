package io.quorate.nemesis;

import io.quorate.nemesis.RollingRestarts.Kind;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The last release that speaks wire version 2 alone; its jars are test data: {@code wire-2/README.md}. */
final class WireTwo {

    /** A process with these jars. */
    static final Kind KIND = new Kind(
            "wire version 2",
            Stream.of("api", "algorithms", "tcp", "vertx").map(WireTwo::jar).toList(),
            Map.of());

    /** What its processes say if somebody offers them more; no other release says it so. */
    static final String COMPLAINT = "frames in wire version 3 are dropped, this node speaks 2:";

    private WireTwo() {}

    private static Path jar(String artifact) {
        try {
            return Path.of(WireTwo.class
                    .getResource("/wire-2/quorate-" + artifact + "-0.1.0.jar")
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
