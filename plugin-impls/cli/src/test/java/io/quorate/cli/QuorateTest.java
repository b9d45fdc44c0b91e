package io.quorate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What is typed wrongly is said, with the value and the rule, and ends with a code of its own. */
class QuorateTest {

    private static void assertRefused(Run run, String... parts) {
        assertThat(run.err()).contains(parts);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @Test
    void aCommandIsNeeded() {
        assertRefused(Run.of(), "quorate: a command is missing", "'quorate --help' lists what there is.");
        assertRefused(Run.of("statsu"), "statsu");
        assertRefused(Run.of("who"), "quorate who: ", "PATH");
        assertRefused(Run.of("who", "/a", "/b"), "/b");
        assertRefused(Run.of("standby", "n1", "maybe"), "maybe", "ON, OFF");
        assertRefused(Run.of("status", "-o", "xml"), "xml", "TABLE, JSON");
    }

    @Test
    void anAddressIsOfHttp() {
        String rule = "must be http://HOST:PORT or https://HOST:PORT, without user, query and fragment, HOST without _";
        for (String url : List.of(
                "10.0.0.1:8080",
                "ftp://a:1",
                "http:///a",
                "http://a:1?b",
                "http://a:1#b",
                "http://me@a:1",
                // The JDK's HTTP client refuses it.
                "http://my_host:1",
                "http://a b")) {
            assertRefused(Run.of("status", "--url", url), "quorate status: --url '" + url + "': " + rule);
        }
        assertRefused(
                Run.of(Run.NONE, Map.of("QUORATE_URLS", "http://a:1,,http://b:1"), "status"),
                "QUORATE_URLS '': " + rule);
        assertThat(Url.of("HTTP://a:1/nodes/n1//").endpoint("/status")).hasToString("HTTP://a:1/nodes/n1/status");
        for (String zone : List.of("%eth0", "%25eth0")) {
            assertThat(Url.of("http://[fe80::1" + zone + "]:1/nodes%25").endpoint("/status"))
                    .hasToString("http://[fe80::1%eth0]:1/nodes%25/status");
        }
    }

    @Test
    void aTimeHasAUnit() {
        for (String time : List.of("5", "-1s", "a", "PT")) {
            assertRefused(
                    Run.of("status", "--timeout", time),
                    "'" + time + "': must be a time such as 500ms, 5s, 2m or PT5S");
        }
        for (String time : List.of("0s", "PT-1S", "25h")) {
            assertRefused(Run.of("status", "--timeout", time), "'" + time + "': must be more than 0 and at most a day");
        }
        Durations durations = new Durations();
        assertThat(List.of("1500ms", "2m", "1h", "PT3S").stream()
                        .map(durations::convert)
                        .map(Durations::shown))
                .containsExactly("1500 ms", "120 s", "3600 s", "3 s");
    }

    @Test
    void helpAndVersionAreNoErrors() {
        assertThat(Run.of("--version").out()).startsWith("quorate ");
        for (CommandLine command : Run.commandLine(Run.NONE, Map.of(), new StringWriter(), new StringWriter())
                .getSubcommands()
                .values()) {
            Run run = Run.of(command.getCommandName(), "--help");
            assertThat(run.out()).startsWith("Usage: quorate " + command.getCommandName());
            assertThat(run.exitCode()).isZero();
        }
    }

    // The lab needs the simulator of the kit, which is not for operators.
    @Test
    void labSaysWhichJarHasIt() {
        Run run = Run.of("lab", "bully", "leader dies", "--seed", "7");
        assertThat(run.err())
                .isEqualToIgnoringNewLines("quorate lab: the lab is the artifact io.quorate:quorate-lab:"
                        + " java -jar quorate-lab-VERSION-standalone.jar bully 'leader dies' --seed 7");
        String[] many =
                "lab --classpath ".concat("/a/rather/long/path.jar:".repeat(20)).split(" ");
        assertThat(Run.of(many).err()).contains(" --classpath " + many[2]);
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(64);
    }

    @Test
    void columnsAreAsWideAsTheirCells() {
        Table table = new Table("A", "B", "C");
        table.row("1", "22222", "3");
        table.row("4", "a long last cell of a row that ends early");
        table.row("", "5", "");
        assertThat(table.text())
                .isEqualTo(
                        """
                        A  B      C
                        1  22222  3
                        4  a long last cell of a row that ends early
                           5
                        """);
    }
}
