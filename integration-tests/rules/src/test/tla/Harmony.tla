------------------------------- MODULE Harmony -------------------------------
(* The LCR model of the Harmony book (source 003, figure 25.1).                 *)
(*                                                                              *)
(* MODELS  a network that is a SET of messages <<dst, id, found>>, from which   *)
(* nothing is removed: any order, any number of redeliveries; every number of   *)
(* processes 1..NIDS and every arrangement of identifiers.                      *)
(*                                                                              *)
(* ASSUMES  no crash, no loss; messages are addressed by identifier.            *)
(* Unique = FALSE lets identifiers repeat, and then the assertions fail         *)
(* (exercise 25.1).  Atomic = FALSE takes the keyword "atomically" out of send  *)
(* (exercise 25.2): a process reads the network, and later writes what it read  *)
(* with its own identifier added, over what others have written since.  The     *)
(* other sends stand in a block that is atomic anyway.                          *)
(*                                                                              *)
(* BOUNDS  NIDS.                                                                *)
EXTENDS Naturals, FiniteSets, Sequences
CONSTANTS NIDS, Unique, Atomic
VARIABLES ids, net, pc, ok,
          loaded  \* [process -> what it has read of the network and has yet to write]
vars == <<ids, net, pc, ok, loaded>>
IdSet == 1 .. NIDS
Seqs(n) == [1 .. n -> IdSet]
Init == /\ \E n \in 1 .. NIDS : ids \in {f \in Seqs(n) :
               Unique => \A i, j \in 1 .. n : f[i] = f[j] => i = j}
        /\ net = {} /\ ok = TRUE
        /\ pc = [i \in DOMAIN ids |-> "init"] /\ loaded = [i \in DOMAIN ids |-> {}]
n == Len(ids)
SuccId(i) == ids[(i % n) + 1]
Leader == CHOOSE x \in {ids[i] : i \in 1 .. n} : \A i \in 1 .. n : x >= ids[i]
Begin(i) == /\ Atomic /\ pc[i] = "init" /\ pc' = [pc EXCEPT ![i] = "work"]
            /\ net' = net \cup {<<SuccId(i), ids[i], FALSE>>} /\ UNCHANGED <<ids, ok, loaded>>
Load(i)  == /\ ~Atomic /\ pc[i] = "init" /\ pc' = [pc EXCEPT ![i] = "sending"]
            /\ loaded' = [loaded EXCEPT ![i] = net] /\ UNCHANGED <<ids, net, ok>>
Store(i) == /\ pc[i] = "sending" /\ pc' = [pc EXCEPT ![i] = "work"]
            /\ net' = loaded[i] \cup {<<SuccId(i), ids[i], FALSE>>}
            /\ loaded' = [loaded EXCEPT ![i] = {}] /\ UNCHANGED <<ids, ok>>
Sends(i) == Begin(i) \/ Load(i) \/ Store(i)
Recv(i, m) ==
  /\ pc[i] = "work" /\ m[1] = ids[i]
  /\ LET x == m[2]  found == m[3] IN
     /\ IF x = ids[i]
        THEN net' = net \cup {<<SuccId(i), x, TRUE>>} /\ ok' = (ok /\ ids[i] = Leader)
        ELSE IF x > ids[i]
        THEN net' = net \cup {<<SuccId(i), x, found>>} /\ ok' = (ok /\ ids[i] # Leader)
        ELSE UNCHANGED <<net, ok>>
     /\ pc' = IF found THEN [pc EXCEPT ![i] = "done"] ELSE pc
  /\ UNCHANGED <<ids, loaded>>
Next == \E i \in 1 .. n : Sends(i) \/ \E m \in net : Recv(i, m)
Spec == Init /\ [][Next]_vars /\ \A i \in 1 .. NIDS :
          WF_vars(i \in DOMAIN ids /\ Sends(i)) /\
          SF_vars(i \in DOMAIN ids /\ \E m \in net : m[2] >= m[1] /\ Recv(i, m) /\ (net' # net \/ pc' # pc))
Assertions == ok
Done == \A i \in 1 .. n : pc[i] = "done"
UniqueLeaderAtEnd == Done => Cardinality({i \in 1 .. n : <<ids[i], ids[i], FALSE>> \in net}) = 1
Termination == <>Done
NoStuck == ~Done => \E i \in 1 .. n : pc[i] \in {"init", "sending"} \/ \E m \in net : m[1] = ids[i] /\ pc[i] = "work"
             /\ (m[3] \/ (m[2] >= ids[i] /\ <<SuccId(i), m[2], IF m[2] = ids[i] THEN TRUE ELSE m[3]>> \notin net))
=============================================================================
