package com.example.reports;

import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.integration.annotation.Role;
import org.springframework.integration.annotation.ServiceActivator;
import org.springframework.integration.leader.AbstractCandidate;
import org.springframework.integration.leader.Context;

/** What the application does, however its leader is elected: it sends reports while it leads. */
public class Reports extends AbstractCandidate {

    /** The name of the leadership, and of what runs with it. */
    public static final String ROLE = "reports";

    /** The channel of what is to be sent. */
    public static final String REQUESTS = "reportRequests";

    private final LinkedBlockingQueue<String> heard = new LinkedBlockingQueue<>();

    /** With the id of this process. */
    public Reports(String id) {
        super(id, ROLE);
    }

    @Override
    public void onGranted(Context context) {
        heard.add("granted");
    }

    @Override
    public void onRevoked(Context context) {
        heard.add("revoked");
    }

    /** Runs in the process that leads. */
    @Role(ROLE)
    @ServiceActivator(inputChannel = REQUESTS, autoStartup = "false")
    public void send(String report) {
        heard.add("sent " + report);
    }

    /** What has happened, in order. */
    public LinkedBlockingQueue<String> heard() {
        return heard;
    }
}
