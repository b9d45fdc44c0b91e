package io.quorate.spi;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Reads which node a certificate names: by the one URI {@code quorate://<cluster id>/<node id>} among its alternative
 * names. A common name names no node: any certificate of the same authority has one, for any purpose.
 */
public final class Identity {

    private static final String SCHEME = "quorate://";
    private static final int URI_TYPE = 6;

    private Identity() {}

    /**
     * Finds the node that a certificate names. Whether the certificate is to be believed is another question.
     *
     * @param certificate any
     * @param cluster     the cluster id
     * @return a node of this cluster; empty if the certificate names none, one of another cluster, or several
     */
    public static Optional<NodeId> of(X509Certificate certificate, String cluster) {
        List<String> uris = uris(certificate);
        String rest = cluster + "/";
        return uris.size() == 1 && uris.get(0).startsWith(rest, SCHEME.length())
                ? node(uris.get(0).substring(SCHEME.length() + rest.length()))
                : Optional.empty();
    }

    /** Whom a certificate names, for a log: the URIs of nodes, else its subject. */
    static String described(X509Certificate certificate) {
        List<String> uris = uris(certificate);
        return uris.isEmpty() ? String.valueOf(certificate.getSubjectX500Principal()) : String.join(" and ", uris);
    }

    /** The URIs that begin as those of nodes do; none if the names of the certificate cannot be read. */
    static List<String> uris(X509Certificate certificate) {
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

    private static Optional<NodeId> node(String name) {
        try {
            return Optional.of(new NodeId(name));
        } catch (IllegalArgumentException e) {
            // A name that no node can have.
            return Optional.empty();
        }
    }
}
