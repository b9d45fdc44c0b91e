package io.quorate;

/** The client is closed. Thrown where Curator throws {@code CuratorClosedException}. */
public class ClientClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    /** An exception with Curator's message, "Expected state [STARTED] was [STOPPED]". */
    public ClientClosedException() {
        super("Expected state [STARTED] was [STOPPED]");
    }
}
