------------------------------ MODULE TraceBallot ------------------------------
(* Is a recorded run of the shipped ballot election a behaviour of Ballot?       *)
(*                                                                               *)
(* MODELS  nothing new: TraceBallotData, which BallotTraceTest writes, defines   *)
(* Trace, a sequence of records                                                  *)
(*   [ev, p, packet, state, sent, said]                                          *)
(* the event at p ("deliver" or "lose": of packet), and after it the whole state *)
(* of p's machine unless it crashed, the packets that p sent to live processes,  *)
(* and the indications that it gave, "no leader" with the ballot <<0, 0, 0>>.    *)
(* Messages and states have the names of the machine; a ballot is                *)
(* <<n, pid, incarnation>>.                                                      *)
(*                                                                               *)
(* A line that is no step of Ballot, with just this result, is a DEADLOCK; l in  *)
(* its last state is the number of the line.  ASSUMES and BOUNDS: of Ballot.     *)
EXTENDS Ballot, Sequences, TraceBallotData
VARIABLE l
tvars == <<vars, l>>
B(mark) == Ballot(mark[1], mark[2], mark[3])
Elements(s) == {s[n] : n \in 1 .. Len(s)}

\* ---- what was on its way
IsRequest(k) == k.m.type = "REQUEST"
Request(k) == [from |-> k.from, to |-> k.to, round |-> k.m.round, life |-> k.life, bmax |-> B(k.m.bmax)]
Reply(k) == [from |-> k.from, to |-> k.to, round |-> k.m.round, life |-> k.life, ballot |-> B(k.m.ballot),
             leader |-> B(k.m.leaderBallot), qc |-> k.m.heardQuorum]
HasLife(k) == k.m.incarnation = IF Has("H6") THEN k.life ELSE 0
Act(e) == CASE e.ev = "end"     -> EndRound(e.p)
            [] e.ev = "deliver" -> IF IsRequest(e.packet) THEN OnRequest(Request(e.packet))
                                                          ELSE OnReply(Reply(e.packet))
            [] e.ev = "lose"    -> IF IsRequest(e.packet) THEN LoseRequest(Request(e.packet))
                                                          ELSE LoseReply(Reply(e.packet))
            [] e.ev = "crash"   -> Crash(e.p)
            [] e.ev = "restart" -> Restart(e.p)

\* ---- the result
Sent(e) == /\ \A k \in Elements(e.sent) : HasLife(k) /\ k.from = e.p
           /\ {Request(k) : k \in {k \in Elements(e.sent) : IsRequest(k)}} = requests' \ requests
           /\ {Reply(k) : k \in {k \in Elements(e.sent) : ~IsRequest(k)}} = replies' \ replies
Said(e) == CASE leader'[e.p] = leader[e.p] -> e.said = <<>>
             [] leader'[e.p] # None        -> /\ Len(e.said) = 1 /\ B(e.said[1].mark) = leader'[e.p]
                                              /\ e.said[1].nominee + 1 = Pid(leader'[e.p])
             [] OTHER -> IF Has("H3") /\ e.ev # "crash" THEN Len(e.said) = 1 /\ B(e.said[1].mark) = None
                                                        ELSE e.said = <<>>
Answer(r) == [from |-> r.ballot[2], ballot |-> B(r.ballot), leader |-> B(r.leaderBallot), qc |-> r.heardQuorum]
HasState(p, s) == /\ s.round = round'[p] /\ {Answer(r) : r \in Elements(s.ballots)} = answers'[p]
                  /\ B(s.ballot) = ballot'[p] /\ B(s.leader) = leader'[p] /\ B(s.bmax) = bmax'[p]
                  /\ B(s.hardening.bmaxOfRound) = bmaxR'[p] /\ s.hardening.heardQuorum = qc'[p]
Result(e) == Sent(e) /\ Said(e) /\ (e.ev # "crash" => HasState(e.p, e.state))
TraceInit == Init /\ l = 1
TraceNext == \/ /\ l <= Len(Trace) /\ l' = l + 1
                /\ Act(Trace[l]) /\ Result(Trace[l])
             \/ l > Len(Trace) /\ UNCHANGED tvars
TraceSpec == TraceInit /\ [][TraceNext]_tvars
================================================================================
