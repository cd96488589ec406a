/** Handlers, schedules and producers of Floodgate as beans of Spring Boot. */
@NullMarked
package io.floodgate.spring;

import org.jspecify.annotations.NullMarked;
