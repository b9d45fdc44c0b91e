package io.quorate.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;

/** The present instant in nanoseconds, on a clock that all processes of the machine share. */
interface Stamps {

    /** Whoever has a clock of his own goes by that of the system, which is exact to 10 ms only. */
    Stamps OF_SYSTEM = new Stamps() {

        private static final long TICK_NANOS = 10_000_000;
        private static final Path UPTIME = Path.of("/proc/uptime");

        @Override
        public long notAfterNow() {
            try {
                String seconds = Files.readString(UPTIME).split(" ")[0];
                return new BigDecimal(seconds).movePointRight(9).longValueExact();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public long notBeforeNow() {
            return notAfterNow() + TICK_NANOS;
        }
    };

    /** What a process with a right clock reads. */
    Stamps EXACT = new Stamps() {
        @Override
        public long notAfterNow() {
            return System.nanoTime();
        }

        @Override
        public long notBeforeNow() {
            return System.nanoTime();
        }
    };

    long notAfterNow();

    long notBeforeNow();
}
