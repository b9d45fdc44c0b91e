package io.quorate.settings;

import io.quorate.spi.Tls;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where the keys of TLS come from: nowhere, the application, or files that properties or the environment name. */
public final class TlsSetting {

    public static final Setting<Tls> FILES = Setting.<Tls>ofMethod("tls", Tls.class)
            .says("`Tls.pem` or `Tls.keyStore` | the authorities | encrypts each connection; both sides"
                    + " [show a certificate](security.md#tls)");

    private static final Setting<Path> CERTIFICATE = file("certificate", "no | the PEM file of the certificate");
    private static final Setting<Path> KEY = file("key", "no | the PEM file of its key");
    private static final Setting<Path> TRUST = file("trust", "the authorities | the PEM file of trusted authorities");
    private static final Setting<Path> KEY_STORE = file("key-store", "the authorities | a PKCS #12 store of them all");
    private static final Setting<Path> PASSWORD_FILE = file("password-file", "no | the file with its password");

    private static final List<Setting<Path>> PEM = List.of(CERTIFICATE, KEY, TRUST);
    private static final List<Setting<Path>> STORE = List.of(KEY_STORE, PASSWORD_FILE);

    /** The settings that have keys. They exclude {@link #FILES}, so that the last call counts. */
    public static final List<Setting<Path>> NAMED =
            Stream.of(PEM, STORE).flatMap(List::stream).toList();

    private TlsSetting() {}

    private static Setting<Path> file(String key, String equalAndMeaning) {
        return Setting.of("tls", "tls." + key, Path.class, SettingText::path)
                .insteadOf(FILES)
                .says("a file | " + equalAndMeaning);
    }

    /**
     * The result of reading the settings.
     *
     * @param tls      empty if there is none, or if there are faults
     * @param own      the certificate of this node; empty if there is no TLS
     * @param faults   what is wrong, each with its file and its rule
     * @param warnings what is legal and dangerous
     */
    public record Found(Optional<Tls> tls, Optional<X509Certificate> own, List<String> faults, List<String> warnings) {

        static Found faulty(String fault) {
            return new Found(Optional.empty(), Optional.empty(), List.of(fault), List.of());
        }
    }

    /** Reads the files, if there are any. */
    public static Found find(Setting.Values values) {
        List<Setting<Path>> named = NAMED.stream().filter(values::has).toList();
        if (named.isEmpty()) {
            return values.find(FILES)
                    .map(TlsSetting::read)
                    .orElse(new Found(Optional.empty(), Optional.empty(), List.of(), List.of()));
        }
        boolean isStore = STORE.stream().anyMatch(named::contains);
        if (isStore && PEM.stream().anyMatch(named::contains)) {
            return faulty(named, "must be PEM files or a key store, not both");
        }
        List<Setting<Path>> missing = new ArrayList<>(isStore ? STORE : PEM);
        missing.removeAll(named);
        if (!missing.isEmpty()) {
            return faulty(named, "needs " + keys(missing) + " too");
        }
        return read(
                isStore
                        ? Tls.keyStore(values.get(KEY_STORE), values.get(PASSWORD_FILE))
                        : Tls.pem(values.get(CERTIFICATE), values.get(KEY), values.get(TRUST)));
    }

    private static Found faulty(List<Setting<Path>> named, String rule) {
        return Found.faulty("tls with " + keys(named) + ": " + rule);
    }

    private static String keys(List<Setting<Path>> settings) {
        return settings.stream().map(each -> Setting.PREFIX + each.key()).collect(Collectors.joining(", "));
    }

    private static Found read(Tls tls) {
        X509Certificate own;
        try {
            own = tls.read().certificate();
        } catch (IllegalArgumentException e) {
            return Found.faulty(String.valueOf(e.getMessage()));
        }
        return new Found(Optional.of(tls), Optional.of(own), List.of(), tls.warnings());
    }
}
