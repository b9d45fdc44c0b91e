package io.quorate.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.testkit.simulation.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PathUsersTest {

    private static final int SEEDS = 50;
    private static final int STEPS = 500;

    private static PathUser user(int path) {
        return new LatchContender("/p" + path, "", false, new LatchCallbacks(Runnable::run, LatchCallbacks.LIMIT));
    }

    @Test
    void behaveAsASet() {
        Seeds.each(SEEDS, 1, seed -> {
            Random random = new Random(seed);
            List<PathUser> all = new ArrayList<>();
            for (int path = 0; path < 20; path++) {
                for (int user = 0; user < 1 + path % 3; user++) {
                    all.add(user(path));
                }
            }
            Set<PathUser> expected = new LinkedHashSet<>();
            PathUsers actual = new PathUsers();
            for (int step = 0; step < STEPS; step++) {
                PathUser user = all.get(random.nextInt(all.size()));
                if (random.nextBoolean()) {
                    actual.add(user);
                    expected.add(user);
                } else {
                    assertThat(actual.drop(user)).isEqualTo(expected.remove(user));
                }
                assertThat(actual.all()).containsExactlyInAnyOrderElementsOf(expected);
                assertThat(actual.of(user.path()))
                        .containsExactlyInAnyOrderElementsOf(expected.stream()
                                .filter(other -> other.path().equals(user.path()))
                                .toList());
                assertThat(actual.isUsed(user.path()))
                        .isEqualTo(
                                expected.stream().anyMatch(other -> other.path().equals(user.path())));
            }
            expected.forEach(actual::drop);
            assertThat(actual.all()).isEmpty();
        });
    }

    @Test
    void usersOfOnePathKeepTheirOrder() {
        PathUsers users = new PathUsers();
        List<PathUser> three = List.of(user(1), user(1), user(1));
        three.forEach(users::add);
        users.add(user(2));
        assertThat(users.of("/p1")).containsExactlyElementsOf(three);
        users.drop(users.of("/p2").get(0));
        assertThat(users.of("/p2")).isEmpty();
        assertThat(users.all()).containsExactlyElementsOf(three);
        users.drop(three.get(0));
        assertThat(users.all()).containsExactlyElementsOf(three.subList(1, 3));
    }
}
