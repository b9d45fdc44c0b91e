package io.quorate.compare;

import io.quorate.link.LinkProxy.Way;
import io.quorate.link.Links;
import io.quorate.link.Links.Link;
import java.util.List;

/** What is cut of the links of a node, and what is measured then. */
enum Cut {
    BOTH("cut off", true, true, Metric.CUT_NO, Metric.CUT_NEXT, Metric.CUT_OVERLAP, Metric.CUT_HEALED),
    OUTGOING("mute", true, false, Metric.MUTE_NO, Metric.MUTE_NEXT, Metric.MUTE_OVERLAP, Metric.MUTE_HEALED),
    INCOMING("deaf", false, true, Metric.DEAF_NO, Metric.DEAF_NEXT, Metric.DEAF_OVERLAP, Metric.DEAF_HEALED);

    private final String label;
    private final boolean isMute;
    private final boolean isDeaf;
    final Metric no;
    final Metric next;
    final Metric overlap;
    final Metric healed;

    Cut(String label, boolean isMute, boolean isDeaf, Metric... metrics) {
        this.label = label;
        this.isMute = isMute;
        this.isDeaf = isDeaf;
        List<Metric> all = List.of(metrics);
        this.no = all.get(0);
        this.next = all.get(1);
        this.overlap = all.get(2);
        this.healed = all.get(3);
    }

    String label() {
        return label;
    }

    /** Cuts the node off all others. */
    void apply(String node, Links links) {
        for (Link link : links.of(node)) {
            boolean isFromNode = link.from().equals(node);
            if (isMute) {
                link.proxy().cut(isFromNode ? Way.THERE : Way.BACK);
            }
            if (isDeaf) {
                link.proxy().cut(isFromNode ? Way.BACK : Way.THERE);
            }
        }
    }
}
