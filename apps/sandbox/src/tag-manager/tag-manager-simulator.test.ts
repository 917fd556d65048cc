import { createClock } from '@portal/domain/clock.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSimulatorHost } from '../simulator/host-simulators.ts';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { openFaults } from '../simulator/faults.ts';
import { createTagManagerSimulator } from './tag-manager-simulator.ts';

const PUBLIC_URL = 'http://simulator.example/tag-manager';

async function getCorsHeaders() {
  const store = openSimulatorStore(':memory:');
  const clock = createClock(() => Date.parse('2026-11-18T10:00:00Z'));
  const { plugin, controls } = createTagManagerSimulator({ store, clock, faults: openFaults(store), publicUrl: PUBLIC_URL });
  const host = await startSimulatorHost([{ basePath: '/tag-manager', plugin }], 0, '127.0.0.1');
  onTestFinished(async () => {
    await host.close();
    store.close();
  });
  return {
    controls,
    get: (path: string) => fetch(`${host.url}/tag-manager${path}`),
    send: (body: string) => fetch(`${host.url}/tag-manager/simulator/entries`, { method: 'POST', body }),
  };
}

describe("the tag manager's simulator", () => {
  it('serves a container by its ID, and 404 for anything else', async () => {
    const { get } = await getCorsHeaders();
    const response = await get('/gtm.js?id=GTM-ABC1234');
    expect(response.headers.get('content-type')).toContain('javascript');
    expect(await response.text()).toContain(`{"collectUrl":"${PUBLIC_URL}/simulator/entries","containerId":"GTM-ABC1234"}`);
    for (const id of ['', 'GTM-', 'UA-12345', '"</script>']) {
      expect((await get(`/gtm.js?id=${encodeURIComponent(id)}`)).status).toBe(404);
    }
  });

  it('records what pages send, in order, and clears it on demand', async () => {
    const { controls, send } = await getCorsHeaders();
    for (const event of ['gtm.js', 'pageview']) {
      const response = await send(JSON.stringify({ container: 'GTM-ABC1234', at: '/portal/login', entry: { event } }));
      expect(response.status).toBe(204);
    }
    expect(controls.listEntries().map(({ entry }) => entry)).toEqual([{ event: 'gtm.js' }, { event: 'pageview' }]);
    expect((await send('{')).status).toBe(400);
    controls.deleteEntries();
    expect(controls.listEntries()).toEqual([]);
  });
});
