package io.quorate.spring;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says once why the starter does nothing for the clients of the application: it cannot know which one is meant.
 *
 * @param names of the beans
 */
record SeveralClients(List<String> names) implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(SeveralClients.class);

    String line() {
        return "There are several ElectionClient beans, " + names + ", and none of them is primary: the starter starts "
                + "none, and has no health, readiness, endpoint and meters for them. Mark one as @Primary, or start them";
    }

    @Override
    public void afterSingletonsInstantiated() {
        LOG.info(line());
    }
}
