package io.quorate.jvm;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Reads the URIs of nodes in a certificate, of which {@link io.quorate.spi.Tls#nodeOf} tells the rule. */
public final class Identity {

    private static final String SCHEME = "quorate://";
    private static final int URI_TYPE = 6;

    private Identity() {}

    /** Reads the id of the node of this cluster, unchecked; empty if the certificate names none, or several. */
    public static Optional<String> idIn(X509Certificate certificate, String cluster) {
        List<String> uris = uris(certificate);
        String rest = cluster + "/";
        return uris.size() == 1 && uris.get(0).startsWith(rest, SCHEME.length())
                ? Optional.of(uris.get(0).substring(SCHEME.length() + rest.length()))
                : Optional.empty();
    }

    /** Whom a certificate names, for a log: the URIs of nodes, else its subject. */
    public static String described(X509Certificate certificate) {
        List<String> uris = uris(certificate);
        return uris.isEmpty() ? String.valueOf(certificate.getSubjectX500Principal()) : String.join(" and ", uris);
    }

    /** The URIs that begin as those of nodes do; none if the names of the certificate cannot be read. */
    public static List<String> uris(X509Certificate certificate) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return List.of();
        }
        List<String> uris = new ArrayList<>();
        if (names != null) {
            for (List<?> name : names) {
                if (name.get(0).equals(URI_TYPE) && name.get(1) instanceof String uri && isOurs(uri)) {
                    uris.add(uri);
                }
            }
        }
        return uris;
    }

    /** The letters of a scheme may be capitals. */
    private static boolean isOurs(String uri) {
        return uri.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
    }
}
