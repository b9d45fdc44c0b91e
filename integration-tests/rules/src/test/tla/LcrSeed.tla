------------------------------- MODULE LcrSeed -------------------------------
(* Source 001's model of the ring election as its chapter 4 describes it, with  *)
(* each of its faults as a switch: docs/algorithms/lcr.md#model-of-source-001.  *)
(* Lcr.tla is the model without them, with more deaths.                         *)
(*                                                                              *)
(* MODELS  PROBE and SELECTED on a ring of places 1..N that hold identifiers;   *)
(* one FIFO mailbox per place; the places of Starters begin, others join at     *)
(* their first PROBE; the death of a process at any moment.                     *)
(*                                                                              *)
(* ASSUMES  fail-stop; a ring that closes over the dead; what a dead process    *)
(* has in its mailbox is lost.                                                  *)
(*                                                                              *)
(* FAULTS  none is the corrected model.                                         *)
(*   "several"      a PROBE gives the next mailboxes and processes twice        *)
(*   "neighbour"    the handler is called for the neighbour                     *)
(*   "noLower"      an identifier below the own one has no action               *)
(*   "swallows"     ... is swallowed also by a process that has sent none       *)
(*   "notForwarded" SELECTED is not forwarded                                   *)
(*   "modulo"       the neighbour is the place modulo the highest that lives    *)
(*   "noRestart"    nobody starts again after a death                           *)
(*   "orphans"      identifiers of the dead are not taken out                   *)
(*                                                                              *)
(* BOUNDS  N places; MaxCrash deaths; AllOrders: any order of identifiers.      *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, AllOrders, Starters, Faults
P == 1 .. N
None == 0
VARIABLES id, alive, leader, part, box,
          probes   \* how many PROBEs were sent, up to 2N + 1
vars == <<id, alive, leader, part, box, probes>>
Has(fault) == fault \in Faults
AliveSet == {i \in P : alive[i]}
DeadIds == {id[i] : i \in P \ AliveSet}
MaxAliveId == CHOOSE x \in P \ DeadIds : \A y \in P \ DeadIds : x >= y
Orders == {f \in [P -> P] : \A i, j \in P : f[i] = f[j] => i = j}

Init == /\ id \in IF AllOrders THEN Orders ELSE {[i \in P |-> i]}
        /\ alive = [i \in P |-> TRUE] /\ leader = [i \in P |-> None]
        /\ part = [i \in P |-> FALSE] /\ box = [i \in P |-> <<>>] /\ probes = 0

RECURSIVE Closed(_)
Closed(i) == LET j == (i % N) + 1 IN IF alive[j] THEN j ELSE Closed(j)
\* The source compares a place with an identifier, which is the same in one order only.
Next1(i) == IF Has("modulo") THEN (i % MaxAliveId) + 1 ELSE Closed(i)
Send(b, i, t, x) == LET j == Next1(i) IN IF alive[j] THEN [b EXCEPT ![j] = Append(@, <<t, x>>)] ELSE b
Pop(i) == [box EXCEPT ![i] = Tail(@)]
Probe(b, i, x) == /\ box' = Send(b, i, "PROBE", x) /\ probes' = IF probes > 2 * N THEN probes ELSE probes + 1
                  /\ part' = [part EXCEPT ![i] = TRUE]

\* Somebody who knows of no living leader starts; a death ends what was going on.
Start(i) == /\ i \in Starters /\ alive[i] /\ ~part[i] /\ (leader[i] = None \/ leader[i] \in DeadIds)
            /\ DeadIds # {} => ~Has("noRestart")
            /\ Probe(box, i, id[i]) /\ UNCHANGED <<id, alive, leader>>
Elected(i, b) == /\ leader' = [leader EXCEPT ![i] = id[i]]
                 /\ part' = [part EXCEPT ![i] = FALSE]
                 /\ box' = Send(b, i, "SELECTED", id[i]) /\ UNCHANGED probes
\* h is the process whose identifier is compared.
OnProbe(i, h, x) ==
  /\ IF x = id[h] THEN Elected(h, Pop(i))
     ELSE IF x > id[h] THEN Probe(Pop(i), h, x) /\ UNCHANGED leader
     ELSE /\ ~Has("noLower")
          /\ IF part[h] \/ Has("swallows")
             THEN box' = Pop(i) /\ UNCHANGED <<part, leader, probes>>
             ELSE Probe(Pop(i), h, id[h]) /\ UNCHANGED leader
  \* Two conjuncts give box'; no state satisfies both.
  /\ Has("several") => box' = Pop(i)
OnSelected(i, x) ==
  /\ leader' = [leader EXCEPT ![i] = x] /\ part' = [part EXCEPT ![i] = FALSE]
  /\ box' = IF x = id[i] \/ Has("notForwarded") THEN Pop(i) ELSE Send(Pop(i), i, "SELECTED", x)
  /\ UNCHANGED probes
Deliver(i) ==
  /\ alive[i] /\ box[i] # <<>>
  /\ LET t == Head(box[i])[1]  x == Head(box[i])[2] IN
       IF x \in DeadIds /\ ~Has("orphans") THEN box' = Pop(i) /\ UNCHANGED <<leader, part, probes>>
       ELSE IF t = "PROBE" THEN OnProbe(i, IF Has("neighbour") THEN Closed(i) ELSE i, x)
       ELSE OnSelected(i, x)
  /\ UNCHANGED <<id, alive>>
\* Everybody is told at once; who takes part begins anew, because its PROBE may have died.
Crash(i) == /\ alive[i] /\ N - Cardinality(AliveSet) < MaxCrash /\ Cardinality(AliveSet) > 1
            /\ alive' = [alive EXCEPT ![i] = FALSE] /\ box' = [box EXCEPT ![i] = <<>>]
            /\ part' = IF Has("noRestart") THEN [part EXCEPT ![i] = FALSE] ELSE [j \in P |-> FALSE]
            /\ leader' = [j \in P |-> IF leader[j] = id[i] THEN None ELSE leader[j]]
            /\ UNCHANGED <<id, probes>>
AtRest == \A i \in AliveSet : box[i] = <<>> /\ ~part[i] /\ leader[i] \in P \ DeadIds
Rest == AtRest /\ UNCHANGED vars
Next == \/ \E i \in P : Start(i) \/ Deliver(i) \/ Crash(i)
        \/ Rest
Fair == \A i \in P : WF_vars(Start(i)) /\ WF_vars(Deliver(i))
Spec == Init /\ [][Next]_vars /\ Fair

\* ---- rules of the source
TypeOK == /\ alive \in [P -> BOOLEAN] /\ leader \in [P -> P \cup {None}] /\ part \in [P -> BOOLEAN]
          /\ box \in [P -> Seq({"PROBE", "SELECTED"} \X P)]
OneLeader == \A i, j \in AliveSet : leader[i] = id[i] /\ leader[j] = id[j] => i = j
ElectionWillEnd == \A i \in P : part[i] ~> (~part[i] \/ ~alive[i])
\* ---- what is meant
HighestIsElected == \A i \in AliveSet : leader[i] = id[i] => id[i] = MaxAliveId
EventuallyElected == <>[](AtRest /\ \A i \in AliveSet : leader[i] = MaxAliveId)
\* Nothing circulates when all is said.
BoxBounded == \A i \in P : Len(box[i]) <= 2 * N
\* The cost of the best case, 2N - 1 with one starter: identifiers ascend along the ring.
CostOfTheBestCase == probes <= 2 * N - 1
=============================================================================
