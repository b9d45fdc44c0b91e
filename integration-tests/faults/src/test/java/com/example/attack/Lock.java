package com.example.attack;

import io.quorate.testkit.Certificates;
import io.quorate.testkit.Certificates.Identity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.Properties;
import java.util.Random;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** What keeps strangers out of a cluster. */
enum Lock {
    NOTHING(false, false),
    SECRET(true, false),
    TLS(false, true),
    BOTH(true, true);

    private final boolean hasSecret;
    private final boolean hasTls;

    Lock(boolean hasSecret, boolean hasTls) {
        this.hasSecret = hasSecret;
        this.hasTls = hasTls;
    }

    boolean hasSecret() {
        return hasSecret;
    }

    boolean hasTls() {
        return hasTls;
    }

    private static final char[] PASSWORD = "unused".toCharArray();

    /** The lock of one cluster, and the key of a member that does what it should not. */
    static final class Keys {
        private final Lock lock;
        private final Path directory;
        private final Identity authority;
        private final String text = "s".repeat(20) + new Random(7).nextLong();
        private final Path secret;

        Keys(Lock lock, Path directory) throws Exception {
            this.lock = lock;
            this.directory = directory;
            authority = Certificates.authority("CN=authority");
            secret = Files.writeString(directory.resolve("secret"), text + "\n");
            secret.toFile().setReadable(false, false);
            secret.toFile().setReadable(true, true);
        }

        /** What is in the file, if the lock has a secret. */
        String secret() {
            return text;
        }

        private Identity of(String node) throws Exception {
            return authority
                    .signs("CN=" + node)
                    .uris("quorate://" + AttackedCluster.CLUSTER + "/" + node)
                    .sign();
        }

        /** Locks a node. */
        void put(String node, Properties into) throws Exception {
            if (lock.hasSecret) {
                into.setProperty("quorate.secret-file", secret.toString());
            }
            if (lock.hasTls) {
                Identity own = of(node);
                into.setProperty("quorate.tls.certificate", file(node + ".crt", own.certificate()));
                into.setProperty(
                        "quorate.tls.key",
                        Certificates.key(directory.resolve(node + ".key"), own).toString());
                into.setProperty("quorate.tls.trust", file("trust.crt", authority.certificate()));
            }
        }

        private String file(String name, X509Certificate certificate) throws Exception {
            return Certificates.certificates(directory.resolve(name), certificate)
                    .toString();
        }

        /** What connections of a member with this name are made by; empty for plain bytes. */
        Optional<SSLSocketFactory> member(String name) throws Exception {
            if (!lock.hasTls) {
                return Optional.empty();
            }
            Identity own = of(name);
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry("own", own.key(), PASSWORD, new Certificate[] {own.certificate()});
            store.setCertificateEntry("authority", authority.certificate());
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, PASSWORD);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
            return Optional.of(context.getSocketFactory());
        }
    }
}
