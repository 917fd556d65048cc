/** The list's filters. Each choice is stored in the URL. */
import { AUTHORISATION_FILTERS } from '@portal/domain/authorisations/describe-authorisation.ts';
import { TAXES, TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { CLIENT_STATUSES } from '@portal/domain/clients/client.ts';
import { CLIENT_ATTENTION_KINDS } from '@portal/domain/positions/summarise-client.ts';
import { REFRESH_FILTERS, toActionFilter, type RequestPlanFilter } from '@portal/contract/client-filter-values.ts';
import { clientGroupsApi } from '@portal/contract/client-groups.ts';
import { clientsApi } from '@portal/contract/clients.ts';
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { clientKind, INVITATION_FILTERS, LETTER_FILTERS, type ClientFilters } from '@portal/contract/client-filters.ts';
import { isSyncReason, SYNC_REASONS } from '@portal/domain/sync/sync-reasons.ts';
import { addDays, formatDate, parsePlainDate, type PlainDate } from '@portal/domain/plain-date.ts';
import { useQuery } from '@tanstack/react-query';
import { INVITATION_CHIPS } from '../../components/invitations/invitation-chips.ts';
import { apiQuery } from '../../lib/api.ts';
import { AUTHORISATION_FILTER_LABELS, KIND_NAMES, NEED_LABELS, STATUS_NAMES } from '../../lib/client-labels.ts';
import { Button } from '../../ui/button.tsx';
import { FilterPill } from '../../ui/filter-pill.tsx';
import { formatMonth } from './matched-items.tsx';
import styles from './filter-bar.module.css';

type FilterBarProps = {
  companyId: string;
  today: PlainDate;
  filters: ClientFilters;
  onChange: (changes: Readonly<Record<string, string | undefined>>) => void;
  onClear: () => void;
  id: string;
};

const AMOUNT_FILTERS = {
  owed: 'Owes HMRC',
  overdue: 'Has overdue payments',
  overdue_return: 'Has overdue returns',
  overdue_update: 'Has overdue quarterly updates',
  overdue_any: 'Has anything overdue',
  refund: 'Is due a refund',
  at_risk: 'Has penalties or interest not charged yet',
} as const;

const FIGURES_LABELS: Readonly<Record<NonNullable<ClientFilters['figures']>, string>> = {
  incomplete: 'Some or all taxes not updated yet',
  unread: 'Not updated yet',
  partial: 'Some taxes not updated yet',
  stale: 'Out of date, or last refresh failed',
  current: 'All up to date',
};

const LETTER_LABELS: Readonly<Record<NonNullable<ClientFilters['letter']>, string>> = {
  none: 'No letter of engagement',
  unsigned: 'Letter not signed yet',
  signed: 'Letter signed',
};

const REFRESH_LABELS: Readonly<Record<(typeof REFRESH_FILTERS)[number], string>> = {
  failed: 'Last refresh failed',
  waiting: 'Will be retried',
  without_nino: 'No National Insurance number',
  run: 'In the latest refresh',
  run_done: 'Updated by the latest refresh',
  run_failed: 'Failed in the latest refresh',
  run_not_authorised: 'Not authorised in the latest refresh',
  run_queued: 'Not reached by the latest refresh',
};

export function FilterBar({ id, companyId, today, filters, onChange, onClear }: FilterBarProps) {
  const members = useQuery({ ...apiQuery(clientsApi.members, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  const pick = (name: keyof ClientFilters) => (value: string | undefined) => onChange({ [name]: value });
  const dates = [7, 30, 90].map((days) => ({ value: addDays(today, days), label: `Due within ${days} days` }));
  const due = filters.due_before;
  const isOtherDay = due !== undefined && !dates.some(({ value }) => value === due);
  return (
    <div id={id} role="group" aria-label="Filters" className={styles.bar}>
      <div className={styles.pills}>
        <FilterPill
          label="Status"
          value={filters.status}
          onSelect={pick('status')}
          options={[
            { value: 'in_hand', label: 'Current (not archived)' },
            ...CLIENT_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] })),
          ]}
        />
        <FilterPill
          label="Tax"
          value={filters.tax}
          onSelect={pick('tax')}
          options={TAXES.map((value) => ({ value, label: TAX_NAMES[value] }))}
        />
        <FilterPill
          label="Attention"
          value={filters.attention}
          onSelect={pick('attention')}
          options={CLIENT_ATTENTION_KINDS.map((value) => ({ value, label: NEED_LABELS[value].label }))}
        />
        <FilterPill
          label="Authorisation"
          value={filters.authorisation}
          onSelect={pick('authorisation')}
          options={AUTHORISATION_FILTERS.map((value) => ({ value, label: AUTHORISATION_FILTER_LABELS[value] }))}
        />
        <FilterPill
          label="Due"
          value={filters.due_before}
          onSelect={pick('due_before')}
          options={isOtherDay ? [...dates, { value: due, label: `Due by ${formatDate(parsePlainDate(due) ?? today, 'short')}` }] : dates}
        />
        <MonthPill label="Payments" month={filters.pay_in} onSelect={pick('pay_in')} />
        <MonthPill label="Refunds" month={filters.refund_in} onSelect={pick('refund_in')} />
        <FilterPill
          label="Amounts"
          value={filters.has}
          onSelect={pick('has')}
          options={Object.entries(AMOUNT_FILTERS).map(([value, label]) => ({ value, label }))}
        />
        <FilterPill
          label="Figures"
          value={filters.figures}
          onSelect={pick('figures')}
          options={Object.entries(FIGURES_LABELS).map(([value, label]) => ({ value, label }))}
        />
        <FilterPill
          label="Owner"
          value={filters.member}
          onSelect={pick('member')}
          options={[
            { value: UNASSIGNED, label: 'Unassigned' },
            ...(members.data?.members ?? []).map((item) => ({
              value: item.user_id,
              label: item.is_you ? `${item.full_name} (you)` : item.full_name,
            })),
          ]}
        />
        <GroupPill companyId={companyId} group={filters.group} onSelect={pick('group')} />
        <FilterPill
          label="Refresh"
          value={filters.refresh}
          onSelect={pick('refresh')}
          options={REFRESH_FILTERS.map((value) => ({ value, label: REFRESH_LABELS[value] }))}
        />
        {filters.action !== undefined && (
          <FilterPill
            label="Showing clients"
            value={filters.action}
            onSelect={pick('action')}
            options={[{ value: filters.action, label: getActionText(filters.action) }]}
          />
        )}
        {filters.request_plan !== undefined && (
          <FilterPill
            label="Requests"
            value={filters.request_plan}
            onSelect={pick('request_plan')}
            options={[{ value: filters.request_plan, label: getPlanText(filters.request_plan) }]}
          />
        )}
        {filters.refresh_reason !== undefined && (
          <FilterPill
            label="Reason"
            value={filters.refresh_reason}
            onSelect={pick('refresh_reason')}
            options={[{ value: filters.refresh_reason, label: getReasonText(filters.refresh_reason) }]}
          />
        )}
        <LetterPill letter={filters.letter} onSelect={pick('letter')} />
        <InvitationPill invitation={filters.invitation} onSelect={pick('invitation')} />
        {filters.tag !== undefined && (
          <FilterPill label="Tag" value={filters.tag} onSelect={pick('tag')} options={[{ value: filters.tag, label: filters.tag }]} />
        )}
        <FilterPill
          label="Client type"
          value={filters.kind}
          onSelect={pick('kind')}
          options={clientKind.options.map((value) => ({ value, label: KIND_NAMES[value] }))}
        />
        {Object.keys(filters).some((name) => name !== 'q') && (
          <Button variant="text" size="small" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}

type GroupPillProps = { companyId: string; group: string | undefined; onSelect: (value: string | undefined) => void };

type LetterPillProps = { letter: ClientFilters['letter']; onSelect: (value: string | undefined) => void };

function LetterPill({ letter, onSelect }: LetterPillProps) {
  return (
    <FilterPill
      label="Letter"
      value={letter}
      onSelect={onSelect}
      options={LETTER_FILTERS.map((value) => ({ value, label: LETTER_LABELS[value] }))}
    />
  );
}

type InvitationPillProps = { invitation: ClientFilters['invitation']; onSelect: (value: string | undefined) => void };

function InvitationPill({ invitation, onSelect }: InvitationPillProps) {
  return (
    <FilterPill
      label="Invitation"
      value={invitation}
      onSelect={onSelect}
      options={INVITATION_FILTERS.map((value) => ({
        value,
        label: value === 'none' ? 'Not invited yet' : `Invitation: ${INVITATION_CHIPS[value].label.toLowerCase()}`,
      }))}
    />
  );
}

function GroupPill({ companyId, group, onSelect }: GroupPillProps) {
  const query = useQuery({ ...apiQuery(clientGroupsApi.list, { company_id: companyId }), enabled: companyId !== '', staleTime: 60_000 });
  const groups = query.data?.groups ?? [];
  if (groups.length === 0 && group === undefined) return null;
  return (
    <FilterPill
      label="Group"
      value={group}
      onSelect={onSelect}
      options={groups.map(({ group_id: value, name: label }) => ({ value, label }))}
    />
  );
}

/** Labels the filter for the results of an action. Set only by links, not offered as an option. */
function getActionText(action: string): string {
  const { kind } = toActionFilter(action);
  if (kind === 'change') return 'In one bulk change';
  if (kind === 'change_restored') return 'Restored by undoing a change';
  if (kind === 'change_kept') return 'Changed later, so not restored';
  if (kind === 'statement') return 'On one statement';
  return kind === 'statement_updated' ? 'Updated by one statement' : 'In one batch of authorisation requests';
}

/** Labels the filter for an outcome in the preview of authorisation requests. Set only by links, not offered as an option. */
function getPlanText(plan: RequestPlanFilter): string {
  const tax = plan.startsWith('sa:') ? TAX_NAMES.sa : TAX_NAMES.vat;
  return plan.endsWith(':ready') ? `Would get a ${tax} request` : `Wouldn’t get a ${tax} request`;
}

/** Labels the filter for a reason in the refresh status. Set only by links, not offered as an option. */
function getReasonText(code: string): string {
  return isSyncReason(code) ? SYNC_REASONS[code].sentence : 'The refresh failed.';
}

/** The filter for a month in the dashboard's chart. Set only by links, not offered as an option. */
function MonthPill({
  label,
  month,
  onSelect,
}: {
  label: string;
  month: string | undefined;
  onSelect: (value: string | undefined) => void;
}) {
  const day = parsePlainDate(month ?? '');
  if (month === undefined || day === undefined) return null;
  return (
    <FilterPill label={label} value={month} onSelect={onSelect} options={[{ value: month, label: `${label} in ${formatMonth(day)}` }]} />
  );
}
