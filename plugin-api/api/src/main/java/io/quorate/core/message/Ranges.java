package io.quorate.core.message;

import io.quorate.core.voters.Round;
import io.quorate.core.voters.VoterList;

/** Which numbers an honest node may send. */
final class Ranges {

    private Ranges() {}

    static boolean isNumber(long number) {
        return 0 <= number && number <= NodeMessage.NUMBER_MAX;
    }

    static boolean isEpoch(Epoch epoch) {
        return isNumber(epoch.incarnation()) && isNumber(epoch.counter());
    }

    static boolean isContender(ContenderId id) {
        return isNumber(id.incarnation()) && isNumber(id.number());
    }

    static boolean isRound(Round round) {
        return isNumber(round.counter()) && isNumber(round.incarnation());
    }

    /** Above it there must be room for terms. */
    static boolean isFloor(long floor) {
        return 0 <= floor && floor <= VoterList.FLOOR_MAX;
    }

    static boolean isConfig(VoterList config) {
        return config.number() >= 1
                && isNumber(config.number())
                && isFloor(config.floor())
                && config.members().stream().allMatch(member -> isNumber(member.store()));
    }

    static boolean isRegistration(ContenderRecord r) {
        return isContender(r.id()) && isNumber(r.stamp()) && isNumber(r.token()) && isNumber(r.version());
    }
}
