package io.floodgate.verification.process;

import java.util.List;

/** Where the processes of an installation run. */
public interface Hosts {
    /** All on this machine. */
    Hosts LOCAL = new Hosts() {
        @Override
        public String address(String process) {
            return "127.0.0.1";
        }

        @Override
        public List<String> wrapper(String process) {
            return List.of();
        }
    };

    /** Returns the address at which others reach the process of this name. */
    String address(String process);

    /** Returns what the command line of the process stands behind. */
    List<String> wrapper(String process);
}
