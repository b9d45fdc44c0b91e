package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.settings.Setting;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Writes the table of docs/settings.md from the rows, and compares the rows with what else names settings. */
class SettingsTableTest {

    private static final Path DOCUMENT = Path.of("..", "docs", "settings.md");

    @Test
    void documentHasTheRows() throws IOException {
        SettingsWriter.assertWritten(DOCUMENT, former -> SettingsWriter.document(former, SettingRows.ALL));
    }

    @Test
    void everyRowIsComplete() {
        assertThat(SettingRows.ALL).hasSizeGreaterThan(30).doesNotHaveDuplicates();
        assertThat(SettingRows.ALL).allSatisfy(row -> assertThat(row.cells().split(" \\| ", -1))
                .as(row.name())
                .hasSize(3)
                .noneMatch(String::isBlank));
    }

    /** Each public method of a builder that makes a setting; from makes many. */
    private static Set<String> methods() {
        return Arrays.stream(ElectionSettings.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .map(method -> method.getName())
                .filter(name -> !name.equals("from"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyMethodHasARowAndEveryRowAMethod() {
        assertThat(SettingRows.ALL.stream().map(Setting::name).distinct())
                .containsExactlyInAnyOrderElementsOf(methods());
    }

    @Test
    void constantsAreTheDefaultsOfTheRows() throws IllegalAccessException {
        int compared = 0;
        for (Field constant : ElectionSettings.class.getFields()) {
            String key = constant.getName().replaceFirst("^DEFAULT_", "").replaceFirst("_PERCENT$", "");
            Setting<?> row = SettingRows.ALL.stream()
                    .filter(each -> each.variable().equals(Optional.of("QUORATE_" + key)))
                    .findFirst()
                    .orElseThrow();
            assertThat(row.initial().orElseThrow()).as(key).isEqualTo(constant.get(null));
            compared++;
        }
        assertThat(compared).isGreaterThan(7);
    }

    private static ElectionConfig.Builder config() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=h:1");
    }

    @Test
    void boundsOfDriftAreThoseOfItsRow() {
        List<Integer> bounds = Pattern.compile("\\d+")
                .matcher(SettingRows.DRIFT.cells().split(" \\| ")[0])
                .results()
                .map(MatchResult::group)
                .map(Integer::valueOf)
                .toList();
        assertThat(bounds).hasSize(2);
        bounds.forEach(percent -> assertThat(config().driftPercent(percent)
                        .supportDuration(Duration.ofHours(1))
                        .build()
                        .driftPercent())
                .isEqualTo(percent));
        for (int percent : List.of(bounds.get(0) - 1, bounds.get(1) + 1)) {
            assertThatIllegalArgumentException().isThrownBy(config().driftPercent(percent)::build);
        }
    }
}
