package io.floodgate.processor.partition;

import io.floodgate.processor.kernel.Alarm;
import io.floodgate.processor.kernel.PartitionPosition;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides how a record continues the partition: whether it has been executed before, what is missing before it, and
 * what time it is.
 */
record Progress(PartitionPosition position) {
    /** Lost group offsets, or a task that moves, must not have a record executed twice. */
    boolean isBehind(PartitionRecord record) {
        // mutant: repeated-record
        return !isOfAnotherTopic(record) && record.offset() <= position.offset();
    }

    private boolean isOfAnotherTopic(PartitionRecord record) {
        return !record.topicId().isEmpty()
                && !position.topicId().isEmpty()
                && !record.topicId().equals(position.topicId());
    }

    /** Goes on to this record. What is wrong, by the code of its alarm. */
    Map<String, String> advanceTo(PartitionRecord record) {
        Map<String, String> wrong = new LinkedHashMap<>();
        if (isOfAnotherTopic(record))
            wrong.put(
                    Alarm.TOPIC_RECREATED,
                    "The topic was deleted and made again (its id was %s and is %s). Commands that were not executed are lost; the state is kept."
                            .formatted(position.topicId(), record.topicId()));
        else if (isAfterDeletedRecords(record))
            wrong.put(
                    Alarm.COMMANDS_LOST,
                    "Kafka has deleted the commands at offsets %d to %d before they were executed; their senders may have been answered that they were stored. Check retention.ms and retention.bytes of ojs.commands, which should be -1."
                            .formatted(position.offset() + 1, record.logStart() - 1));
        String clocks = position.time().advance(record.appended(), record.sent(), position.hasAlarm(Alarm.CLOCK_AHEAD));
        if (clocks != null)
            wrong.put(
                    Alarm.CLOCK_AHEAD,
                    clocks + " Check the clocks of brokers and clients, and that ojs.commands has"
                            + " message.timestamp.type=LogAppendTime.");
        position.take(record.offset(), record.topicId());
        return wrong;
    }

    /** Other gaps are markers of transactions, or records that were never there. */
    private boolean isAfterDeletedRecords(PartitionRecord record) {
        // mutant: deleted-records
        return record.logStart() > position.offset() + 1;
    }
}
