import { clockFrom } from '@portal/domain/clock.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDoubleStore } from '../double/double-store.ts';
import { storedFaults } from '../double/faults.ts';
import { createTagManagerDouble } from './tag-manager-sandbox.ts';

const URL_OF_DOUBLE = 'http://double.example/tag-manager';

function open() {
  const store = openDoubleStore(':memory:');
  onTestFinished(() => store.close());
  const clock = clockFrom(() => Date.parse('2026-11-18T10:00:00Z'));
  return createTagManagerDouble({ store, clock, faults: storedFaults(store), publicUrl: URL_OF_DOUBLE });
}

const tell = (body: string) => new Request(`${URL_OF_DOUBLE}/double/entries`, { method: 'POST', body });

describe("the tag manager's double", () => {
  it('serves a container by its id, and none by anything else', async () => {
    const double = open();
    const answer = await double.fetch(new Request(`${URL_OF_DOUBLE}/gtm.js?id=GTM-ABC1234`));
    expect(answer.headers.get('content-type')).toContain('javascript');
    expect(await answer.text()).toContain(`{"collectUrl":"${URL_OF_DOUBLE}/double/entries","containerId":"GTM-ABC1234"}`);
    for (const id of ['', 'GTM-', 'UA-12345', '"</script>']) {
      expect((await double.fetch(new Request(`${URL_OF_DOUBLE}/gtm.js?id=${encodeURIComponent(id)}`))).status).toBe(404);
    }
  });

  it('remembers what pages tell it, in order, and forgets when told', async () => {
    const double = open();
    for (const event of ['gtm.js', 'pageview']) {
      const answer = await double.fetch(tell(JSON.stringify({ container: 'GTM-ABC1234', at: '/portal/login', entry: { event } })));
      expect(answer.status).toBe(204);
    }
    expect(double.controls.listEntries().map(({ entry }) => entry)).toEqual([{ event: 'gtm.js' }, { event: 'pageview' }]);
    expect((await double.fetch(tell('{'))).status).toBe(400);
    double.controls.forget();
    expect(double.controls.listEntries()).toEqual([]);
  });
});
