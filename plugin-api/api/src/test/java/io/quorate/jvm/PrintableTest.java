package io.quorate.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

    @Test
    void lineBreaksAndDirectionMarksAreEscaped() {
        assertThat(Printable.of("n1.example \u00e9", 20)).isEqualTo("n1.example \u00e9");
        assertThat(Printable.of("a\nb\u001b", 20)).isEqualTo("a\\u000ab\\u001b");
        assertThat(Printable.of("\u202e\u2028\ud83d", 20)).isEqualTo("\\u202e\\u2028\\ud83d");
    }

    // Escapes count: a text of line ends would otherwise be six times as long.
    @Test
    void longTextsAreCut() {
        assertThat(Printable.of("x".repeat(20), 20)).isEqualTo("x".repeat(20));
        assertThat(Printable.of("x".repeat(21), 20)).isEqualTo("x".repeat(20) + "...");
        assertThat(Printable.of("\n".repeat(1_000), 20)).isEqualTo("\\u000a".repeat(3) + "...");
    }
}
