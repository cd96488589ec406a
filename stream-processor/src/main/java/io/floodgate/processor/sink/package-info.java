/** Topics to which outcomes of jobs are written: the registry, and what each partition knows of it. */
@NullMarked
package io.floodgate.processor.sink;

import org.jspecify.annotations.NullMarked;
