package io.quorate.testkit.model;

import io.quorate.testkit.model.ModelChecker.World;
import java.util.OptionalInt;

/** The properties of the sources, under their names, in the reading of docs/algorithms/common.md#properties. */
public final class Properties {

    private Properties() {}

    /** Every leader variable names a process, or nobody. */
    public static boolean typeOk(World world) {
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p)
                    && world.leader(p).isPresent()
                    && (world.leader(p).getAsInt() < 0 || world.leader(p).getAsInt() >= world.size())) {
                return false;
            }
        }
        return true;
    }

    /** At most one live process takes itself for the leader. */
    public static boolean oneLeader(World world) {
        int leaders = 0;
        for (int p = 0; p < world.size(); p++) {
            leaders += world.isAlive(p) && world.leader(p).equals(OptionalInt.of(p)) ? 1 : 0;
        }
        return leaders <= 1;
    }

    /** Nobody takes part in an election and leads. */
    public static boolean participating(World world) {
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p) && world.isParticipating(p) && world.leader(p).equals(OptionalInt.of(p))) {
                return false;
            }
        }
        return true;
    }

    /** All live processes that are in no election name the same leader. For quiet states. */
    public static boolean electionTerminationImpliesSameLeader(World world) {
        OptionalInt leader = OptionalInt.empty();
        boolean isFirst = true;
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p) && !world.isParticipating(p)) {
                if (!isFirst && !world.leader(p).equals(leader)) {
                    return false;
                }
                leader = world.leader(p);
                isFirst = false;
            }
        }
        return true;
    }

    /** A process that is in no election names the highest live one. For quiet states. */
    public static boolean highestAliveProcessIsLeader(World world) {
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p)
                    && !world.isParticipating(p)
                    && !world.leader(p).equals(OptionalInt.of(highestAlive(world)))) {
                return false;
            }
        }
        return true;
    }

    /** Nobody takes part in an election. As a goal that stays possible: ElectionWillEnd. */
    public static boolean electionHasEnded(World world) {
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p) && world.isParticipating(p)) {
                return false;
            }
        }
        return true;
    }

    /** Everybody is in no election and names the highest live process: where every run should end. */
    public static boolean settled(World world) {
        return electionHasEnded(world) && highestAliveProcessIsLeader(world) && world.isQuiet();
    }

    /** No live process follows a dead one, unless it takes part in an election. For quiet states. */
    public static boolean eventuallyElection(World world) {
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p)
                    && !world.isParticipating(p)
                    && world.leader(p).isPresent()
                    && !world.isAlive(world.leader(p).getAsInt())) {
                return false;
            }
        }
        return true;
    }

    /** BLE1, in states that must be kept: every live process has elected a live one. */
    public static boolean ble1(World world) {
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p)
                    && (world.leader(p).isEmpty()
                            || !world.isAlive(world.leader(p).getAsInt()))) {
                return false;
            }
        }
        return true;
    }

    /** BLE2, in states that must be kept: no two live processes have different leaders. */
    public static boolean ble2(World world) {
        OptionalInt leader = OptionalInt.empty();
        for (int p = 0; p < world.size(); p++) {
            if (world.isAlive(p) && world.leader(p).isPresent()) {
                if (leader.isPresent() && !leader.equals(world.leader(p))) {
                    return false;
                }
                leader = world.leader(p);
            }
        }
        return true;
    }

    /** Everybody is in no election and follows the same live process, which need not be the highest. */
    public static boolean agreed(World world) {
        return electionHasEnded(world) && ble1(world) && ble2(world);
    }

    public static boolean isMajorityAlive(World world) {
        int alive = 0;
        for (int p = 0; p < world.size(); p++) {
            alive += world.isAlive(p) ? 1 : 0;
        }
        return 2 * alive > world.size();
    }

    public static int highestAlive(World world) {
        for (int p = world.size() - 1; p >= 0; p--) {
            if (world.isAlive(p)) {
                return p;
            }
        }
        throw new IllegalStateException("nobody is alive");
    }
}
