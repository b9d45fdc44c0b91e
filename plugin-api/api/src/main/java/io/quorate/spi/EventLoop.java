package io.quorate.spi;

import java.util.concurrent.Executor;

/**
 * The one thread on which a transport calls its receiver, for others who want to live on it. Tasks run one at a
 * time and must not wait; what a task throws ends that task alone. Any thread may give tasks.
 *
 * <p>Once the transport is closed, or when the thread ends for another reason, tasks are refused with {@link
 * java.util.concurrent.RejectedExecutionException}. Accepted tasks run all the same, and tasks scheduled for later run
 * then, so that their owners learn of the end.
 */
public interface EventLoop extends Executor {

    /**
     * Runs the task soon, behind those that were given before.
     *
     * @param task what to run
     */
    @Override
    void execute(Runnable task);

    /**
     * Runs the task after a while, and after the transport has looked at its sockets: so long work goes on in scheduled
     * tasks.
     *
     * @param task  what to run
     * @param nanos after how long, at least 0; it may be some milliseconds more
     */
    void schedule(Runnable task, long nanos);
}
