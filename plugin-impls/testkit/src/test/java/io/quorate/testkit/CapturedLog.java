package io.quorate.testkit;

import io.quorate.jvm.NodeLog;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LocationAwareLogger;

/** Takes what slf4j-simple writes to System.err, until it is closed. */
public final class CapturedLog implements AutoCloseable {

    private static final Duration LIMIT = Duration.ofMinutes(10);

    /** The first line of an entry, with the name of its logger. */
    private static final Pattern FIRST_LINE =
            Pattern.compile("(?:\\S+ )?\\[[^]]*] (?:TRACE|DEBUG|INFO|WARN|ERROR) (\\S+) - ");

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Runnable restoring;

    /** Takes it from now on, at the levels that are set. */
    public CapturedLog() {
        this(() -> {});
    }

    private CapturedLog(Runnable restoring) {
        this.restoring = restoring;
        flush();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    }

    /** As the constructor; this class logs at INFO meanwhile, whatever its level is. */
    public static CapturedLog atInfo(Class<?> type) {
        Logger logger = LoggerFactory.getLogger(type);
        int levelBefore = level(logger, LocationAwareLogger.INFO_INT);
        return new CapturedLog(() -> level(logger, levelBefore));
    }

    // slf4j-simple reads its settings once, and other tests have logged before.
    private static int level(Logger logger, int level) {
        try {
            Field field = logger.getClass().getDeclaredField("currentLogLevel");
            field.setAccessible(true);
            int levelBefore = field.getInt(logger);
            field.setInt(logger, level);
            return levelBefore;
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /** Lines are written by a thread of their own. */
    private static void flush() {
        if (!NodeLog.flush(LIMIT)) {
            throw new AssertionError("the lines of the log were not written within " + LIMIT);
        }
    }

    /** All that was written since {@link #forget}. */
    public String text() {
        flush();
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Its lines that contain all of {@code fragments}; each begins with its level, without time and thread. */
    public List<String> lines(String... fragments) {
        return text().lines()
                .map(line -> line.replaceFirst("^(\\S+ )?\\[[^]]*] ", ""))
                .filter(line -> Stream.of(fragments).allMatch(line::contains))
                .toList();
    }

    /**
     * The text without the entries of other libraries, each with its stack trace: what a test before this one has closed
     * may still log, from threads that no test waits for.
     */
    public String textOfThisLibrary() {
        StringBuilder own = new StringBuilder();
        boolean isOwn = true;
        for (String line : text().lines().toList()) {
            Matcher first = FIRST_LINE.matcher(line);
            if (first.lookingAt()) {
                isOwn = first.group(1).startsWith("io.quorate.");
            }
            if (isOwn) {
                own.append(line).append('\n');
            }
        }
        return own.toString();
    }

    /** Begins anew. */
    public void forget() {
        flush();
        bytes.reset();
    }

    @Override
    public void close() {
        flush();
        System.setErr(before);
        restoring.run();
    }
}
