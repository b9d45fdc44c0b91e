--------------------------------- MODULE LcrF ---------------------------------
(* The FAITHFUL LCR, as it ships: variant F of io.quorate.lcr.Lcr, in the world  *)
(* of io.quorate.testkit.ModelChecker.  CountsTest demands that both have the    *)
(* same number of distinct states.                                               *)
(*                                                                               *)
(* MODELS  docs/algorithms/lcr.md#faithful: initiate, PROBE with the join rule   *)
(* of source 003, SELECTED, the suspicion of the leader.  Process p is the       *)
(* machine's process p - 1; the ring is 1, 2, ... N, and next(p) skips whom p    *)
(* suspects.                                                                     *)
(*                                                                               *)
(* ASSUMES  one FIFO link per ordered pair; messages to a crashed process vanish,*)
(* those of a crashed one arrive; all start at once, with leader Leader0, or     *)
(* with none if it is 0; a crash is noticed by each process at any later moment; *)
(* one process always survives.  There are no timers.                            *)
(*                                                                               *)
(* BOUNDS  N; MaxCrash, at most 1: with more, orphans may multiply (quirk 9).    *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, Leader0
ASSUME N \in Nat /\ N >= 1 /\ Leader0 \in 0 .. N
P == 1 .. N
None == 0
VARIABLES alive,     \* [P -> BOOLEAN]
          part,      \* [P -> BOOLEAN]: takes part in an election
          leader,    \* [P -> P \cup {None}]
          suspects,  \* [P -> SUBSET P]
          link,      \* link[p][q]: what is on its way from p to q, as <<type, id>>
          crashes
local == <<part, leader>>
vars  == <<alive, local, suspects, link, crashes>>
AliveSet == {p \in P : alive[p]}
RECURSIVE Walk(_, _)
Walk(q, S) == LET r == (q % N) + 1 IN IF r \in S THEN Walk(r, S) ELSE r
\* S: whom p suspects; p itself is never in it.
Send(l, p, S, type, id) == LET q == Walk(p, S) IN IF alive[q] THEN [l EXCEPT ![p][q] = Append(@, <<type, id>>)] ELSE l

Init == /\ alive = [p \in P |-> TRUE] /\ part = [p \in P |-> Leader0 = None]
        /\ leader = [p \in P |-> Leader0] /\ suspects = [p \in P |-> {}]
        /\ link = [p \in P |-> [q \in P |-> IF Leader0 = None /\ q = Walk(p, {}) THEN <<<<"PROBE", p>>>> ELSE <<>>]]
        /\ crashes = 0

\* ---- the machine.  l: the links, without the message that is handled.
Initiated(l, p, S) == IF part[p] THEN l ELSE Send(l, p, S, "PROBE", p)
OnProbe(p, id, l) ==
  IF id = p THEN /\ leader' = [leader EXCEPT ![p] = p] /\ part' = [part EXCEPT ![p] = TRUE]
                 /\ link' = Send(l, p, suspects[p], "SELECTED", p)
  ELSE LET joined == Initiated(l, p, suspects[p]) IN
       /\ part' = [part EXCEPT ![p] = TRUE] /\ UNCHANGED leader
       /\ link' = IF id > p THEN Send(joined, p, suspects[p], "PROBE", id) ELSE joined
OnSelected(p, id, l) ==
  /\ part' = [part EXCEPT ![p] = FALSE]
  /\ IF id = p THEN link' = l /\ UNCHANGED leader
     ELSE link' = Send(l, p, suspects[p], "SELECTED", id) /\ leader' = [leader EXCEPT ![p] = id]

\* ---- the world
Deliver(from, p) ==
  /\ link[from][p] # <<>>
  /\ LET m == Head(link[from][p])
         l == [link EXCEPT ![from][p] = Tail(@)]
     IN IF m[1] = "PROBE" THEN OnProbe(p, m[2], l) ELSE OnSelected(p, m[2], l)
  /\ UNCHANGED <<alive, suspects, crashes>>
Suspect(p, q) ==
  /\ alive[p] /\ ~alive[q] /\ q \notin suspects[p]
  /\ suspects' = [suspects EXCEPT ![p] = @ \cup {q}]
  /\ IF leader[p] = q
     THEN link' = Initiated(link, p, suspects'[p]) /\ part' = [part EXCEPT ![p] = TRUE] /\ UNCHANGED leader
     ELSE UNCHANGED <<local, link>>
  /\ UNCHANGED <<alive, crashes>>
Crash(p) ==
  /\ alive[p] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
  /\ alive' = [alive EXCEPT ![p] = FALSE]
  /\ link' = [q \in P |-> [link[q] EXCEPT ![p] = <<>>]]
  /\ part' = [part EXCEPT ![p] = FALSE] /\ leader' = [leader EXCEPT ![p] = None]
  /\ suspects' = [suspects EXCEPT ![p] = {}]
  /\ crashes' = crashes + 1
Next == \E p \in P : Crash(p) \/ \E q \in P : Deliver(p, q) \/ Suspect(p, q)
Fair == \A p, q \in P : WF_vars(Deliver(p, q)) /\ WF_vars(Suspect(p, q))
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ Fair

\* ---- what holds and what does not; names of source 001
TypeOK == /\ alive \in [P -> BOOLEAN] /\ part \in [P -> BOOLEAN]
          /\ leader \in [P -> P \cup {None}] /\ suspects \in [P -> SUBSET P]
          /\ \A p, q \in P : q \in suspects[p] => p # q /\ ~alive[q]
          /\ \A p, q \in P : link[p][q] \in Seq({"PROBE", "SELECTED"} \X P)
OneLeader == \A p, q \in AliveSet : leader[p] = p /\ leader[q] = q => p = q
Participating == \A p \in AliveSet : part[p] => leader[p] # p
MaxAlive == CHOOSE p \in AliveSet : \A q \in AliveSet : p >= q
Settled == /\ \A p, q \in P : link[p][q] = <<>>
           /\ \A p \in AliveSet : ~part[p] /\ leader[p] = MaxAlive /\ suspects[p] = P \ AliveSet
EventuallySettled == <>[]Settled
================================================================================
