package io.floodgate.worker;

import tools.jackson.databind.JsonNode;

/** What a handler knows about its run. */
public interface JobContext {
    Job job();

    String worker();

    /** Whether the run still counts. Once it does not, whatever the handler returns is discarded. */
    boolean isLive();

    default JsonNode args() {
        return job().args();
    }
}
