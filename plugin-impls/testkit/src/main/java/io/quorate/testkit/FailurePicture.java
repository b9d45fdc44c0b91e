package io.quorate.testkit;

import io.quorate.testkit.picture.PictureFile;
import io.quorate.testkit.picture.Recording;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/** The picture of a test that has failed. */
final class FailurePicture {

    private FailurePicture() {}

    /** A test whose assumption does not hold is skipped, which is no failure. */
    static boolean isWanted(Throwable failure) {
        return !(failure instanceof TestAbortedException);
    }

    /**
     * Writes it.
     *
     * @param recording of the run, under this title
     * @return a sentence that names the file, or says why there is none
     */
    static String write(ExtensionContext context, Function<String, Recording> recording) {
        String name = name(context);
        return PictureFile.write(name, () -> recording.apply(name));
    }

    /** The name that a report shows is "[1] ..." for the first parameter of any test, and so names no test by itself. */
    private static String name(ExtensionContext context) {
        String method = context.getRequiredTestMethod().getName();
        String shown = context.getDisplayName();
        return context.getRequiredTestClass().getName() + " "
                + (shown.startsWith(method) ? shown : method + " " + shown);
    }
}
