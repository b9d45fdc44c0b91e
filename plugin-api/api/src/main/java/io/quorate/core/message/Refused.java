package io.quorate.core.message;

/**
 * No room for the node, or not for all that it registers.
 *
 * @param isOfSupport whether the node gets no support; else some contenders or paths of it are not listed
 * @param reason      for people
 */
public record Refused(boolean isOfSupport, String reason) implements NodeMessage {
    /** The longest reason on the wire, in UTF-8 bytes. */
    public static final int REASON_MAX = 256;

    @Override
    public Sender sender() {
        return Sender.VOTER;
    }

    @Override
    public boolean isInRange() {
        return true;
    }

    @Override
    public void dispatch(Handler handler) {
        handler.on(this);
    }
}
