------------------------------ MODULE TraceBullyF ------------------------------
(* Is a recorded run of the shipped faithful bully a behaviour of BullyF?        *)
(*                                                                               *)
(* MODELS  nothing new: TraceBullyFData, which BullyTraceTest writes, defines    *)
(* Trace, a sequence of records                                                  *)
(*   [ev, p, q, leader, part, sent]                                              *)
(* the event at p (q: the sender of what was delivered, or who was suspected or  *)
(* trusted), and after it p's leader (0: none), whether p takes part in an       *)
(* election, and the messages that p sent to live processes, as [to, m], where m *)
(* is [type, term].                                                              *)
(*                                                                               *)
(* A line that is no step of BullyF, with just this result, is a DEADLOCK; l in  *)
(* its last state is the number of the line.  ASSUMES and BOUNDS: of BullyF.     *)
EXTENDS BullyF, TraceBullyFData
VARIABLE l
tvars == <<vars, l>>
Act(e) == CASE e.ev = "deliver"       -> Deliver(e.q, e.p)
            [] e.ev = "suspect"       -> Suspect(e.p, e.q)
            [] e.ev = "trust"         -> Trust(e.p, e.q)
            [] e.ev \in {"T", "T2"}   -> e.ev \in timers[e.p] /\ Fire(e.p)
            [] e.ev = "crash"         -> Crash(e.p)
            [] e.ev = "restart"       -> Restart(e.p)
SentTo(e, q) == SelectSeq(e.sent, LAMBDA k : k.to = q)
Result(e) == /\ leader'[e.p] = e.leader
             /\ (phase'[e.p] # "idle") = e.part
             /\ \A q \in P : alive'[q] => LET sent == SentTo(e, q) IN
                  link'[e.p][q] = link[e.p][q] \o [n \in 1 .. Len(sent) |-> <<sent[n].m.type, inc'[e.p]>>]
TraceInit == Init /\ l = 1
TraceNext == \/ /\ l <= Len(Trace) /\ l' = l + 1
                /\ Act(Trace[l]) /\ Result(Trace[l])
             \/ l > Len(Trace) /\ UNCHANGED tvars
TraceSpec == TraceInit /\ [][TraceNext]_tvars
================================================================================
