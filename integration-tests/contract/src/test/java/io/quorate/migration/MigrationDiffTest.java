package io.quorate.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.migration.Twins.Hunk;
import io.quorate.migration.Twins.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An application is carried over from Curator by its imports, the line that builds the client, and that one's type. */
class MigrationDiffTest {

    private static void assertDiffersAsAllowed(Twins twins) {
        assertThat(twins.hunks()).as(twins.changes()).extracting(Hunk::kind).doesNotContain(Kind.OTHER);
        assertThat(twins.hunks())
                .as(twins.changes())
                .filteredOn(hunk -> hunk.kind() == Kind.CLIENT_CONSTRUCTION)
                .hasSize(1);
    }

    @Test
    void theTwinsDifferInNothingElse() {
        Twins twins = Twins.read();
        System.out.print(twins.changes());
        assertDiffersAsAllowed(twins);
        assertThat(twins.hunks()).extracting(Hunk::kind).contains(Kind.PACKAGE, Kind.IMPORT, Kind.CLIENT_TYPE);
        assertThat(twins.lines()).isGreaterThan(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ReportApplication.java | latch.await();                    | latch.await(1, null);",
                "ReportApplication.java | latch.close();                    | latch.close(null);",
                "ReportApplication.java | import java.io.EOFException;      | import java.io.*;",
                "ReportApplication.java | .build();                         | .build(); client.start();",
                "ReportApplication.java | private final ElectionClient      | private ElectionClient",
                "ReportJob.java         | latch.hasLeadership()             | latch.fencingToken() > 0",
                "ReportJob.java         | import io.quorate.LeaderLatch;    | import io.quorate.core.Node;",
                "CacheRefresh.java      | selector.autoRequeue();           | ``",
                "CacheRefresh.java      | package com.example.migration     | package com.example.other"
            })
    void oneMoreDifferenceIsNoticed(String file, String original, String changed) {
        Map<String, String> quorate = Twins.sources("quorate");
        String text = quorate.get(file);
        assertThat(text).contains(original);
        quorate.put(file, text.replace(original, changed));
        Twins twins = Twins.of(Twins.sources("curator"), quorate);
        assertThatThrownBy(() -> assertDiffersAsAllowed(twins)).isInstanceOf(AssertionError.class);
        assertThat(twins.hunks()).filteredOn(hunk -> hunk.kind() == Kind.OTHER).isNotEmpty();
    }

    @Test
    void aMissingFileIsNoticed() {
        Map<String, String> quorate = Twins.sources("quorate");
        quorate.remove("ReportJob.java");
        assertThatThrownBy(() -> Twins.of(Twins.sources("curator"), quorate))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ReportJob.java");
    }

    @Test
    void removedAndAddedLinesAreFoundAtBothEnds() {
        Twins twins = Twins.of(Map.of("A.java", "a\nb\nc"), Map.of("A.java", "b\nc\nd\n"));
        assertThat(twins.hunks()).containsExactly(new Hunk(List.of("a"), List.of()), new Hunk(List.of(), List.of("d")));
        assertThat(twins.changes()).contains("-a\n", "+d\n");
    }
}
