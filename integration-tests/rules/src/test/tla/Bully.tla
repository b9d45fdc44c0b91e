-------------------------------- MODULE Bully --------------------------------
(* Garcia-Molina's bully election, without time-outs: source 001's own model,   *)
(* corrected (docs/algorithms/bully.md#model-of-source-001).  BullyF is the     *)
(* variant that ships.                                                          *)
(*                                                                              *)
(* MODELS  ELECTION, ALIVE, VICTORY; one FIFO mailbox per process; crashes of   *)
(* any process, restarts with an empty memory, wrong suspicions.                *)
(*                                                                              *)
(* ASSUMES  messages to dead processes are lost.  PerfectFD: p suspects q if    *)
(* and only if q is dead; otherwise a time-out may come at any moment.          *)
(* Incarnations: messages of a former life are discarded when its sender dies.  *)
(*                                                                              *)
(* BOUNDS  N processes; MaxCrash crashes, MaxRestart restarts, MaxFalse wrong   *)
(* suspicions, each counted in the state.                                       *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS N, MaxCrash, MaxRestart, PerfectFD, MaxFalse,
          Incarnations   \* TRUE: messages of a process's former life are discarded
ASSUME N \in Nat /\ N >= 1
P == 1 .. N
None == 0
VARIABLES alive,   \* [P -> BOOLEAN]
          phase,   \* "idle" | "elect" (sent ELECTION, no answer) | "wait" (answered, awaits VICTORY)
          leader,  \* [P -> P \cup {None}]
          box,     \* [P -> Seq(<<from, type>>)]
          crashes, restarts, falses     \* environment budgets
vars == <<alive, phase, leader, box, crashes, restarts, falses>>
budget == <<crashes, restarts, falses>>
Type == {"ELECTION", "ALIVE", "VICTORY"}
Higher(p) == {q \in P : q > p}
AliveSet  == {q \in P : alive[q]}
MaxAlive  == CHOOSE q \in AliveSet : \A r \in AliveSet : q >= r

Init == /\ alive = [p \in P |-> TRUE] /\ phase = [p \in P |-> "idle"]
        /\ leader = [p \in P |-> N] /\ box = [p \in P |-> <<>>]
        /\ crashes = 0 /\ restarts = 0 /\ falses = 0

Send(b, p, S, t) == [q \in P |-> IF q \in S /\ alive[q] THEN Append(b[q], <<p, t>>) ELSE b[q]]
Pop(p) == [box EXCEPT ![p] = Tail(@)]
HigherDead(p) == \A q \in Higher(p) : ~alive[q]

\* p believes that every higher process is gone (true knowledge only with PerfectFD)
Win(p, b) == /\ leader' = [leader EXCEPT ![p] = p]
             /\ phase'  = [phase EXCEPT ![p] = "idle"]
             /\ box'    = Send(b, p, P \ {p}, "VICTORY")
Campaign(p, b) == /\ leader' = [leader EXCEPT ![p] = None]
                  /\ phase'  = [phase EXCEPT ![p] = "elect"]
                  /\ box'    = Send(b, p, Higher(p), "ELECTION")
StartOrWin(p, b) == IF (PerfectFD /\ HigherDead(p)) \/ p = N THEN Win(p, b) ELSE Campaign(p, b)

\* ---- local actions of a process
Start(p) == \* no leader, or the leader is known to be dead
  /\ alive[p] /\ phase[p] = "idle"
  /\ (IF leader[p] = None THEN TRUE ELSE ~alive[leader[p]])
  /\ StartOrWin(p, box) /\ UNCHANGED <<alive, budget>>
Timeout(p) == \* an election that cannot end by itself any more: every higher process is dead
  /\ alive[p] /\ phase[p] # "idle" /\ HigherDead(p)
  /\ Win(p, box) /\ UNCHANGED <<alive, budget>>
FalseTimeout(p) == \* asynchrony: the answer or the victory is only late
  /\ ~PerfectFD /\ falses < MaxFalse /\ alive[p] /\ p # N
  /\ \/ phase[p] = "elect" /\ Win(p, box)
     \/ phase[p] = "wait"  /\ Campaign(p, box)
     \/ phase[p] = "idle"  /\ leader[p] # p /\ Campaign(p, box)
  /\ falses' = falses + 1 /\ UNCHANGED <<alive, crashes, restarts>>
OnElection(p, q) ==
  IF leader[p] = p                                   \* a leader answers with its victory
  THEN box' = Send(Pop(p), p, {q}, "VICTORY") /\ UNCHANGED <<leader, phase>>
  ELSE IF phase[p] # "idle" \/ (leader[p] > p /\ alive[leader[p]])
  THEN box' = Send(Pop(p), p, {q}, "ALIVE") /\ UNCHANGED <<leader, phase>>
  ELSE StartOrWin(p, Send(Pop(p), p, {q}, "ALIVE"))
OnAlive(p) ==
  /\ phase' = [phase EXCEPT ![p] = IF @ = "elect" THEN "wait" ELSE @]
  /\ box' = Pop(p) /\ UNCHANGED leader
OnVictory(p, q) ==
  IF leader[p] \in AliveSet /\ leader[p] > q /\ leader[p] # p   \* a stale, lower claim
  THEN box' = Pop(p) /\ UNCHANGED <<leader, phase>>
  ELSE IF q > p
  THEN /\ leader' = [leader EXCEPT ![p] = q]
       /\ phase'  = [phase EXCEPT ![p] = "idle"] /\ box' = Pop(p)
  ELSE IF leader[p] = p                              \* a lower process claims: bully it
  THEN box' = Send(Pop(p), p, {q}, "VICTORY") /\ UNCHANGED <<leader, phase>>
  ELSE box' = Pop(p) /\ UNCHANGED <<leader, phase>>
Deliver(p) ==
  /\ alive[p] /\ box[p] # <<>>
  /\ LET q == Head(box[p])[1]  t == Head(box[p])[2] IN
       CASE t = "ELECTION" -> OnElection(p, q)
         [] t = "ALIVE"    -> OnAlive(p)
         [] t = "VICTORY"  -> OnVictory(p, q)
  /\ UNCHANGED <<alive, budget>>
\* ---- environment
Crash(p) == /\ alive[p] /\ crashes < MaxCrash
            /\ alive' = [alive EXCEPT ![p] = FALSE]
            /\ box' = [q \in P |-> IF q = p THEN <<>>
                                   ELSE IF Incarnations THEN SelectSeq(box[q], LAMBDA m : m[1] # p)
                                   ELSE box[q]]
            /\ phase' = [phase EXCEPT ![p] = "idle"] /\ leader' = [leader EXCEPT ![p] = None]
            /\ crashes' = crashes + 1 /\ UNCHANGED <<restarts, falses>>
Restart(p) == /\ ~alive[p] /\ restarts < MaxRestart
              /\ alive' = [alive EXCEPT ![p] = TRUE]
              /\ restarts' = restarts + 1 /\ UNCHANGED <<phase, leader, box, crashes, falses>>
NoWork(p) == /\ box[p] = <<>> /\ phase[p] = "idle" /\ leader[p] \in AliveSet
\* So that a deadlock is a state that nobody can leave and that is not the end of an election.
Rest == (\A p \in P : alive[p] => NoWork(p)) /\ UNCHANGED vars
Next == \/ \E p \in P : Start(p) \/ Timeout(p) \/ FalseTimeout(p) \/ Deliver(p) \/ Crash(p) \/ Restart(p)
        \/ Rest
Fair == \A p \in P : WF_vars(Start(p)) /\ WF_vars(Timeout(p)) /\ WF_vars(Deliver(p))
Spec == Init /\ [][Next]_vars /\ Fair

\* ---- safety
TypeOK == /\ alive \in [P -> BOOLEAN] /\ phase \in [P -> {"idle", "elect", "wait"}]
          /\ leader \in [P -> P \cup {None}] /\ box \in [P -> Seq(P \X Type)]
BoxBounded == \A p \in P : Len(box[p]) <= 3 * N * (1 + MaxCrash + MaxRestart + MaxFalse)
OneLeader == \A p, q \in AliveSet : leader[p] = p /\ leader[q] = q => p = q
Participating == \A p \in P : phase[p] # "idle" => leader[p] # p
NeverBelow == \A p \in AliveSet : leader[p] # None => leader[p] >= p
Quiet == AliveSet # {} /\ \A p \in AliveSet : NoWork(p)
SameLeaderWhenQuiet    == Quiet => \A p, q \in AliveSet : leader[p] = leader[q]
HighestLeaderWhenQuiet == Quiet => \A p \in AliveSet : leader[p] = MaxAlive
\* ---- liveness
ElectionWillEnd   == \A p \in P : (phase[p] # "idle") ~> (phase[p] = "idle")
\* In the weaker form: who wins without higher processes never takes part.
EventuallyElection == \A p \in P : (alive[p] /\ leader[p] \in P \ AliveSet)
                                      ~> (~alive[p] \/ leader[p] \in AliveSet \cup {None})
EventuallyElected == <>[](\A p \in AliveSet : phase[p] = "idle" /\ leader[p] = MaxAlive)
\* ---- the readings of source 001, kept to show that they do not hold
SeedSameLeader == \A p, q \in AliveSet : phase[p] = "idle" /\ phase[q] = "idle" => leader[p] = leader[q]
SeedHighest    == \A p \in AliveSet : phase[p] = "idle" => leader[p] = MaxAlive
=============================================================================
