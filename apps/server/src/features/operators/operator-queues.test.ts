import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOperator } from '../../testing/test-trader.ts';
import { openTestPortal, type TestPortal } from '../../testing/open-test-portal.ts';
import { acceptAdvance, filedTrader } from '../../testing/take-advance.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await openTestPortal();
});
afterAll(() => portal.close());

describe("the operators' queues", () => {
  it('start with what waits for an operator, so that newer advances cannot push it off the list', async () => {
    const olga = await createOperator(portal, 'olga@operators.example');
    const waiting = await filedTrader(portal, 'waiting@trader.example', 12_003);
    await acceptAdvance(portal, waiting);
    await filedTrader(portal, 'newer@trader.example', 4_043);
    const { body } = await olga.get('/operator/queues');
    expect(body['advances']).toMatchObject([{ company_id: waiting.companyId, queue: 'review' }, { queue: 'running' }]);
  });
});
