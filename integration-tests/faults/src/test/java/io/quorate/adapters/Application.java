package io.quorate.adapters;

import io.quorate.ElectionClient;

/** A process of an application, as its page shows it; with an end as at a deployment. */
interface Application extends AutoCloseable {

    ElectionClient client();

    /** Ends it in the order of its page. */
    @Override
    void close();
}
