package io.quorate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.quorate.spi.NodeId;
import io.quorate.spi.Tls;
import io.quorate.spi.Transport;
import io.quorate.testkit.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The keys of TLS as settings: by a method, by properties and by the environment. */
class TlsSettingTest {

    @TempDir
    private static Path directory;

    private static Path certificate;
    private static Path key;
    private static Path trust;
    private static Path store;
    private static Path password;

    @BeforeAll
    static void make() throws IOException, GeneralSecurityException {
        Certificates.Identity authority = Certificates.authority("CN=ca");
        Certificates.Identity own =
                authority.signs("CN=n1").uris("quorate://default/n1").sign();
        certificate = Certificates.certificates(directory.resolve("n1.crt"), own.certificate());
        key = Certificates.key(directory.resolve("n1.key"), own);
        trust = Certificates.certificates(directory.resolve("ca.crt"), authority.certificate());
        store = Certificates.store(directory.resolve("n1.p12"), own, authority.certificate());
        password = Certificates.password(directory.resolve("password"));
        for (Path secret : new Path[] {key, password}) {
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        }
    }

    private static ElectionConfig.Builder node() {
        return ElectionConfig.builder().nodeId("n1").peers("n1=h1:1,n2=h2:1,n3=h3:1");
    }

    private static Map<String, Path> pem() {
        Map<String, Path> files = new LinkedHashMap<>();
        files.put("tls.certificate", certificate);
        files.put("tls.key", key);
        files.put("tls.trust", trust);
        return files;
    }

    private static Map<String, Path> stored() {
        return Map.of("tls.key-store", store, "tls.password-file", password);
    }

    private static ElectionConfig.Builder byKeys(ElectionConfig.Builder builder, Map<String, Path> files) {
        Properties properties = new Properties();
        files.forEach((name, file) -> properties.setProperty("quorate." + name, file.toString()));
        return builder.from(properties);
    }

    private static ElectionConfig.Builder byVariables(ElectionConfig.Builder builder, Map<String, Path> files) {
        Map<String, String> environment = new LinkedHashMap<>();
        files.forEach((name, file) ->
                environment.put("QUORATE_" + name.replaceAll("[.-]", "_").toUpperCase(Locale.ROOT), file.toString()));
        return builder.from(environment);
    }

    @Test
    void eachWayGivesTheSameFiles() {
        assertThat(node().build().tls()).isEmpty();
        for (ElectionConfig.Builder builder : new ElectionConfig.Builder[] {
            node().tls(Tls.pem(certificate, key, trust)), byKeys(node(), pem()), byVariables(node(), pem())
        }) {
            assertThat(builder.build().tls().orElseThrow())
                    .hasToString("[" + certificate + ", " + key + ", " + trust + "]");
        }
        for (ElectionConfig.Builder builder : new ElectionConfig.Builder[] {
            node().tls(Tls.keyStore(store, password)), byKeys(node(), stored()), byVariables(node(), stored())
        }) {
            assertThat(builder.build().tls().orElseThrow()).hasToString("[" + store + ", " + password + "]");
        }
    }

    @Test
    void keysPreventThePlainTextWarning() {
        assertThat(node().build().warnings()).hasSize(1);
        assertThat(node().tls(Tls.pem(certificate, key, trust)).build().warnings())
                .isEmpty();
    }

    // A key of one source goes with those of another; but keys and a call of the method replace each other.
    @Test
    void theLastWins() {
        Map<String, Path> first = pem();
        first.remove("tls.key");
        ElectionConfig.Builder builder = byVariables(byKeys(node(), first), Map.of("tls.key", key));
        assertThat(builder.build().tls()).isPresent();
        assertThat(builder.tls(Tls.keyStore(store, password)).build().tls().orElseThrow())
                .hasToString("[" + store + ", " + password + "]");
        assertThat(byKeys(builder, pem()).build().tls().orElseThrow().toString())
                .contains(key.toString());
    }

    @Test
    void halfAGroupIsAFaultThatNamesTheRest() {
        Map<String, Path> files = pem();
        files.remove("tls.key");
        assertThatIllegalArgumentException()
                .isThrownBy(byKeys(node(), files)::build)
                .withMessage("Bad configuration: tls with quorate.tls.certificate, quorate.tls.trust: needs"
                        + " quorate.tls.key too");
        assertThatIllegalArgumentException()
                .isThrownBy(byKeys(node(), Map.of("tls.key-store", store))::build)
                .withMessage("Bad configuration: tls with quorate.tls.key-store: needs quorate.tls.password-file too");
    }

    @Test
    void filesAndStoreTogetherAreAFault() {
        assertThatIllegalArgumentException()
                .isThrownBy(byVariables(byKeys(node(), pem()), stored())::build)
                .withMessageContaining("quorate.tls.key-store")
                .withMessageContaining("must be PEM files or a key store, not both");
    }

