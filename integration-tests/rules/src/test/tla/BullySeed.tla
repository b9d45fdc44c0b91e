------------------------------ MODULE BullySeed ------------------------------
(* Source 001's model of the bully election as its chapter 3 describes it, with *)
(* each of its faults as a switch: docs/algorithms/bully.md#model-of-source-001. *)
(* Bully.tla is the model without them.                                         *)
(*                                                                              *)
(* MODELS  ELECTION, ALIVE, VICTORY; one FIFO mailbox per process, of which the *)
(* head is handled; a process that looks whether its leader is dead; the death  *)
(* of the process that leads.  No time-outs: a process knows at once whether it *)
(* is the highest that lives.                                                   *)
(*                                                                              *)
(* ASSUMES  fail-stop; everybody knows who is dead; messages to and of the dead *)
(* are dropped.                                                                 *)
(*                                                                              *)
(* FAULTS  none is the corrected model.                                         *)
(*   "several"     an ELECTION gives the next mailboxes several times over      *)
(*   "open"        a winner leaves the next state of the processes open         *)
(*   "noAction"    an ELECTION while participating, and an ALIVE while not,     *)
(*                 have no action                                               *)
(*   "noLeader"    the winner does not set its own leader                       *)
(*   "aliveEnds"   ALIVE ends participation, and not VICTORY; so a leader sends *)
(*                 an ALIVE before its VICTORY to a process that asks           *)
(*   "asksNobody"  the highest process that lives answers an ELECTION with an   *)
(*                 election of its own, and not with its VICTORY                *)
(*   "deadMax"     the highest may be a dead process                            *)
(*   "anyElection" any ELECTION in the mailbox is answered, the head is removed *)
(*   "deadVictory" the VICTORY of a dead process may be handled                 *)
(*                                                                              *)
(* BOUNDS  N processes; MaxCrash deaths.                                        *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, Faults
ASSUME N \in Nat /\ N >= 1
P == 1 .. N
VARIABLES alive,    \* [P -> BOOLEAN], the Condition of the source
          leader,   \* [P -> P], N at first
          part,     \* [P -> BOOLEAN], Participating
          box       \* [P -> Seq(<<from, type>>)]
vars == <<alive, leader, part, box>>
Type == {"ELECTION", "ALIVE", "VICTORY"}
Has(fault) == fault \in Faults
AliveSet == {p \in P : alive[p]}
Dead == P \ AliveSet

\* The CHOOSE of the source is satisfied by every dead process above the living, too.
MaxId == LET asHigh == {p \in P : \A q \in AliveSet : p >= q} IN
           IF Has("deadMax") THEN CHOOSE p \in asHigh : \A q \in asHigh : p >= q
                             ELSE CHOOSE p \in asHigh \cap AliveSet : TRUE
Higher(p) == {q \in P : q > p /\ q <= MaxId}

Init == /\ alive = [p \in P |-> TRUE] /\ leader = [p \in P |-> N]
        /\ part = [p \in P |-> FALSE] /\ box = [p \in P |-> <<>>]

Send(b, p, S, t) == [q \in P |-> IF q \in S /\ alive[q] THEN Append(b[q], <<p, t>>) ELSE b[q]]
Pop(p) == [box EXCEPT ![p] = Tail(@)]

Asks(p, b) == /\ box' = Send(b, p, Higher(p), "ELECTION")
              /\ part' = [part EXCEPT ![p] = TRUE] /\ UNCHANGED leader
\* What is left open may become anything, such as no process at all.
Wins(p, b) == /\ box' = Send(b, p, P \ {p}, "VICTORY")
              /\ IF Has("open") THEN \E any \in P \cup {0} : leader' = [leader EXCEPT ![p] = any]
                 ELSE IF Has("noLeader") THEN UNCHANGED leader
                 ELSE leader' = [leader EXCEPT ![p] = p]
              /\ part' = [part EXCEPT ![p] = FALSE]
AsksOrWins(p, b) == IF p = MaxId THEN Wins(p, b) ELSE Asks(p, b)

\* ---- local actions of a process
CheckLeader(p) ==
  /\ alive[p] /\ leader[p] \in Dead /\ ~part[p]
  /\ AsksOrWins(p, box) /\ UNCHANGED alive
\* A participant whose higher processes are all dead wins: the time-out of rule 2.
Rule2(p) ==
  /\ alive[p] /\ part[p] /\ p = MaxId
  /\ ~Has("asksNobody")
  /\ Wins(p, box) /\ UNCHANGED alive
OnElection(p, q) ==
  /\ Has("noAction") => ~part[p]
  /\ IF part[p]
     THEN box' = Send(Pop(p), p, {q}, "ALIVE") /\ UNCHANGED <<leader, part>>
     ELSE IF leader[p] = p /\ ~Has("asksNobody")
     THEN box' = Send(IF Has("aliveEnds") THEN Send(Pop(p), p, {q}, "ALIVE") ELSE Pop(p), p, {q}, "VICTORY")
          /\ UNCHANGED <<leader, part>>
     ELSE IF Has("asksNobody") THEN Asks(p, Send(Pop(p), p, {q}, "ALIVE"))
     ELSE AsksOrWins(p, Send(Pop(p), p, {q}, "ALIVE"))
  \* Two conjuncts give box'; no state satisfies both.
  /\ Has("several") => box' = Pop(p)
OnAlive(p) ==
  /\ Has("noAction") => part[p]
  /\ part' = IF Has("aliveEnds") THEN [part EXCEPT ![p] = FALSE] ELSE part
  /\ box' = Pop(p) /\ UNCHANGED leader
OnVictory(p, q) ==
  /\ box' = Pop(p)
  /\ leader' = [leader EXCEPT ![p] = q]
  /\ part' = IF Has("aliveEnds") THEN part ELSE [part EXCEPT ![p] = FALSE]
\* Not only the head of the box.
Asking(p) == {q \in AliveSet : q < p /\ \E i \in 1 .. Len(box[p]) : box[p][i] = <<q, "ELECTION">>}
Deliver(p) ==
  /\ alive[p] /\ box[p] # <<>>
  /\ LET q == Head(box[p])[1]  t == Head(box[p])[2] IN
       IF ~alive[q] THEN \/ box' = Pop(p) /\ UNCHANGED <<leader, part>>
                         \/ Has("deadVictory") /\ t = "VICTORY" /\ OnVictory(p, q)
       ELSE CASE t = "ELECTION" -> \E r \in IF Has("anyElection") THEN Asking(p) ELSE {q} : OnElection(p, r)
              [] t = "ALIVE"    -> OnAlive(p)
              [] t = "VICTORY"  -> OnVictory(p, q)
  /\ UNCHANGED alive
\* ---- environment
Kill(p) == /\ alive[p] /\ leader[p] = p /\ Cardinality(Dead) < MaxCrash
           /\ alive' = [alive EXCEPT ![p] = FALSE] /\ box' = [box EXCEPT ![p] = <<>>]
           /\ UNCHANGED <<leader, part>>
AtRest == \A p \in AliveSet : box[p] = <<>> /\ ~part[p] /\ leader[p] \in AliveSet
Rest == AtRest /\ UNCHANGED vars
Next == \/ \E p \in P : CheckLeader(p) \/ Rule2(p) \/ Deliver(p) \/ Kill(p)
        \/ Rest
Fair == \A p \in P : WF_vars(CheckLeader(p)) /\ WF_vars(Rule2(p)) /\ WF_vars(Deliver(p))
Spec == Init /\ [][Next]_vars /\ Fair

\* ---- rules of the source
TypeOK == /\ alive \in [P -> BOOLEAN] /\ leader \in [P -> P] /\ part \in [P -> BOOLEAN]
          /\ box \in [P -> Seq(P \X Type)]
OneLeader == \A p, q \in AliveSet : leader[p] = p /\ leader[q] = q => p = q
Participating == \A p \in AliveSet : part[p] => leader[p] # p
ElectionWillEnd == \A p \in P : part[p] ~> (~part[p] \/ ~alive[p])
\* In the words of the source; a winner with nobody above never takes part.
EventuallyElection == \A p \in P : (alive[p] /\ leader[p] \in Dead /\ ~part[p]) ~> part[p]
ElectionTerminationImpliesSameLeader == \A p, q \in AliveSet : ~part[p] /\ ~part[q] => leader[p] = leader[q]
HighestAliveProcessIsLeader == \A p \in AliveSet : ~part[p] => leader[p] = MaxId
\* ---- what is meant
BoxBounded == \A p \in P : Len(box[p]) <= 3 * N
EventuallyAtRest == <>[](AtRest /\ \A p, q \in AliveSet : leader[p] = leader[q])
=============================================================================
