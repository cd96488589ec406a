package io.floodgate.topics.command;

import io.floodgate.topics.PartitionId;
import io.floodgate.topics.json.Wire;
import io.floodgate.topics.queue.TenantResource;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the home of a tenant and the partitions with its jobs tell each other, so that it has no more over all
 * queues than its bounds. All numbers of grants are totals since the bound was set: the next message repairs a lost one.
 */
public interface TenantMessage extends Message {
    int NAME_CHARS = 255;

    String tenant();

    TenantResource resource();

    /** Returns which bound the message is about. */
    default GrantKey key() {
        return new GrantKey(tenant(), resource());
    }

    /**
     * To the home, from an operator: sets a bound, or deletes it.
     *
     * @param maximum null for no bound
     */
    record SetTenantBound(
            @Wire.Name("tenant_id") @Wire.Most(TenantMessage.NAME_CHARS)
            String tenant,

            TenantResource resource,
            @Wire.Least(1) @Nullable Long maximum)
            implements Command {
        public GrantKey key() {
            return new GrantKey(tenant, resource);
        }
    }

    /**
     * To every partition: the tenant has this bound.
     *
     * @param epoch distinguishes the bound from earlier ones of the tenant, whose grants are void
     * @param version rises with each change
     * @param maximum 0 if it has no bound any more
     */
    record TenantBound(
            String tenant,
            TenantResource resource,
            long epoch,
            long version,
            @Wire.Least(0) long maximum) implements TenantMessage {}

    /**
     * To the home: what this partition holds and wants.
     *
     * @param adopted what was there when the bound came
     * @param received of all grants ever given
     * @param returned of all of them
     * @param wanted further grants that jobs wait for
     * @param first the fewest with which one of these can come in
     * @param recall the last recall that this answers
     * @param seen the number of the home's last message
     * @param listens whether to be told when there are grants again
     * @param queues those with most of the tenant's jobs here
     */
    record AskGrants(
            String tenant,
            TenantResource resource,
            PartitionId log,
            long epoch,
            @Wire.Least(0) long adopted,
            @Wire.Least(0) long received,
            @Wire.Least(0) long returned,
            @Wire.Least(0) long wanted,
            @Wire.Least(0) long first,
            @Wire.Least(0) long recall,
            @Wire.Least(0) long seen,
            boolean listens,
            SortedMap<String, Long> queues)
            implements TenantMessage {
        public AskGrants {
            queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
        }
    }

    /**
     * To a partition: grants, or that there are none.
     *
     * @param number rises from message to message of a home
     * @param given all grants that it was ever given
     * @param full whether the bound is used up
     * @param current use of the tenant, as far as the home knows
     * @param urgent whether free grants are to be returned at once
     * @param recall the last one: up to here, all free grants are to be returned
     * @param queues those with most of the tenant's jobs
     */
    record GiveGrants(
            String tenant,
            TenantResource resource,
            long epoch,
            long number,
            @Wire.Least(0) long given,
            boolean full,
            @Wire.Least(0) long current,
            boolean urgent,
            @Wire.Least(0) long recall,
            SortedMap<String, Long> queues)
            implements TenantMessage {
        public GiveGrants {
            queues = Collections.unmodifiableSortedMap(new TreeMap<>(queues));
        }
    }
}
