--------------------------------- MODULE Lcr ---------------------------------
(* LCR / Chang-Roberts election on a ring: source 001's model, corrected        *)
(* (docs/algorithms/lcr.md#model-of-source-001).                                *)
(*                                                                              *)
(* MODELS  PROBE and SELECTED on a ring of POSITIONS 1..N that hold IDENTIFIERS *)
(* in any order (AllPerms; rotations are broken by placing id N at N); crashes; *)
(* the repair of the ring: Succ is the next live position.                      *)
(*                                                                              *)
(* ASSUMES  fail-stop, a perfect failure detector that may be slow, FIFO        *)
(* mailboxes.  Messages in the mailbox of a crashed process are lost: so a      *)
(* process that is told of a crash during an election starts again (the token   *)
(* may be gone), and messages that carry a dead id are purged.                  *)
(*                                                                              *)
(* BOUNDS  N positions; MaxCrash crashes, one process survives.                 *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, AllPerms
Pos == 1 .. N
None == 0
VARIABLES id, alive, part, leader, box, known, crashes
vars == <<id, alive, part, leader, box, known, crashes>>
\* id[i]: identifier at position i; known[i]: ids whose crash process i has been told of
Ids == 1 .. N
Perms == {f \in [Pos -> Ids] : (\A i, j \in Pos : f[i] = f[j] => i = j) /\ f[N] = N}
Init == /\ id \in IF AllPerms THEN Perms ELSE {[i \in Pos |-> i]}
        /\ alive = [i \in Pos |-> TRUE] /\ part = [i \in Pos |-> FALSE]
        /\ leader = [i \in Pos |-> None] /\ box = [i \in Pos |-> <<>>]
        /\ known = [i \in Pos |-> {}] /\ crashes = 0
AliveSet == {i \in Pos : alive[i]}
AliveIds == {id[i] : i \in AliveSet}
MaxAliveId == CHOOSE x \in AliveIds : \A y \in AliveIds : x >= y
RECURSIVE Walk(_)
Walk(i) == LET j == (i % N) + 1 IN IF alive[j] THEN j ELSE Walk(j)
Succ(i) == Walk(i)                      \* defined while somebody is alive; may be i itself
Pop(i) == [box EXCEPT ![i] = Tail(@)]
Send(b, i, t, x) == [b EXCEPT ![Succ(i)] = Append(@, <<t, x>>)]

Start(i) == \* no leader is known
  /\ alive[i] /\ ~part[i] /\ (leader[i] = None \/ leader[i] \in known[i])
  /\ part' = [part EXCEPT ![i] = TRUE] /\ leader' = [leader EXCEPT ![i] = None]
  /\ box' = Send(box, i, "PROBE", id[i])
  /\ UNCHANGED <<id, alive, known, crashes>>
OnProbe(i, x) ==
  IF x \in known[i] THEN box' = Pop(i) /\ UNCHANGED <<part, leader>>
  ELSE IF x = id[i] THEN             \* my own probe came round: elected
       /\ leader' = [leader EXCEPT ![i] = x] /\ part' = [part EXCEPT ![i] = FALSE]
       /\ box' = Send(Pop(i), i, "SELECTED", x)
  ELSE IF x > id[i] THEN             \* forward
       /\ part' = [part EXCEPT ![i] = TRUE] /\ leader' = [leader EXCEPT ![i] = None]
       /\ box' = Send(Pop(i), i, "PROBE", x)
  ELSE IF ~part[i] THEN              \* smaller: join with my own id
       /\ part' = [part EXCEPT ![i] = TRUE] /\ leader' = [leader EXCEPT ![i] = None]
       /\ box' = Send(Pop(i), i, "PROBE", id[i])
  ELSE box' = Pop(i) /\ UNCHANGED <<part, leader>>   \* smaller: swallow
OnSelected(i, x) ==
  IF x \in known[i] \/ x < id[i] THEN box' = Pop(i) /\ UNCHANGED <<part, leader>>
  ELSE IF x = id[i] THEN box' = Pop(i) /\ UNCHANGED <<part, leader>>   \* went all the way round
  ELSE /\ leader' = [leader EXCEPT ![i] = x] /\ part' = [part EXCEPT ![i] = FALSE]
       /\ box' = Send(Pop(i), i, "SELECTED", x)
Deliver(i) ==
  /\ alive[i] /\ box[i] # <<>>
  /\ LET t == Head(box[i])[1]  x == Head(box[i])[2] IN
       IF t = "PROBE" THEN OnProbe(i, x) ELSE OnSelected(i, x)
  /\ UNCHANGED <<id, alive, known, crashes>>
Notice(i, j) == \* the failure detector of i reports the crash of j
  /\ alive[i] /\ ~alive[j] /\ id[j] \notin known[i]
  /\ known' = [known EXCEPT ![i] = @ \cup {id[j]}]
  /\ IF part[i] \/ leader[i] = id[j] \/ leader[i] = None   \* restart: the token may have died with j
     THEN /\ part' = [part EXCEPT ![i] = TRUE] /\ leader' = [leader EXCEPT ![i] = None]
          /\ box' = Send(box, i, "PROBE", id[i])
     ELSE UNCHANGED <<part, leader, box>>
  /\ UNCHANGED <<id, alive, crashes>>
Crash(i) == /\ alive[i] /\ crashes < MaxCrash /\ Cardinality(AliveSet) > 1
            /\ alive' = [alive EXCEPT ![i] = FALSE] /\ box' = [box EXCEPT ![i] = <<>>]
            /\ part' = [part EXCEPT ![i] = FALSE] /\ leader' = [leader EXCEPT ![i] = None]
            /\ known' = [known EXCEPT ![i] = {}]
            /\ crashes' = crashes + 1 /\ UNCHANGED id
Quiet == \A i \in AliveSet : /\ box[i] = <<>> /\ ~part[i] /\ leader[i] # None
                             /\ known[i] = Ids \ AliveIds /\ leader[i] \notin known[i]
\* So that a deadlock is a state that nobody can leave and that is not the end of an election.
Rest == Quiet /\ UNCHANGED vars
Next == \/ \E i \in Pos : Start(i) \/ Deliver(i) \/ Crash(i) \/ \E j \in Pos : Notice(i, j)
        \/ Rest
Fair == \A i \in Pos : WF_vars(Start(i)) /\ WF_vars(Deliver(i)) /\ \A j \in Pos : WF_vars(Notice(i, j))
Spec == Init /\ [][Next]_vars /\ Fair

TypeOK == /\ alive \in [Pos -> BOOLEAN] /\ part \in [Pos -> BOOLEAN]
          /\ leader \in [Pos -> Ids \cup {None}]
          /\ box \in [Pos -> Seq({"PROBE", "SELECTED"} \X Ids)]
UniqueID == \A i, j \in Pos : id[i] = id[j] => i = j
OneLeader == \A i, j \in AliveSet : leader[i] = id[i] /\ leader[j] = id[j] => i = j
ElectedIsHighest == \A i \in AliveSet : leader[i] = id[i] => id[i] = MaxAliveId
Participating == \A i \in Pos : part[i] => leader[i] # id[i]
NeverBelow == \A i \in AliveSet : leader[i] # None => leader[i] >= id[i]
SameLeaderWhenQuiet == Quiet => \A i \in AliveSet : leader[i] = MaxAliveId
BoxBounded == \A i \in Pos : Len(box[i]) <= 2 * N * (1 + MaxCrash)
ElectionWillEnd == \A i \in Pos : part[i] ~> ~part[i]
EventuallyElected == <>[](\A i \in AliveSet : ~part[i] /\ leader[i] = MaxAliveId)
=============================================================================
