package io.quorate.spi;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The keys that new connections use: those of the files, as they were when they were last right. A transport that uses
 * {@link Tls} has one from its start on, calls {@link #look} every {@link #LOOK_EVERY}, and writes what that answers
 * into the log. Thread-safe.
 */
public final class Keyring {

    /**
     * How often to look whether the files have changed. Too long: who replaces files has to wait. Too short: a look at
     * some files each time, for nothing.
     */
    public static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** So long before the certificate ends it is said. Too short: nobody is there to renew it. */
    public static final Duration WARNED_BEFORE = Duration.ofDays(30);

    /** How often the coming end is said. */
    private static final Duration SAID_EVERY = Duration.ofDays(1);

    private final Tls tls;
    private final InstantSource clock;
    private volatile Tls.Keys keys;
    /** Of the files that the keys are from. */
    private long stamp;
    /** Of the files that were wrong; what they are was said. */
    private long wrongStamp;
    /** When the end was said; null if it was not said of these keys. */
    private @Nullable Instant saidAt;

    /**
     * Reads the files.
     *
     * @param tls the files
     * @throws IllegalArgumentException as {@link Tls#read}
     */
    public Keyring(Tls tls) {
        this(tls, InstantSource.system());
    }

    /** With another clock than the machine's. */
    Keyring(Tls tls, InstantSource clock) {
        this.tls = tls;
        this.clock = clock;
        this.stamp = tls.stamp();
        this.wrongStamp = stamp;
        this.keys = tls.read();
    }

    /** {@return what makes engines for new connections} */
    public SSLContext context() {
        return keys.context();
    }

    /** {@return when the own certificate ends} */
    public Instant end() {
        return keys.certificate().getNotAfter().toInstant();
    }

    /**
     * Reads the files again if they have changed. This may take time.
     *
     * @return what an operator should read, once for each change of the files that is wrong, and once a day if the
     *         certificate ends within {@link #WARNED_BEFORE}; else empty
     */
    public synchronized Optional<String> look() {
        long stampNow = tls.stamp();
        if (stampNow != stamp) {
            try {
                keys = tls.read();
                stamp = stampNow;
                wrongStamp = stampNow;
                saidAt = null;
            } catch (IllegalArgumentException e) {
                // Perhaps one file was replaced and the others are about to be; the next look comes.
                if (stampNow != wrongStamp) {
                    wrongStamp = stampNow;
                    return Optional.of("goes on with the former keys: " + e.getMessage());
                }
            }
        }
        return ending();
    }

    private Optional<String> ending() {
        Instant now = clock.instant();
        boolean isSaid = saidAt != null && now.isBefore(saidAt.plus(SAID_EVERY));
        if (isSaid || now.isBefore(end().minus(WARNED_BEFORE))) {
            return Optional.empty();
        }
        saidAt = now;
        X509Certificate certificate = keys.certificate();
        boolean hasEnded = !now.isBefore(end());
        return Optional.of("the certificate of " + certificate.getSubjectX500Principal() + " in '"
                + tls.certificateFile() + "' " + (hasEnded ? "has ended" : "ends") + " at " + end()
                + ": put another one in its place, or no peer takes a connection from then on");
    }
}
