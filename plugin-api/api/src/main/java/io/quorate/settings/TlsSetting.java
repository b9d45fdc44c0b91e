package io.quorate.settings;

import io.quorate.spi.Tls;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Where the keys of TLS come from: nowhere, the application, or files that properties or the environment name. */
public final class TlsSetting {

    /** No TLS. */
    public static final TlsSetting NONE = new TlsSetting(Optional.empty(), Map.of());

    private static final Set<NamedSetting> PEM =
            Set.of(NamedSetting.TLS_CERTIFICATE, NamedSetting.TLS_KEY, NamedSetting.TLS_TRUST);
    private static final Set<NamedSetting> STORE = Set.of(NamedSetting.TLS_KEY_STORE, NamedSetting.TLS_PASSWORD_FILE);

    private final Optional<Tls> given;
    /** Empty if there are keys of the application: whichever of the two was called last counts. */
    private final Map<NamedSetting, Path> named;

    /**
     * What was found.
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

    private TlsSetting(Optional<Tls> given, Map<NamedSetting, Path> named) {
        this.given = given;
        this.named = named;
    }

    public static TlsSetting of(Tls files) {
        return new TlsSetting(Optional.of(files), Map.of());
    }

    /** With one more file, or another one in its place. */
    public TlsSetting with(NamedSetting setting, Path file) {
        Map<NamedSetting, Path> more = new EnumMap<>(NamedSetting.class);
        more.putAll(named);
        more.put(setting, file);
        return new TlsSetting(Optional.empty(), more);
    }

    /** Reads the files, if there are any. */
    public Found find() {
        if (named.isEmpty()) {
            return given.map(TlsSetting::read)
                    .orElse(new Found(Optional.empty(), Optional.empty(), List.of(), List.of()));
        }
        boolean isStore = named.keySet().stream().anyMatch(STORE::contains);
        boolean isPem = named.keySet().stream().anyMatch(PEM::contains);
        if (isStore && isPem) {
            return faulty("must be PEM files or a key store, not both");
        }
        Set<NamedSetting> missing = new TreeSet<>(isStore ? STORE : PEM);
        missing.removeAll(named.keySet());
        if (!missing.isEmpty()) {
            return faulty("needs " + keys(missing) + " too");
        }
        return read(
                isStore
                        ? Tls.keyStore(file(NamedSetting.TLS_KEY_STORE), file(NamedSetting.TLS_PASSWORD_FILE))
                        : Tls.pem(
                                file(NamedSetting.TLS_CERTIFICATE),
                                file(NamedSetting.TLS_KEY),
                                file(NamedSetting.TLS_TRUST)));
    }

    private Path file(NamedSetting setting) {
        Path file = named.get(setting);
        if (file == null) {
            throw new IllegalStateException(setting.key() + " is missing in " + named);
        }
        return file;
    }

    private Found faulty(String rule) {
        return Found.faulty("tls with " + keys(named.keySet()) + ": " + rule);
    }

    private static String keys(Set<NamedSetting> settings) {
        return settings.stream().map(NamedSetting::key).collect(Collectors.joining(", "));
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
