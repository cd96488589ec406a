package io.floodgate.gateway.source;

import io.floodgate.topics.command.SourceCommand.Source;
import java.util.List;
import java.util.Map;

/** The topics of sources, and how far they have come in, or how far sinks have come in events, as Kafka's own tools see it. */
public interface SourceTopics {
    /**
     * A partition of a source's topic.
     *
     * @param position the first offset that has not come in; negative if none is known yet
     * @param end the offset that the next record gets
     */
    record Row(int partition, long position, long end) {
        long lag() {
            return position < 0 ? end : Math.max(0, end - position);
        }
    }

    /** Returns whether the topic is Floodgate's own, and no source. */
    boolean owns(String topic);

    /**
     * Returns the partitions of each of these sources by its name; nothing for a source whose topic is not there.
     *
     * @throws org.apache.kafka.common.KafkaException if the cluster does not say
     */
    Map<String, List<Row>> of(List<Source> sources);

    /** Returns the partitions of events for each of these sinks by its name. */
    Map<String, List<Row>> ofSinks(List<String> sinks);

    /** Returns the name of the topic of events. */
    String events();

    /** Returns how many records are between a place and the end of a topic, by partition. */
    Map<Integer, Long> from(String topic, String start);
}
