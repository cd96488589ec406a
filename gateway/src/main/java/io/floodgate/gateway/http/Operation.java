package io.floodgate.gateway.http;

import io.floodgate.topics.client.CommandFailed;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.job.UnreadableJob;

/** An endpoint: it reads the call, usually sends one command, and returns the answer. */
@FunctionalInterface
public interface Operation {
    ApiResponse handle(Call call) throws CommandFailed, RejectedException, UnreadableJob;
}
