package io.quorate.testkit.picture;

import io.quorate.testkit.picture.Picture.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the picture of a failed run goes: beside the reports of the build tool. */
public final class PictureFile {

    /** A directory that is to be taken instead. */
    static final String PROPERTY = "quorate.pictures";

    private static final int NAME_MAX = 120;

    private PictureFile() {}

    /**
     * Writes the picture of a run that has failed, in place of an earlier one of that name.
     *
     * @param name of the test; what no file name should have is left out
     * @return a sentence for the message of the failure, which names the file, or says why there is none
     */
    public static String write(String name, Recording recording) {
        return write(directory(), name, recording);
    }

    static String write(Path directory, String name, Recording recording) {
        String plain = name.replaceAll("[^A-Za-z0-9.]+", "-").replaceAll("^-|-$", "");
        Path file = directory.resolve(plain.substring(0, Math.min(NAME_MAX, plain.length())) + ".html");
        try {
            Files.createDirectories(directory);
            Files.writeString(
                    file,
                    Picture.html(
                            recording.title(),
                            recording.story(),
                            List.of(Way.of("run", recording)),
                            Focus.onChanges(List.of(recording))));
            return "The picture of this run: " + file.toAbsolutePath();
        } catch (IOException e) {
            return "The picture of this run cannot be written: " + e;
        }
    }

    private static Path directory() {
        String chosen = System.getProperty(PROPERTY);
        if (chosen != null) {
            return Path.of(chosen);
        }
        if (Files.isDirectory(Path.of("target"))) {
            return Path.of("target", "surefire-reports");
        }
        return Files.isDirectory(Path.of("build"))
                ? Path.of("build", "reports", "tests")
                : Path.of(System.getProperty("java.io.tmpdir"));
    }
}
