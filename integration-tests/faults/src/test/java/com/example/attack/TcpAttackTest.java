package com.example.attack;

/** Attacks on nodes that share a secret, which the attacker does not know. */
class TcpAttackTest extends TcpAttacks {

    TcpAttackTest() {
        super(Lock.SECRET);
    }
}
