package io.floodgate.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a test of Spring a Floodgate: a server in the test's process, one for all tests, which the application finds by its
 * properties, and a {@link io.floodgate.testing.TestFloodgate} as a bean. It takes {@code floodgate-testing}.
 *
 * <pre>{@code
 * @SpringBootTest
 * @FloodgateTest
 * class ShopTest { … }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface FloodgateTest {}
