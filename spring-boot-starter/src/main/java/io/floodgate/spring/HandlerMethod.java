package io.floodgate.spring;

import io.floodgate.worker.JobContext;
import io.floodgate.worker.JobFailure;
import io.floodgate.worker.JobHandler;
import io.floodgate.worker.LeasedJob;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A method with {@link OjsHandler}. */
record HandlerMethod(
        Object bean,
        Method method,
        OjsHandler handler,
        @Nullable OjsSchedule schedule,
        JsonMapper json) implements JobHandler {
    String type() {
        return handler.value();
    }

    @Override
    public @Nullable Object handle(JobContext context) throws Exception {
        @Nullable Object[] arguments = arguments(context);
        try {
            return method.invoke(bean, arguments);
        } catch (InvocationTargetException thrown) {
            switch (thrown.getCause()) {
                case Exception failure -> throw failure;
                case Error error -> throw error;
                case null, default -> throw thrown;
            }
        }
    }

    private @Nullable Object[] arguments(JobContext context) throws JobFailure {
        Type[] types = method.getGenericParameterTypes();
        @Nullable Object[] arguments = new Object[types.length];
        JsonNode args = context.args();
        int next = 0;
        for (int i = 0; i < types.length; i++) {
            if (types[i] == JobContext.class) arguments[i] = context;
            else if (types[i] == LeasedJob.class) arguments[i] = context.job();
            else arguments[i] = argument(args.get(next), next++, types[i]);
        }
        if (next < args.size())
            throw wrong("It has %d arguments, and %s takes %d.".formatted(args.size(), method, next), null);
        return arguments;
    }

    private @Nullable Object argument(@Nullable JsonNode arg, int place, Type type) throws JobFailure {
        if (arg == null) throw wrong("Argument %d is missing for %s.".formatted(place, method), null);
        try {
            return json.readerFor(json.constructType(type)).readValue(arg);
        } catch (JacksonException unreadable) {
            throw wrong("Argument %d is no %s.".formatted(place, type.getTypeName()), unreadable);
        }
    }

    private static JobFailure wrong(String message, @Nullable JacksonException cause) {
        return JobFailure.permanent(
                "invalid_arguments", cause == null ? message : message + " " + cause.getOriginalMessage());
    }
}
