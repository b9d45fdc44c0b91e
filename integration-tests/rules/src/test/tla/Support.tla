------------------------------ MODULE Support ------------------------------
(***************************************************************************)
(* LAYER 1 of the quorum lease: one ordered pair of nodes.                  *)
(*                                                                          *)
(* MODELS  docs/protocol.md#support: voter "a" supports holder "p" while    *)
(* p's heartbeats keep arriving; lives of both, the quarantine of a, and    *)
(* the heartbeat that renounces all votes of an epoch.                      *)
(*                                                                          *)
(* ASSUMES  all clocks are local counters of elapsed time whose rate may    *)
(* change at every tick between RMin and RMax; every timer is a countdown,  *)
(* so time is unbounded but the state is finite.  Messages are lost (Drop), *)
(* duplicated (delivery does not consume), reordered (a set) and delayed    *)
(* for ever: those of former lives of either side are among them.           *)
(*                                                                          *)
(* Each start takes a name that no life has had (ADR-0089), and a counter   *)
(* and sequences that begin again.  Names are model values, which have no   *)
(* order: TLC stops with an error where two of them are compared but for    *)
(* equality, and the specification is symmetric in them.                    *)
(*                                                                          *)
(* BOUNDS  MaxEp epochs and MaxHb heartbeats of a life, MaxMsgs messages on *)
(* their way (a CONSTRAINT), MaxCrash crashes of either side.               *)
(*                                                                          *)
(* What layer 2 needs, and all it needs: invariant Containment (whenever p  *)
(* believes "a supports me in epoch e", then a really does, or a is silent, *)
(* crashed or in quarantine, and so supports nobody else), and invariant    *)
(* Once (no epoch comes twice, so no vote counts under another stretch).    *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, Sequences, TLC
CONSTANTS DP,        \* how long p believes an ack, on p's clock, from SENDING the heartbeat
          DA,        \* how long a supports p, on a's clock, from RECEIVING the heartbeat
          Q,         \* how long a restarted voter stays silent, on a's clock
          RMin, RMax,\* a tick of real time advances a clock by RMin..RMax units
          ALives, PLives, NoLife, \* names of lives of a and of p, enough for all crashes; nobody's
          MaxEp, MaxHb, MaxMsgs, MaxCrash, Mutant

VARIABLES alife, aused,  \* a: its life; all names that it has had
          cnt, left,     \* a: epochs of this life, the last one is p's; remaining support (a's clock)
          sup,           \* a: the life of p that it supports
          quar,          \* a: remaining quarantine; DOWN while crashed
          plife, pused,  \* p: its life; all names that it has had
          sent,          \* p: for each heartbeat of this life, what remains of DP since the sending (p's clock)
          bep, bleft,    \* p: believed epoch, remaining belief (p's clock)
          dead,          \* p: the epoch renounced last
          msgs, crashes,
          given, twice   \* ghosts: epochs that the lives of each name have begun; whether one came twice

avars == <<alife, aused, cnt, left, sup, quar, given, twice>>
pvars == <<plife, pused, sent, bep, bleft, dead>>
vars  == <<avars, pvars, msgs, crashes>>
Silent == quar # 0
DOWN   == 99
Sub(x, d)  == IF x > d THEN x - d ELSE 0
Max2(x, y) == IF x > y THEN x ELSE y

Epoch(l, n)  == [l |-> l, n |-> n]
NoEpoch      == Epoch(NoLife, 0)
SameEpoch(e, f) == e = f \/ (Mutant = "counterOnly" /\ e.n = f.n)
UpTo(e, f)   == e.l = f.l /\ e.n <= f.n

Init == /\ alife \in ALives /\ aused = {alife} /\ cnt = 0 /\ left = 0 /\ sup = NoLife /\ quar = 0
        /\ given = [l \in ALives |-> 0] /\ twice = FALSE
        /\ plife \in PLives /\ pused = {plife} /\ sent = <<>>
        /\ bep = NoEpoch /\ bleft = 0 /\ dead = NoEpoch
        /\ msgs = {} /\ crashes = 0

\* p sends a heartbeat, and remembers when.
Heartbeat == /\ Len(sent) < MaxHb
             /\ sent' = Append(sent, DP)
             /\ \E drop \in BOOLEAN :
                  /\ drop => bep # NoEpoch              \* renounce every vote given under bep
                  /\ msgs' = msgs \cup {[k |-> "hb", p |-> plife, s |-> Len(sent) + 1,
                                         e |-> IF drop THEN bep ELSE NoEpoch]}
                  /\ IF drop THEN /\ dead' = (IF Mutant = "renounceForgets" THEN dead ELSE bep)
                                  /\ bleft' = (IF Mutant = "renounceBelieves" THEN bleft ELSE 0)
                             ELSE UNCHANGED <<dead, bleft>>
             /\ UNCHANGED <<avars, plife, pused, bep, crashes>>

\* a receives a heartbeat: a lapse is noticed HERE (stored deadline, not a timer callback).
OnHeartbeat == \E m \in msgs :
    /\ m.k = "hb" /\ ~Silent
    /\ left = 0 \/ m.p = sup \/ Mutant = "anyLife"
    /\ LET fresh == left = 0 \/ (m.e # NoEpoch /\ SameEpoch(m.e, Epoch(alife, cnt)))
           n     == IF fresh THEN cnt + 1 ELSE cnt
       IN /\ n <= MaxEp
          /\ cnt' = n /\ left' = DA /\ sup' = m.p
          /\ given' = [given EXCEPT ![alife] = Max2(@, n)]
          /\ twice' = (twice \/ (fresh /\ n <= given[alife]))
          /\ msgs' = msgs \cup {[k |-> "ack", p |-> m.p, s |-> m.s, e |-> Epoch(alife, n)]}
    /\ UNCHANGED <<alife, aused, quar, pvars, crashes>>

\* p receives an ack: it keeps whichever ack gives the later expiry.
OnAck == \E m \in msgs :
    /\ m.k = "ack"
    /\ m.p = plife \/ Mutant = "oldAck"
    /\ m.s <= Len(sent) /\ ~UpTo(m.e, dead)
    /\ LET rest == IF Mutant = "anchorAtReceipt" THEN DP ELSE sent[m.s]
       IN rest > bleft /\ bleft' = rest /\ bep' = m.e
    /\ UNCHANGED <<avars, plife, pused, sent, dead, msgs, crashes>>

\* a crashes: support and votes are forgotten.  The next life has another name, and counts from 0.
Crash == /\ quar # DOWN /\ crashes < MaxCrash
         /\ quar' = DOWN /\ cnt' = 0 /\ left' = 0 /\ sup' = NoLife /\ crashes' = crashes + 1
         /\ UNCHANGED <<alife, aused, given, twice, pvars, msgs>>
Restart == /\ quar = DOWN /\ quar' = Q
           /\ \E l \in IF Mutant = "lifeTwice" THEN aused ELSE ALives \ aused :
                alife' = l /\ aused' = aused \cup {l}
           /\ UNCHANGED <<cnt, left, sup, given, twice, pvars, msgs, crashes>>

\* p crashes and is back as another life, which has forgotten all and sent nothing.
CrashP == /\ crashes < MaxCrash /\ crashes' = crashes + 1
          /\ \E l \in PLives \ pused : plife' = l /\ pused' = pused \cup {l}
          /\ sent' = <<>> /\ bep' = NoEpoch /\ bleft' = 0 /\ dead' = NoEpoch
          /\ UNCHANGED <<avars, msgs>>

Tick == \E ra, rp \in RMin..RMax :
    /\ left'  = Sub(left, ra)
    /\ sup'   = IF left > ra THEN sup ELSE NoLife
    /\ quar'  = IF quar = DOWN THEN DOWN ELSE Sub(quar, ra)
    /\ bleft' = Sub(bleft, rp)
    /\ sent'  = [s \in 1..Len(sent) |-> Sub(sent[s], rp)]
    /\ UNCHANGED <<alife, aused, cnt, given, twice, plife, pused, bep, dead, msgs, crashes>>

Drop == \E m \in msgs : msgs' = msgs \ {m} /\ UNCHANGED <<avars, pvars, crashes>>

Next == Heartbeat \/ OnHeartbeat \/ OnAck \/ Crash \/ Restart \/ CrashP \/ Tick \/ Drop
Spec == Init /\ [][Next]_vars

Bound == Cardinality(msgs) <= MaxMsgs
Believes == bleft > 0
Containment == Believes => Silent \/ (Epoch(alife, cnt) = bep /\ left > 0 /\ sup = plife)
Once == ~twice
Symm == Permutations(ALives) \cup Permutations(PLives)
=============================================================================
