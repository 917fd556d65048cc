/** A free local address for simulators that must know it before they listen, because their responses contain it. */
import { freePort } from './free-port.ts';

export async function freeAddress(): Promise<{ readonly url: string; readonly port: number }> {
  const port = await freePort();
  return { url: `http://127.0.0.1:${port}`, port };
}
