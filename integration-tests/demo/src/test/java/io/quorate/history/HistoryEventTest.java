package io.quorate.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.history.HistoryEvent.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class HistoryEventTest {

    @ParameterizedTest
    @EnumSource
    void everyKindIsReadAsItWasWritten(Kind kind) {
        HistoryEvent event = new HistoryEvent(kind, "n1-2", "/a/b", 7, 10, 20);
        assertThat(HistoryEvent.parse(event.toString())).isEqualTo(event);
    }

    @Test
    void missingFieldsOfALostReplyAreDashes() {
        HistoryEvent event =
                new HistoryEvent(Kind.ACQUIRED, "n1-1", "/a", HistoryEvent.UNKNOWN, 10, HistoryEvent.NEVER);
        assertThat(event).hasToString("acquired n1-1 /a - 10 -");
        assertThat(HistoryEvent.parse(event.toString())).isEqualTo(event);
    }

    // Each message names the value and the rule.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "acquired n1 /a 1 10|event 'acquired n1 /a 1 10': must be '<kind> <client>",
                "taken n1 /a 1 10 20|taken",
                "acquired n1 /a one 10 20|one",
                "acquired n1 /a -1 10 20|token -1: must be positive, or 0 if unknown",
                "acquired n1 /a 1 20 10|event from 20 to 10 ns: must not end before it begins",
                "acquired  /a 1 10 20|client '': must not be empty"
            })
    void whatIsNoEventIsRefused(String line, String message) {
        assertThatThrownBy(() -> HistoryEvent.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void namesWithBlanksAreRefused() {
        assertThatThrownBy(() -> new HistoryEvent(Kind.ACQUIRED, "n 1", "/a", 1, 1, 2))
                .hasMessageContaining("client 'n 1': must not be empty, and have no blanks");
        assertThatThrownBy(() -> new HistoryEvent(Kind.ACQUIRED, "n1", "/a\n", 1, 1, 2))
                .hasMessageContaining("path");
    }
}
