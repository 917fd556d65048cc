import { dashboardApi, type DashboardOutput } from '@portal/contract/dashboard.ts';
import { describe, expect, it } from 'vitest';
import { createDemoTransport } from '../demo/demo-transport.ts';
import { NORMAL_REFUND } from '../demo/stories/normal-refund.ts';
import { listFurtherTasks } from './list-further-tasks.ts';

const COMPANY = NORMAL_REFUND.company.company_id;
const CONNECT = { task: 'connect_hmrc', title: 'Connect HMRC', path: `/v2/instant-vat/dashboard/link-hmrc-account?company_id=${COMPANY}` };
const BOOKS = { task: 'add_books', title: 'Upload your books', path: `/v2/instant-vat/steps/bookkeeping?company_id=${COMPANY}` };

/** The demo's initial dashboard with these tasks. */
async function dashboardWith(tasks: DashboardOutput['tasks'], status: DashboardOutput['hmrc']['status'] = 'connected') {
  const { transport } = createDemoTransport(NORMAL_REFUND);
  const dashboard = dashboardApi.get.output.parse(await transport(dashboardApi.get, { company_id: COMPANY }, {}));
  return { ...dashboard, tasks, hmrc: { ...dashboard.hmrc, status } };
}

const names = (tasks: DashboardOutput['tasks']) => tasks.map(({ task }) => task);

describe('the list of further tasks', () => {
  it('leaves out a task that a problem at the top of the page links to', async () => {
    expect(names(listFurtherTasks(await dashboardWith([CONNECT, BOOKS], 'not_connected')))).toEqual(['add_books']);
  });

  it('keeps a task that nothing else on the page links to', async () => {
    expect(names(listFurtherTasks(await dashboardWith([CONNECT, BOOKS])))).toEqual(['connect_hmrc', 'add_books']);
  });

  it('leaves out the return that the deadline card links to, and no other', async () => {
    const dashboard = await dashboardWith([]);
    const obligations = dashboard.obligations.map((obligation) => ({ ...obligation, state: 'ready' as const }));
    const file = (id: string) => ({
      task: 'file_return',
      title: 'File',
      path: `/v2/instant-vat/dashboard/vat-return?company_id=${COMPANY}&obligation_id=${id}`,
    });
    const tasks = [file(obligations[0]?.obligation_id ?? ''), file('another')];
    expect(listFurtherTasks({ ...dashboard, obligations, tasks })).toEqual([file('another')]);
  });

  it('leaves the offer to its own card, and keeps tasks that follow the acceptance', async () => {
    const path = `/v2/instant-vat/dashboard/advance?company_id=${COMPANY}&obligation_id=${NORMAL_REFUND.mainObligationId}`;
    const tasks = ['accept_offer', 'confirm_collection_account'].map((task) => ({ task, title: task, path }));
    expect(names(listFurtherTasks(await dashboardWith(tasks)))).toEqual(['confirm_collection_account']);
  });
});
