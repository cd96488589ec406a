package example;

import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Each order has its job, and each job its order: both are rows of one transaction. */
@Service
class Orders {
    private final JdbcClient database;

    Orders(JdbcClient database) {
        this.database = database;
    }

    /** Returns the id of the job. */
    @Transactional
    public UUID place(String customer, int total) {
        database.sql("INSERT INTO orders (customer, total) VALUES (?, ?)")
                .params(customer, total)
                .update();
        UUID job = database.sql("""
                        SELECT floodgate_enqueue('order.placed', jsonb_build_array(?::text, ?::int), 'orders',
                          jsonb_build_object('order_key', ?::text))""")
                .params(customer, total, customer)
                .query(UUID.class)
                .single();
        if (total < 0) throw new IllegalArgumentException("an order of " + total + " is none");
        return job;
    }
}
