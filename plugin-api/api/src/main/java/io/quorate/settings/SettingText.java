package io.quorate.settings;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Reads the values of settings from text. Each method throws an {@link IllegalArgumentException} with the rule that the
 * text breaks.
 */
public final class SettingText {

    private static final int TEMPLATE_PEERS_MAX = 1_000;

    private static final Pattern TEMPLATE =
            Pattern.compile("([^{}.,:=]*)\\{(\\d{1,6})\\.\\.(\\d{1,6})}([^{},=]*:[0-9]+)");

    private static final Pattern AMOUNT = Pattern.compile("(\\d{1,9}) ?(ms|s|m|h)");

    private SettingText() {}

    public static List<String> names(String text) {
        return Arrays.stream(text.split(",", -1)).map(String::trim).toList();
    }

    public static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("must be a path: " + e.getReason(), e);
        }
    }

    public static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("must be a whole number", e);
        }
    }

    public static boolean truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("must be true or false");
        };
    }

    public static <E extends Enum<E>> E constant(Class<E> type, String text) {
        String name = text.toUpperCase(Locale.ROOT).replace('-', '_');
        Optional<E> found = Arrays.stream(type.getEnumConstants())
                .filter(each -> each.name().equals(name))
                .findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException("must be one of "
                + Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "))));
    }

    public static Duration duration(String text) {
        Matcher amount = AMOUNT.matcher(text);
        try {
            if (!amount.matches()) {
                return Duration.parse(text);
            }
            long count = Long.parseLong(amount.group(1));
            return switch (amount.group(2)) {
                case "ms" -> Duration.ofMillis(count);
                case "s" -> Duration.ofSeconds(count);
                case "m" -> Duration.ofMinutes(count);
                default -> Duration.ofHours(count);
            };
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("must be a duration, such as 150ms, 4s, 2m or PT4S", e);
        }
    }

    /** Each peer's id is the first part of its host, as the name of a pod of a stateful set is. */
    public static List<String> expanded(String text) {
        Matcher template = TEMPLATE.matcher(text);
        int first = template.matches() ? Integer.parseInt(template.group(2)) : 1;
        int last = template.matches() ? Integer.parseInt(template.group(3)) : 0;
        if (first > last || last - first >= TEMPLATE_PEERS_MAX) {
            throw new IllegalArgumentException("must be like app-{0..2}.app-peers:7400, with one range of at most "
                    + TEMPLATE_PEERS_MAX + " numbers, before the first dot");
        }
        return IntStream.rangeClosed(first, last)
                .mapToObj(number -> template.group(1) + number + template.group(4))
                .map(address -> address.split("[.:]", 2)[0] + "=" + address)
                .toList();
    }
}
