package io.quorate.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class EffortTest {

    @Test
    void aSampleRunsUnlessTheWholeIsWanted() {
        assertThat(Effort.isWhole("")).isFalse();
        assertThat(Effort.isWhole("whole")).isTrue();
        assertThat(Effort.of(8, 3)).isIn(8, 3);
    }

    @Test
    void aMisspeltEffortIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Effort.isWhole("hole"))
                .withMessage("effort 'hole': must be whole, or not be given");
    }

    @Test
    void aSampleIsSmallerThanTheWhole() {
        assertThatIllegalArgumentException().isThrownBy(() -> Effort.of(3, 3)).withMessage("a sample of 3 of 3");
        assertThatIllegalArgumentException().isThrownBy(() -> Effort.of(3, 0));
    }
}
