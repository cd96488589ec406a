package io.floodgate.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import tools.jackson.databind.json.JsonMapper;

/** All methods with {@link OjsHandler} of an application's beans. */
final class HandlerMethods {
    private HandlerMethods() {}

    static List<HandlerMethod> of(ListableBeanFactory beans, JsonMapper json) {
        List<HandlerMethod> found = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(Object.class, false, false)) {
            Class<?> type = beans.getType(name, false);
            if (type == null || type.getName().startsWith("org.springframework.")) continue;
            Map<Method, OjsHandler> methods =
                    MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<OjsHandler>)
                            method -> AnnotatedElementUtils.findMergedAnnotation(method, OjsHandler.class));
            methods.forEach((method, handler) -> found.add(method(beans.getBean(name), method, handler, json)));
        }
        return found;
    }

    private static HandlerMethod method(Object bean, Method method, OjsHandler handler, JsonMapper json) {
        Method callable = AopUtils.selectInvocableMethod(method, bean.getClass());
        callable.setAccessible(true);
        OjsSchedule schedule = AnnotatedElementUtils.findMergedAnnotation(method, OjsSchedule.class);
        return new HandlerMethod(bean, callable, handler, schedule, json);
    }

    static List<String> queues(List<HandlerMethod> methods) {
        return methods.stream()
                .map(method -> method.handler().queue())
                .distinct()
                .toList();
    }
}
