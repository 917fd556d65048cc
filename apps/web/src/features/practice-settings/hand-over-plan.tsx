/** Shows who takes over each client of a leaver before the deactivation, and allows a different person for individual clients. */
import { teamApi, type TeamMember } from '@portal/contract/team.ts';
import { DUTIES, type Duty } from '@portal/domain/clients/client.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { DUTY_NAMES, formatClientCount } from '../../lib/client-labels.ts';
import { Checkbox } from '../../ui/choice.tsx';
import { Select } from '../../ui/input.tsx';
import { Stack } from '../../ui/layout.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './hand-over-plan.module.css';

/** The choice to leave clients without anyone for a duty. */
export const NO_ONE = 'none';
/** The choice to let several people share a duty. */
export const SHARED = 'shared';

export type HandOverException = { readonly client_id: string; readonly duty: Duty; readonly user_id: string | null };

const toPersonId = (value: string): string | null => (value === NO_ONE ? null : value);

/** Converts the choices to request input. */
export function toChoice(
  chosen: Readonly<Partial<Record<Duty, string>>>,
  sharers: readonly string[],
  exceptions: readonly HandOverException[],
) {
  const answeredDuties = DUTIES.filter((duty) => (chosen[duty] ?? '') !== '');
  const [sharedDuties, toSingleChunk] = [
    answeredDuties.filter((duty) => chosen[duty] === SHARED),
    answeredDuties.filter((duty) => chosen[duty] !== SHARED),
  ];
  return {
    successors: Object.fromEntries(toSingleChunk.map((duty) => [duty, toPersonId(chosen[duty] ?? NO_ONE)])),
    ...(sharedDuties.length === 0 ? {} : { shared: Object.fromEntries(sharedDuties.map((duty) => [duty, [...sharers]])) }),
    ...(exceptions.length === 0 ? {} : { exceptions: [...exceptions] }),
  };
}

type SharersProps = { colleagues: readonly TeamMember[]; chosen: readonly string[]; onChange: (chosen: readonly string[]) => void };

export function Sharers({ colleagues, chosen, onChange }: SharersProps) {
  return (
    <Stack as="ul" role="group" aria-label="Who will share the clients?" gap={4}>
      {colleagues.map(({ user_id: userId, full_name: name }) => {
        const id = userId ?? '';
        const isChosen = chosen.includes(id);
        return (
          <li key={id}>
            <Checkbox
              label={name}
              checked={isChosen}
              onChange={() => onChange(isChosen ? chosen.filter((one) => one !== id) : [...chosen, id])}
            />
          </li>
        );
      })}
    </Stack>
  );
}

type HandOverPlanProps = {
  target: { readonly company_id: string; readonly user_id: string };
  choice: ReturnType<typeof toChoice>;
  colleagues: readonly TeamMember[];
  exceptions: readonly HandOverException[];
  onExceptions: (exceptions: readonly HandOverException[]) => void;
  onPlan: (plan: string | undefined) => void;
};

export function HandOverPlan({ target, choice, colleagues, exceptions, onExceptions, onPlan }: HandOverPlanProps) {
  const [q, setQ] = useState('');
  const input = { ...target, ...choice, ...(q === '' ? {} : { q }) };
  const preview = useQuery({ ...apiQuery(teamApi.previewHandOver, input), staleTime: 0, gcTime: 0, placeholderData: keepPreviousData });
  const plan = preview.isPlaceholderData ? undefined : preview.data?.plan;
  const reportPlan = useEffectEvent(onPlan);
  useEffect(() => reportPlan(plan), [plan]);
  const hasSeveralDuties = new Set(preview.data?.counts.map(({ duty }) => duty)).size > 1;
  const names = new Map(colleagues.map(({ user_id: id, full_name: name }) => [id, name]));
  return (
    <LoadState query={preview}>
      {({ counts, rows, rows_total: total }) => (
        <Stack gap={8}>
          <Stack as="ul" gap={4}>
            {counts.map(({ duty, user_id: id, clients }) => (
              <Text as="li" key={`${duty} ${id}`}>
                {DUTY_NAMES[duty]}: {id === null ? 'no one for now' : names.get(id)}, {formatClientCount(clients)}
              </Text>
            ))}
          </Stack>
          <ListSearch label="Search their clients" hint="By name" text={q} onSearch={setQ} />
          {total > rows.length && (
            <Text size="small">
              The first {rows.length} of {total.toLocaleString('en-GB')}:
            </Text>
          )}
          <ul aria-label="Who takes over each client" className={styles.clients}>
            {rows.map(({ client_id: clientId, name, duty, user_id: userId }) => (
              <li key={`${clientId} ${duty}`} className={styles.client}>
                <div>
                  <Text weight="medium">{name}</Text>
                  {hasSeveralDuties && (
                    <Text size="small" tone="quiet">
                      {DUTY_NAMES[duty]}
                    </Text>
                  )}
                </div>
                <Select
                  aria-label={`Who takes over ${name}, ${DUTY_NAMES[duty]}`}
                  value={userId ?? NO_ONE}
                  onChange={({ target: { value } }) =>
                    onExceptions([
                      ...exceptions.filter((exception) => exception.client_id !== clientId || exception.duty !== duty),
                      { client_id: clientId, duty, user_id: toPersonId(value) },
                    ])
                  }
                >
                  {colleagues.map((colleague) => (
                    <option key={colleague.user_id} value={colleague.user_id ?? ''}>
                      {colleague.full_name}
                    </option>
                  ))}
                  <option value={NO_ONE}>No one for now</option>
                </Select>
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </LoadState>
  );
}
