/** The one commit that makes appended records of several logs and the source position visible and durable together (D6). */
package dev.rowlog.engine.commit;
