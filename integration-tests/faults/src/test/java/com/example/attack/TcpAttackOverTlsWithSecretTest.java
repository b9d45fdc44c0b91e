package com.example.attack;

import org.junit.jupiter.api.Tag;

/** Attacks on nodes with certificates and a secret, from outside and by a member. */
@Tag("attacks")
class TcpAttackOverTlsWithSecretTest extends TcpAttacks {

    TcpAttackOverTlsWithSecretTest() {
        super(Lock.BOTH);
    }
}
