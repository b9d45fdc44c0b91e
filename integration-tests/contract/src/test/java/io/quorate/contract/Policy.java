package io.quorate.contract;

import io.quorate.ConnectionStateErrorPolicy;
import io.quorate.SessionConnectionStateErrorPolicy;
import io.quorate.StandardConnectionStateErrorPolicy;

/** In which connection states a client gives leadership up. */
enum Policy {

    /** Whatever the library does when it is told nothing. */
    DEFAULT,
    STANDARD,
    SESSION;

    ConnectionStateErrorPolicy ofQuorate() {
        return this == STANDARD ? new StandardConnectionStateErrorPolicy() : new SessionConnectionStateErrorPolicy();
    }
}
