--------------------------- MODULE ReconfigPaxos ---------------------------
(***************************************************************************)
(* LAYER 3, agreement: which voter list follows which.                      *)
(*                                                                          *)
(* MODELS  docs/reconfiguration.md#rules, R5, with R8 and R9: one instance  *)
(* of single-decree Paxos per slot.  The acceptors of slot s are the voters *)
(* of list s - 1, and its value is a list that differs from that one by one *)
(* voter.  Any number of operators: each ballot belongs to one coordinator, *)
(* which may be slow, or dead, or the same that asks again.                 *)
(*                                                                          *)
(* Messages are a set that only grows: a message may be lost, delayed,      *)
(* copied or overtaken.  A voter keeps bal, vbal and vval for the slot      *)
(* above its list.  All three are durable before the answer leaves, so a    *)
(* crash changes nothing.  A voter may forget what it has LEARNED: then it  *)
(* is as if it had not learned that yet.  The terms in promises and the     *)
(* floors of lists are in Reconfig.tla.                                     *)
(*                                                                          *)
(* A second process may run under the id of a voter, with a directory of    *)
(* its own, and is refused as BUSY all the time (Twins.tla): it learns      *)
(* lists, and neither promises nor accepts.                                 *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC
CONSTANTS
  Acc, First,  \* nodes that may be voters (acceptors); those of list 1
  MaxSlot, MaxBal, MaxCrash,
  Mutant       \* "none", or the rule that is broken

VARIABLES
  \* voter a
  num, base,        \* number and voters of the newest list that it knows
  bal, vbal, vval,  \* for slot num + 1: the ballot that it promised; ballot and value that it accepted
  \* network; history
  msgs,
  decided,          \* [s, v]: a majority was seen to have accepted v in slot s
  crashes
vars == <<num, base, bal, vbal, vval, msgs, decided, crashes>>

\* Processes that run beside another one under the id of a voter; a configuration replaces Seconds by OneSecond.
Seconds   == {}
OneSecond == {"second"}
Processes == Acc \cup Seconds
Id(p)     == IF p \in Seconds THEN CHOOSE a \in First : TRUE ELSE p
Answers(p, mutant) == p \notin Seconds \/ Mutant = mutant

Maj(S, C) == 2 * Cardinality(S \cap C) > Cardinality(C)
Enough(S, C) == IF Mutant = "half" THEN 2 * Cardinality(S) >= Cardinality(C) ELSE Maj(S, C)
Options(C) == { C \cup {a} : a \in Acc \ C } \cup ({ C \ {a} : a \in C } \ {{}})

Init == /\ num = [a \in Processes |-> 1] /\ base = [a \in Processes |-> First]
        /\ bal = [a \in Processes |-> 0] /\ vbal = bal /\ vval = [a \in Processes |-> {}]
        /\ msgs = {} /\ crashes = 0
        /\ decided = {[s |-> 1, v |-> First]}

Send(m) == msgs' = msgs \cup {m}

\* PREPARE(s, b, c): the coordinator knows that c is decided as list s - 1.
Prepare == \E d \in decided, b \in 1..MaxBal :
    /\ d.s < MaxSlot
    /\ \A m \in msgs : ~(m.k = "1a" /\ m.s = d.s + 1 /\ m.b = b)
    /\ Send([k |-> "1a", s |-> d.s + 1, b |-> b, c |-> d.v])
    /\ UNCHANGED <<num, base, bal, vbal, vval, decided, crashes>>

\* A message for a later slot tells a the list before that slot first.  One for an earlier slot changes nothing.
State(a, m) == IF m.s - 1 > num[a] THEN [n |-> m.s - 1, c |-> m.c, b |-> 0, vb |-> 0, vv |-> {}]
               ELSE [n |-> num[a], c |-> base[a], b |-> bal[a], vb |-> vbal[a], vv |-> vval[a]]
Keep(a, st) == /\ num' = [num EXCEPT ![a] = st.n] /\ base' = [base EXCEPT ![a] = st.c]
               /\ bal' = [bal EXCEPT ![a] = st.b]
               /\ vbal' = [vbal EXCEPT ![a] = st.vb] /\ vval' = [vval EXCEPT ![a] = st.vv]

OnPrepare(a) == \E m \in msgs :
    /\ m.k = "1a" /\ Id(a) \in m.c /\ Answers(a, "silencedPromises")
    /\ LET st == State(a, m) IN
         /\ m.s = st.n + 1 /\ m.b > st.b
         /\ Keep(a, [st EXCEPT !.b = m.b])
         /\ Send([k |-> "1b", a |-> Id(a), s |-> m.s, b |-> m.b, vb |-> st.vb, vv |-> st.vv])
    /\ UNCHANGED <<decided, crashes>>

\* ACCEPT(s, b, v): one value per ballot.  A value that was accepted is adopted, that of the highest ballot first.
Propose == \E m \in msgs :
    /\ m.k = "1a"
    /\ Cardinality({ x \in msgs : x.k = "2a" /\ x.s = m.s /\ x.b = m.b }) < IF Mutant = "twoValues" THEN 2 ELSE 1
    /\ \E Q \in SUBSET { x \in msgs : x.k = "1b" /\ x.s = m.s /\ x.b = m.b } :
         LET P    == { x.a : x \in Q }
             hi   == CHOOSE n \in { x.vb : x \in Q } : \A x \in Q : x.vb <= n
             free == hi = 0 \/ Mutant = "ignoreAccepted"
         IN /\ Q # {} /\ (Enough(P, m.c) \/ Mutant = "minority")
            /\ \E v \in (IF free THEN Options(m.c) ELSE { x.vv : x \in { y \in Q : y.vb = hi } }) :
                 Send([k |-> "2a", s |-> m.s, b |-> m.b, c |-> m.c, v |-> v])
    /\ UNCHANGED <<num, base, bal, vbal, vval, decided, crashes>>

OnAccept(a) == \E m \in msgs :
    /\ m.k = "2a" /\ Id(a) \in m.c /\ Answers(a, "silencedAccepts")
    /\ LET st == State(a, m) IN
         /\ m.s = st.n + 1 /\ (m.b >= st.b \/ Mutant = "lowerBallot") /\ (m.b > st.vb \/ Mutant = "lowerBallot")
         /\ Keep(a, [st EXCEPT !.b = m.b, !.vb = m.b, !.vv = m.v])
         /\ Send([k |-> "2b", a |-> Id(a), s |-> m.s, b |-> m.b, c |-> m.c, v |-> m.v])
    /\ UNCHANGED <<decided, crashes>>

\* Somebody sees that a majority of the acceptors of the slot accepted one ballot.
See == \E m \in msgs :
    /\ m.k = "2b" /\ [s |-> m.s, v |-> m.v] \notin decided
    /\ LET A == { x.a : x \in { y \in msgs : y.k = "2b" /\ y.s = m.s /\ y.v = m.v /\ y.b = m.b } }
       IN Enough(A, m.c) \/ Mutant = "undecided"
    /\ decided' = decided \cup {[s |-> m.s, v |-> m.v]}
    /\ UNCHANGED <<num, base, bal, vbal, vval, msgs, crashes>>

\* R8: a, voter or not, hears of a decided list.
Learn(a) == \E d \in decided :
    /\ d.s > num[a]
    /\ Keep(a, [n |-> d.s, c |-> d.v, b |-> 0, vb |-> 0, vv |-> {}])
    /\ UNCHANGED <<msgs, decided, crashes>>

\* Without a mutant a restart changes nothing, so that only mutants crash.
Crash(a) == /\ crashes < MaxCrash /\ crashes' = crashes + 1
            /\ LET st == [n |-> num[a], c |-> base[a], b |-> bal[a], vb |-> vbal[a], vv |-> vval[a]] IN
               \/ Mutant = "forgetPromise"  /\ Keep(a, [st EXCEPT !.b = vbal[a]])
               \/ Mutant = "forgetAccepted" /\ Keep(a, [st EXCEPT !.vb = 0, !.vv = {}])
               \/ Mutant = "wiped"          /\ Keep(a, [n |-> 1, c |-> First, b |-> 0, vb |-> 0, vv |-> {}])
            /\ UNCHANGED <<msgs, decided>>

Next == Prepare \/ Propose \/ See \/ \E a \in Processes : OnPrepare(a) \/ OnAccept(a) \/ Learn(a) \/ Crash(a)
Spec == Init /\ [][Next]_vars

\* At most one list per slot.
Agreement == \A x, y \in decided : x.s = y.s => x.v = y.v
\* A decided list rests on the promises of a majority of the list before it.
Rests == \A d \in decided : d.s = 1 \/ \E b \in 1..MaxBal, c \in decided :
            c.s = d.s - 1 /\ Maj({ m.a : m \in { x \in msgs : x.k = "1b" /\ x.s = d.s /\ x.b = b } }, c.v)
\* Neighbours differ by one voter.
ByOne == \A x, y \in decided : y.s = x.s + 1 => y.v \in Options(x.v)
\* False, to show that every slot can be decided.
NeverLast == \A d \in decided : d.s < MaxSlot
Symm == Permutations(First) \cup Permutations(Acc \ First)
=============================================================================