    // With the faults of other settings; each file by its own rule.
    @Test
    void faultsOfKeyFilesAreListed() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no key");
        assertThatIllegalArgumentException()
                .isThrownBy(node().driftPercent(50).tls(Tls.pem(directory.resolve("none"), text, trust))::build)
                .withMessageContaining("driftPercent 50: must be")
                .withMessageContaining("tls certificate '" + directory.resolve("none") + "': cannot be read: ")
                .withMessageContaining("tls key '" + text + "': has no BEGIN PRIVATE KEY");
    }

    // Else no peer would hear this node, and only the peers would know why.
    @Test
    void theCertificateMustNameThisNodeOfThisCluster() throws IOException, GeneralSecurityException {
        Tls tls = Tls.pem(certificate, key, trust);
        assertThatIllegalArgumentException()
                .isThrownBy(node().nodeId("n2").tls(tls)::build)
                .withMessage("Bad configuration: tls [" + certificate + ", " + key + ", " + trust
                        + "]: the certificate of CN=n1 names node n1: must name node n2 of cluster default, by the URI"
                        + " quorate://default/n2 among its alternative names");
        Certificates.Identity authority = Certificates.authority("CN=ca");
        Tls other = new Certificates(directory)
                .pem(authority.signs("CN=n1").uris("quorate://other/n1").sign(), authority.certificate());
        assertThatIllegalArgumentException()
                .isThrownBy(node().tls(other)::build)
                .withMessageContaining("the certificate of CN=n1 names no node of this cluster: must name node n1");
    }

    @Test
    void aTransportOfItsOwnHasItsOwnKeys() {
        Transport own = new Transport() {
            @Override
            public void start(Receiver receiver) {
                // Nothing arrives.
            }

            @Override
            public void send(NodeId to, byte[] frame) {
                // Nothing leaves.
            }

            @Override
            public void close() {
                // Nothing was opened.
            }
        };
        assertThatIllegalArgumentException()
                .isThrownBy(node().transport(own).tls(Tls.pem(certificate, key, trust))::build)
                .withMessageContaining("not with transport(Transport): give the keys to the transport, or name one");
    }

    // Whoever changes what is trusted makes nodes.
    @Test
    void aFileThatEveryUserMayChangeIsWarnedOf() throws IOException {
        for (Path file : new Path[] {key, certificate, trust}) {
            Set<PosixFilePermission> before = Files.getPosixFilePermissions(file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-----w-"));
            assertThat(node().tls(Tls.pem(certificate, key, trust)).build().warnings())
                    .singleElement()
                    .asString()
                    .startsWith("tls file '" + file + "': can be changed by every user");
            Files.setPosixFilePermissions(file, before);
        }
    }

    @Test
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aPipeOrADeviceIsNamedAndNotOpened() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path zero = Path.of("/dev/zero");
        String rule = "': cannot be read: must be a regular file, or a link to one";
        assertThatIllegalArgumentException()
                .isThrownBy(node().tls(Tls.pem(zero, pipe, pipe))::build)
                .withMessage("Bad configuration: tls certificate '" + zero + rule + "; tls trust '" + pipe + rule
                        + "; tls key '" + pipe + rule);
        assertThatIllegalArgumentException()
                .isThrownBy(node().tls(Tls.keyStore(zero, pipe))::build)
                .withMessage("Bad configuration: tls passwordFile '" + pipe + rule + "; tls keyStore '" + zero + rule);
    }

    @Test
    void aByteOrderMarkIsNoPartOfAPassword() throws IOException {
        Path marked = Files.writeString(directory.resolve("marked"), "\uFEFF" + Files.readString(password));
        assertThatIllegalArgumentException()
                .isThrownBy(node().tls(Tls.keyStore(store, marked))::build)
                .withMessage("Bad configuration: tls passwordFile '" + marked
                        + "': begins with a byte order mark, the bytes EF BB BF: must be text without one");
    }

    @Test
    void aKeyThatEveryUserMayReadIsWarnedOf() throws IOException {
        for (Path secret : new Path[] {key, password}) {
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
            Tls tls = secret.equals(key) ? Tls.pem(certificate, key, trust) : Tls.keyStore(store, password);
            assertThat(node().tls(tls).build().warnings())
                    .singleElement()
                    .asString()
                    .startsWith("tls file '" + secret + "': can be read by every user");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void nullIsRefusedAtOnce() {
        assertThatNullPointerException().isThrownBy(() -> node().tls(null)).withMessage("tls");
        assertThatNullPointerException().isThrownBy(() -> node().listen(null)).withMessage("listen");
    }
}
