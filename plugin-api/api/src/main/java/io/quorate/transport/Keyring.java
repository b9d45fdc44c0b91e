package io.quorate.transport;

import io.quorate.jvm.Identity;
import io.quorate.jvm.NamingTrust;
import io.quorate.spi.Problem;
import io.quorate.spi.Tls;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The keys that new connections use: those of the files, as they were when they were last right, which includes that
 * the certificate names the node that the first one has named, if that names one. A transport that uses
 * {@link Tls} has one from its start on, calls {@link #look} every {@link #LOOK_EVERY}, and writes what that answers
 * into the log. Thread-safe.
 */
public final class Keyring {

    /**
     * How often to look whether the files have changed. Too long: who replaces files has to wait. Too short: a look at
     * some files each time, for nothing.
     */
    public static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** How long before the end of the certificate the log says so. Too short: nobody is there to renew it. */
    public static final Duration WARNED_BEFORE = Duration.ofDays(30);

    /** How often the coming end is said. */
    private static final Duration SAID_EVERY = Duration.ofDays(1);

    /** JDK 25 puts its own alert in brackets before what it says. The rest may be a stranger's choice. */
    private static final String SAID = "(\\(\\w+\\) )?";
    /** How the engines of the JDK and of Netty say that what came is no TLS. */
    private static final Pattern NO_RECORD = Pattern.compile(
            SAID + "(Unrecognized SSL message|Unsupported or unrecognized SSL message|not an SSL/TLS record).*");
    /** How the JDK says that the other side has shown no certificate. */
    private static final Pattern NO_CERTIFICATE = Pattern.compile(SAID + "Empty client certificate chain");
    /** How it passes on that the other side does not take the own certificate. */
    private static final Pattern ALERT =
            Pattern.compile("(?i)" + SAID + "Received fatal alert: (\\w*certificate\\w*|unknown_ca)");

    private final Tls tls;
    private final InstantSource clock;
    private volatile Tls.Keys keys;
    /** The stamp of the files that the keys are from. */
    private long stamp;
    /** The stamp of the files that were wrong, and were logged as wrong. */
    private long wrongStamp;
    /** When an end was said; null if none was said of these keys. */
    private @Nullable Instant saidAt;

    /** Why the files could not be read at the last look; null if they could. */
    private volatile @Nullable String fault;

    /** Whether it was said that the last look failed. */
    private boolean isFailureSaid;

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

    /**
     * Tells when the own certificate, or one of those between it and the authority, ends: whichever is first.
     *
     * @return the end of the chain that new connections show
     */
    public Instant end() {
        return end(first(keys.chain()));
    }

    /**
     * Says why a connection with these keys has failed, for a log: whose certificate is refused, and when that ends; or
     * that the other side has no keys.
     *
     * @param failure what the engine of TLS has thrown
     * @return one sentence. Parts of it may be the choice of a stranger
     */
    public String reason(Throwable failure) {
        String said = NamingTrust.innermost(failure);
        if (NO_RECORD.matcher(said).matches()) {
            return Tls.ONE_SIDE;
        }
        if (NO_CERTIFICATE.matcher(said).matches()) {
            return "the other side has no certificate of an authority that is trusted here";
        }
        if (ALERT.matcher(said).matches()) {
            return "the other side refuses our certificate, of " + NamingTrust.described(keys.certificate())
                    + " or does not trust its authority: " + said;
        }
        return said;
    }

    /**
     * Reads the files again if they have changed. This may take time. It throws nothing, or nobody would look again.
     *
     * @return what an operator should read, once for each change of the files that is wrong, and once a day if the own
     *         chain, or an authority that is trusted, ends within {@link #WARNED_BEFORE}; else empty
     */
    public synchronized Optional<String> look() {
        try {
            Optional<String> news = lookAtFiles();
            isFailureSaid = false;
            return news;
        } catch (Throwable e) {
            // Justification: files, clocks and providers are code of others. The next look comes.
            boolean isNews = !isFailureSaid;
            isFailureSaid = true;
            String what = "cannot look at the files of the keys " + tls + ": " + e;
            fault = what;
            return isNews ? Optional.of(what) : Optional.empty();
        }
    }

    /**
     * Tells whether the files are wrong now, so that new connections use the former keys. Any thread may ask.
     *
     * @return what the last {@link #look} found; empty if the files were right
     */
    public Optional<Problem> problem() {
        return Optional.ofNullable(fault).map(what -> new Problem(Problem.Kind.KEYS, what));
    }

    private Optional<String> lookAtFiles() {
        long stampNow = tls.stamp();
        if (stampNow != stamp) {
            try {
                Tls.Keys next = tls.read();
                requireSameNode(next.certificate());
                keys = next;
                stamp = stampNow;
                wrongStamp = stampNow;
                saidAt = null;
                fault = null;
            } catch (IllegalArgumentException e) {
                String what = "goes on with the former keys: " + e.getMessage();
                fault = what;
                // Perhaps one file was replaced and the others are about to be; the next look comes.
                if (stampNow != wrongStamp) {
                    wrongStamp = stampNow;
                    return Optional.of(what);
                }
            }
        } else {
            // The fault is over, and is news if it comes again.
            wrongStamp = stampNow;
            fault = null;
        }
        return endings();
    }

    /** No peer would take a connection with the keys of another node, or of a node of another cluster. */
    private void requireSameNode(X509Certificate next) {
        List<String> own = Identity.uris(keys.certificate());
        if (!own.isEmpty() && !Identity.uris(next).equals(own)) {
            throw new IllegalArgumentException("the certificate in '" + tls.certificateFile() + "' is that of "
                    + Identity.described(next) + ": must name " + String.join(" and ", own)
                    + " as the former one does; put the keys of this node in its place");
        }
    }

    private Optional<String> endings() {
        Instant now = clock.instant();
        // A wall clock that was ahead and is set back keeps nothing quiet.
        if (saidAt != null && !now.isBefore(saidAt) && now.isBefore(saidAt.plus(SAID_EVERY))) {
            return Optional.empty();
        }
        List<String> endings = new ArrayList<>();
        X509Certificate shown = first(keys.chain());
        if (endsSoon(shown, now)) {
            endings.add("the certificate of " + ending(shown, tls.certificateFile(), now)
                    + ": put another one in its place, or no peer takes a connection from then on");
        }
        X509Certificate authority = first(keys.trusted());
        if (endsSoon(authority, now)) {
            endings.add("the trusted certificate of " + ending(authority, tls.trustFile(), now)
                    + ": bring in a new authority, and take this one out of the file");
        }
        if (endings.isEmpty()) {
            return Optional.empty();
        }
        saidAt = now;
        return Optional.of(String.join("; ", endings));
    }

    private static X509Certificate first(List<X509Certificate> certificates) {
        return Collections.min(certificates, Comparator.comparing(X509Certificate::getNotAfter));
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    private static boolean endsSoon(X509Certificate certificate, Instant now) {
        return !now.isBefore(end(certificate).minus(WARNED_BEFORE));
    }

    private static String ending(X509Certificate certificate, Path file, Instant now) {
        Instant end = end(certificate);
        return certificate.getSubjectX500Principal() + " in '" + file + "' "
                + (now.isBefore(end) ? "ends" : "has ended") + " at " + end;
    }
}
