/** Homes of tenants, which divide their bounds among the partitions. */
@NullMarked
package io.floodgate.processor.tenant;

import org.jspecify.annotations.NullMarked;
