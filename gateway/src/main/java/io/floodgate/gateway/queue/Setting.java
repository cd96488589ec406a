package io.floodgate.gateway.queue;

import io.floodgate.gateway.http.RequestFields;
import io.floodgate.topics.client.RejectedException;
import io.floodgate.topics.json.Json;
import io.floodgate.topics.limit.LimitReader;
import io.floodgate.topics.limit.UnreadableLimit;
import io.floodgate.topics.queue.EnqueueThrough;
import io.floodgate.topics.queue.Overflow;
import io.floodgate.topics.queue.QueueConfig;
import java.util.Locale;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** One of the things that can be decided about a queue, whatever it is called in a request. */
enum Setting {
    MAX_DEPTH {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            return new QueueConfig(bound(fields, name), null, null, null);
        }
    },
    MAX_SIZE_BYTES {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            return new QueueConfig(null, bound(fields, name), null, null);
        }
    },
    STRATEGY {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            String text = fields.text(name);
            Overflow strategy = Overflow.parse(text == null ? "" : text)
                    .orElseThrow(
                            () -> fields.fault(name, "The '%s' field must be one of reject, block and drop_oldest."));
            return new QueueConfig(null, null, strategy, null);
        }
    },
    WARNING_THRESHOLD {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            JsonNode value = fields.tree(name);
            // What no double can hold is out of this range, too.
            double threshold = value == null || !value.isNumber() ? -1 : value.doubleValue(Double.MAX_VALUE);
            if (threshold < 0 || threshold > 1)
                throw fields.fault(name, "The '%s' field must be a number from 0 to 1.");
            return new QueueConfig(null, null, null, threshold);
        }
    },
    ENQUEUE_THROUGH {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            String text = fields.text(name);
            EnqueueThrough through = EnqueueThrough.parse(text == null ? "" : text)
                    .orElseThrow(() -> fields.fault(name, "The '%s' field must be queue-topic or commands."));
            return QueueConfig.NONE.with(through);
        }
    },
    CONCURRENCY {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            return limits(fields, name, name);
        }
    },
    RATE {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            return limits(fields, name, "rate");
        }
    },
    THROTTLE {
        @Override
        QueueConfig read(RequestFields fields, String name) throws RejectedException {
            return limits(fields, name, "throttle");
        }
    };

    /** @param as what the field is called in limits of jobs, which are read alike */
    private static QueueConfig limits(RequestFields fields, String name, String as) throws RejectedException {
        String path = fields.path(name);
        JsonNode value = fields.tree(name);
        // A concurrency is a number; a rate and a throttle are objects here, whatever jobs may write.
        if (value != null && !as.equals("concurrency") && !value.isObject())
            throw fields.fault(name, "The '%s' field must be an object with 'limit' and 'period'.");
        try {
            JsonNode limit = Json.MAPPER.createObjectNode().set(as, value);
            return QueueConfig.of(LimitReader.allowance(limit, "", Set.of()));
        } catch (UnreadableLimit wrong) {
            String field = path
                    + wrong.field()
                            .substring(Math.min(as.length(), wrong.field().length()));
            throw RequestFields.wrong(field, wrong.reason().replace("'" + wrong.field() + "'", "'" + field + "'"));
        }
    }

    /** A configuration of this alone; the field is there, and not null. */
    abstract QueueConfig read(RequestFields fields, String name) throws RejectedException;

    private static long bound(RequestFields fields, String name) throws RejectedException {
        long bound = fields.number(name).orElse(-1L);
        if (bound < 0) throw fields.fault(name, "The '%s' field must not be negative; 0 is for no bound.");
        return bound;
    }

    /** Returns the name in commands. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
