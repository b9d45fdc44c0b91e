package io.quorate.ops;

import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jdk.jfr.SettingControl;
import org.jspecify.annotations.Nullable;

/** A setting of recordings that is a time, as JDK Flight Recorder writes times: {@code 20 ms}. */
final class TimespanSetting extends SettingControl {

    private static final String DEFAULT = "20 ms";
    private static final long DEFAULT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    // At most 15 digits, so that no unit makes it too large for a long.
    private static final Pattern FORM = Pattern.compile("\\s*(\\d{1,15})\\s*([a-z]+)\\s*");

    private static final Map<String, TimeUnit> UNITS = Map.of(
            "ns", TimeUnit.NANOSECONDS,
            "us", TimeUnit.MICROSECONDS,
            "ms", TimeUnit.MILLISECONDS,
            "s", TimeUnit.SECONDS,
            "m", TimeUnit.MINUTES,
            "h", TimeUnit.HOURS,
            "d", TimeUnit.DAYS);

    private volatile String combined = DEFAULT;
    private volatile String value = DEFAULT;
    private volatile long nanos = DEFAULT_NANOS;

    long nanos() {
        return nanos;
    }

    private static OptionalLong nanos(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            return OptionalLong.empty();
        }
        TimeUnit unit = UNITS.get(parts.group(2));
        return unit == null ? OptionalLong.empty() : OptionalLong.of(unit.toNanos(Long.parseLong(parts.group(1))));
    }

    /** The shortest: each recording gets what it wants, and perhaps more. */
    @Override
    public String combine(Set<String> values) {
        String shortest = DEFAULT;
        long least = Long.MAX_VALUE;
        for (String each : values) {
            OptionalLong length = nanos(each);
            if (length.isPresent() && length.getAsLong() < least) {
                least = length.getAsLong();
                shortest = each;
            }
        }
        combined = shortest;
        return shortest;
    }

    /**
     * Malformed times count as the default, because a recording that was started must not fail.
     *
     * @param given null where the recorder has lost what {@link #combine} answered, as that of JDK 17 does
     */
    @Override
    public void setValue(@Nullable String given) {
        String text = given == null ? combined : given;
        OptionalLong length = nanos(text);
        value = length.isPresent() ? text : DEFAULT;
        nanos = length.orElse(DEFAULT_NANOS);
    }

    @Override
    public String getValue() {
        return value;
    }
}
