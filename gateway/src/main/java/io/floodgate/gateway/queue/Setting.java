package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RefusedException;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** One of the things that can be decided about a queue, whatever it is called in a request. */
enum Setting {
    MAX_DEPTH {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RefusedException {
            return new QueueConfig(bound(fields, name), null, null, null);
        }
    },
    MAX_SIZE_BYTES {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RefusedException {
            return new QueueConfig(null, bound(fields, name), null, null);
        }
    },
    STRATEGY {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RefusedException {
            String text = fields.text(name);
            Overflow strategy = Overflow.parse(text == null ? "" : text)
                    .orElseThrow(
                            () -> fields.fault(name, "The '%s' field must be one of reject, block and drop_oldest."));
            return new QueueConfig(null, null, strategy, null);
        }
    },
    WARNING_THRESHOLD {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RefusedException {
            JsonNode value = fields.tree(name);
            // What no double can hold is out of this range, too.
            double threshold = value == null || !value.isNumber() ? -1 : value.doubleValue(Double.MAX_VALUE);
            if (threshold < 0 || threshold > 1)
                throw fields.fault(name, "The '%s' field must be a number from 0 to 1.");
            return new QueueConfig(null, null, null, threshold);
        }
    };

    /** A configuration of this alone; the field is there, and not null. */
    abstract QueueConfig read(RequestFields fields, String name) throws RefusedException;

    private static long bound(RequestFields fields, String name) throws RefusedException {
        long bound = fields.number(name).orElse(-1L);
        if (bound < 0) throw fields.fault(name, "The '%s' field must not be negative; 0 is for no bound.");
        return bound;
    }

    /** Its name in commands. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
