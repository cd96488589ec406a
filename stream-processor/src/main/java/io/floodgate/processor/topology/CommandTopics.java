package io.floodgate.processor.topology;

import io.floodgate.topics.PartitionId;

/** Answers of the cluster about command topics. */
interface CommandTopics {
    /** The topic's id, which another one of the same name does not have; empty if the cluster does not say. */
    String id(String topic);

    /** The first offset that is there; -1 if the cluster does not say. */
    long start(PartitionId log);
}
