package io.quorate.cli;

import io.quorate.jvm.SettingFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Properties;

/** Reads settings of the library, as {@code quorate.node-id=n1}, from a file of properties in UTF-8. */
final class SettingsFile {

    /** In bytes. Far more than all settings with their comments. */
    private static final int LENGTH_MAX = 1024 * 1024;

    private SettingsFile() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read, or is no file of properties; names the rule, and not the
     *                                  file
     */
    static Properties read(Path file) {
        Properties properties = new Properties();
        try {
            byte[] bytes = SettingFile.text(file, LENGTH_MAX);
            properties.load(new StringReader(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString()));
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("must be a file of properties in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be a file of properties: " + e.getMessage(), e);
        }
        return properties;
    }
}
