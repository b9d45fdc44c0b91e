--------------------------------- MODULE BullyH ---------------------------------
(* The HARDENED bully: variant H of io.quorate.bully.Bully without options Q and  *)
(* P, in the world of io.quorate.testkit.ModelChecker.  CountsTest demands that   *)
(* both have the same number of distinct states.                                  *)
(*                                                                                *)
(* MODELS  docs/algorithms/bully.md#hardened with the rules K1 to K4 of           *)
(* docs/algorithms/common.md#hardening-rules, and the deviation D1 of the         *)
(* machine.  Process p is the machine's process p - 1.                            *)
(*                                                                                *)
(* ASSUMES and BOUNDS  as BullyF: FIFO links, a slow and perfect detector, timers *)
(* that fire when nothing is on its way, early ones out of a budget; one process  *)
(* always survives.                                                               *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, MaxEarly
ASSUME N \in 1 .. 9
P == 1 .. N
None == 0
VARIABLES alive,   \* [P -> BOOLEAN]
          inc,     \* [P -> Nat]: which life of the process this is
          m,       \* the machines: [term, seen, leader, phase, timers, suspects], and out, always empty
          link,    \* link[p][q]: what is on its way from p to q, as <<type, term, life of p>>
          crashes, restarts, earlies
budget == <<crashes, restarts, earlies>>
vars   == <<alive, inc, m, link, budget>>
AliveSet == {p \in P : alive[p]}
Higher(p) == (p + 1) .. N
Others(p) == P \ {p}

\* ---- the machine: from a state s of p to the next one; out[q]: what it sends to q, as <<type, term>>
Token(term, p) == 10 * term + p
Term(token) == token \div 10
Max(a, b) == IF a > b THEN a ELSE b
Silent == [q \in P |-> <<>>]
Blank == [term |-> 0, seen |-> 0, leader |-> None, phase |-> "idle", timers |-> {}, suspects |-> {}, out |-> Silent]
Send(s, S, type, term) == [s EXCEPT !.out = [q \in P |-> IF q \in S THEN Append(@[q], <<type, term>>) ELSE @[q]]]
Become(s, phase, set) == [s EXCEPT !.phase = phase, !.timers = (@ \cap {"HB"}) \cup set]
Win(p, s) == LET t == s.term + 1                                                                 \* K2
             IN Send([Become(s, "idle", {}) EXCEPT !.leader = p, !.term = t, !.seen = Token(t, p)],
                     Others(p), "VICTORY", t)
Elect(p, s) == IF s.phase # "idle" THEN s
               ELSE IF p = N THEN Win(p, s)
               ELSE Send(Become(s, "waitAlive", {"T"}), Higher(p), "ELECTION", s.term)
Recheck(p, s) == LET known == IF s.leader \in s.suspects THEN [s EXCEPT !.leader = None] ELSE s    \* K1
                 IN IF known.leader = None THEN Elect(p, known) ELSE known
OnElection(p, from, t, s) ==
  LET a == Send(s, {from}, "ALIVE", s.term)
  IN IF s.leader # p THEN Elect(p, a)
     ELSE IF t > Term(s.seen) THEN Win(p, a)
     ELSE Send(a, {from}, "VICTORY", Term(s.seen))
OnAlive(p, from, s) == IF from > p /\ s.phase = "waitAlive" THEN Become(s, "waitVictory", {"T2"}) ELSE s
OnVictoryOfLower(p, from, t, s) ==
  CASE s.leader # p              -> s
    [] Token(t, from) > s.seen   -> Win(p, s)
    [] OTHER                     -> Send(s, {from}, "VICTORY", Term(s.seen))
OnVictoryOfHigher(p, from, t, s) ==
  LET demanded == Max(s.term, Term(s.seen) + 1)
  IN CASE from \in s.suspects                               -> s
       [] Token(t, from) < s.seen /\ s.leader > from        -> s                                  \* D1
       [] Token(t, from) < s.seen /\ ~(s.leader > from)     -> Send([s EXCEPT !.term = demanded], {from},
                                                                    "ELECTION", demanded)
       [] Token(t, from) >= s.seen /\ from \notin s.suspects ->
            [Become(s, "idle", {}) EXCEPT !.leader = from, !.seen = Token(t, from)]
OnMessage(p, from, type, t, before) ==
  LET s == [before EXCEPT !.term = Max(@, t)]                                                     \* K2
  IN CASE type = "ELECTION" /\ from < p -> OnElection(p, from, t, s)
       [] type = "ELECTION" /\ from > p -> s
       [] type = "ALIVE"                -> OnAlive(p, from, s)
       [] type = "VICTORY" /\ from < p  -> OnVictoryOfLower(p, from, t, s)
       [] type = "VICTORY" /\ from > p  -> OnVictoryOfHigher(p, from, t, s)
OnTimer(p, timer, s) ==
  CASE timer = "T"  -> Win(p, Become(s, "idle", {}))
    [] timer = "T2" -> Elect(p, Become(s, "idle", {}))
    [] timer = "HB" -> IF s.leader = p THEN Send(s, Others(p), "VICTORY", Term(s.seen)) ELSE s     \* K3
Started(p, leader) == Recheck(p, [Blank EXCEPT !.leader = leader, !.seen = leader, !.timers = {"HB"}])

\* ---- the world.  l: the links, without the message that is handled.
Perform(p, s, life, l) ==
  /\ m' = [m EXCEPT ![p] = [s EXCEPT !.out = Silent]]
  /\ link' = [l EXCEPT ![p] = [q \in P |-> IF ~alive[q] THEN l[p][q]
                ELSE l[p][q] \o [n \in 1 .. Len(s.out[q]) |-> <<s.out[q][n][1], s.out[q][n][2], life>>]]]
Init == /\ alive = [p \in P |-> TRUE] /\ inc = [p \in P |-> 1]
        /\ m = [p \in P |-> Started(p, N)] /\ link = [p \in P |-> Silent]
        /\ crashes = 0 /\ restarts = 0 /\ earlies = 0
Deliver(from, p) ==
  /\ link[from][p] # <<>>
  /\ LET k == Head(link[from][p])
         l == [link EXCEPT ![from][p] = Tail(@)]
     IN IF k[3] # inc[from] THEN link' = l /\ UNCHANGED m                     \* of a former life
        ELSE Perform(p, Recheck(p, OnMessage(p, from, k[1], k[2], m[p])), inc[p], l)
  /\ UNCHANGED <<alive, inc, budget>>
Suspect(p, q) ==
  /\ alive[p] /\ ~alive[q] /\ q \notin m[p].suspects
  /\ Perform(p, Recheck(p, [m[p] EXCEPT !.suspects = @ \cup {q}]), inc[p], link)
  /\ UNCHANGED <<alive, inc, budget>>
Trust(p, q) ==
  /\ alive[p] /\ alive[q] /\ q \in m[p].suspects
  /\ Perform(p, Recheck(p, [m[p] EXCEPT !.suspects = @ \ {q}]), inc[p], link)
  /\ UNCHANGED <<alive, inc, budget>>
Quiet == /\ \A p, q \in P : link[p][q] = <<>>
         /\ \A p \in AliveSet : m[p].suspects = P \ AliveSet
Fire(p, timer) ==
  /\ alive[p] /\ timer \in m[p].timers
  /\ IF Quiet THEN UNCHANGED earlies ELSE earlies < MaxEarly /\ earlies' = earlies + 1
  /\ Perform(p, Recheck(p, OnTimer(p, timer, m[p])), inc[p], link)
  /\ UNCHANGED <<alive, inc, crashes, restarts>>
Crash(p) ==
  /\ alive[p] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE] /\ m' = [m EXCEPT ![p] = Blank]
  /\ link' = [q \in P |-> [link[q] EXCEPT ![p] = <<>>]]
  /\ crashes' = crashes + 1 /\ UNCHANGED <<inc, restarts, earlies>>
Restart(p) ==
  /\ ~alive[p] /\ restarts < MaxRestart
  /\ alive' = [alive EXCEPT ![p] = TRUE] /\ inc' = [inc EXCEPT ![p] = @ + 1]
  /\ Perform(p, Started(p, None), inc[p] + 1, link)
  /\ restarts' = restarts + 1 /\ UNCHANGED <<crashes, earlies>>
Next == \E p \in P : \/ Crash(p) \/ Restart(p)
                     \/ \E timer \in {"T", "T2", "HB"} : Fire(p, timer)
                     \/ \E q \in P : Deliver(p, q) \/ Suspect(p, q) \/ Trust(p, q)
Spec == Init /\ [][Next]_vars

\* ---- what holds and what does not; names of source 001
TypeOK == \A p \in P :
  /\ m[p].term >= Term(m[p].seen) /\ m[p].out = Silent /\ p \notin m[p].suspects
  /\ alive[p] => /\ <<m[p].phase, m[p].timers>> \in {<<"idle", {"HB"}>>, <<"waitAlive", {"T", "HB"}>>,
                                                     <<"waitVictory", {"T2", "HB"}>>}
                 /\ m[p].leader = None => m[p].phase # "idle"                                     \* K1
                 /\ m[p].leader # None => m[p].leader = m[p].seen % 10
Participating == \A p \in AliveSet : m[p].phase # "idle" => m[p].leader # p
\* False, to show that a lower process can lead.
LowestNeverLeads == m[1].leader # 1
=================================================================================
