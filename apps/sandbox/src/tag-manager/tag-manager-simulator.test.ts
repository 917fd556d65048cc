import { clockFrom } from '@portal/domain/clock.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSimulatorStore } from '../simulator/simulator-store.ts';
import { storedFaults } from '../simulator/faults.ts';
import { createTagManagerSimulator } from './tag-manager-simulator.ts';

const URL_OF_DOUBLE = 'http://double.example/tag-manager';

function open() {
  const store = openSimulatorStore(':memory:');
  onTestFinished(() => store.close());
  const clock = clockFrom(() => Date.parse('2026-11-18T10:00:00Z'));
  return createTagManagerSimulator({ store, clock, faults: storedFaults(store), publicUrl: URL_OF_DOUBLE });
}

const tell = (body: string) => new Request(`${URL_OF_DOUBLE}/double/entries`, { method: 'POST', body });

describe("the tag manager's double", () => {
  it('serves a container by its id, and none by anything else', async () => {
    const simulator = open();
    const answer = await simulator.fetch(new Request(`${URL_OF_DOUBLE}/gtm.js?id=GTM-ABC1234`));
    expect(answer.headers.get('content-type')).toContain('javascript');
    expect(await answer.text()).toContain(`{"collectUrl":"${URL_OF_DOUBLE}/double/entries","containerId":"GTM-ABC1234"}`);
    for (const id of ['', 'GTM-', 'UA-12345', '"</script>']) {
      expect((await simulator.fetch(new Request(`${URL_OF_DOUBLE}/gtm.js?id=${encodeURIComponent(id)}`))).status).toBe(404);
    }
  });

  it('remembers what pages tell it, in order, and forgets when told', async () => {
    const simulator = open();
    for (const event of ['gtm.js', 'pageview']) {
      const answer = await simulator.fetch(tell(JSON.stringify({ container: 'GTM-ABC1234', at: '/portal/login', entry: { event } })));
      expect(answer.status).toBe(204);
    }
    expect(simulator.controls.listEntries().map(({ entry }) => entry)).toEqual([{ event: 'gtm.js' }, { event: 'pageview' }]);
    expect((await simulator.fetch(tell('{'))).status).toBe(400);
    simulator.controls.forget();
    expect(simulator.controls.listEntries()).toEqual([]);
  });
});
