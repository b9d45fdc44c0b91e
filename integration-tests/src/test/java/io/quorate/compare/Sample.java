package io.quorate.compare;

import java.util.Locale;

/**
 * One value.
 *
 * @param round in which turn of both sides, from 1
 * @param scale the number of latches; 1 where that is not varied
 * @param load  the machine's load average at that moment
 */
record Sample(int round, Side side, Metric metric, int scale, double value, double load) {

    static final String HEADER = "round,side,metric,latches,value,load";

    String toCsv() {
        return String.format(Locale.ROOT, "%d,%s,%s,%d,%.6f,%.2f", round, side.label(), metric.name(), scale, value,
                load);
    }
}
