package io.quorate.core.path;

import static io.quorate.core.Contexts.N1;
import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.core.Contexts;
import io.quorate.core.directory.VoterListings;
import io.quorate.core.step.StepContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A walk over all paths, some in each step. */
class PathSweepTest {

    private final StepContext context = Contexts.of(N1);
    private final VoterListings.Beginnings beginnings = new VoterListings.Beginnings(context);
    private final List<ContendedPath> paths = new ArrayList<>();
    private final PathSweep walk = new PathSweep(() -> paths);
    private final List<String> seen = new ArrayList<>();

    private void paths(int count) {
        IntStream.range(0, count).forEach(i -> paths.add(new ContendedPath(context, beginnings, "/p" + i)));
    }

    private void begin(String what) {
        walk.begin(what, contended -> seen.add(what + contended.path));
    }

    @Test
    void fewPathsAreLookedAtAtOnce() {
        paths(2);
        begin("a");
        begin("b");
        assertThat(seen).containsExactly("a/p0", "a/p1", "b/p0", "b/p1");
        assertThat(walk.isUnderWay()).isFalse();
        walk.work(9);
        assertThat(seen).hasSize(4);
    }

    @Test
    void withoutPathsThereIsNothingToDo() {
        begin("a");
        assertThat(walk.isUnderWay()).isFalse();
    }

    @Test
    void ofManyPathsSoManyAreLookedAtInAStep() {
        paths(PathSweep.PATHS_AT_ONCE + 10);
        begin("a");
        assertThat(seen).hasSize(PathSweep.PATHS_AT_ONCE);
        walk.work(7);
        assertThat(seen).hasSize(PathSweep.PATHS_AT_ONCE + 7);
        assertThat(walk.isUnderWay()).isTrue();
        walk.work(7);
        assertThat(seen).hasSize(PathSweep.PATHS_AT_ONCE + 10).doesNotHaveDuplicates();
        assertThat(walk.isUnderWay()).isFalse();
    }

    // What has been looked at by then is looked at again, and of one name the last one counts.
    @Test
    void whatIsBegunMeanwhileWaitsForTheNextWalkAndOnlyOnce() {
        paths(PathSweep.PATHS_AT_ONCE + 1);
        begin("a");
        walk.begin("b", contended -> seen.add("former" + contended.path));
        begin("b");
        begin("a");
        assertThat(seen).hasSize(PathSweep.PATHS_AT_ONCE);
        walk.work(1 + PathSweep.PATHS_AT_ONCE + 1);
        assertThat(walk.isUnderWay()).isFalse();
        assertThat(seen).hasSize(3 * (PathSweep.PATHS_AT_ONCE + 1)).noneMatch(each -> each.startsWith("former"));
        assertThat(seen.subList(PathSweep.PATHS_AT_ONCE, PathSweep.PATHS_AT_ONCE + 3))
                .containsExactly("a/p" + PathSweep.PATHS_AT_ONCE, "b/p0", "a/p0");
    }

    // Else a thousand peers that come up in one step would each have a walk of their own begun in it.
    @Test
    void whatIsBegunWhenTheStepHasDoneEnoughWaits() {
        paths(PathSweep.PATHS_AT_ONCE);
        begin("a");
        begin("b");
        assertThat(seen).hasSize(PathSweep.PATHS_AT_ONCE);
        assertThat(walk.isUnderWay()).isTrue();
    }

    @Test
    void aPathThatIsAddedIsForTheNextWalk() {
        paths(PathSweep.PATHS_AT_ONCE + 1);
        begin("a");
        paths.add(new ContendedPath(context, beginnings, "/new"));
        walk.work(9);
        assertThat(seen).doesNotContain("a/new");
        walk.work(9);
        begin("b");
        assertThat(seen).hasSizeGreaterThan(PathSweep.PATHS_AT_ONCE + 1);
    }
}
