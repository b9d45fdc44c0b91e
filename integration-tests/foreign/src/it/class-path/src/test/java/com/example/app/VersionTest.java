package com.example.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quorate.ElectionClient;
import org.junit.jupiter.api.Test;

/** A jar on the class path says its version, which {@code quorate status} shows. */
class VersionTest {

    @Test
    void theJarSaysItsVersion() {
        assertThat(ElectionClient.class.getPackage().getImplementationVersion()).isNotBlank();
    }
}
