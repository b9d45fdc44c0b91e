package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.step.StepContext;
import io.quorate.core.support.SupportHeld;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A walk over all paths, some in each step. */
class PathTableWalkTest {

    private final StepContext context = Contexts.of(N1);
    private final PathTable table = new PathTable(context, new SupportHeld(context));
    private final List<String> seen = new ArrayList<>();

    private void add(String path) {
        table.findOrAdd(path, p -> new ContendedPath(context, table.beginnings(), p));
    }

    private void paths(int count) {
        IntStream.range(0, count).forEach(i -> add("/p" + i));
    }

    private void begin(String what) {
        table.begin(what, contended -> seen.add(what + contended.path));
    }

    @Test
    void fewPathsAreLookedAtAtOnce() {
        paths(2);
        begin("a");
        begin("b");
        assertThat(seen).containsExactly("a/p0", "a/p1", "b/p0", "b/p1");
        assertThat(table.isUnderWay()).isFalse();
        table.work(9);
        assertThat(seen).hasSize(4);
    }

    @Test
    void withoutPathsThereIsNothingToDo() {
        begin("a");
        assertThat(table.isUnderWay()).isFalse();
    }

    @Test
    void ofManyPathsSoManyAreLookedAtInAStep() {
        paths(PathTable.PATHS_AT_ONCE + 10);
        begin("a");
        assertThat(seen).hasSize(PathTable.PATHS_AT_ONCE);
        table.work(7);
        assertThat(seen).hasSize(PathTable.PATHS_AT_ONCE + 7);
        assertThat(table.isUnderWay()).isTrue();
        table.work(7);
        assertThat(seen).hasSize(PathTable.PATHS_AT_ONCE + 10).doesNotHaveDuplicates();
        assertThat(table.isUnderWay()).isFalse();
    }

    // What has been looked at by then is looked at again, and of one name the last one counts.
    @Test
    void walkBegunMeanwhileWaitsForTheNextOneOnlyOnce() {
        paths(PathTable.PATHS_AT_ONCE + 1);
        begin("a");
        table.begin("b", contended -> seen.add("former" + contended.path));
        begin("b");
        begin("a");
        assertThat(seen).hasSize(PathTable.PATHS_AT_ONCE);
        table.work(1 + PathTable.PATHS_AT_ONCE + 1);
        assertThat(table.isUnderWay()).isFalse();
        assertThat(seen).hasSize(3 * (PathTable.PATHS_AT_ONCE + 1)).noneMatch(each -> each.startsWith("former"));
        assertThat(seen.subList(PathTable.PATHS_AT_ONCE, PathTable.PATHS_AT_ONCE + 3))
                .containsExactly("a/p" + PathTable.PATHS_AT_ONCE, "b/p0", "a/p0");
    }

    // Else a thousand peers that come up in one step would each have a walk of their own begun in it.
    @Test
    void walkBegunAfterAFullStepWaits() {
        paths(PathTable.PATHS_AT_ONCE);
        begin("a");
        begin("b");
        assertThat(seen).hasSize(PathTable.PATHS_AT_ONCE);
        assertThat(table.isUnderWay()).isTrue();
    }

    @Test
    void aPathThatIsAddedIsForTheNextWalk() {
        paths(PathTable.PATHS_AT_ONCE + 1);
        begin("a");
        add("/new");
        table.work(9);
        assertThat(seen).doesNotContain("a/new");
        table.work(9);
        begin("b");
        assertThat(seen).hasSizeGreaterThan(PathTable.PATHS_AT_ONCE + 1);
    }
}
