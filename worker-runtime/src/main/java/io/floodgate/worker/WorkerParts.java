package io.floodgate.worker;

import io.floodgate.topics.client.CommandClient;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a worker beside its settings.
 *
 * @param ownsClient whether it closes the client
 * @param transactions null if no handler is transactional
 */
record WorkerParts(
        CommandClient client,
        boolean ownsClient,
        RunDispatcher.Handlers handlers,
        DomainEvents events,
        Undelivered undelivered,
        @Nullable TransactionSlots transactions) {}
