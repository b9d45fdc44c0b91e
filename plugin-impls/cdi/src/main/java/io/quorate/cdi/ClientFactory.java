package io.quorate.cdi;

import io.quorate.ElectionClient;
import jakarta.enterprise.event.Event;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;

/** Makes the client of an application that has none of its own. */
@Singleton
class ClientFactory {

    private final ConfigSettings settings;
    private final Event<ElectionClient.Builder> customizers;

    @Inject
    ClientFactory(ConfigSettings settings, Event<ElectionClient.Builder> customizers) {
        this.settings = settings;
        this.customizers = customizers;
    }

    /** Observers of the builder have the last word. */
    ElectionClient make() {
        if (!settings.isEnabled()) {
            throw new IllegalStateException("quorate.enabled=false: there is no client");
        }
        ElectionClient.Builder builder = settings.make(ElectionClient.builder());
        customizers.fire(builder);
        return builder.build();
    }
}
