package io.quorate.compare;

/**
 * How often, and how long.
 *
 * @param repetitions of a pause, and of the crash of a voter
 * @param crashes     of the leader
 * @param cuts        of each way to cut the network
 * @param handOvers   of what takes milliseconds; as many as {@link #warmUp} come before
 * @param firsts      of the first hand-over of three processes that were just started, besides that of a cold start
 * @param seconds     of idling
 * @param settling    how many seconds before that are not counted: compiling what came before is not idling
 * @param cost        how often the cost of a call is measured, for {@link LatchCost#ITERATION_MILLIS} each
 * @param limit       for how many seconds at most something is waited for that more than a thousand latches do
 * @param quota       for how many seconds processes with a small share of a processor are watched once all latches are
 *                    led, and for how many at most that is waited for
 */
record Extent(
        int repetitions,
        int crashes,
        int cuts,
        int handOvers,
        int firsts,
        int seconds,
        int settling,
        int cost,
        int limit,
        int quota) {

    static final Extent QUICK = new Extent(1, 3, 1, 150, 4, 3, 5, 2, 20, 20);
    static final Extent FULL = new Extent(3, 8, 2, 150, 18, 10, 90, 4, 180, 60);
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
                firsts,
                seconds,
                settling,
                cost,
                limit,
                quota);
    }
}
