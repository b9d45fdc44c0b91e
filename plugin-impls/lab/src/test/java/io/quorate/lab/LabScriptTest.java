package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** docs/lab.md#scripts and docs/lab.md#rings: a script runs, and a mistake in it has its place. */
class LabScriptTest {

    @TempDir
    private Path directory;

    private Run lab(String algorithm, String script, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("mine.txt"), script);
        String page = directory.resolve("page.html").toString();
        String[] all = new String[more.length + 5];
        System.arraycopy(more, 0, all, 5, more.length);
        System.arraycopy(new String[] {algorithm, "--scenario", file.toString(), "--html", page}, 0, all, 0, 5);
        return Run.of(all);
    }

    // As a document has it, with what the traces may have below their line.
    @Test
    void scriptOfADocumentRunsFromAFile() throws IOException {
        String trace = Files.readString(Path.of("..", "algorithms", "src", "test", "resources", "traces", "B1.txt"));
        Run run = lab("bully", trace);
        assertThat(run.exitCode()).as(run.err()).isZero();
        Run ofDocument =
                Run.of("bully", "B1", "--html", directory.resolve("page.html").toString());
        assertThat(run.out()).isEqualTo(ofDocument.out());
    }

    @Test
    void processesAreCountedFromWhereTheScriptSays() throws IOException {
        String script = "cluster lcr faithful of=3 leader=2 %s\nat 1 crash 2\nat 9 suspect 0 2\nshow 0..90\n";
        assertThat(lab("lcr", script.replace("%s", "first=0")).out()).contains("P0 -> P1  PROBE id=P0, arrives 14.000");
        assertThat(lab("lcr", script.replace("%s", "")).err()).contains("line 3, column 14: '0': must be a process");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '!',
            value = {
                "cluster lcr                    ! line 1, column 1: 'cluster': must be followed by an algorithm",
                "cluster lcr faithfull of=3     ! line 1, column 13: 'faithfull': must be 'faithful' or 'hardened'",
                "cluster lcr faithful           ! line 1, column 13: 'faithful': must be followed by the number",
                "cluster lcr faithful of=10     ! line 1, column 22: 'of=10': must be a whole number from 1 to 9",
                "cluster lcr faithful of=3 led=3 ! line 1, column 27: 'led=3': must be of=, leader=, absent= or first=",
                "cluster lcr faithful of=3 leader=4 ! line 1, column 27: 'leader=4': must be a process",
                "cluster lcr faithful of=3 of=3 ! line 1, column 27: 'of=3': must not be there twice",
                "cluster lcr faithful leader=1 of=3 leader=2 ! line 1, column 36: 'leader=2': must not be there twice",
                "cluster lcr faithful of=3 absent= ! line 1, column 27: 'absent=': must be a process",
                "cluster = faithful of=3;show 1..2 ! is a script for =, so ALGORITHM must be this one",
                "cluster of= faithful of=3;show 1..2 ! is a script for of=, so ALGORITHM must be this one",
                "cluster lcr faithful of=3;at 5 ! line 2, column 1: 'at': must be followed by a time and a fault",
                "cluster lcr faithful of=3;at x crash 1 ! line 2, column 4: 'x': must be a whole number from 0 to 60000",
                "cluster lcr faithful of=3;at 5 crsh 1 ! line 2, column 6: 'crsh': must be one of [crash, heal, restore, split, start, suspect]; did you mean 'crash'?",
                "cluster lcr faithful of=3;at 5 crash ! line 2, column 6: 'crash': must be followed by 1 word",
                "cluster lcr faithful of=3;at 5 heal 1 ! line 2, column 11: '1': expected the end of the line",
                "cluster lcr faithful of=3;at 5 split 12 ! line 2, column 12: '12': must have each of the processes once",
                "cluster lcr faithful of=3;at 5 split 11|2 ! line 2, column 12: '11|2': must have each of the processes",
                "cluster lcr faithful of=3;shw 1..2 ! line 2, column 1: 'shw': must be one of [at, show, hide, ----]; did you mean 'show'?",
                "cluster lcr faithful of=3;show 9..2 ! line 2, column 6: '9..2': must be a whole number from 9 to 60000",
                "cluster lcr faithful of=3;show 1-2 ! line 2, column 6: '1-2': must be 'show FROM..UNTIL'",
                "cluster lcr faithful of=3      ! line 1: must be followed by a line 'show FROM..UNTIL'",
                "cluster bully faithful of=3;show 1..2 ! is a script for bully, so ALGORITHM must be this one",
            })
    void mistakeHasItsPlaceAndItsRule(String script, String place) throws IOException {
        Run run = lab("lcr", script.strip().replace(';', '\n'));
        assertThat(run.err()).contains("mine.txt': ", place.strip()).doesNotContain("\tat ");
        assertThat(run.exitCode()).isEqualTo(64);
    }

    // The document counts N(N+1)/2 probes if identifiers descend along the ring, and all begin.
    @Test
    void descendingRingIsTheWorst() throws IOException {
        String script = "cluster lcr faithful of=5\nshow 0..200\n";
        assertThat(lab("lcr", script, "--ring", "5,4,3,2,1").out().split("PROBE id=", -1))
                .hasSize(15 + 1);
        assertThat(lab("lcr", script).out().split("PROBE id=", -1)).hasSize(2 * 5 - 1 + 1);
    }

    @Test
    void ringIsRefusedWhereItMeansNothing() throws IOException {
        String page = directory.resolve("page.html").toString();
        assertThat(Run.of("bully", "--ring", "2,1,3", "--html", page).err())
                .contains("--ring '2,1,3': must be for an algorithm with a ring, lcr or token-ring, and not for bully");
        assertThat(Run.of("lcr", "--ring", "2,2,3", "--html", page).err())
                .contains("--ring '2,2,3': must have each process once");
        assertThat(Run.of("lcr", "--ring", "2,1,3", "--nodes", "4", "--html", page)
                        .err())
                .contains("--ring '2,1,3': must have each of the 4 processes once");
        assertThat(Run.of("lcr", "--ring", "2,1,3", "--way", "lease", "--html", page)
                        .err())
                .contains("--ring '2,1,3': must stand without --way lease");
        assertThat(Run.of("lcr", "C2", "--ring", "2,1,3", "--html", page).err())
                .contains("so --nodes, --seed, --way and --ring do not");
        assertThat(Run.of("lcr", "--ring", "3,2,1", "--html", page).out())
                .startsWith("lcr, documented: leader dies (3 nodes, seed 1)")
                .doesNotContain("under the lease");
    }
}
