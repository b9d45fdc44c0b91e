package io.quorate.core.message;

/** What nodes say about who votes, and under which number: docs/reconfiguration.md. Older versions of frames lack it. */
public sealed interface VotersMessage extends NodeMessage
        permits NumberedHeartbeat,
                DecidedVoters,
                VotersWanted,
                ReadyQuery,
                Ready,
                Prepare,
                Promise,
                NotPromised,
                Accept,
                Acceptance {

    @Override
    default int wireVersion() {
        return WireVersion.FIRST_WITH_CHANGES;
    }
}
