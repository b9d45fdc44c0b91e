------------------------------ MODULE TraceBully ------------------------------
(* Is a recorded run a behaviour of Bully.tla?                                 *)
(*                                                                             *)
(* MODELS  nothing new: TraceData, a recorded run of a prototype, defines      *)
(* Trace, a sequence of records [ev, p, leader, phase]: the event and the      *)
(* state of p after it.  TraceBullyF does the same for what ships.             *)
(*                                                                             *)
(* A mismatch shows up as a DEADLOCK; the last state's l is the line number.   *)
(* ASSUMES and BOUNDS: of Bully, with budgets that no trace uses up.           *)
EXTENDS Bully, TraceData
VARIABLE l
tvars == <<vars, l>>
Act(e) == CASE e.ev = "start"   -> Start(e.p)
            [] e.ev = "timeout" -> Timeout(e.p)
            [] e.ev = "deliver" -> Deliver(e.p)
            [] e.ev = "crash"   -> Crash(e.p)
            [] e.ev = "restart" -> Restart(e.p)
TraceInit == Init /\ l = 1
TraceNext == \/ /\ l <= Len(Trace) /\ l' = l + 1
                /\ Act(Trace[l])
                /\ leader'[Trace[l].p] = Trace[l].leader
                /\ phase'[Trace[l].p] = Trace[l].phase
             \/ l > Len(Trace) /\ UNCHANGED tvars
TraceSpec == TraceInit /\ [][TraceNext]_tvars
=============================================================================
