package io.quorate;

/** The client has been closed; it stands where Curator throws {@code CuratorClosedException}. */
public class ClientClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** An exception with Curator's message. */
    public ClientClosedException() {
        super("Expected state [STARTED] was [STOPPED]");
    }
}
