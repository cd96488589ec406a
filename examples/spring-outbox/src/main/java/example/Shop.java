package example;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Places an order, and fails to place another one: that leaves neither an order nor a job. */
@SpringBootApplication
class Shop {
    public static void main(String... arguments) {
        SpringApplication.run(Shop.class, arguments);
    }

    @Bean
    CommandLineRunner demonstration(Orders orders, JdbcClient database) {
        return arguments -> {
            database.sql("CREATE TABLE IF NOT EXISTS orders (customer text NOT NULL, total int NOT NULL)")
                    .update();
            System.out.println("enqueued " + orders.place("ada", 7));
            try {
                orders.place("bob", -1);
            } catch (IllegalArgumentException rolledBack) {
                System.out.println("rolled back: " + rolledBack.getMessage());
            }
        };
    }
}
