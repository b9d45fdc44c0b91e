package io.quorate.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads and shows times, in the form that the settings of the library have. */
final class Durations implements ITypeConverter<Duration> {

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");
    private static final Duration LONGEST = Duration.ofDays(1);

    @Override
    public Duration convert(String text) {
        Duration value;
        try {
            Matcher amount = AMOUNT.matcher(text.strip());
            value = amount.matches() ? of(Long.parseLong(amount.group(1)), amount.group(2)) : Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw new TypeConversionException("'" + Shown.of(text) + "': must be a time such as 500ms, 5s, 2m or PT5S");
        }
        if (value.compareTo(Duration.ZERO) <= 0 || value.compareTo(LONGEST) > 0) {
            throw new TypeConversionException("'" + Shown.of(text) + "': must be more than 0 and at most a day");
        }
        return value;
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }

    /** In the largest unit that it is a whole number of. */
    static String shown(Duration value) {
        return value.toMillis() % 1000 == 0 ? value.toSeconds() + " s" : value.toMillis() + " ms";
    }
}
