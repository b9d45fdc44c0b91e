------------------------------ MODULE TraceBullyH ------------------------------
(* Is a recorded run of the shipped hardened bully a behaviour of BullyH?        *)
(*                                                                               *)
(* MODELS  nothing new: TraceBullyHData, which BullyTraceTest writes, defines    *)
(* Trace; its records are those of TraceBullyF, and seen is the mark of the      *)
(* victory that p accepted last, as <<term, pid, 0>>.                            *)
(*                                                                               *)
(* A line that is no step of BullyH, with just this result, is a DEADLOCK; l in  *)
(* its last state is the number of the line.  ASSUMES and BOUNDS: of BullyH.     *)
EXTENDS BullyH, TraceBullyHData
VARIABLE l
tvars == <<vars, l>>
Act(e) == CASE e.ev = "deliver"            -> Deliver(e.q, e.p)
            [] e.ev = "suspect"            -> Suspect(e.p, e.q)
            [] e.ev = "trust"              -> Trust(e.p, e.q)
            [] e.ev \in {"T", "T2", "HB"}  -> Fire(e.p, e.ev)
            [] e.ev = "crash"              -> Crash(e.p)
            [] e.ev = "restart"            -> Restart(e.p)
SentTo(e, q) == SelectSeq(e.sent, LAMBDA k : k.to = q)
Result(e) == /\ m'[e.p].leader = e.leader
             /\ (m'[e.p].phase # "idle") = e.part
             /\ alive'[e.p] => m'[e.p].seen = Token(e.seen[1], e.seen[2])
             /\ \A q \in P : alive'[q] => LET sent == SentTo(e, q) IN
                  link'[e.p][q] = link[e.p][q] \o
                                  [n \in 1 .. Len(sent) |-> <<sent[n].m.type, sent[n].m.term, inc'[e.p]>>]
TraceInit == Init /\ l = 1
TraceNext == \/ /\ l <= Len(Trace) /\ l' = l + 1
                /\ Act(Trace[l]) /\ Result(Trace[l])
             \/ l > Len(Trace) /\ UNCHANGED tvars
TraceSpec == TraceInit /\ [][TraceNext]_tvars
================================================================================
