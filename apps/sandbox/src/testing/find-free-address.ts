/** Reserves a free local address for simulators that send their own address in responses, because they need it before they listen. */
import { findFreePort } from './find-free-port.ts';

export async function findFreeAddress(): Promise<{ readonly url: string; readonly port: number }> {
  const port = await findFreePort();
  return { url: `http://127.0.0.1:${port}`, port };
}
