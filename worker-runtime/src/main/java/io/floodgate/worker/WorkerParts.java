package io.floodgate.worker;

import io.floodgate.topics.client.CommandClient;

/**
 * The parts of a worker beside its settings.
 *
 * @param ownsClient whether it closes the client
 */
record WorkerParts(
        CommandClient client,
        boolean ownsClient,
        RunDispatcher.Handlers handlers,
        DomainEvents events,
        Undelivered undelivered) {}
