/** What is called for webhooks: URLs, the addresses behind them, and signatures. */
@NullMarked
package io.floodgate.topics.webhook;

import org.jspecify.annotations.NullMarked;
