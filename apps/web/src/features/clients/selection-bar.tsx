/** What can be done with the chosen clients at once. Says what will happen before it happens, and what became of each afterwards. */
import { CLIENT_STATUS_NAMES, clientsApi, DUTY_NAMES, type RowResults } from '@portal/contract/clients.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import NativeSelect from '@mui/material/NativeSelect';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask, call } from '../../lib/api.ts';
import { STATUS_NAMES } from '../../lib/client-words.ts';
import { errorText } from '../../lib/error-text.ts';
import { FieldFrame } from '../../ui/form-field.tsx';
import { ModalDialog } from '../../ui/modal-dialog.tsx';
import { Notice } from '../../ui/notice.tsx';

type SelectionBarProps = {
  companyId: string;
  /** Names by id, as far as they are loaded. */
  names: ReadonlyMap<string, string>;
  selected: ReadonlySet<string>;
  onClear: () => void;
};

export function SelectionBar({ companyId, names, selected, onClear }: SelectionBarProps) {
  const [act, setAct] = useState<'status' | 'assign' | null>(null);
  const count = selected.size;
  if (count === 0) return null;
  return (
    <Box
      role="region"
      aria-label="Chosen clients"
      sx={{
        position: 'sticky',
        bottom: 8,
        zIndex: 5,
        mt: 1,
        p: 1.5,
        display: 'flex',
        flexWrap: 'wrap',
        gap: 1.5,
        alignItems: 'center',
        border: 1,
        borderColor: 'primary.tone',
        borderRadius: 1,
        bgcolor: 'background.paper',
      }}
    >
      <Typography role="status" sx={{ fontWeight: 600, mr: 'auto' }}>
        {clientsText(count)} chosen
      </Typography>
      <Button size="small" variant="outlined" onClick={() => setAct('status')}>
        Set the status
      </Button>
      <Button size="small" variant="outlined" onClick={() => setAct('assign')}>
        Give to a colleague
      </Button>
      <Button size="small" variant="text" onClick={onClear}>
        Choose none
      </Button>
      {act !== null && <ActDialog act={act} companyId={companyId} ids={[...selected]} names={names} onClose={() => setAct(null)} />}
    </Box>
  );
}

export const clientsText = (count: number): string => `${count.toLocaleString('en-GB')} ${count === 1 ? 'client' : 'clients'}`;

const DUTY_WORDS = { manager: 'Manager', vat: 'VAT', payroll: 'Payroll', deputy: 'Deputy' } as const;

type ActDialogProps = {
  act: 'status' | 'assign';
  companyId: string;
  ids: readonly string[];
  names: ReadonlyMap<string, string>;
  onClose: () => void;
};

function ActDialog({ act, companyId, ids, names, onClose }: ActDialogProps) {
  const [status, setStatus] = useState<(typeof CLIENT_STATUS_NAMES)[number]>('active');
  const [userId, setUserId] = useState('');
  const [duty, setDuty] = useState<(typeof DUTY_NAMES)[number]>('manager');
  const [action, setAction] = useState<'add' | 'remove'>('add');
  const members = useQuery({ ...ask(clientsApi.members, { company_id: companyId }), enabled: act === 'assign' });
  const client = useQueryClient();
  const run = useMutation({
    mutationFn: (): Promise<RowResults> => {
      const of = { company_id: companyId, client_ids: [...ids] };
      return act === 'status'
        ? call(clientsApi.setStatus, { ...of, status })
        : call(clientsApi.assign, { ...of, user_id: userId, duty, action });
    },
    onSuccess: () =>
      Promise.all([clientsApi.list.path, clientsApi.count.path].map((path) => client.invalidateQueries({ queryKey: [path] }))),
  });
  const heading = act === 'status' ? `Set the status of ${clientsText(ids.length)}` : `Who looks after ${clientsText(ids.length)}`;
  return (
    <ModalDialog
      open
      small
      heading={heading}
      onClose={onClose}
      loading={run.isPending}
      actions={
        run.data ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose}>
              Change nothing
            </Button>
            <Button onClick={() => run.mutate()} disabled={run.isPending || (act === 'assign' && userId === '')}>
              {act === 'status'
                ? `Set ${clientsText(ids.length)} to ${STATUS_NAMES[status].toLowerCase()}`
                : action === 'add'
                  ? 'Give'
                  : 'Take back'}
            </Button>
          </>
        )
      }
    >
      {run.data ? (
        <Outcome results={run.data.results} names={names} />
      ) : act === 'status' ? (
        <FieldFrame id="new-status" label="Status" hint="Inactive and closed clients are in no total and not on the calendar.">
          <Choice
            id="new-status"
            value={status}
            onPick={setStatus}
            options={CLIENT_STATUS_NAMES.map((value) => [value, STATUS_NAMES[value]])}
          />
        </FieldFrame>
      ) : (
        <>
          <FieldFrame id="colleague" label="Colleague" hint="A team member sees the clients given to them, and no others.">
            <Choice
              id="colleague"
              value={userId}
              onPick={setUserId}
              options={(members.data?.members ?? []).map((one) => [one.user_id, one.full_name])}
            />
          </FieldFrame>
          <FieldFrame id="duty" label="As">
            <Choice id="duty" value={duty} onPick={setDuty} options={DUTY_NAMES.map((value) => [value, DUTY_WORDS[value]])} />
          </FieldFrame>
          <FieldFrame id="action" label="What to do">
            <Choice
              id="action"
              value={action}
              onPick={setAction}
              options={[
                ['add', 'Give into their care'],
                ['remove', 'Take out of their care'],
              ]}
            />
          </FieldFrame>
        </>
      )}
      {run.error ? (
        <Notice tone="error" title="Nothing was changed" role="alert">
          {errorText(run.error)}
        </Notice>
      ) : null}
    </ModalDialog>
  );
}

type ChoiceProps<Value extends string> = {
  id: string;
  value: Value;
  onPick: (value: Value) => void;
  options: readonly (readonly [Value, string])[];
};

function Choice<Value extends string>({ id, value, onPick, options }: ChoiceProps<Value>) {
  return (
    <NativeSelect id={id} fullWidth value={value} input={<OutlinedInput />} onChange={(event) => onPick(event.target.value as Value)}>
      {value === '' && <option value="">Choose</option>}
      {options.map(([option, label]) => (
        <option key={option} value={option}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}

const OUTCOMES = { changed: 'changed', unchanged: 'was so already', not_found: 'is no longer in your list' } as const;

function Outcome({ results, names }: { results: RowResults['results']; names: ReadonlyMap<string, string> }) {
  const count = (outcome: keyof typeof OUTCOMES): number => results.filter((result) => result.outcome === outcome).length;
  const others = results.filter((result) => result.outcome !== 'changed');
  return (
    <Box role="status">
      <Typography sx={{ mb: 1, fontWeight: 600 }}>{clientsText(count('changed'))} changed.</Typography>
      {others.length > 0 && (
        <Box component="ul" sx={{ m: 0, pl: 2.5, maxHeight: 240, overflowY: 'auto' }}>
          {others.map((result) => (
            <li key={result.client_id}>
              {names.get(result.client_id) ?? 'A client'} {OUTCOMES[result.outcome]}
            </li>
          ))}
        </Box>
      )}
    </Box>
  );
}
