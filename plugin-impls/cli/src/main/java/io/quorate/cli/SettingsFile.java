package io.quorate.cli;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/** Reads settings of the library, as {@code quorate.node-id=n1}, from a file of properties in UTF-8. */
final class SettingsFile {

    private SettingsFile() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it cannot be read, or is no file of properties; names the rule, and not the
     *                                  file
     */
    static Properties read(Path file) {
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(in);
        } catch (MalformedInputException e) {
            throw new IllegalArgumentException("must be a file of properties in UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be read: " + e, e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("must be a file of properties: " + e.getMessage(), e);
        }
        return properties;
    }
}
