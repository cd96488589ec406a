package io.floodgate.verification.cost;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.floodgate.verification.process.Child;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** How many requests of each kind brokers have got, as they count themselves. */
final class BrokerRequests implements AutoCloseable {
    private final List<JMXConnector> brokers = new ArrayList<>();

    @SuppressWarnings("BanJNDI") // what answers are processes that this one has started
    BrokerRequests(List<Child> brokers) throws IOException, AttachNotSupportedException {
        for (Child broker : brokers) {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(broker.pid()));
            try {
                this.brokers.add(JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        }
    }

    /** Of all brokers together, by the name of the request. */
    Map<String, Long> count() throws IOException, JMException {
        Map<String, Long> counted = new TreeMap<>();
        ObjectName all = new ObjectName("kafka.network:type=RequestMetrics,name=RequestsPerSec,*");
        for (JMXConnector broker : brokers) {
            MBeanServerConnection beans = broker.getMBeanServerConnection();
            for (ObjectName name : beans.queryNames(all, null))
                counted.merge(name.getKeyProperty("request"), (Long) beans.getAttribute(name, "Count"), Long::sum);
        }
        return counted;
    }

    @Override
    public void close() throws IOException {
        for (JMXConnector broker : brokers) broker.close();
    }
}
