package io.floodgate.processor.simulation;

import static io.floodgate.processor.simulation.Edit.condition;
import static io.floodgate.processor.simulation.Edit.deleted;
import static io.floodgate.processor.simulation.Edit.value;
import static io.floodgate.processor.simulation.Mutant.Search.TENANTS;

import java.util.List;

/** What the search must find of bounds of tenants over all queues. */
final class TenantMutants {
    private TenantMutants() {}

    static final List<Mutant> ALL = List.of(
            Mutant.of(TENANTS, "a home gives one grant more than the bound", "tenant-grants", value("$ + 1")),
            Mutant.of(TENANTS, "one job comes in without a grant", "tenant-holds", value("Math.max(0, $ - 1)")),
            Mutant.of(TENANTS, "jobs are not counted as they come", "tenant-way-in", value("left == null ? null : $")),
            Mutant.of(TENANTS, "jobs that were there use no grants", "tenant-adopts", value("0")),
            Mutant.of(TENANTS, "a job goes, and its grant stays", "grant-carried", deleted()),
            Mutant.of(TENANTS, "no partition is asked for its free grants", "tenant-recall", condition("true")),
            Mutant.of(TENANTS, "free grants are kept near the bound", "tenant-urgent", value("0")),
            Mutant.of(TENANTS, "the home is not asked", "tenant-asks", condition("false")),
            Mutant.of(
                    TENANTS, "a job starts without a grant", "running-held", condition("accounts.free(account) >= 0")),
            Mutant.of(TENANTS, "runs are not counted", "running-counted", value("new Use(tenant, job.queue, false)")));
}
