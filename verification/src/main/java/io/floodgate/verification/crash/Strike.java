package io.floodgate.verification.crash;

import io.floodgate.verification.process.Role;

/** One thing that is planned to go wrong. */
record Strike(Role victim, Fault fault) {}
