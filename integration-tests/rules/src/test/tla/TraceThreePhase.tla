---------------------------- MODULE TraceThreePhase ----------------------------
(* Is a recorded run of the shipped faithful three-phase election a behaviour of *)
(* ThreePhase?                                                                   *)
(*                                                                               *)
(* MODELS  nothing new: TraceThreePhaseData, which ThreePhaseTraceTest writes,   *)
(* defines Trace, a sequence of records                                          *)
(*   [ev, p, q, state, sent]                                                     *)
(* the event at p (q: the sender of what was delivered or lost), and after it    *)
(* p's state unless it crashed, and the messages that p sent to live processes,  *)
(* as [to, m].  heard has the processes whose ACK came since the last step of    *)
(* task 0.  A clock of the machine moves in such a step only, by 2 delta.        *)
(*                                                                               *)
(* A line that is no step of ThreePhase, with just this result, is a DEADLOCK; l *)
(* in its last state is the number of the line.  The ACK of L61 is not in the    *)
(* spec, so the recording leaves it out.  ASSUMES and BOUNDS: of ThreePhase.     *)
EXTENDS ThreePhase, TraceThreePhaseData
VARIABLE l
tvars == <<vars, l>>
Act(e) == CASE e.ev = "deliver" -> Deliver(e.q, e.p)
            [] e.ev = "lose"    -> Lose(e.q, e.p)
            [] e.ev = "HB"      -> HbFires(e.p)
            [] e.ev = "FRESH"   -> FreshFires(e.p)
            [] e.ev = "TASK0"   -> Task0Fires(e.p)
            [] e.ev = "TMR"     -> TmrFires(e.p)
            [] e.ev = "P3"      -> P3Fires(e.p)
            [] e.ev = "update"  -> Update(e.p)
            [] e.ev = "crash"   -> Crash(e.p)
            [] e.ev = "restart" -> Restart(e.p)
\* What the machine sends of a message of the spec.
Shown(m) ==
  CASE m.type = "MESSAGE" -> [type |-> m.type, list |-> m.list, timestamp |-> m.ver[2]]
    [] m.type = "REPORT"  -> [type |-> m.type, list |-> m.list, timestamp |-> m.ver[2]]
    [] m.type = "OK"      -> m
    [] m.type = "LEADER"  -> [type |-> m.type, leader |-> m.d[2]]
    [] OTHER              -> m
SentTo(e, q) == SelectSeq(e.sent, LAMBDA k : k.to = q)
Sends(e) == \A q \in P : alive'[q] =>
  LET before == Len(link[e.p][q])
      new    == SubSeq(link'[e.p][q], before + 1, Len(link'[e.p][q]))
      sent   == SentTo(e, q)
  IN /\ Len(new) = Len(sent)
     /\ \A n \in 1 .. Len(new) : new[n][2] = inc'[e.p] /\ Shown(new[n][1]) = sent[n].m
HasState(s, e) ==
  /\ s.phase = (IF e.phase = "MONITORING" THEN "MON" ELSE "ELEC") /\ s.leader = e.leader
  /\ s.list = e.list /\ s.ver[2] = e.timestamp /\ s.r = e.r /\ s.trust = e.trust
  /\ {q \in P : s.acks[q] = 0} = e.heard
  /\ (s.p3.stage = "collecting") = e.collecting /\ s.p3.jl = e.best
Result(e) == Sends(e) /\ (e.ev # "crash" => HasState(state'[e.p], e.state))
TraceInit == Init /\ l = 1
TraceNext == \/ /\ l <= Len(Trace) /\ l' = l + 1
                /\ Act(Trace[l]) /\ Result(Trace[l])
             \/ l > Len(Trace) /\ UNCHANGED tvars
TraceSpec == TraceInit /\ [][TraceNext]_tvars
================================================================================
