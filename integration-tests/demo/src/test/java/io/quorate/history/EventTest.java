package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.history.Event.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EventTest {

    @ParameterizedTest
    @EnumSource
    void everyKindIsReadAsItWasWritten(Kind kind) {
        Event event = new Event(kind, "n1-2", "/a/b", 7, 10, 20);
        assertThat(Event.parse(event.toString())).isEqualTo(event);
    }

    @Test
    void whatALostReplyLacksIsADash() {
        Event event = new Event(Kind.ACQUIRED, "n1-1", "/a", Event.UNKNOWN, 10, Event.NEVER);
        assertThat(event).hasToString("acquired n1-1 /a - 10 -");
        assertThat(Event.parse(event.toString())).isEqualTo(event);
    }

    // Each message names the value and the rule.
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "acquired n1 /a 1 10|event 'acquired n1 /a 1 10': must be '<kind> <client>",
        "taken n1 /a 1 10 20|taken",
        "acquired n1 /a one 10 20|one",
        "acquired n1 /a -1 10 20|token -1: must be positive, or 0 if unknown",
        "acquired n1 /a 1 20 10|event from 20 to 10 ns: must not end before it begins",
        "acquired  /a 1 10 20|client '': must not be empty"})
    void whatIsNoEventIsRefused(String line, String message) {
        assertThatThrownBy(() -> Event.parse(line)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void namesWithBlanksAreRefused() {
        assertThatThrownBy(() -> new Event(Kind.ACQUIRED, "n 1", "/a", 1, 1, 2))
                .hasMessageContaining("client 'n 1': must not be empty, and have no blanks");
        assertThatThrownBy(() -> new Event(Kind.ACQUIRED, "n1", "/a\n", 1, 1, 2)).hasMessageContaining("path");
    }
}
