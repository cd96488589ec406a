package io.floodgate.processor.queue.state;

import io.floodgate.processor.store.BinaryIn;
import io.floodgate.processor.store.BinaryOut;
import io.floodgate.topics.command.QueueConfigCodec;
import io.floodgate.topics.command.UnreadableCommand;
import io.floodgate.topics.json.JsonOut;
import io.floodgate.topics.queue.QueueConfig;

/** The stored form of a configuration: beside the queue, whose own record is written with every change of a job. */
final class StoredConfig {
    private static final int VERSION = 1;

    private StoredConfig() {}

    static byte[] write(QueueConfig config) {
        return new BinaryOut().u8(VERSION).blob(json(config)).toBytes();
    }

    private static byte[] json(QueueConfig config) {
        JsonOut json = JsonOut.object();
        QueueConfigCodec.write(config, json);
        return json.endObject().toBytes();
    }

    static QueueConfig read(byte[] stored) {
        BinaryIn in = new BinaryIn(stored);
        in.version(VERSION, () -> "the configuration of a queue");
        try {
            return QueueConfigCodec.read(in.blob());
        } catch (UnreadableCommand unreadable) {
            throw new IllegalStateException("a configuration that was accepted before", unreadable);
        }
    }
}
