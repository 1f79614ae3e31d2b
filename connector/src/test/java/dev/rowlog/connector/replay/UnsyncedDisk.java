package dev.rowlog.connector.replay;

import dev.rowlog.engine.disk.Disk;
import dev.rowlog.engine.disk.DiskFile;
import dev.rowlog.engine.disk.NioDisk;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** The real disk without its syncs: these tests are not about power cuts, and thousands of commits would wait for the platter. */
public final class UnsyncedDisk {
  private UnsyncedDisk() {}

  public static Disk create() {
    return wrap(Disk.class, new NioDisk());
  }

  private static <T> T wrap(Class<T> type, T real) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[]{type},
        (proxy, method, arguments) -> call(real, method, arguments)));
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    if (method.getName().startsWith("sync")) {
      return null;
    }
    try {
      Object result = method.invoke(real, arguments);
      return result instanceof DiskFile file ? wrap(DiskFile.class, file) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
