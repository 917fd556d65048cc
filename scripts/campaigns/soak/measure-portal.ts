/**
 * Preloaded into a portal's process (`--import`, with `--expose-gc`). Replies to every message from its parent with the memory after a
 * garbage collection, open handles, and the delay of its event loop since the last message. The product doesn't contain any code for it.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

export type PortalSample = {
  readonly rssBytes: number;
  readonly heapBytes: number;
  readonly handles: number;
  /** The 99th percentile. */
  readonly eventLoopDelayMs: number;
};

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on('message', () => {
  // Measured before the collection below, which stops the thread.
  const eventLoopDelayMs = delay.percentile(99) / 1e6;
  (globalThis as { gc?: () => void }).gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  const sample: PortalSample = { rssBytes: rss, heapBytes: heapUsed, handles: process.getActiveResourcesInfo().length, eventLoopDelayMs };
  delay.reset();
  process.send?.(sample);
});
// The channel doesn't keep the portal running.
process.channel?.unref();
