package io.quorate.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the files of another commit come into a directory. The results are inside the repository, as in a run. */
class OtherCodeTest {

    @TempDir
    private Path directory;

    private Path repository;
    private Path out;
    private String first;

    @BeforeEach
    void make() throws IOException, InterruptedException {
        repository = Files.createDirectory(directory.resolve("with a blank"));
        git(repository, "init", "--quiet", "-b", "main");
        first = committed("first");
        committed("second");
        committed("third");
        out = Files.createDirectories(repository.resolve("target/compare"));
    }

    private static String git(Path in, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("git", "-c", "user.name=n", "-c", "user.email=n@example.org"));
        words.addAll(List.of("-c", "commit.gpgsign=false"));
        words.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(words).directory(in.toFile()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("GIT_"));
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return abort("no git here: " + e);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said.strip();
    }

    private String committed(String content) throws IOException, InterruptedException {
        Files.writeString(repository.resolve("file"), content);
        Files.writeString(repository.resolve(".gitignore"), "target/");
        git(repository, "add", ".");
        git(repository, "commit", "--quiet", "-m", content);
        return git(repository, "rev-parse", "HEAD");
    }

    private Path fetched(String commit) throws IOException, InterruptedException {
        Path files = OtherCode.fetched(repository, commit, out);
        assertThat(git(repository, "status", "--branch", "--porcelain"))
                .as("the user's own files and branch")
                .matches("## main(\\.\\.\\.origin/main)?");
        return files;
    }

    @Test
    void theFilesOfTheCommitAreThere() throws IOException, InterruptedException {
        assertThat(fetched("HEAD~2").resolve("file")).hasContent("first");
        assertThat(fetched("HEAD~2")).isEqualTo(out.resolve(first.substring(0, 8)));
        assertThat(fetched("main~1").resolve("file")).hasContent("second");
    }

    // Where git finds no repository it takes the one around, which is the user's own.
    @Test
    void leftoversOfAnEarlierRunAreRepaired() throws IOException, InterruptedException {
        Path files = Files.createDirectory(out.resolve(first.substring(0, 8)));
        fetched(first);
        assertThat(files.resolve("file")).hasContent("first");
        Files.writeString(files.resolve("file"), "changed");
        Path more = Files.writeString(files.resolve("more"), "left");
        Path built =
                Files.createFile(Files.createDirectory(files.resolve("target")).resolve("built"));
        fetched(first);
        assertThat(files.resolve("file")).hasContent("first");
        assertThat(more).doesNotExist();
        assertThat(built).as("is not built twice").exists();
    }

    @Test
    void aCommitOnNoBranchAndAShallowRepositoryWillDo() throws IOException, InterruptedException {
        git(repository, "checkout", "--quiet", "--detach");
        String alone = committed("alone");
        git(repository, "checkout", "--quiet", "main");
        assertThat(fetched(alone).resolve("file")).hasContent("alone");
        git(directory, "clone", "--quiet", "--depth=1", repository.toUri().toString(), "shallow");
        repository = directory.resolve("shallow");
        out = Files.createDirectories(repository.resolve("target/compare"));
        assertThat(fetched("HEAD").resolve("file")).hasContent("third");
        Path tree = directory.resolve("tree");
        git(repository, "worktree", "add", "--quiet", "-b", "main2", tree.toString());
        assertThat(OtherCode.fetched(tree, "main2", out).resolve("file")).hasContent("third");
    }

    @Test
    void unknownCommitsAreRejected() {
        for (String word :
                List.of("", "nothing", "--help", "HEAD:file", "HEAD~3", "^HEAD", "main..HEAD", "main HEAD")) {
            assertThatIllegalArgumentException()
                    .as(word)
                    .isThrownBy(() -> OtherCode.fetched(repository, word, out))
                    .withMessageContaining("git");
        }
        assertThat(out).isEmptyDirectory();
    }
}
