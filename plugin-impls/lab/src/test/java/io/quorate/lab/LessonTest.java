package io.quorate.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/lesson.md: each answer is what its commands print. */
class LessonTest {

    private static final Path LESSON = Path.of("..", "..", "plugin-api", "docs", "lesson.md");

    /** The commands of a task, and the lines of its answer. */
    private static final Pattern TASK = Pattern.compile(
            "(?s)```\n(\\$ quorate lab [^`]*)```\n\n<details><summary>Answer</summary>\n\n```\n([^`]*)```");

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir
    private Path directory;

    private String[] arguments(String command) {
        List<String> words = WORD.matcher(command.replaceFirst("^\\$ quorate lab ", ""))
                .results()
                .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
                .collect(Collectors.toList());
        words.add(command.contains("--curve") ? "--csv" : "--html");
        words.add(directory
                .resolve(command.contains("--curve") ? "x.csv" : "x.html")
                .toString());
        return words.toArray(new String[0]);
    }

    @Test
    void answersAreWhatTheCommandsPrint() throws IOException {
        List<MatchResult> tasks =
                TASK.matcher(Files.readString(LESSON)).results().toList();
        assertThat(tasks).hasSize(3);
        for (MatchResult task : tasks) {
            List<String> printed = task.group(1)
                    .lines()
                    .flatMap(command -> Run.of(arguments(command)).out().lines())
                    .toList();
            assertThat(printed)
                    .as(task.group(1))
                    .containsSubsequence(task.group(2).lines().toList());
        }
    }
}
