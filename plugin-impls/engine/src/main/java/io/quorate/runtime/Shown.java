package io.quorate.runtime;

import io.quorate.Voters;
import io.quorate.core.voters.VoterList;
import io.quorate.spi.TransportProvider.HostAndPort;

/** Turns values of the core into those that the application sees. */
public final class Shown {

    private Shown() {}

    public static Voters voters(VoterList list) {
        return new Voters(
                list.number(),
                list.members().stream()
                        .map(member -> new Voters.Member(
                                member.id().value(), member.address().map(HostAndPort::toString)))
                        .toList());
    }
}
