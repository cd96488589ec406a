/** Encodes the arguments of jobs in their producers, and decodes them in workers (OJS encryption): no server reads them. */
@NullMarked
package io.floodgate.topics.codec;

import org.jspecify.annotations.NullMarked;
