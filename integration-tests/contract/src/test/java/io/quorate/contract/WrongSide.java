package io.quorate.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A right side with some methods of its objects replaced by wrong ones. */
final class WrongSide {

    private final Map<String, Wrong> ofLatches = new HashMap<>();
    private final Map<String, Wrong> ofClients = new HashMap<>();
    private final Map<String, Wrong> ofSelectors = new HashMap<>();
    private final Map<String, Wrong> ofSide = new HashMap<>();

    /** What a method does in place of the right one. */
    @FunctionalInterface
    interface Wrong {
        Object answer(Call right, Object... arguments) throws Throwable;
    }

    /** The method that was meant, and of whom. */
    record Call(Method method, Object target) {

        Object with(Object... arguments) throws Throwable {
            try {
                return method.invoke(target, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }
    }

    /** Replaces a method of all latches. */
    WrongSide latch(String method, Wrong wrong) {
        ofLatches.put(method, wrong);
        return this;
    }

    WrongSide client(String method, Wrong wrong) {
        ofClients.put(method, wrong);
        return this;
    }

    WrongSide selector(String method, Wrong wrong) {
        ofSelectors.put(method, wrong);
        return this;
    }

    WrongSide side(String method, Wrong wrong) {
        ofSide.put(method, wrong);
        return this;
    }

    /** The side with what it opens; clients that are given to it are the wrapped ones. */
    Side around(Side right) {
        Map<Object, Object> originals = new HashMap<>();
        UnaryOperator<Object> unwrapped = argument -> originals.getOrDefault(argument, argument);
        return (Side) proxy(Side.class, (method, arguments) -> {
            Object[] own = arguments.clone();
            for (int i = 0; i < own.length; i++) {
                own[i] = own[i] == null ? null : unwrapped.apply(own[i]);
            }
            Call call = new Call(method, right);
            Wrong wrong = ofSide.get(method.getName());
            Object answer = wrong == null ? call.with(own) : wrong.answer(call, own);
            if (answer instanceof Client client) {
                Object wrapped = wrapped(Client.class, client, ofClients);
                originals.put(wrapped, client);
                return wrapped;
            }
            return answer instanceof Latch latch
                    ? wrapped(Latch.class, latch, ofLatches)
                    : answer instanceof Selector selector ? wrapped(Selector.class, selector, ofSelectors) : answer;
        });
    }

    private static Object wrapped(Class<?> type, Object right, Map<String, Wrong> wrongs) {
        return proxy(type, (method, arguments) -> {
            Call call = new Call(method, right);
            Wrong wrong = wrongs.get(method.getName());
            return wrong == null ? call.with(arguments) : wrong.answer(call, arguments);
        });
    }

    private interface Handler {
        Object handle(Method method, Object[] arguments) throws Throwable;
    }

    private static Object proxy(Class<?> type, Handler handler) {
        Object identity = new Object();
        return Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> identity.hashCode();
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> "wrapped " + type.getSimpleName();
                    default -> handler.handle(method, arguments == null ? new Object[0] : arguments);
                });
    }
}
