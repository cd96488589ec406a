package io.floodgate.gateway;

import io.floodgate.gateway.source.SourceTopics;
import io.floodgate.topics.Namespace;
import io.floodgate.topics.command.SourceCommand.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.KafkaException;

/** Topics of sources as a test says. */
public final class FakeSourceTopics implements SourceTopics {
    public static final SourceTopics NONE = new FakeSourceTopics();

    private final Map<String, List<Row>> rows = new HashMap<>();
    private boolean answers = true;

    public void has(String topic, Row... partitions) {
        rows.put(topic, List.of(partitions));
    }

    /** Whether the cluster answers. */
    public void answers(boolean does) {
        answers = does;
    }

    @Override
    public boolean owns(String topic) {
        return Namespace.NONE.owns(topic);
    }

    @Override
    public Map<String, List<Row>> of(List<Source> sources) {
        if (!answers) throw new KafkaException("no answer");
        Map<String, List<Row>> found = new HashMap<>();
        for (Source source : sources)
            if (rows.containsKey(source.topic())) found.put(source.name(), rows.get(source.topic()));
        return found;
    }

    @Override
    public Map<String, List<Row>> ofSinks(List<String> sinks) {
        if (!answers) throw new KafkaException("no answer");
        Map<String, List<Row>> found = new HashMap<>();
        for (String sink : sinks) found.put(sink, rows.getOrDefault("group of " + sink, List.of()));
        return found;
    }

    @Override
    public String events() {
        return "ojs.events";
    }

    @Override
    public Map<Integer, Long> from(String topic, String start) {
        if (!answers) throw new KafkaException("no answer");
        Map<Integer, Long> records = new TreeMap<>();
        for (Row row : rows.getOrDefault(topic, List.of()))
            records.put(row.partition(), start.equals("latest") ? 0 : row.end());
        return records;
    }
}
