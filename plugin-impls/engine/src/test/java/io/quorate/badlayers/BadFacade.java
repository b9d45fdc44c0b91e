package io.quorate.badlayers;

import io.quorate.badlayers.core.settings.BadSettings;

/** What the layers below must not know. It knows what is behind the seam. */
public record BadFacade(BadSettings behind) {}
