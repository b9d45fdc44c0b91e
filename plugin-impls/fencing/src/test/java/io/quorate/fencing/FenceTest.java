package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A path and a token as text, and what is none. */
class FenceTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"/|/", "/app/leader|/app/leader", "/a b|/a%20b", "/100%|/100%25", "/%20|/%2520", "/ä|/%C3%A4"})
    void thePathIsPlainAscii(String path, String text) {
        assertThat(new Fence(path, 7)).hasToString(text + " 7");
        assertThat(Fence.parse(text + " 7")).isEqualTo(new Fence(path, 7));
    }

    @Test
    void theLongestPathComesBack() {
        Fence longest = new Fence("/" + "ä".repeat(1023) + "a", Long.MAX_VALUE);
        assertThat(Fence.parse(longest.toString())).isEqualTo(longest);
        assertThat(Fence.encoded(longest.path())).hasSizeLessThanOrEqualTo(Fence.ENCODED_MAX);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fence(longest.path() + "a", 1))
                .withMessage("path of 2049 bytes: must be at most 2048");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aTokenIsPositive(long token) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fence("/app", token))
                .withMessage("token " + token + " of /app: must be at least 1");
    }

    @Test
    void aPathBeginsWithASlash() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fence("app", 1))
                .withMessage("path 'app': must begin with /, as that of an election");
        assertThatIllegalArgumentException().isThrownBy(() -> new Fence("", 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Fence("/\ud800", 1))
                .withMessageContaining("unpaired surrogate");
        assertThatNullPointerException().isThrownBy(() -> new Fence(null, 1)).withMessage("path");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "/app",
                "/app ",
                "/app 7 ",
                " /app 7",
                "/app  7",
                "/app 7 8",
                "/a b 7",
                "app 7",
                "/app -7",
                "/app +7",
                "/app 7.0",
                "/app 0x7",
                "/app seven",
                "/ä 7",
                "/app 00000000000000000007",
                "/app\t7"
            })
    void anotherFormIsNamed(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fence.parse(text))
                .withMessage("'" + text.replaceAll("[\tä]", "?") + "': must be <path> <token>, as in '/app/leader 7'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/% 7", "/%2 7", "/%zz 7", "/%FF 7", "/%C3 7"})
    void aBrokenPathIsNamed(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fence.parse(text))
                .withMessageContaining("'" + text + "': the path must be UTF-8");
    }

    @Test
    void aTokenThatIsTooHighIsNamed() {
        assertThat(Fence.parse("/app 9223372036854775807").token()).isEqualTo(Long.MAX_VALUE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fence.parse("/app 9223372036854775808"))
                .withMessage("'/app 9223372036854775808': the token must be at most 9223372036854775807");
        assertThatIllegalArgumentException().isThrownBy(() -> Fence.parse("/app 0"));
    }

    @Test
    void foreignValuesAreShownShort() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fence.parse("/" + "%0D%0A".repeat(1000) + " 0"))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200).doesNotContain("\r", "\n"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fence.parse("\r\n<".repeat(1000)))
                .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(200).doesNotContain("\r", "\n"));
    }
}
