package io.floodgate.verification.history;

import java.util.ArrayList;
import java.util.List;

final class CheckNoPermitLeaks implements Check {
    @Override
    public String claim() {
        return "when all is quiet no key has a permit left that is in use, and no job waits for one";
    }

    @Override
    public List<Violation> violations(History history) {
        List<Violation> found = new ArrayList<>();
        for (LimitCourse limit : history.limits())
            if (limit.active() > 0 || limit.waiting() > 0)
                found.add(new Violation(
                        limit.key(),
                        "%d jobs of the key are said to run, %d to wait".formatted(limit.active(), limit.waiting())));
        return found;
    }
}
