/** Tests of Spring Boot applications with a server in their process. */
@NullMarked
package io.floodgate.spring.test;

import org.jspecify.annotations.NullMarked;
