package io.quorate.algorithms;

import io.quorate.testkit.model.ModelChecker;
import io.quorate.testkit.model.ModelChecker.Sent;
import io.quorate.testkit.model.ModelChecker.World;
import io.quorate.testkit.model.NormalForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What the states of a check look like in a normal form; two checks of one algorithm must not differ in it. */
public final class Shapes {

    private Shapes() {}

    /** The shapes of all states that lie within the constraint of the check. */
    public static Set<String> of(ModelChecker check, NormalForm form) {
        Set<String> shapes = new TreeSet<>();
        check.always("is counted", world -> {
                    shapes.add(shape(world, form));
                    return true;
                })
                .verify(1);
        return shapes;
    }

    private static String shape(World world, NormalForm form) {
        List<String> parts = new ArrayList<>();
        for (int index = 0; index < world.messages(); index++) {
            Sent sent = world.message(index);
            parts.add(sent.from() + " " + sent.incarnation() + " to " + sent.to() + ": " + form.of(sent.message()));
        }
        parts.sort(null);
        for (int process = 0; process < world.size(); process++) {
            parts.add(
                    !world.isAlive(process)
                            ? "down"
                            : form.of(world.state(process), 0).toString());
        }
        return String.join("\n", parts);
    }
}
