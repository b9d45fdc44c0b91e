package io.quorate.testkit;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Takes what slf4j-simple writes to System.err, until it is closed. */
public final class CapturedLog implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** Takes it from now on. */
    public CapturedLog() {
        System.setErr(new PrintStream(new OutputStream() {
            @Override
            public void write(int next) {
                synchronized (bytes) {
                    bytes.write(next);
                }
            }
        }, true, StandardCharsets.UTF_8));
    }

    /** All that was written. */
    public String text() {
        synchronized (bytes) {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    /** The lines that contain all of {@code fragments}. */
    public List<String> lines(String... fragments) {
        return text().lines().filter(line -> List.of(fragments).stream().allMatch(line::contains)).toList();
    }

    @Override
    public void close() {
        System.setErr(before);
    }
}
