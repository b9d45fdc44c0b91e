package io.quorate.cdi;

import java.util.List;
import java.util.Map;

/**
 * The paths that the beans of the application name; for the container, not for applications.
 *
 * @param led      paths to contend for, as the beans have written them
 * @param watched  paths of which only observers want to hear
 * @param methods  the leader-only methods, as {@code com.example.Job#run}, with their paths as written
 * @param channels the channels of which leader-only methods take messages, with their paths as written
 */
public record DeclaredPaths(
        List<String> led, List<String> watched, Map<String, List<String>> methods, Map<String, String> channels) {}
