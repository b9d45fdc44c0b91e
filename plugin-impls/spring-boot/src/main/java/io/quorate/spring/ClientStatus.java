package io.quorate.spring;

import io.quorate.Health;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A client's health as the actuator shows it, in the words of Spring Boot 3 and 4.
 *
 * @param code    UP, DOWN or OUT_OF_SERVICE
 * @param details what an operator wants to know
 */
record ClientStatus(String code, Map<String, Object> details) {

    static ClientStatus of(Health health) {
        // Only a restart helps one that is not live.
        String code = !health.isLive() ? "DOWN" : health.state() == Health.State.UP ? "UP" : "OUT_OF_SERVICE";
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", health.state().name());
        details.put("reason", health.reason());
        details.put("voters", health.voters());
        details.put("supporters", health.supporters());
        details.put("turnAgeMillis", health.turnAge().toMillis());
        return new ClientStatus(code, details);
    }
}
