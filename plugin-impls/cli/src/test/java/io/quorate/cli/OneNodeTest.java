package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class OneNodeTest {

    @Command
    private static final class Options {
        @Mixin
        private final NodeOptions nodes = new NodeOptions();
    }

    private static Duration changeWait(String... arguments) {
        Options options = new Options();
        new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return OneNode.changeWait(options.nodes);
    }

    // A node on a busy machine needs the time that its operator allows.
    @Test
    void aLongerTimeoutLengthensTheWaitForAChange() {
        assertThat(changeWait("--timeout", "10m")).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void aShortTimeoutDoesNotShortenTheWaitForAChange() {
        assertThat(changeWait("--timeout", "1s")).isEqualTo(Duration.ofSeconds(10));
        assertThat(changeWait()).isEqualTo(Duration.ofSeconds(10));
    }
}
