package io.quorate.spi;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * Reads which node a certificate names: by the one URI {@code quorate://<cluster id>/<node id>} among its alternative
 * names; or, if it has no such URI, by its one common name.
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
        List<String> uris;
        try {
            uris = uris(certificate);
        } catch (CertificateParsingException e) {
            return Optional.empty();
        }
        if (uris.isEmpty()) {
            return only(commonNames(certificate.getSubjectX500Principal().getName(X500Principal.RFC2253)));
        }
        String prefix = SCHEME + cluster + "/";
        return uris.size() == 1 && uris.get(0).startsWith(prefix)
                ? only(List.of(uris.get(0).substring(prefix.length())))
                : Optional.empty();
    }

    private static List<String> uris(X509Certificate certificate) throws CertificateParsingException {
        List<String> uris = new ArrayList<>();
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            for (List<?> name : names) {
                if (name.get(0).equals(URI_TYPE) && name.get(1) instanceof String uri && uri.startsWith(SCHEME)) {
                    uris.add(uri);
                }
            }
        }
        return uris;
    }

    /** Part by part, because a comma inside a part begins no part: {@code O=x\,CN=n1} has no common name. */
    static List<String> commonNames(String name) {
        List<String> names = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        for (int i = 0; i <= name.length(); i++) {
            char c = i < name.length() ? name.charAt(i) : ',';
            if (c == '\\' && i + 1 < name.length()) {
                part.append(c).append(name.charAt(++i));
            } else if (c == ',' || c == '+') {
                if (part.indexOf("CN=") == 0) {
                    names.add(part.substring("CN=".length()));
                }
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        return names;
    }

    private static Optional<NodeId> only(List<String> names) {
        try {
            return names.size() == 1 ? Optional.of(new NodeId(names.get(0))) : Optional.empty();
        } catch (IllegalArgumentException e) {
            // A name that no node can have.
            return Optional.empty();
        }
    }
}
