package io.floodgate.client;

import io.floodgate.topics.codec.CodecChain;
import io.floodgate.topics.command.Patient;
import io.floodgate.topics.command.Reply;

/** Takes the jobs of a {@link Producer#direct producer} instead of a server, in the thread that enqueues them: for tests. */
@FunctionalInterface
public interface DirectServer {
    /**
     * @param command to store a job, or several ones together or not at all
     * @param codecs that have encoded the arguments of these jobs
     * @throws RuntimeException which the caller of the producer gets
     */
    Reply execute(Patient command, CodecChain codecs);
}
