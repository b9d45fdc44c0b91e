package io.quorate.testkit.picture;

import io.quorate.engine.Fatal;
import io.quorate.testkit.picture.Picture.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

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
     * @param run  gives the recording; if it throws, the sentence says so, and the failure of the test is not hidden
     * @return a sentence for the message of the failure, which names the file, or says why there is none
     */
    public static String write(String name, Supplier<Recording> run) {
        try {
            return "The picture of this run: "
                    + write(directory(), name, run.get()).toAbsolutePath();
            // Justification: machines of somebody else are asked, which may throw anything.
        } catch (Throwable e) {
            Fatal.throwIfFatal(e);
            return "The picture of this run cannot be written: " + e;
        }
    }

    static Path write(Path directory, String name, Recording recording) throws IOException {
        String plain = name.replaceAll("[^A-Za-z0-9.]+", "-").replaceAll("^-|-$", "");
        Path file = directory.resolve((plain.length() <= NAME_MAX ? plain : shortened(plain)) + ".html");
        Files.createDirectories(directory);
        return Files.writeString(
                file,
                Picture.html(
                        recording.title(),
                        recording.story(),
                        List.of(Way.of("run", recording)),
                        Focus.onChanges(List.of(recording))));
    }

    /** Two long names that begin alike stay two. */
    private static String shortened(String name) {
        return name.substring(0, NAME_MAX) + "-" + Integer.toHexString(name.hashCode());
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
