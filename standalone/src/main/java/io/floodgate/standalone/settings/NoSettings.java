package io.floodgate.standalone.settings;

/** A command whose options are not settings of a server: they stand on the command line alone. */
public interface NoSettings {}
