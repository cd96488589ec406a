/** The pages for operators: files of the console, and what it asks for beside the rest of the API. */
@org.jspecify.annotations.NullMarked
package io.floodgate.gateway.console;
