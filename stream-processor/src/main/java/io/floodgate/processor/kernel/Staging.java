package io.floodgate.processor.kernel;

import io.floodgate.processor.store.Stores;

/** The stores of a partition with the writes of the current step over them. */
public final class Staging {
    private final StagedKeyValues payloads;
    private final StagedKeyValues jobs;
    private final StagedKeyValues entities;
    private final Stores stores;

    public Staging(Stores base) {
        payloads = new StagedKeyValues(base.payloads());
        jobs = new StagedKeyValues(base.jobs());
        entities = new StagedKeyValues(base.entities());
        stores = new Stores(payloads, jobs, entities);
    }

    public Stores stores() {
        return stores;
    }

    public void keep() {
        payloads.keep();
        jobs.keep();
        entities.keep();
    }

    public void drop() {
        payloads.drop();
        jobs.drop();
        entities.drop();
    }
}
