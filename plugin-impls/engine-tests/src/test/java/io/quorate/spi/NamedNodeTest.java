package io.quorate.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.Certificates;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Which node a certificate names. */
class NamedNodeTest {

    private static Certificates.Identity ca;

    @BeforeAll
    static void make() throws IOException, GeneralSecurityException {
        ca = Certificates.authority("CN=ca");
    }

    private static Optional<String> named(String subject, String... uris) throws IOException, GeneralSecurityException {
        return Tls.nodeOf(ca.signs(subject).uris(uris).sign().certificate(), "c")
                .map(NodeId::value);
    }

    @Test
    void theOneUriCounts() throws IOException, GeneralSecurityException {
        assertThat(named("CN=anything", "quorate://c/n1")).contains("n1");
        assertThat(named("CN=anything", "https://example.org", "quorate://c/n1"))
                .contains("n1");
        assertThat(named("O=Example", "QUORATE://c/n1")).contains("n1");
    }

    // A web server has a certificate of the same authority, too.
    @Test
    void aCommonNameNamesNobody() throws IOException, GeneralSecurityException {
        assertThat(named("CN=n1,O=Example")).isEmpty();
        assertThat(named("CN=n1", "https://example.org")).isEmpty();
        assertThat(named("O=Example")).isEmpty();
    }

    @Test
    void anotherClusterSeveralNamesAndNoneNameNobody() throws IOException, GeneralSecurityException {
        assertThat(named("CN=n1", "quorate://other/n1")).isEmpty();
        assertThat(named("CN=n1", "quorate://C/n1")).isEmpty();
        assertThat(named("CN=n1", "quorate://c/n1", "quorate://c/n2")).isEmpty();
        assertThat(named("CN=n1", "quorate://c/n1", "quorate://other/n1")).isEmpty();
        assertThat(named("CN=n1", "quorate://c/n1", "Quorate://c/n2")).isEmpty();
        assertThat(named("CN=n1", "quorate://c/no name of a node")).isEmpty();
        assertThat(named("CN=n1", "quorate://c/")).isEmpty();
    }
}
