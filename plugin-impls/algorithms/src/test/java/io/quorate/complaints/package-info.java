/**
 * What users of Curator's LeaderLatch and LeaderSelector complained about over the years, each as a test on ours. The
 * table of all of them is in {@code ComplaintsTest}.
 */
package io.quorate.complaints;
