package io.quorate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Paths are accepted and refused as ZooKeeper does, with its messages. */
class PathsTest {

    @ParameterizedTest
    @ValueSource(strings = {"/", "/a", "/a/b", "/a b", "/.a", "/a.", "/a..b", "/...", "/ü/漢"})
    void legalPathsComeBackUnchanged(String path) {
        assertThat(Paths.validated(path)).isSameAs(path);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''      | Path length must be > 0",
                "a       | Path must start with / character",
                "/a/     | Path must not end with / character",
                "/a//b   | Invalid path string \"/a//b\" caused by empty node name specified @3",
                "//      | Path must not end with / character",
                "/./a    | Invalid path string \"/./a\" caused by relative paths not allowed @1",
                "/../a   | Invalid path string \"/../a\" caused by relative paths not allowed @2",
                "/a/..   | Invalid path string \"/a/..\" caused by relative paths not allowed @4",
                "/a/.    | Invalid path string \"/a/.\" caused by relative paths not allowed @3",
            })
    void illegalPathsAreRefusedWithZooKeepersMessage(String path, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Paths.validated(path))
                .withMessage(message);
    }

    @Test
    void nullAndControlCharactersAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Paths.validated(null))
                .withMessage("Path cannot be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Paths.validated("/a\0"))
                .withMessageEndingWith("caused by null character not allowed @2");
        for (char character : new char[] {'\u0001', '\n', '\u001f', '\u007f', '\u009f', '\ud800', '\uf8ff', '\ufff0'}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Paths.validated("/a" + character))
                    .withMessageEndingWith("caused by invalid charater @2");
        }
    }
}
