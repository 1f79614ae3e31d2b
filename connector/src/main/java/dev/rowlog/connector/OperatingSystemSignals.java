package dev.rowlog.connector;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The JVM's own door to signals ({@code sun.misc.Signal} of the module {@code jdk.unsupported}), opened by reflection,
 * since a shutdown hook cannot hear a
 * second signal. Where a JVM has no such door, signals end the process as usual.
 */
final class OperatingSystemSignals {
  private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

  private OperatingSystemSignals() {}

  /**
   * Calls {@code handler} with the number of each signal, in a thread of the JVM's. A signal that our parent had us
   * ignore stays ignored.
   */
  static void handle(IntConsumer handler) {
    try {
      Class<?> signals = Class.forName("sun.misc.Signal");
      Class<?> handlers = Class.forName("sun.misc.SignalHandler");
      Object ignore = handlers.getField("SIG_IGN").get(null);
      Method register = signals.getMethod("handle", signals, handlers);
      Object proxy = Proxy.newProxyInstance(OperatingSystemSignals.class.getClassLoader(), new Class<?>[]{handlers},
          called(handler, signals));
      for (String name : NUMBERS.keySet()) {
        Object signal = signals.getConstructor(String.class).newInstance(name);
        if (ignore.equals(register.invoke(null, signal, proxy))) {
          register.invoke(null, signal, ignore);
        }
      }
    } catch (ReflectiveOperationException e) {
      System.getLogger(OperatingSystemSignals.class.getName()).log(System.Logger.Level.DEBUG, "no signals of our own",
          e);
    }
  }

  private static InvocationHandler called(IntConsumer handler, Class<?> signals) throws NoSuchMethodException {
    Method name = signals.getMethod("getName");
    return (proxy, method, arguments) -> switch (method.getName()) {
      case "handle" -> {
        handler.accept(NUMBERS.get((String) name.invoke(arguments[0])));
        yield null;
      }
      case "equals" -> proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "signals of rowlog";
    };
  }
}
