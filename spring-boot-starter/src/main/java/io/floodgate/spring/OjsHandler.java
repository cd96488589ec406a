package io.floodgate.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Handles the jobs of a type. Parameters are the job's arguments in their order, read by Jackson; a
 * {@link io.floodgate.worker.JobContext} or {@link io.floodgate.worker.LeasedJob} may stand among them. What the method
 * returns is the job's result. Arguments that it cannot take fail the job for good.
 *
 * <pre>{@code
 * @OjsHandler("email.send")
 * Sent send(String address, Letter letter) { … }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OjsHandler {
    /** The type of the jobs. */
    String value();

    /** The queue that the worker takes them from, unless {@code floodgate.worker.queues} names queues. */
    String queue() default "default";

    /** Versions of the type that it takes, such as {@code ">=1.0 <3.0"}; all by default. */
    String[] versions() default {};
}
