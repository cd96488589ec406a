/**
 * The library that Java workers embed: takes jobs from the partition without HTTP, runs their handlers on virtual threads under
 * a bound, keeps the leases alive and reports every outcome until the partition has answered. Start at {@link
 * io.floodgate.worker.Worker}.
 */
@NullMarked
package io.floodgate.worker;

import org.jspecify.annotations.NullMarked;
