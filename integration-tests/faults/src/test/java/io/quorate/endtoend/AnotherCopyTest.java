package io.quorate.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import io.quorate.testkit.CapturedLog;
import io.quorate.testkit.FreePorts;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server has a copy of the library, and so has the application whose class loader a thread happens to carry. */
class AnotherCopyTest {

    @Test
    void aClientFindsItsOwnProvidersBesideThoseOfAnotherCopy() throws Exception {
        List<URL> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            classPath.add(Path.of(entry).toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        try (URLClassLoader another =
                        new URLClassLoader(classPath.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
                CapturedLog log = new CapturedLog()) {
            thread.setContextClassLoader(another);
            try (ElectionClient client = ElectionClient.builder()
                    .nodeId("n1")
                    .peers("n1=127.0.0.1:" + FreePorts.take())
                    .transport("tcp")
                    .build()) {
                client.start();
                client.blockUntilConnected();
            }
            // One line for the algorithms, one for the engine, one for the transports.
            assertThat(log.text().lines().filter(line -> line.contains("are passed over")))
                    .hasSize(3)
                    .allMatch(line -> line.contains("not a subtype"));
        } finally {
            thread.setContextClassLoader(own);
        }
    }
}
