package io.quorate.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.quorate.ElectionConfig;
import io.quorate.SettingsWriter;
import io.quorate.settings.Setting;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** A setting is one row, so the setting that this file adds appears everywhere. */
class AddedSettingTest {

    private static final Setting<Integer> PATIENCE = Setting.of(
                    "patienceRounds", "patience-rounds", Integer.class, Integer::valueOf)
            .initially(3)
            .must("from 1 to 9", rounds -> 1 <= rounds && rounds <= 9)
            .says("1 to 9 | yes | how many rounds a test [waits](#profiles) for `n1`");

    private static final List<Setting<?>> ROWS = SettingsWriter.rows(PATIENCE);
    private static final Path REPOSITORY = Path.of("..", "..");

    private static ElectionConfig.Builder builder() {
        return SettingsWriter.builder(ROWS).nodeId("n1").peers("n1=h:1");
    }

    private static Properties properties(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }

    @Test
    void builderReadsItFromPropertiesAndEnvironment() {
        assertThat(SettingsWriter.value(builder(), PATIENCE)).contains(3);
        assertThat(SettingsWriter.value(builder().from(properties("quorate.patience-rounds", "4")), PATIENCE))
                .contains(4);
        assertThat(SettingsWriter.value(builder().from(Map.of("QUORATE_PATIENCE_ROUNDS", "5")), PATIENCE))
                .contains(5);
    }

    @Test
    void wrongValuesAreNamedWithKeyAndRule() {
        assertThatIllegalArgumentException()
                .isThrownBy(builder().from(properties("quorate.patience-rounds", "10"))::build)
                .withMessage("Bad configuration: patienceRounds 10: must be from 1 to 9");
        assertThatIllegalArgumentException()
                .isThrownBy(builder().from(properties("quorate.patience-rounds", " "))::build)
                .withMessage("Bad configuration: quorate.patience-rounds ' ': must not be blank: give a value, or"
                        + " leave it out");
    }

    @Test
    void unknownKeysAreToldThatItIsTheNearest() {
        assertThatIllegalArgumentException()
                .isThrownBy(builder().from(properties("quorate.patience-round", "4"))::build)
                .withMessage("Bad configuration: key quorate.patience-round: there is no such setting; the nearest is"
                        + " quorate.patience-rounds");
    }

    @Test
    void configOfMicroProfileHasItsKeyAndItsVariable() {
        for (String name : List.of("quorate.patience-rounds", "QUORATE_PATIENCE_ROUNDS")) {
            ConfigSettings settings = new ConfigSettings(new SmallRyeConfigBuilder()
                    .withSources(new PropertiesConfigSource(Map.of(name, "6"), "file", 100))
                    .build());
            assertThat(SettingsWriter.value(settings.make(builder()), PATIENCE)).contains(6);
        }
    }

    @Test
    void documentHasItsRow() throws IOException {
        String document = Files.readString(REPOSITORY.resolve("plugin-api/docs/settings.md"));
        assertThat(SettingsWriter.document(document, ROWS))
                .contains(
                        "| `patienceRounds` | `quorate.patience-rounds` | `QUORATE_PATIENCE_ROUNDS` | 3 | 1 to 9 | yes"
                                + " | how many rounds a test [waits](#profiles) for `n1` |\n");
    }

    @Test
    void starterHasItsMetadataAndBindsIt() throws IOException {
        Path starter = REPOSITORY.resolve("plugin-impls/spring-boot/src/main");
        String metadata = Files.readString(starter.resolve("resources/META-INF/spring-configuration-metadata.json"));
        assertThat(SettingsWriter.metadata(metadata, ROWS, Map.of()))
                .contains(
                        """
                            {
                              "name": "quorate.patience-rounds",
                              "type": "java.lang.Integer",
                              "description": "How many rounds a test waits for n1. Values: 1 to 9. Equal on all nodes.",
                              "defaultValue": 3
                            }
                        """);
        String record = Files.readString(starter.resolve("java/io/quorate/spring/QuorateProperties.java"));
        assertThat(SettingsWriter.record(record, List.of(), ROWS))
                .contains("        @Nullable String patienceRounds,\n");
    }
}
