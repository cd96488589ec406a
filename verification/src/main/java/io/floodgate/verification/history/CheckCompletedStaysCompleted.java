package io.floodgate.verification.history;

import io.floodgate.verification.history.History.DeliveryRef;
import io.floodgate.verification.history.Step.Acked;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

final class CheckCompletedStaysCompleted implements Check {
    @Override
    public String claim() {
        return "no completed job is handed out again";
    }

    @Override
    public List<Violation> violations(History history) {
        Map<String, List<DeliveryRef>> deliveryRefs = history.deliveryRefs();
        List<Violation> found = new ArrayList<>();
        for (Acked ack : history.all(Acked.class)) {
            if (ack.answer() != Answer.OK) continue;
            for (DeliveryRef deliveryRef : deliveryRefs.getOrDefault(ack.id(), List.of())) {
                // A later lease cannot have begun before the ack either: the ack would have been rejected.
                if (deliveryRef.job().lease() > ack.lease()
                        || deliveryRef.fetch().span().begun() > ack.span().ended())
                    found.add(new Violation(
                            ack.id(),
                            "it was completed under lease %d and handed out under lease %d"
                                    .formatted(ack.lease(), deliveryRef.job().lease())));
            }
        }
        return found;
    }
}
