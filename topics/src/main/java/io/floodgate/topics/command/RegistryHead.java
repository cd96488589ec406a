package io.floodgate.topics.command;

import io.floodgate.topics.json.Wire;

/** The first line of a list from a registry: its revision, which rises with each change. */
public record RegistryHead(@Wire.Least(0) long revision) {}
