package io.quorate.compare;

/** How much of a processor each process has, and what is measured then. */
enum Container {
    PERCENT_20(
            20,
            Metric.CONTAINER_20_LED,
            Metric.CONTAINER_20_LOSSES,
            Metric.CONTAINER_20_SUSPENDED,
            Metric.CONTAINER_20_LOST),
    PERCENT_10(
            10,
            Metric.CONTAINER_10_LED,
            Metric.CONTAINER_10_LOSSES,
            Metric.CONTAINER_10_SUSPENDED,
            Metric.CONTAINER_10_LOST);

    private final int percent;
    final Metric led;
    final Metric losses;
    final Metric suspended;
    final Metric lost;

    Container(int percent, Metric led, Metric losses, Metric suspended, Metric lost) {
        this.percent = percent;
        this.led = led;
        this.losses = losses;
        this.suspended = suspended;
        this.lost = lost;
    }

    /** Of one processor, for each process. */
    int percent() {
        return percent;
    }

    /** For a reader: {@code 0.2 cores}. */
    String label() {
        return Summary.number(percent / 100.0).replaceAll("0+$", "") + " cores";
    }
}
