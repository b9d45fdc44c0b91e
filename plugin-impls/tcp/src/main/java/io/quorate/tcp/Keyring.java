package io.quorate.tcp;

import io.quorate.spi.Tls;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** The keys that new connections use: those of the files, as they were when they were last right. Thread-safe. */
final class Keyring {

    /** So long before a certificate ends it is said. */
    static final Duration WARNED = Duration.ofDays(30);

    private final Tls tls;
    private long stamp;
    private volatile Tls.Keys keys;

    /** @throws IllegalArgumentException as {@link Tls#read} */
    Keyring(Tls tls) {
        this.tls = tls;
        this.stamp = tls.stamp();
        this.keys = tls.read();
    }

    SSLContext context() {
        return keys.context();
    }

    /**
     * Looks at the files, which may take time.
     *
     * @return what an operator should know, if there is something
     */
    synchronized Optional<String> look() {
        long stampNow = tls.stamp();
        if (stampNow != stamp) {
            try {
                keys = tls.read();
                stamp = stampNow;
            } catch (RuntimeException e) {
                // Justification: a provider may throw others at a file that is no key than those that it declares.
                // Perhaps one file was replaced and the others are about to be; the next look comes.
                return Optional.of(
                        "goes on with the former keys: " + LogLimit.printable(String.valueOf(e.getMessage())));
            }
        }
        Instant end = keys.certificate().getNotAfter().toInstant();
        return Instant.now().isBefore(end.minus(WARNED))
                ? Optional.empty()
                : Optional.of("the certificate of " + tls + " ends at " + end);
    }
}
