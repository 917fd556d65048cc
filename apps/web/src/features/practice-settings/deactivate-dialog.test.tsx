// Tests who takes over a leaver's clients: the request contains only what the admin was shown, and a changed list of clients is fetched
// again.
import { teamApi, type TeamMember } from '@portal/contract/team.ts';
import { toInstant } from '@portal/domain/clock.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { AppProviders } from '../../core/app-providers.tsx';
import { ApiError, setTransport } from '../../lib/api.ts';
import { createQueryClient } from '../../lib/query-client.ts';
import { DeactivateDialog } from './deactivate-dialog.tsx';

let undo = () => undefined as void;
afterEach(() => {
  cleanup();
  undo();
});

const toId = (index: number) => `01890000-0000-7000-8000-00000000000${index}`;
const [PRACTICE, LEAVER, ANN, BOB, CLIENT] = [toId(0), toId(1), toId(2), toId(3), toId(4)];

const toMember = (id: string, name: string): TeamMember => ({
  user_id: id,
  invitation_id: null,
  full_name: name,
  email: `${name}@oakline.example`,
  status: 'active',
  role: 'team_member',
  team_role: null,
  permissions: [],
  groups: [],
  is_owner: false,
  is_you: false,
  clients: 1,
  since: toInstant(0),
  expires_at: null,
  last_seen_at: null,
});

type MutationInput = Readonly<Record<string, unknown>>;

/** `isRefused`: the leaver's clients have changed, so the server rejects the deactivation. */
function open(isRefused = false) {
  const [deactivations, previews]: [MutationInput[], MutationInput[]] = [[], []];
  let dutyReadCount = 0;
  undo = setTransport(async (endpoint, input) => {
    if (endpoint === teamApi.duties) {
      dutyReadCount += 1;
      return { clients: 1, duties: [{ duty: 'manager', clients: 1 }], sessions: 0 };
    }
    if (endpoint === teamApi.previewHandOver) {
      previews.push(input);
      const rows = [{ client_id: CLIENT, name: 'Xavier Ltd', duty: 'manager', user_id: input['exceptions'] ? BOB : ANN }];
      return { counts: [], rows, rows_total: 1, plan: `${deactivations.length} ${input['exceptions'] ? 'Bob' : 'Ann'}` };
    }
    deactivations.push(input);
    if (isRefused) throw new ApiError({ status: 409, code: 'team.hand_over_changed', message: 'Their clients have changed.' });
    return { handed_over: 1, left_open: 0 };
  });
  render(
    <AppProviders>
      <QueryClientProvider client={createQueryClient()}>
        <MemoryRouter>
          <DeactivateDialog
            companyId={PRACTICE}
            person={toMember(LEAVER, 'Lee')}
            colleagues={[toMember(ANN, 'Ann'), toMember(BOB, 'Bob')]}
            onClose={() => undefined}
          />
        </MemoryRouter>
      </QueryClientProvider>
    </AppProviders>,
  );
  return { deactivations, previews, countDutyReads: () => dutyReadCount };
}

const choose = async (label: string, value: string) => fireEvent.change(await screen.findByLabelText(label), { target: { value } });
const CLIENT_LABEL = /^Who takes over Xavier Ltd/;

async function shareAndGiveClientToBob() {
  await choose('Who takes over?', 'shared');
  for (const name of ['Ann', 'Bob']) fireEvent.click(await screen.findByRole('checkbox', { name }));
  fireEvent.change(await screen.findByLabelText(CLIENT_LABEL), { target: { value: BOB } });
  await vi.waitFor(() => expect((screen.getByLabelText(CLIENT_LABEL) as HTMLSelectElement).value).toBe(BOB));
}

it('sends no choice for a single client once the plan that shows it is gone', async () => {
  const { deactivations } = open();
  await shareAndGiveClientToBob();
  await choose('Who takes over?', ANN);
  expect(screen.queryByLabelText(CLIENT_LABEL)).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }));
  await screen.findByText('Lee no longer has access');
  expect(deactivations).toEqual([{ company_id: PRACTICE, user_id: LEAVER, successors: { manager: ANN } }]);
});

it('sends the plan that was shown with the choices for single clients', async () => {
  const { deactivations } = open();
  await shareAndGiveClientToBob();
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }));
  await screen.findByText('Lee no longer has access');
  const exceptions = [{ client_id: CLIENT, duty: 'manager', user_id: BOB }];
  expect(deactivations).toMatchObject([{ shared: { manager: [ANN, BOB] }, exceptions, plan: '0 Bob' }]);
});

it('fetches the clients and the plan again if they have changed, so that the next attempt can succeed', async () => {
  const { deactivations, previews, countDutyReads } = open(true);
  await shareAndGiveClientToBob();
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }));
  await screen.findByText('Their clients have changed.');
  await vi.waitFor(() => expect(previews.at(-1)).not.toHaveProperty('exceptions'));
  await vi.waitFor(() => expect(countDutyReads()).toBe(2));
  await vi.waitFor(() => expect((screen.getByLabelText(CLIENT_LABEL) as HTMLSelectElement).value).toBe(ANN));
  fireEvent.click(screen.getByRole('button', { name: 'Deactivate' }));
  await vi.waitFor(() => expect(deactivations).toHaveLength(2));
  expect(deactivations[1]).toMatchObject({ plan: '1 Ann' });
  expect(deactivations[1]).not.toHaveProperty('exceptions');
});
