package com.example.attack;

import org.junit.jupiter.api.Tag;

/** Attacks on nodes with certificates, from outside and by a member. */
@Tag("attacks")
class TcpAttackOverTlsTest extends TcpAttacks {

    TcpAttackOverTlsTest() {
        super(Lock.TLS);
    }
}
