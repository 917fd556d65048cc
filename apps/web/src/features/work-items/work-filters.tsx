/** The filters of the list and the board. Each choice is stored in the URL. */
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import type { workItemsApi } from '@portal/contract/work-items.ts';
import type { EndpointInput } from '@portal/contract/endpoint.ts';
import { WORK_SERVICE_NAMES, WORK_SERVICES, WORK_STATUS_NAMES, WORK_STATUSES } from '@portal/domain/work-items/work-item.ts';
import { formatDate, parsePlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { Row } from '../../ui/layout.tsx';
import { TextInput } from '../../ui/input.tsx';

export const WORK_FILTERS = ['owner', 'status', 'service', 'due', 'due_on', 'tag', 'client_id'] as const;
type FilterName = (typeof WORK_FILTERS)[number];
type UrlFilters = Partial<Record<FilterName, string>>;
export type WorkFilters = Omit<EndpointInput<typeof workItemsApi.list>, 'company_id' | 'cursor' | 'limit'>;

/** If neither an owner nor a client is set, filters by the user's own tasks. The server rejects invalid filters. */
export function toWorkFilters({ owner, status, ...rest }: UrlFilters): WorkFilters {
  const shownOwner = owner === 'all' ? undefined : (owner ?? (rest.client_id === undefined ? 'me' : undefined));
  const { service, due, due_on: dueOn, tag, client_id: clientId } = rest;
  return {
    status: status ?? 'open',
    ...(shownOwner === undefined ? {} : { owner: shownOwner }),
    ...(service === undefined ? {} : { service }),
    ...(due === undefined ? {} : { due }),
    ...(dueOn === undefined ? {} : { due_on: dueOn }),
    ...(tag === undefined ? {} : { tag }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
  } as WorkFilters;
}

export function useMembers(companyId: string) {
  const query = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  return query.data?.members ?? [];
}

type WorkFilterBarProps = {
  companyId: string;
  filters: UrlFilters;
  isBoard: boolean;
  onChange: (changes: Partial<Record<FilterName, string | undefined>>) => void;
  onClear: () => void;
};

export function WorkFilterBar({ companyId, filters, isBoard, onChange, onClear }: WorkFilterBarProps) {
  const members = useMembers(companyId);
  const pick = (name: FilterName) => (value: string | undefined) => onChange({ [name]: value });
  return (
    <Row role="group" aria-label="Filters" gap={8}>
      <FilterPill
        label="Owner"
        value={filters.owner}
        unsetLabel={filters.client_id === undefined ? 'Owner: you' : 'Owner: all'}
        onSelect={pick('owner')}
        options={[
          { value: 'all', label: 'Everyone' },
          { value: UNASSIGNED, label: 'Unassigned' },
          ...members.filter(({ is_you: isYou }) => !isYou).map(({ user_id: value, full_name: label }) => ({ value, label })),
        ]}
      />
      {!isBoard && (
        <FilterPill
          label="Status"
          value={filters.status}
          unsetLabel="Status: open"
          onSelect={pick('status')}
          options={WORK_STATUSES.map((value) => ({ value, label: WORK_STATUS_NAMES[value] }))}
        />
      )}
      <FilterPill
        label="Due"
        value={filters.due}
        onSelect={pick('due')}
        options={[
          { value: 'overdue', label: 'Overdue' },
          { value: 'week', label: 'Within 7 days' },
          { value: 'month', label: 'Within 30 days' },
          { value: 'none', label: 'No due date' },
        ]}
      />
      {filters.due_on !== undefined && (
        <FilterPill
          label="Due on"
          value={filters.due_on}
          onSelect={pick('due_on')}
          options={[{ value: filters.due_on, label: `Due on ${formatDay(filters.due_on)}` }]}
        />
      )}
      <FilterPill
        label="Service"
        value={filters.service}
        onSelect={pick('service')}
        options={WORK_SERVICES.map((value) => ({ value, label: WORK_SERVICE_NAMES[value] }))}
      />
      <TextInput
        key={filters.tag ?? ''}
        small
        aria-label="Client tag"
        placeholder="Client tag"
        widthInCharacters={12}
        defaultValue={filters.tag ?? ''}
        maxLength={30}
        onBlur={({ target }) => {
          if (target.value.trim() !== (filters.tag ?? '')) onChange({ tag: target.value.trim() });
        }}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') onChange({ tag: currentTarget.value.trim() });
        }}
      />
      {Object.entries(filters).some(([name, value]) => (WORK_FILTERS as readonly string[]).includes(name) && value !== undefined) && (
        <Button variant="text" size="small" onClick={onClear}>
          Clear filters
        </Button>
      )}
    </Row>
  );
}

/** Formats the label of the filter by calendar day, which only links can set. */
function formatDay(text: string): string {
  const day = parsePlainDate(text);
  return day === undefined ? text : formatDate(day, 'short');
}
