package io.quorate.settings;

import io.quorate.jvm.SettingFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Where the cluster's secret comes from: nowhere, the application, or a file. Its errors never show a secret. */
public final class SecretSetting {

    /** One secret or two, which the application gave. */
    public static final Setting<List<byte[]>> GIVEN = Setting.<List<byte[]>>ofMethod("secret", List.class)
            .says(ClusterSecret.LENGTH_MIN + " bytes or more; one, or two during a change | yes"
                    + " | nodes without it are [not heard](security.md)");

    public static final Setting<Path> FILE = Setting.of("secretFile", "secret-file", Path.class, SettingText::path)
            .insteadOf(GIVEN)
            .says("a file of one or two lines, each of " + ClusterSecret.LENGTH_MIN + " bytes or more | its content"
                    + " | the cluster's secret, from a file");

    /** Far more than two secrets need: a longer file is another file. */
    private static final int FILE_LENGTH_MAX = 4096;

    /** The one that sends, and the other one that is accepted. */
    private static final int COUNT_MAX = 2;

    /**
     * The result of reading the setting.
     *
     * @param secret   empty if there is none, or if there are faults
     * @param faults   what is wrong, each with its value, which is never the secret, and its rule
     * @param warnings what is legal and dangerous
     */
    public record Found(Optional<ClusterSecret> secret, List<String> faults, List<String> warnings) {}

    private SecretSetting() {}

    /** Reads the file, if there is one, and checks the secrets. */
    public static Found find(Setting.Values values) {
        return values.find(FILE).map(SecretSetting::read).orElseGet(() -> {
            List<byte[]> given = values.find(GIVEN).orElse(List.of());
            List<String> faults = given.stream()
                    .filter(secret -> !ClusterSecret.isLongEnough(secret))
                    .map(ClusterSecret::fault)
                    .toList();
            return found(given, faults, List.of());
        });
    }

    private static Found found(List<byte[]> secrets, List<String> faults, List<String> warnings) {
        if (secrets.isEmpty() || !faults.isEmpty()) {
            return new Found(Optional.empty(), faults, warnings);
        }
        List<String> all = new ArrayList<>(warnings);
        if (!secrets.stream().allMatch(ClusterSecret::isVaried)) {
            all.add("secret of a few different bytes: can be guessed. Take a random one (openssl rand -base64 32)");
        }
        Optional<byte[]> former = secrets.size() > 1 ? Optional.of(secrets.get(1)) : Optional.empty();
        return new Found(Optional.of(ClusterSecret.of(secrets.get(0), former)), faults, all);
    }

    private static Found read(Path file) {
        List<String> faults = new ArrayList<>();
        List<byte[]> secrets = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        try {
            byte[] bytes = SettingFile.text(file, FILE_LENGTH_MAX);
            secrets.addAll(lines(bytes));
            faults.addAll(faults(file, secrets));
            Arrays.fill(bytes, (byte) 0);
            SettingFile.exposure(file, true).map(name(file)::concat).ifPresent(warnings::add);
        } catch (IOException e) {
            faults.add(name(file) + e.getMessage());
        }
        return found(secrets, faults, warnings);
    }

    private static List<String> faults(Path file, List<byte[]> secrets) {
        List<String> faults = new ArrayList<>();
        if (secrets.isEmpty() || secrets.size() > COUNT_MAX) {
            faults.add(name(file) + "has " + secrets.size() + " lines: must have one, or two during a change");
        }
        for (byte[] secret : secrets) {
            if (hasControls(secret)) {
                faults.add(name(file) + "holds bytes that are no text: must be lines of text, such as Base64");
            } else if (!ClusterSecret.isLongEnough(secret)) {
                faults.add(name(file) + ClusterSecret.fault(secret));
            }
        }
        return faults;
    }

    /** The lines that are not empty, in any encoding; a carriage return belongs to the end of a line. */
    private static List<byte[]> lines(byte[] bytes) {
        List<byte[]> lines = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i <= bytes.length; i++) {
            if (i == bytes.length || bytes[i] == '\n') {
                int end = i > begin && bytes[i - 1] == '\r' ? i - 1 : i;
                if (end > begin) {
                    lines.add(Arrays.copyOfRange(bytes, begin, end));
                }
                begin = i + 1;
            }
        }
        return lines;
    }

    private static boolean hasControls(byte[] line) {
        for (byte each : line) {
            if (each >= 0 && each < ' ' && each != '\t') {
                return true;
            }
        }
        return false;
    }

    private static String name(Path file) {
        return "secretFile '" + file + "': ";
    }
}
