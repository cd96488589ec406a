package io.floodgate.standalone.crash;

/** One thing that is planned to go wrong. */
record Strike(Role victim, Fault fault) {}
