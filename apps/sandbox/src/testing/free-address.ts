/** Reserves a free local address for simulators whose responses contain it, because they need it before they listen. */
import { freePort } from './free-port.ts';

export async function freeAddress(): Promise<{ readonly url: string; readonly port: number }> {
  const port = await freePort();
  return { url: `http://127.0.0.1:${port}`, port };
}
