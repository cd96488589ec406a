/**
 * Sources of a setting's value: the flag, else the environment, else the properties file, else the default. The options
 * of the commands are the one list of settings; names elsewhere and the documentation follow from them.
 */
@NullMarked
package io.floodgate.standalone.settings;

import org.jspecify.annotations.NullMarked;
