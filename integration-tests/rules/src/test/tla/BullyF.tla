-------------------------------- MODULE BullyF --------------------------------
(* The FAITHFUL bully, as it ships: variant F of io.quorate.bully.Bully, in the *)
(* world of io.quorate.testkit.ModelChecker.  CountsTest demands that both      *)
(* have the same number of distinct states.                                     *)
(*                                                                              *)
(* MODELS  docs/algorithms/bully.md#faithful: elect, win, ELECTION, ALIVE,      *)
(* VICTORY, T and T2, the suspicion of the leader.  Process p is the machine's  *)
(* process p - 1.                                                               *)
(*                                                                              *)
(* ASSUMES  one FIFO link per ordered pair; messages to a crashed process       *)
(* vanish, those of a crashed one arrive, those of a former life are dropped    *)
(* on arrival; all start at once with leader N; a crash is noticed by each      *)
(* process at any later moment; a timer fires when no message is on its way and *)
(* nothing is to be noticed (the bound delta), earlier only out of a budget;    *)
(* one process always survives.                                                 *)
(*                                                                              *)
(* BOUNDS  N; MaxCrash, MaxRestart, MaxEarly: budgets, used up in the state.    *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, MaxEarly
ASSUME N \in Nat /\ N >= 1
P == 1 .. N
None == 0
VARIABLES alive,     \* [P -> BOOLEAN]
          inc,       \* [P -> Nat]: which life of the process this is
          phase,     \* "idle" | "waitAlive" | "waitVictory"
          timers,    \* [P -> SUBSET {"T", "T2"}]: the timers that are set
          leader,    \* [P -> P \cup {None}]
          suspects,  \* [P -> SUBSET P]
          link,      \* link[p][q]: what is on its way from p to q, as <<type, life of p>>
          crashes, restarts, earlies
local  == <<phase, timers, leader>>
budget == <<crashes, restarts, earlies>>
vars   == <<alive, inc, local, suspects, link, budget>>
AliveSet == {p \in P : alive[p]}
Higher(p) == (p + 1) .. N
Others(p) == P \ {p}

Init == /\ alive = [p \in P |-> TRUE] /\ inc = [p \in P |-> 1]
        /\ phase = [p \in P |-> "idle"] /\ timers = [p \in P |-> {}]
        /\ leader = [p \in P |-> N] /\ suspects = [p \in P |-> {}]
        /\ link = [p \in P |-> [q \in P |-> <<>>]]
        /\ crashes = 0 /\ restarts = 0 /\ earlies = 0

\* ---- the machine.  l: the links, without the message that is handled; i: the life of p; ph: the phase of p.
Send(l, p, i, S, type) ==
  [l EXCEPT ![p] = [q \in P |-> IF q \in S /\ alive[q] THEN Append(l[p][q], <<type, i>>) ELSE l[p][q]]]
Become(p, ph, set) == phase' = [phase EXCEPT ![p] = ph] /\ timers' = [timers EXCEPT ![p] = set]
Win(p, i, l) == /\ Become(p, "idle", {}) /\ leader' = [leader EXCEPT ![p] = p]
                /\ link' = Send(l, p, i, Others(p), "VICTORY")
\* A new election; known is the leader that p goes on to name.
Elect(p, i, known, l) ==
  IF p = N THEN Win(p, i, l)
  ELSE /\ Become(p, "waitAlive", {"T"}) /\ leader' = [leader EXCEPT ![p] = known]
       /\ link' = Send(l, p, i, Higher(p), "ELECTION")
ElectIfIdle(p, l) == IF phase[p] = "idle" THEN Elect(p, inc[p], leader[p], l)
                     ELSE link' = l /\ UNCHANGED local
OnMessage(p, from, type, l) ==
  CASE type = "ELECTION" -> ElectIfIdle(p, Send(l, p, inc[p], {from}, "ALIVE"))
    [] type = "ALIVE"    -> /\ link' = l
                            /\ IF phase[p] = "waitAlive" /\ from > p
                               THEN Become(p, "waitVictory", {"T2"}) /\ UNCHANGED leader
                               ELSE UNCHANGED local
    [] type = "VICTORY"  -> Become(p, "idle", {}) /\ leader' = [leader EXCEPT ![p] = from] /\ link' = l

\* ---- the world
Deliver(from, p) ==
  /\ link[from][p] # <<>>
  /\ LET m == Head(link[from][p])
         l == [link EXCEPT ![from][p] = Tail(@)]
     IN IF m[2] # inc[from] THEN link' = l /\ UNCHANGED local        \* of a former life
        ELSE OnMessage(p, from, m[1], l)
  /\ UNCHANGED <<alive, inc, suspects, budget>>
Suspect(p, q) ==
  /\ alive[p] /\ ~alive[q] /\ q \notin suspects[p]
  /\ suspects' = [suspects EXCEPT ![p] = @ \cup {q}]
  /\ IF leader[p] = q THEN ElectIfIdle(p, link) ELSE UNCHANGED <<local, link>>
  /\ UNCHANGED <<alive, inc, budget>>
Trust(p, q) ==
  /\ alive[p] /\ alive[q] /\ q \in suspects[p]
  /\ suspects' = [suspects EXCEPT ![p] = @ \ {q}]
  /\ UNCHANGED <<alive, inc, local, link, budget>>
Quiet == /\ \A p, q \in P : link[p][q] = <<>>
         /\ \A p \in AliveSet : suspects[p] = P \ AliveSet
Fire(p) ==
  /\ alive[p]
  /\ IF Quiet THEN UNCHANGED earlies ELSE earlies < MaxEarly /\ earlies' = earlies + 1
  /\ \/ "T" \in timers[p] /\ Win(p, inc[p], link)
     \/ "T2" \in timers[p] /\ Elect(p, inc[p], leader[p], link)
  /\ UNCHANGED <<alive, inc, suspects, crashes, restarts>>
Crash(p) ==
  /\ alive[p] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE]
  /\ link' = [q \in P |-> [link[q] EXCEPT ![p] = <<>>]]
  /\ Become(p, "idle", {}) /\ leader' = [leader EXCEPT ![p] = None]
  /\ suspects' = [suspects EXCEPT ![p] = {}]
  /\ crashes' = crashes + 1 /\ UNCHANGED <<inc, restarts, earlies>>
Restart(p) ==
  /\ ~alive[p] /\ restarts < MaxRestart
  /\ alive' = [alive EXCEPT ![p] = TRUE] /\ inc' = [inc EXCEPT ![p] = @ + 1]
  /\ Elect(p, inc[p] + 1, None, link)
  /\ restarts' = restarts + 1 /\ UNCHANGED <<suspects, crashes, earlies>>
\* So that a deadlock is a state that nobody can leave although an election is running.
Rest == Quiet /\ (\A p \in AliveSet : phase[p] = "idle") /\ UNCHANGED vars
Next == \/ \E p \in P : \/ Fire(p) \/ Crash(p) \/ Restart(p)
                        \/ \E q \in P : Deliver(p, q) \/ Suspect(p, q) \/ Trust(p, q)
        \/ Rest
\* Strong for the timers: here T2 of one process may run out before T of another again and again, and each time
\* disturb the quiet.  In the machine T2 is twice T.
Fair == \A p, q \in P : SF_vars(Fire(p)) /\ WF_vars(Deliver(p, q)) /\ WF_vars(Suspect(p, q)) /\ WF_vars(Trust(p, q))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

\* ---- what holds and what does not; names of source 001
TypeOK == /\ alive \in [P -> BOOLEAN] /\ inc \in [P -> 1 .. 1 + MaxRestart]
          /\ leader \in [P -> P \cup {None}] /\ suspects \in [P -> SUBSET P]
          /\ \A p \in P : /\ p \notin suspects[p]
                          /\ <<phase[p], timers[p]>> \in {<<"idle", {}>>, <<"waitAlive", {"T"}>>,
                                                          <<"waitVictory", {"T2"}>>}
          /\ \A p, q \in P : link[p][q] \in Seq({"ELECTION", "ALIVE", "VICTORY"} \X (1 .. 1 + MaxRestart))
OneLeader == \A p, q \in AliveSet : leader[p] = p /\ leader[q] = q => p = q
Participating == \A p \in AliveSet : phase[p] # "idle" => leader[p] # p
MaxAlive == CHOOSE p \in AliveSet : \A q \in AliveSet : p >= q
Settled == Quiet /\ \A p \in AliveSet : phase[p] = "idle" /\ leader[p] = MaxAlive
EventuallySettled == <>[]Settled
\* False, to show that a lower process can lead.
LowestNeverLeads == leader[1] # 1
==============================================================================
