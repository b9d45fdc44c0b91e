package io.quorate.testkit.picture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Where the picture of a failed test goes, and what its failure says of that. */
class PictureFileTest {

    // The failure of the test is what its author has to see.
    @Test
    void aPictureThatCannotBeMadeIsSaid() {
        assertThat(PictureFile.write("broken", () -> {
                    throw new IllegalStateException("no run");
                }))
                .isEqualTo("The picture of this run cannot be written: java.lang.IllegalStateException: no run");
    }

    @Test
    void twoLongNamesThatBeginAlikeAreTwoFiles() {
        String name = "long".repeat(50);
        assertThat(PictureFile.write(name + " one", Runs::ofTwo))
                .isNotEqualTo(PictureFile.write(name + " two", Runs::ofTwo));
    }
}
