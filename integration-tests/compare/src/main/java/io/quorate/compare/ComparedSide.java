package io.quorate.compare;

import io.quorate.compare.Deployment.Settings;

/** One of the two that are compared. */
enum ComparedSide {
    CURATOR("curator"),
    QUORATE("quorate");

    private final String label;

    ComparedSide(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    Deployment deploy(Settings settings) {
        return this == CURATOR ? new CuratorDeployment(settings) : new QuorateDeployment(settings);
    }
}
