package io.floodgate.processor.kernel;

import io.floodgate.topics.command.Limits;
import io.floodgate.topics.json.JsonOut;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports that something is wrong with the partition: in its state, as an event, and in a log line that says what to
 * do.
 */
public record Alarms(PartitionPosition position, Effects out) {
    private static final Logger LOG = LoggerFactory.getLogger(Alarms.class);

    /** Part of a step. The same alarm is raised once, until it is cleared. */
    public void raise(String code, String message) {
        if (!position.raise(new Alarm(code, out.now(), message))) return;
        LOG.error(
                "Partition {}, offset {}: {} Alarm '{}' stays until an operator acknowledges it.",
                out.log(),
                out.moment().offset(),
                Limits.printable(message),
                code);
        emit(
                "floodgate.alarm_raised",
                JsonOut.object()
                        .field("log", out.log().toString())
                        .field("offset", out.moment().offset())
                        .field("code", code)
                        .field("message", message));
    }

    /** Part of a step. False when there is no such alarm. */
    public boolean clear(String code) {
        if (!position.clearAlarm(code)) return false;
        emit(
                "floodgate.alarm_cleared",
                JsonOut.object().field("log", out.log().toString()).field("code", code));
        return true;
    }

    private void emit(String type, JsonOut data) {
        out.emit(type, out.log().toString(), out.log().toString(), data.endObject());
    }

    /** The standing ones, as a list. */
    public JsonOut write(JsonOut json) {
        json.beginArray("alarms");
        for (Alarm alarm : position.alarms())
            json.beginObject()
                    .field("code", alarm.code())
                    .field("since", alarm.since())
                    .field("message", alarm.message())
                    .endObject();
        return json.endArray();
    }
}
