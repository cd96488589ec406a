package io.floodgate.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs the handler on a schedule: once at each time, whatever number of instances the application has. Schedules are
 * registered at the start in the name of the application; those that are no longer in the code are removed.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OjsSchedule {
    /** The expression, such as {@code "0 9 * * MON-FRI"} or {@code "@every 5m"}. */
    String value();

    /** The name of the schedule; by default the type of the jobs. */
    String name() default "";

    String timezone() default "UTC";

    /** The arguments of its jobs, as a JSON list. */
    String args() default "[]";

    /** What becomes of a run while the one before has not ended: {@code skip}, {@code allow}, {@code enqueue} or {@code cancel}. */
    String overlap() default "skip";
}
