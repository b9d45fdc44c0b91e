------------------------------ MODULE Support ------------------------------
(***************************************************************************)
(* LAYER 1 of the quorum lease: one ordered pair of nodes.                  *)
(*                                                                          *)
(* MODELS  docs/protocol.md#support: voter "a" supports holder "p" while    *)
(* p's heartbeats keep arriving; crashes and quarantine of a, new           *)
(* incarnations of p, and the drop flag that renounces all votes of an      *)
(* epoch.                                                                   *)
(*                                                                          *)
(* ASSUMES  all clocks are local counters of elapsed time whose rate may    *)
(* change at every tick between RMin and RMax; every timer is a countdown,  *)
(* so time is unbounded but the state is finite.  Messages are lost (Drop), *)
(* duplicated (delivery does not consume), reordered (a set) and delayed    *)
(* for ever.                                                                *)
(*                                                                          *)
(* BOUNDS  MaxEp epochs, MaxMsgs messages on their way (a CONSTRAINT), 3    *)
(* heartbeats, MaxCrash crashes of either side.                             *)
(*                                                                          *)
(* What layer 2 needs, and all it needs, is invariant Containment: whenever *)
(* p believes "a supports me in epoch e", then a really does, or a is       *)
(* silent (crashed / in quarantine) and so supports nobody else.            *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets
CONSTANTS DP,        \* how long p believes an ack, on p's clock, from SENDING the heartbeat
          DA,        \* how long a supports p, on a's clock, from RECEIVING the heartbeat
          Q,         \* how long a restarted acceptor stays silent, on a's clock
          RMin, RMax,\* a tick of real time advances a clock by RMin..RMax units
          MaxEp, MaxMsgs, MaxCrash, Mutant

VARIABLES ep, left,      \* a: current epoch for p, remaining support (a's clock)
          quar,          \* a: remaining quarantine; "down" while crashed
          bep, bleft,    \* p: believed epoch, remaining belief (p's clock)
          seq,           \* p: heartbeats sent
          dead,          \* p: epochs p has renounced or outlived by restarting
          msgs, crashes

vars == <<ep, left, quar, bep, bleft, seq, dead, msgs, crashes>>
Silent == quar # 0
DOWN   == 99
Min2(x, y) == IF x < y THEN x ELSE y
Sub(x, d)  == IF x > d THEN x - d ELSE 0
Max2(x, y) == IF x > y THEN x ELSE y

Init == /\ ep = 0 /\ left = 0 /\ quar = 0
        /\ bep = 0 /\ bleft = 0 /\ seq = 0 /\ dead = 0
        /\ msgs = {} /\ crashes = 0

Send(m) == msgs' = msgs \cup {m}

\* p sends a heartbeat.  "age" is a ghost: what remains of DP since the sending, on p's clock.
\* In code it is the local table sent[seq]; it is never compared with another node's clock.
Heartbeat == /\ seq < 3
             /\ seq' = seq + 1
             /\ \E drop \in BOOLEAN :
                  /\ drop => bep # 0                    \* renounce every vote given under bep
                  /\ Send([k |-> "hb", s |-> seq + 1, age |-> DP, drop |-> drop, e |-> bep])
                  /\ IF drop THEN /\ dead' = (IF Mutant = "renounceForgets" THEN dead ELSE Max2(dead, bep))
                                  /\ bleft' = 0
                             ELSE UNCHANGED <<dead, bleft>>
             /\ UNCHANGED <<ep, left, quar, bep, crashes>>

\* a receives a heartbeat: a lapse is noticed HERE (stored deadline, not a timer callback).
OnHeartbeat == \E m \in msgs :
    /\ m.k = "hb" /\ ~Silent
    /\ LET fresh == left = 0 \/ (m.drop /\ m.e = ep)
           e2    == IF fresh THEN ep + 1 ELSE ep
       IN /\ e2 <= MaxEp
          /\ ep' = e2 /\ left' = DA
          /\ msgs' = msgs \cup {[k |-> "ack", s |-> m.s, age |-> m.age, e |-> e2]}
    /\ UNCHANGED <<quar, bep, bleft, seq, dead, crashes>>

\* p receives an ack: it keeps whichever ack gives the later expiry.
OnAck == \E m \in msgs :
    /\ m.k = "ack" /\ m.e > dead
    /\ LET age == IF Mutant = "anchorAtReceipt" THEN DP ELSE m.age
       IN age > bleft /\ bleft' = age /\ bep' = m.e
    /\ UNCHANGED <<ep, left, quar, seq, dead, msgs, crashes>>

\* a crashes: support and votes forgotten.  Epoch numbers stay unique (incarnation in code).
Crash == /\ quar # DOWN /\ crashes < MaxCrash
         /\ quar' = DOWN /\ left' = 0 /\ crashes' = crashes + 1
         /\ UNCHANGED <<ep, bep, bleft, seq, dead, msgs>>
Restart == /\ quar = DOWN /\ quar' = Q
           /\ UNCHANGED <<ep, left, bep, bleft, seq, dead, msgs, crashes>>

\* p crashes and comes back as a new incarnation; acks to the old one are not its own.
CrashP == /\ crashes < MaxCrash /\ crashes' = crashes + 1
          /\ bep' = 0 /\ bleft' = 0 /\ dead' = ep
          /\ UNCHANGED <<ep, left, quar, seq, msgs>>

Tick == \E ra, rp \in RMin..RMax :
    /\ left'  = Sub(left, ra)
    /\ quar'  = IF quar = DOWN THEN DOWN ELSE Sub(quar, ra)
    /\ bleft' = Sub(bleft, rp)
    /\ msgs'  = { [m EXCEPT !.age = Sub(m.age, rp)] : m \in msgs }
    /\ UNCHANGED <<ep, bep, seq, dead, crashes>>

Drop == \E m \in msgs : msgs' = msgs \ {m} /\ UNCHANGED <<ep, left, quar, bep, bleft, seq, dead, crashes>>

Next == Heartbeat \/ OnHeartbeat \/ OnAck \/ Crash \/ Restart \/ CrashP \/ Tick \/ Drop
Spec == Init /\ [][Next]_vars

Bound == Cardinality(msgs) <= MaxMsgs
Believes == bep # 0 /\ bleft > 0
Containment == Believes => Silent \/ (ep = bep /\ left > 0)
=============================================================================
