package io.quorate.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The paths that something has happened to. */
class AgendaTest {

    private static final int MAX = 100;

    private final Agenda agenda = new Agenda();
    private final List<String> looked = new ArrayList<>();

    private boolean look(String path) {
        looked.add(path);
        return true;
    }

    @Test
    void eachIsLookedAtOnceInTheOrderOfComing() {
        List.of("/b", "/a", "/b", "/c").forEach(agenda::add);
        agenda.work(MAX, this::look);
        assertThat(looked).containsExactly("/b", "/a", "/c");
        assertThat(agenda.isEmpty()).isTrue();
    }

    @Test
    void pathsAddedDuringTheWorkAreHandledToo() {
        agenda.add("/a");
        agenda.work(MAX, path -> {
            if (path.equals("/a")) {
                agenda.add("/b");
            }
            return look(path);
        });
        assertThat(looked).containsExactly("/a", "/b");
    }

    @Test
    void noStepLooksAtMoreThanSoMany() {
        IntStream.range(0, 1_000).forEach(path -> agenda.add("/" + path));
        agenda.work(MAX, this::look);
        assertThat(looked).hasSize(MAX);
        agenda.work(1_000, this::look);
        assertThat(looked).hasSize(1_000).doesNotHaveDuplicates();
    }

    // A voter puts there what is free of a dead node's thousands of paths, and contends on a few of them.
    @Test
    void pathsOfOthersHoldUpNoneOfItsOwn() {
        IntStream.range(0, 7 * MAX).forEach(path -> agenda.add("/" + path));
        agenda.add("/own");
        IntStream.range(7 * MAX, 10 * MAX).forEach(path -> agenda.add("/" + path));
        agenda.work(MAX, path -> look(path) && path.equals("/own"));
        assertThat(looked).contains("/own").as("one that counts for eight").hasSize(8 * MAX - 7);
    }
}
