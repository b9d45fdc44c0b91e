package com.example.attack;

import io.quorate.testkit.RealTime;

/** Attacks on nodes that share a secret, which the attacker does not know. */
@RealTime
class TcpAttackTest extends TcpAttacks {

    TcpAttackTest() {
        super(Lock.SECRET);
    }
}
