package io.quorate.fencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quorate.testkit.WaitingCall;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard of a file. */
class FencedFileTest {

    private static final String PATH = "/app/my leader";
    /** The steps of a replacement with a higher token: three for the token, three for the content. */
    private static final int STEPS = 6;

    @TempDir
    Path directory;

    private Path file;
    private FencedFile fenced;

    @BeforeEach
    void name() {
        file = directory.resolve("report.json");
        fenced = new FencedFile(file);
    }

    private static byte[] bytes(String content) {
        return content.getBytes(StandardCharsets.UTF_8);
    }

    private void assertRefused(long token, long highest) {
        assertThatThrownBy(() -> new FencedFile(file).replace(PATH, token, bytes("late")))
                .isInstanceOfSatisfying(StaleTokenException.class, e -> {
                    assertThat(e.path()).isEqualTo(PATH);
                    assertThat(e.token()).isEqualTo(token);
                    assertThat(e.highest()).isEqualTo(highest);
                });
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aLowerTokenIsRefused() throws IOException {
        fenced.replace(PATH, 65_538, bytes("first"));
        assertRefused(65_537, 65_538);
        assertThat(file).hasContent("first");
    }

    // Each guard here is a new one, as after a restart.
    @Test
    void theSameAndAHigherTokenPass() throws IOException {
        fenced.replace(PATH, 7, bytes("a long first text"));
        new FencedFile(file).replace(PATH, 7, bytes("second"));
        assertThat(file).hasContent("second");
        new FencedFile(file).replace(PATH, 8, bytes(""));
        assertThat(file).isEmptyFile();
        assertRefused(7, 8);
        assertThat(names()).containsExactly("report.json", "report.json.fence", "report.json.fence.lock");
        assertThat(directory.resolve("report.json.fence")).hasContent("/app/my%20leader 8\n");
    }

    @Test
    void aFileThatIsThereIsGuardedFromTheFirstWriteOn() throws IOException {
        Files.writeString(file, "by hand");
        fenced.replace(PATH, 7, bytes("new"));
        assertRefused(6, 7);
        assertThat(file).hasContent("new");
    }

    @Test
    void theLongestPathAndTokenAreReadAgain() throws IOException {
        String longest = "/" + "ä".repeat(1023) + "a";
        fenced.replace(longest, Long.MAX_VALUE, bytes("first"));
        assertThatThrownBy(() -> fenced.replace(longest, Long.MAX_VALUE - 1, bytes("late")))
                .isInstanceOf(StaleTokenException.class);
    }

    // Tokens of two elections cannot be compared.
    @Test
    void aFileBelongsToOnePath() throws IOException {
        fenced.replace(PATH, 7, bytes("first"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fenced.replace("/other", 8, bytes("second")))
                .withMessageContaining("path /other: must be /app/my leader");
        assertThat(file).hasContent("first");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/app/my%20leader", "/app/my%20leader 7 7", "7"})
    void aDamagedFenceLetsNobodyPass(String content) throws IOException {
        fenced.replace(PATH, 7, bytes("first"));
        Files.writeString(directory.resolve("report.json.fence"), content);
        assertThatThrownBy(() -> fenced.replace(PATH, 8, bytes("second")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("report.json.fence: is no fence: '" + content + "'");
        assertThat(file).hasContent("first");
    }

    // The rename would replace the link, and whoever reads the file behind it would see the old content for ever.
    @Test
    void aSymbolicLinkIsRefused() throws IOException {
        Path target = Files.writeString(directory.resolve("target"), "old");
        Files.createSymbolicLink(file, target);
        assertThatThrownBy(() -> fenced.replace(PATH, 7, bytes("new")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file + ": must be the file itself, not a symbolic link");
        assertThat(names()).containsExactly("report.json", "target");
        assertThat(file).isSymbolicLink().hasContent("old");
    }

    // Another user of the directory wants this process to write where that user may not.
    @Test
    void aLinkInPlaceOfTheTemporaryFileIsReplaced() throws IOException {
        Path victim = Files.writeString(directory.resolve("victim"), "mine");
        Files.createSymbolicLink(directory.resolve("report.json.fence.tmp"), victim);
        fenced.replace(PATH, 7, bytes("new"));
        assertThat(file).hasContent("new").isRegularFile();
        assertThat(victim).hasContent("mine");
        assertThat(names()).containsExactly("report.json", "report.json.fence", "report.json.fence.lock", "victim");
    }

    @ParameterizedTest
    @ValueSource(strings = {"report.json.fence", "report.json.fence.lock"})
    void aLinkInPlaceOfAnAuxiliaryFileIsRefused(String name) throws IOException {
        Path victim = directory.resolve("victim");
        Path link = Files.createSymbolicLink(directory.resolve(name), victim);
        assertThatThrownBy(() -> fenced.replace(PATH, 7, bytes("new")))
                .isInstanceOf(IOException.class)
                .hasMessage(link + ": must be the file itself, not a symbolic link");
        assertThat(names()).containsExactly(name);
    }

    @Test
    void badArgumentsAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fenced.replace("app", 1, bytes("")))
                .withMessageContaining("'app'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fenced.replace(PATH, 0, bytes("")))
                .withMessageContaining("must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FencedFile(directory.getRoot()))
                .withMessageContaining("must be a file in a directory");
        assertThatThrownBy(() -> new FencedFile(directory.resolve("none").resolve("file")).replace(PATH, 1, bytes("")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("none");
    }

    // ---------------------------------------------------------------- crashes

    /** Dies before a step, or in the middle of it. */
    private static final class Crashing extends Disk {

        private static final class Crash extends IOException {
            private static final long serialVersionUID = 1L;
        }

        private final boolean isInTheMiddle;
        private int left;
        private int steps;

        private Crashing(int left, boolean isInTheMiddle) {
            this.left = left;
            this.isInTheMiddle = isInTheMiddle;
        }

        private boolean dies() {
            steps++;
            return left-- == 0;
        }

        @Override
        void write(Path target, byte[] content) throws IOException {
            if (dies()) {
                if (isInTheMiddle) {
                    Files.write(target, java.util.Arrays.copyOf(content, content.length / 2));
                }
                throw new Crash();
            }
            super.write(target, content);
        }

        @Override
        void rename(Path from, Path to) throws IOException {
            if (dies()) {
                throw new Crash();
            }
            super.rename(from, to);
        }

        @Override
        void forceDirectory(Path target) throws IOException {
            if (dies()) {
                throw new Crash();
            }
            super.forceDirectory(target);
        }
    }

    private void crash(int step, boolean isInTheMiddle, long token, String content) {
        assertThatThrownBy(() ->
                        new FencedFile(file, new Crashing(step, isInTheMiddle)).replace(PATH, token, bytes(content)))
                .isInstanceOf(Crashing.Crash.class);
    }

    @Test
    void aReplacementHasSixSteps() throws IOException {
        Crashing all = new Crashing(Integer.MAX_VALUE, false);
        FencedFile counted = new FencedFile(file, all);
        counted.replace(PATH, 7, bytes("first"));
        assertThat(all.steps).isEqualTo(STEPS);
        // The same leader writes the content alone.
        counted.replace(PATH, 7, bytes("second"));
        assertThat(all.steps).isEqualTo(STEPS + STEPS / 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCrashLeavesTheOldOrTheNewContentAndNoLowerTokenPasses(boolean isInTheMiddle) throws IOException {
        for (int step = 0; step < STEPS; step++) {
            file = directory.resolve("report" + step);
            new FencedFile(file).replace(PATH, 7, bytes("the old content"));
            crash(step, isInTheMiddle, 9, "the new content");
            String left = Files.readString(file);
            assertThat(left).as("step " + step).isEqualTo(step < 5 ? "the old content" : "the new content");
            // The fence is renamed in step 1.
            assertRefused(step < 2 ? 6 : 8, step < 2 ? 7 : 9);
            assertThat(file).as("step " + step).hasContent(left);
            new FencedFile(file).replace(PATH, 9, bytes("again"));
            assertThat(file).hasContent("again");
            assertRefused(8, 9);
        }
    }

    // It does not matter who has written last, but who has written with which token.
    @Test
    void afterACrashOfTheFirstWriteNothingIsBelievedThatWasNotStored() throws IOException {
        for (int step = 0; step < STEPS; step++) {
            file = directory.resolve("first" + step);
            crash(step, true, 9, "new");
            assertThat(Files.exists(file)).as("step " + step).isEqualTo(step == 5);
            if (step >= 2) {
                assertRefused(8, 9);
            } else {
                new FencedFile(file).replace(PATH, 8, bytes("other"));
                assertThat(file).hasContent("other");
            }
        }
    }

    // ---------------------------------------------------------------- many at once

    // The JDK refuses a lock that this process has already, and waits for one of another process.
    @Test
    void theLockOfTheFileIsTaken() throws IOException {
        fenced.replace(PATH, 7, bytes("first"));
        Path lock = directory.resolve("report.json.fence.lock");
        try (FileChannel other = FileChannel.open(lock, StandardOpenOption.WRITE)) {
            other.lock();
            assertThatThrownBy(() -> fenced.replace(PATH, 8, bytes("second")))
                    .isInstanceOf(OverlappingFileLockException.class);
        }
        assertThat(file).hasContent("first");
        fenced.replace(PATH, 7, bytes("second"));
        assertThat(file).hasContent("second");
    }

    @Test
    void ofManyThreadsNoLowerTokenWritesAfterAHigherOne() throws Exception {
        int threads = 8;
        CyclicBarrier start = new CyclicBarrier(threads);
        List<Long> written = new ArrayList<>();
        // Told by the disk, while the lock is held.
        Disk noting = new Disk() {
            @Override
            void rename(Path from, Path to) throws IOException {
                super.rename(from, to);
                if (to.equals(file)) {
                    written.add(Long.parseLong(Files.readString(file)));
                }
            }

            @Override
            void forceDirectory(Path target) {
                // Nobody pulls the plug.
            }
        };
        List<WaitingCall<Void>> calls = new ArrayList<>();
        for (int i = 1; i <= threads; i++) {
            long token = i;
            // A guard for each, as if each were an application of its own.
            FencedFile own = new FencedFile(file, noting);
            calls.add(new WaitingCall<>(() -> {
                start.await(600, TimeUnit.SECONDS);
                for (int round = 0; round < 20; round++) {
                    try {
                        own.replace(PATH, token, bytes(Long.toString(token)));
                    } catch (StaleTokenException e) {
                        return null;
                    }
                }
                return null;
            }));
        }
        for (WaitingCall<Void> call : calls) {
            call.awaitAnswer();
        }
        assertThat(written).isSorted().filteredOn(token -> token == threads).hasSize(20);
        assertRefused(threads - 1, threads);
    }
}
