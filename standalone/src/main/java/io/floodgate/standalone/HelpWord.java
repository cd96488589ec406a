package io.floodgate.standalone;

import io.floodgate.standalone.settings.NoSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code help} and {@code help COMMAND}: the same as {@code --help} behind it. */
@Command(name = "help", description = "Shows this help, or that of a command.")
final class HelpWord implements Callable<Integer>, NoSettings {
    @Spec
    CommandSpec spec = CommandSpec.create();

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "The command, with its subcommand if it has one.")
    List<String> names = new ArrayList<>();

    @Override
    public Integer call() {
        CommandLine command = spec.root().commandLine();
        for (String name : names) {
            CommandLine inner = command.getSubcommands().get(name);
            if (inner == null) throw new CommandErrors.Rejection("there is no command '%s'".formatted(name));
            command = inner;
        }
        command.usage(spec.commandLine().getOut());
        return 0;
    }
}
