------------------------------ MODULE TokenRingF ------------------------------
(* The FAITHFUL token ring, as it ships: variant F of                            *)
(* io.quorate.tokenring.TokenRing, in the world of io.quorate.testkit            *)
(* .ModelChecker.  CountsTest demands that both have the same number of distinct *)
(* states.                                                                       *)
(*                                                                               *)
(* MODELS  docs/algorithms/token-ring.md#faithful: initiate, ELECTION,           *)
(* COORDINATOR, the suspicion of the leader.  Decisions (1) to (5) and the       *)
(* weaknesses (a) to (e) are those of docs/algorithms/token-ring.md#quirks.      *)
(* Process p is the machine's process p - 1; the ring is 1, 2,                   *)
(* ... N, and next(p) skips whom p suspects.                                     *)
(*                                                                               *)
(* ASSUMES  one FIFO link per ordered pair; messages to a crashed process        *)
(* vanish, those of a crashed one arrive, those of a former life are dropped on  *)
(* arrival; all start at once, with leader Leader0, or with none if it is 0; a   *)
(* crash is noticed by each process at any later moment; one process always      *)
(* survives.  There are no timers.                                               *)
(*                                                                               *)
(* BOUNDS  N; MaxCrash, MaxRestart, MaxLoss, MaxFalse (wrong suspicions):        *)
(* budgets, used up in the state.                                                *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, MaxLoss, MaxFalse, Leader0,
          HomeAtHead   \* FALSE: decision (1).  TRUE: a token is home only where it began
ASSUME N \in Nat /\ N >= 1 /\ Leader0 \in 0 .. N
P == 1 .. N
None == 0
VARIABLES alive,     \* [P -> BOOLEAN]
          inc,       \* [P -> Nat]: which life of the process this is
          part,      \* [P -> BOOLEAN]: takes part in an election; no step reads it
          leader,    \* [P -> P \cup {None}]
          ring,      \* [P -> Seq(P)]: the members, as the last closed list has them
          suspects,  \* [P -> SUBSET P]
          link,      \* link[p][q]: what is on its way from p to q, as <<type, ids, starter, life of p>>
          crashes, restarts, losses, falses
local  == <<part, leader, ring>>
budget == <<crashes, restarts, losses, falses>>
vars   == <<alive, inc, local, suspects, link, budget>>
AliveSet == {p \in P : alive[p]}
Range(ids) == {ids[i] : i \in 1 .. Len(ids)}
Max(S) == CHOOSE p \in S : \A q \in S : p >= q
RECURSIVE Walk(_, _)
Walk(q, S) == LET r == (q % N) + 1 IN IF r \in S THEN Walk(r, S) ELSE r
\* i: the life of p; S: whom p suspects; p itself is never in it.
Send(l, p, i, S, type, ids, starter) ==
  LET q == Walk(p, S) IN IF alive[q] THEN [l EXCEPT ![p][q] = Append(@, <<type, ids, starter, i>>)] ELSE l

Init == /\ alive = [p \in P |-> TRUE] /\ inc = [p \in P |-> 1] /\ part = [p \in P |-> Leader0 = None]
        /\ leader = [p \in P |-> Leader0] /\ ring = [p \in P |-> <<>>] /\ suspects = [p \in P |-> {}]
        /\ link = [p \in P |-> [q \in P |-> IF Leader0 = None /\ q = Walk(p, {})
                                            THEN <<<<"ELECTION", <<p>>, None, 1>>>> ELSE <<>>]]
        /\ crashes = 0 /\ restarts = 0 /\ losses = 0 /\ falses = 0

\* ---- the machine.  l: the links, without the message that is handled.
Adopt(p, ids) ==
  leader' = [leader EXCEPT ![p] = Max(Range(ids))] /\ ring' = [ring EXCEPT ![p] = ids]   \* decision (4)
  /\ part' = [part EXCEPT ![p] = FALSE]
IsHome(p, ids) == IF HomeAtHead THEN Head(ids) = p ELSE p \in Range(ids)                 \* decision (1)
OnElection(p, ids, l) ==
  IF IsHome(p, ids)
  THEN /\ Adopt(p, ids)
       /\ link' = IF Walk(p, suspects[p]) = p THEN l
                  ELSE Send(l, p, inc[p], suspects[p], "COORDINATOR", ids, p)
  ELSE /\ part' = [part EXCEPT ![p] = TRUE] /\ UNCHANGED <<leader, ring>>
       /\ link' = Send(l, p, inc[p], suspects[p], "ELECTION", Append(ids, p), None)
OnCoordinator(p, ids, starter, l) ==
  IF starter = p THEN link' = l /\ UNCHANGED local                                       \* decision (3)
  ELSE Adopt(p, ids) /\ link' = Send(l, p, inc[p], suspects[p], "COORDINATOR", ids, starter)

\* ---- the world
IsStale(from, p) == Head(link[from][p])[4] # inc[from]               \* of a former life
Rest(from, p) == [link EXCEPT ![from][p] = Tail(@)]
Deliver(from, p) ==
  /\ link[from][p] # <<>>
  /\ LET m == Head(link[from][p])
         l == Rest(from, p)
     IN CASE IsStale(from, p)       -> link' = l /\ UNCHANGED local
          [] m[1] = "ELECTION"      -> OnElection(p, m[2], l)
          [] OTHER                  -> OnCoordinator(p, m[2], m[3], l)
  /\ UNCHANGED <<alive, inc, suspects, budget>>
Lose(from, p) ==
  /\ link[from][p] # <<>> /\ ~IsStale(from, p) /\ losses < MaxLoss
  /\ link' = Rest(from, p) /\ losses' = losses + 1
  /\ UNCHANGED <<alive, inc, local, suspects, crashes, restarts, falses>>
Suspect(p, q) ==
  /\ alive[p] /\ p # q /\ q \notin suspects[p]
  /\ IF ~alive[q] THEN UNCHANGED falses ELSE falses < MaxFalse /\ falses' = falses + 1
  /\ suspects' = [suspects EXCEPT ![p] = @ \cup {q}]
  /\ IF leader[p] = q
     THEN /\ part' = [part EXCEPT ![p] = TRUE] /\ UNCHANGED <<leader, ring>>
          /\ link' = Send(link, p, inc[p], suspects'[p], "ELECTION", <<p>>, None)
     ELSE UNCHANGED <<local, link>>
  /\ UNCHANGED <<alive, inc, crashes, restarts, losses>>
Trust(p, q) ==
  /\ alive[p] /\ alive[q] /\ q \in suspects[p]
  /\ suspects' = [suspects EXCEPT ![p] = @ \ {q}]
  /\ UNCHANGED <<alive, inc, local, link, budget>>
Crash(p) ==
  /\ alive[p] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE]
  /\ link' = [q \in P |-> [link[q] EXCEPT ![p] = <<>>]]
  /\ part' = [part EXCEPT ![p] = FALSE] /\ leader' = [leader EXCEPT ![p] = None]
  /\ ring' = [ring EXCEPT ![p] = <<>>] /\ suspects' = [suspects EXCEPT ![p] = {}]
  /\ crashes' = crashes + 1 /\ UNCHANGED <<inc, restarts, losses, falses>>
Restart(p) ==
  /\ ~alive[p] /\ restarts < MaxRestart
  /\ alive' = [alive EXCEPT ![p] = TRUE] /\ inc' = [inc EXCEPT ![p] = @ + 1]
  /\ part' = [part EXCEPT ![p] = TRUE]
  /\ link' = LET q == Walk(p, {}) IN IF alive[q] \/ q = p
             THEN [link EXCEPT ![p][q] = Append(@, <<"ELECTION", <<p>>, None, inc[p] + 1>>)] ELSE link
  /\ restarts' = restarts + 1 /\ UNCHANGED <<leader, ring, suspects, crashes, losses, falses>>
Next == \E p \in P : \/ Crash(p) \/ Restart(p)
                     \/ \E q \in P : Deliver(p, q) \/ Lose(p, q) \/ Suspect(p, q) \/ Trust(p, q)
Notice(p, q) == Trust(p, q) \/ (Suspect(p, q) /\ UNCHANGED falses)
Fair == \A p, q \in P : WF_vars(Deliver(p, q)) /\ WF_vars(Notice(p, q))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

\* ---- what holds and what does not; names of source 001
IsList(ids) == Cardinality(Range(ids)) = Len(ids) /\ Range(ids) \subseteq P
TypeOK ==
  /\ alive \in [P -> BOOLEAN] /\ inc \in [P -> 1 .. 1 + MaxRestart] /\ part \in [P -> BOOLEAN]
  /\ leader \in [P -> P \cup {None}] /\ suspects \in [P -> SUBSET P]
  /\ \A p \in P : p \notin suspects[p] /\ IsList(ring[p])
  /\ \A p, q \in P : \A i \in 1 .. Len(link[p][q]) : LET m == link[p][q][i] IN
       /\ IsList(m[2]) /\ m[2] # <<>> /\ m[4] \in 1 .. inc[p]
       /\ <<m[1], m[3]>> \in ({"ELECTION"} \X {None}) \cup ({"COORDINATOR"} \X P)
OneLeader == \A p, q \in AliveSet : leader[p] = p /\ leader[q] = q => p = q
Participating == \A p \in AliveSet : part[p] => leader[p] # p
Quiet == /\ \A p, q \in P : link[p][q] = <<>>
         /\ \A p \in AliveSet : suspects[p] = P \ AliveSet
\* The ring is who is there: false in weakness (d).
RingIsWhoIsAlive == Quiet => \A p \in AliveSet : ~part[p] => Range(ring[p]) = AliveSet
HighestAliveProcessIsLeader ==
  Quiet => \A p \in AliveSet : ~part[p] => leader[p] = Max(AliveSet)
\* Two closed lists differ in where they begin only.
IsRotated(one, two) == Len(one) = Len(two) /\ \E k \in 0 .. Len(one) - 1 :
  \A i \in 1 .. Len(one) : one[i] = two[((i - 1 + k) % Len(two)) + 1]
ClosedListsAreRotated ==
  \A p, q \in AliveSet : ring[p] = <<>> \/ ring[q] = <<>> \/ IsRotated(ring[p], ring[q])
ElectionWillEnd == \A p \in P : part[p] ~> ~part[p]
Settled == Quiet /\ \A p \in AliveSet : ~part[p] /\ leader[p] = Max(AliveSet)
EventuallySettled == <>[]Settled
EventuallyQuiet == <>[]Quiet
\* False, to show that somebody leads.
NeverALeader == \A p \in P : leader[p] # p
================================================================================
