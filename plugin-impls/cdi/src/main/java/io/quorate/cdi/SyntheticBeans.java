package io.quorate.cdi;

import io.quorate.ElectionClient;
import io.quorate.LeaderLatch;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.build.compatible.spi.Parameters;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanCreator;
import jakarta.enterprise.inject.build.compatible.spi.SyntheticBeanDisposer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Beans without a class; made by the container, not for applications. The beans that they look up are injected
 * elsewhere too, because Quarkus removes beans that are not injected anywhere.
 */
public final class SyntheticBeans {

    static final String PATH = "path";
    static final String LED = "led";
    static final String WATCHED = "watched";
    /** By turns a method and its path. */
    static final String METHODS = "methods";
    /** By turns a channel and its path. */
    static final String CHANNELS = "channels";

    private SyntheticBeans() {}

    /** Makes the client. */
    public static final class ClientCreator implements SyntheticBeanCreator<ElectionClient> {

        /** For the container. */
        public ClientCreator() {}

        // It observes events, so it is not removed either.
        @Override
        public ElectionClient create(Instance<Object> lookup, Parameters parameters) {
            return lookup.select(ClientLifecycle.class).get().make();
        }
    }

    /** Closes the client where the application has not come to its end in the usual way. */
    public static final class ClientDisposer implements SyntheticBeanDisposer<ElectionClient> {

        /** For the container. */
        public ClientDisposer() {}

        @Override
        public void dispose(ElectionClient client, Instance<Object> lookup, Parameters parameters) {
            client.close();
        }
    }

    /** Looks up the latch of a path. */
    public static final class LatchCreator implements SyntheticBeanCreator<LeaderLatch> {

        /** For the container. */
        public LatchCreator() {}

        @Override
        public LeaderLatch create(Instance<Object> lookup, Parameters parameters) {
            LeaderLatches latches = lookup.select(LeaderLatches.class).get();
            return latches.latch(latches.path(parameters.get(PATH, String.class)));
        }
    }

    /** Says what the beans name. */
    public static final class PathsCreator implements SyntheticBeanCreator<DeclaredPaths> {

        /** For the container. */
        public PathsCreator() {}

        @Override
        public DeclaredPaths create(Instance<Object> lookup, Parameters parameters) {
            String[] methods = parameters.get(METHODS, String[].class);
            Map<String, List<String>> paths = new TreeMap<>();
            for (int i = 0; i < methods.length; i += 2) {
                paths.computeIfAbsent(methods[i], name -> new ArrayList<>()).add(methods[i + 1]);
            }
            String[] flowing = parameters.get(CHANNELS, String[].class);
            Map<String, String> channels = new TreeMap<>();
            for (int i = 0; i < flowing.length; i += 2) {
                channels.put(flowing[i], flowing[i + 1]);
            }
            return new DeclaredPaths(
                    List.of(parameters.get(LED, String[].class)),
                    List.of(parameters.get(WATCHED, String[].class)),
                    paths,
                    channels);
        }
    }
}
