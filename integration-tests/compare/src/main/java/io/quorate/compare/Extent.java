package io.quorate.compare;

/**
 * How often, and how long.
 *
 * @param repetitions of a pause, and of the crash of a voter
 * @param crashes     of the leader
 * @param cuts        of each way to cut the network
 * @param handOvers   of what takes milliseconds; as many as {@link #warmUp} come before
 * @param seconds     of idling
 * @param settling    how many seconds before that are not counted: compiling what came before is not idling
 * @param cost        how often the cost of a call is measured, for {@link LatchCost#ITERATION_MILLIS} each
 */
record Extent(int repetitions, int crashes, int cuts, int handOvers, int seconds, int settling, int cost) {

    static final Extent QUICK = new Extent(1, 3, 1, 150, 3, 5, 2);
    static final Extent FULL = new Extent(12, 12, 4, 300, 60, 30, 5);
    private static final int EACH_ALGORITHM_MAX = 3;

    int warmUp() {
        return handOvers * 2 / 5;
    }

    /** Of each algorithm but the one that all else is measured with. */
    Extent ofEachAlgorithm() {
        return new Extent(
                repetitions,
                Math.min(crashes, EACH_ALGORITHM_MAX),
                Math.min(cuts, EACH_ALGORITHM_MAX),
                handOvers,
                seconds,
                settling,
                cost);
    }
}
