package io.quorate.demo;

import io.quorate.ElectionClient;
import java.util.function.Consumer;

/**
 * Has other nodes vote. A class of its own, because {@link DemoNode} also runs with a library that has no such thing.
 */
final class VotersCommand {

    private VotersCommand() {}

    /**
     * Begins the change, and says later how it has ended.
     *
     * @param words the command, the number of the question, and the ids
     */
    static void run(ElectionClient client, String[] words, Consumer<String> say) {
        client.changeVoters(client.voters().number(), words[2].split(","))
                .whenComplete((voters, failure) ->
                        say.accept("voters " + words[1] + " " + (failure == null ? voters : "failed: " + failure)));
    }
}
