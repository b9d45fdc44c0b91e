package io.quorate.compare;

import io.quorate.compare.Deployment.Settings;

/** Whom is compared. */
enum Side {
    CURATOR("curator"),
    QUORATE("quorate");

    private final String label;

    Side(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    Deployment deploy(Settings settings) {
        return this == CURATOR ? new CuratorDeployment(settings) : new QuorateDeployment(settings);
    }
}
