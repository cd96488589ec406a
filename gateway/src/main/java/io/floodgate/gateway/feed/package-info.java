/** Reading whole topics as they grow, without a consumer group: every gateway wants all of it. */
@NullMarked
package io.floodgate.gateway.feed;

import org.jspecify.annotations.NullMarked;
