package io.floodgate.topics.command;

/** Everything that can be appended to a log. What outsiders may send, what logs tell each other, and the passing of time. */
public sealed interface Command
        permits JobCommand,
                QueueCommand,
                WorkerCommand,
                LimitCommand,
                PartitionCommand,
                AdminCommand,
                Message,
                Patient {}
