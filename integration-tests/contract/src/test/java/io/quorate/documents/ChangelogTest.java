package io.quorate.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A version says whether it is released, and the changelog agrees: older jars have no entry that is "Unreleased". */
class ChangelogTest {

    private static final Pattern HEADING = Pattern.compile("(?m)^## (.*)$");
    private static final String UNRELEASED = "Unreleased";
    private static final String SNAPSHOT = "-SNAPSHOT";

    /** What is wrong with a changelog of a build with this version. */
    private static List<String> faults(String changelog, String version) {
        List<String> headings = HEADING.matcher(changelog)
                .results()
                .map(heading -> heading.group(1))
                .toList();
        String release = version.replace(SNAPSHOT, "");
        List<String> faults = new ArrayList<>();
        if (headings.contains(UNRELEASED) && !version.endsWith(SNAPSHOT)) {
            faults.add("unreleased entries under the released version " + version);
        }
        if (headings.contains(release) == version.endsWith(SNAPSHOT)) {
            faults.add(
                    release + (version.endsWith(SNAPSHOT) ? " has entries, and is no release yet" : " has no entries"));
        }
        if (headings.lastIndexOf(UNRELEASED) > 0) {
            faults.add("unreleased entries stand behind those of a release");
        }
        return faults;
    }

    @Test
    void onlyASnapshotHasUnreleasedEntries() throws IOException {
        String changelog = Markdown.read("plugin-api/docs/changelog.md").text();
        assertThat(faults(changelog, ReadmeTest.version())).isEmpty();
    }

    @Test
    void aChangelogOfAnotherVersionIsNoticed() {
        String before = "## Unreleased\n- new\n## 0.1.0\nThe first version\n";
        String after = "## 0.2.0\n- new\n## 0.1.0\nThe first version\n";
        assertThat(faults(before, "0.2.0-SNAPSHOT")).isEmpty();
        assertThat(faults(after, "0.2.0")).isEmpty();
        assertThat(faults(after, "0.3.0-SNAPSHOT")).isEmpty();
        assertThat(faults(before, "0.1.0")).containsExactly("unreleased entries under the released version 0.1.0");
        assertThat(faults(before, "0.2.0"))
                .containsExactly("unreleased entries under the released version 0.2.0", "0.2.0 has no entries");
        assertThat(faults(after, "0.2.0-SNAPSHOT")).containsExactly("0.2.0 has entries, and is no release yet");
        assertThat(faults(after + before, "0.3.0-SNAPSHOT"))
                .containsExactly("unreleased entries stand behind those of a release");
    }
}
