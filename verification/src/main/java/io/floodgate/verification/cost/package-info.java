/** What an installation on several brokers costs: processor time per job, time per request, requests to the brokers. */
@NullMarked
package io.floodgate.verification.cost;

import org.jspecify.annotations.NullMarked;
