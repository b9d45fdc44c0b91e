package com.example.attack;

import org.junit.jupiter.api.Tag;

/** Attacks on nodes that anybody may speak to, but for frames in the name of others, which are believed there. */
@Tag("attacks")
class TcpAttackInPlainTextTest extends TcpAttacks {

    TcpAttackInPlainTextTest() {
        super(Lock.NOTHING);
    }
}
