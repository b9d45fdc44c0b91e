package io.quorate.lab;

import io.quorate.lab.Situation.Order;
import io.quorate.spi.ElectionAlgorithm;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code --curve}: docs/lab.md#messages-over-the-number-of-processes. */
final class CurveOptions {

    /** With more, an election of all that notice has tens of thousands of messages, and a point takes seconds. */
    private static final int SIZE_MAX = 50;

    /** With more, a curve takes minutes. */
    private static final int SEEDS_MAX = 100;

    /** Enough for a median, in half a minute at most. */
    private static final int SEEDS = 20;

    @Option(
            names = "--curve",
            paramLabel = "FROM..UNTIL",
            description = "Counts the messages of an election, by the number of processes from 2 to " + SIZE_MAX
                    + ", beside the formula; --ring is then worst, best or random.")
    private @Nullable String range;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "Of --curve: the runs of each point, 1 to " + SEEDS_MAX + ". Default 1, with --ring random "
                    + SEEDS + ".")
    private @Nullable Integer seeds;

    @Option(
            names = "--csv",
            paramLabel = "FILE",
            description = "Of --curve: where the numbers go, and beside it the picture. Default ALGORITHM-curve.csv.")
    private @Nullable Path csv;

    boolean isWanted() {
        return range != null;
    }

    /**
     * Measures it, and writes numbers and picture.
     *
     * @throws IllegalArgumentException if an option is wrong; names value and rule
     */
    void draw(PrintWriter out, String classPath, @Nullable String name, @Nullable String ring, List<LabWay> ways)
            throws LabFailed {
        if (name == null) {
            throw new IllegalArgumentException("--curve: must stand with ALGORITHM");
        }
        int[] ends = ends(String.valueOf(range));
        ElectionAlgorithm algorithm = LabChoice.algorithm(classPath, name);
        if (ways.contains(LabWay.LEASE)) {
            throw new IllegalArgumentException("--way " + LabWay.names(ways)
                    + ": must be documented or hardened with --curve, because the formulas are of the algorithm alone");
        }
        Order order = ring == null ? Order.BEST : order(algorithm, ring);
        int runs = seeds != null ? seeds : order == Order.RANDOM ? SEEDS : 1;
        if (runs < 1 || runs > SEEDS_MAX) {
            throw new IllegalArgumentException("--seeds " + runs + ": must be from 1 to " + SEEDS_MAX);
        }
        String ofRing = ring == null ? "" : " " + ring.toLowerCase(Locale.ROOT);
        Path numbers =
                csv == null ? Path.of(LabRun.fileName(name + " curve" + ofRing).replace(".html", ".csv")) : csv;
        if (!numbers.toString().endsWith(".csv")) {
            throw new IllegalArgumentException("--csv '" + numbers + "': must end in .csv");
        }
        Path picture = Path.of(numbers.toString().replaceFirst("csv$", "svg"));
        String title = name + (ring == null ? "" : "," + ofRing + " ring")
                + ": messages from the death of the leader to the next one, of N processes; M = N-1"
                + (runs == 1 ? "" : "; " + runs + " seeds");
        List<LabWay> both = ways.isEmpty() ? List.of(LabWay.DOCUMENTED, LabWay.HARDENED) : ways;
        Curve curve = Curve.of(
                algorithm,
                title,
                ends[0],
                ends[1],
                order,
                both.stream().distinct().toList(),
                runs);
        out.print(curve.text());
        PageOptions.write("--csv", numbers, curve.csv());
        PageOptions.write("--csv", picture, CurvePicture.svg(curve));
        out.println("\nThe numbers: " + numbers + "\nThe picture: " + picture);
    }

    private static int[] ends(String written) {
        int[] ends = written.matches("\\d{1,3}\\.\\.\\d{1,3}")
                ? Arrays.stream(written.split("\\.\\."))
                        .mapToInt(Integer::parseInt)
                        .toArray()
                : new int[] {0, 0};
        if (ends[0] < 2 || ends[0] > ends[1] || ends[1] > SIZE_MAX) {
            throw new IllegalArgumentException(
                    "--curve '" + written + "': must be FROM..UNTIL, two whole numbers from 2 to " + SIZE_MAX
                            + " of which the second is not the smaller one, such as 2.." + SIZE_MAX);
        }
        return ends;
    }

    private static Order order(ElectionAlgorithm algorithm, String written) {
        Ring.check(algorithm, written);
        return Stream.of(Order.WORST, Order.BEST, Order.RANDOM)
                .filter(order -> order.name().equalsIgnoreCase(written))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--ring '" + written
                        + "': must be worst, best or random with --curve, where each number of processes has a ring"));
    }
}
