/** The clients that need attention today: totals first, then by colleague. Every number links to exactly its clients. */
import { practiceTodayEndpoints, type TodayRow } from '@portal/contract/practice-today.ts';
import { UNASSIGNED } from '@portal/domain/clients/client.ts';
import { ATTENTION_GROUPS, getAttentionFilters, type AttentionGroup } from '@portal/domain/clients/attention.ts';
import type { PlainDate } from '@portal/domain/plain-date.ts';
import { AGENT_TAXES } from '@portal/domain/uk-tax/tax.ts';
import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { lazy, Suspense } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { formatClientCount } from '../../lib/client-labels.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { PositionChanges } from '../../components/practice/position-changes.tsx';
import { RefreshStatus } from '../../components/practice/refresh-status.tsx';
import { InstantText } from '../../components/formats/date-text.tsx';
import { PoundsText } from '../../components/formats/pounds-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row, Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { NothingImported } from './nothing-imported.tsx';
import { TodaySkeleton } from './dashboard-skeleton.tsx';
import styles from './today-tab.module.css';

// Loaded on demand, because its endpoint brings in the contract of all totals, which most practices never need here.
const NothingRead = lazy(() => import('./nothing-read.tsx').then((file) => ({ default: file.NothingRead })));

const GROUPS: Readonly<Record<AttentionGroup, { readonly label: string; readonly short: string; readonly isUrgent?: true }>> = {
  overdue_payment: { label: 'Overdue payments', short: 'Overdue payments', isUrgent: true },
  overdue_return: { label: 'Overdue returns', short: 'Overdue returns', isUrgent: true },
  overdue_update: { label: 'Overdue quarterly updates', short: 'Overdue updates', isUrgent: true },
  due_this_week: { label: 'Due within 7 days', short: 'Due in 7 days' },
  not_authorised: { label: 'Not authorised, no open request', short: 'Not authorised' },
  request_expiring: { label: 'Requests expiring within 7 days', short: 'Requests expiring' },
  refresh_failed: { label: 'Failed refreshes', short: 'Failed refreshes' },
  not_read: { label: 'Some or all figures not updated yet', short: 'Some not updated yet' },
};

type Links = { readonly companyId: string; readonly today: PlainDate };

function getListLink({ companyId, today }: Links, group: AttentionGroup, { scope, member }: TodayRow): string {
  const owner = scope === 'none' ? UNASSIGNED : member?.user_id;
  return getPageLink('practiceClients', {
    company_id: companyId,
    ...getAttentionFilters(group, today),
    ...(owner === undefined ? {} : { member: owner }),
    ...(group === 'overdue_payment' ? { sort: 'overdue' } : {}),
  });
}

/** Links to all active clients of a colleague. */
const getAllLink = ({ companyId }: Links, { scope, member }: TodayRow): string =>
  getPageLink('practiceClients', {
    company_id: companyId,
    status: 'in_hand',
    ...(scope === 'none' ? { member: UNASSIGNED } : {}),
    ...(member ? { member: member.user_id } : {}),
  });

export function TodayTab({ companyId, isAdmin }: { companyId: string; isAdmin: boolean }) {
  const query = useQuery({ ...apiQuery(practiceTodayEndpoints.today, { company_id: companyId }), enabled: companyId !== '' });
  return (
    <LoadState query={query} skeleton={<TodaySkeleton />}>
      {({ today, counted_at: countedAt, rows: [all, ...memberRows] }) =>
        all === undefined || all.clients === 0 ? (
          <NothingImported companyId={companyId} isAdmin={isAdmin} />
        ) : (
          <Stack gap={24}>
            {all.groups.not_read.clients === all.clients && (
              <Suspense>
                <NothingRead companyId={companyId} isAdmin={isAdmin} />
              </Suspense>
            )}
            <AttentionTiles links={{ companyId, today }} row={all} />
            <Row>
              <PositionChanges companyId={companyId} />
            </Row>
            {memberRows.length > 0 && <ColleagueTable links={{ companyId, today }} rows={memberRows} />}
            <RefreshStatus companyId={companyId} isAdmin={isAdmin} taxes={AGENT_TAXES} />
            <Text size="small" tone="quiet">
              As of <InstantText at={countedAt} />, for{' '}
              <TextLink to={getAllLink({ companyId, today }, all)}>{formatClientCount(all.clients)}</TextLink>
              {isAdmin ? '' : ' assigned to you'}. Excludes archived clients. “Due within 7 days” counts clients with a return, quarterly
              update or payment due.{' '}
              <TextLink to={getPageLink('practiceDashboard', { company_id: companyId, tax: 'all' })}>Amounts by tax and by month</TextLink>
            </Text>
          </Stack>
        )
      }
    </LoadState>
  );
}

/** Groups that a client can't be in until its figures have been read. */
const NEEDS_FIGURES: ReadonlySet<AttentionGroup> = new Set(['overdue_payment', 'overdue_return', 'overdue_update', 'due_this_week']);

/** Returns the text for an unknown count. While figures are missing, "0 clients" would suggest that nothing is overdue. */
export function getUnknownText({ clients, groups }: Pick<TodayRow, 'clients' | 'groups'>, group: AttentionGroup): string | undefined {
  const unreadCount = groups.not_read.clients;
  if (groups[group].clients > 0 || unreadCount === 0 || !NEEDS_FIGURES.has(group)) return undefined;
  return unreadCount === clients ? 'Not known yet' : 'None known';
}

function AttentionTiles({ links, row }: { links: Links; row: TodayRow }) {
  return (
    <ul aria-label="Needs attention" className={styles.tiles}>
      {ATTENTION_GROUPS.map((group) => {
        const { clients, amount_pence: amount } = row.groups[group];
        const { label, isUrgent } = GROUPS[group];
        const content = (
          <>
            <span className={clsx(styles.number, clients > 0 && isUrgent && styles.urgent)}>
              {getUnknownText(row, group) ?? (
                <>
                  {clients.toLocaleString('en-GB')} <span className={styles.unit}>{clients === 1 ? 'client' : 'clients'}</span>
                </>
              )}
            </span>
            <span className={styles.label}>{label}</span>
            <span className={styles.amount}>
              {amount !== null && clients > 0 && (
                <>
                  {row.groups.not_read.clients > 0 && 'At least '}
                  <PoundsText amount={amount} />
                </>
              )}
            </span>
          </>
        );
        return (
          <li key={group}>
            {clients === 0 ? (
              <div className={clsx(styles.tile, styles.none)}>{content}</div>
            ) : (
              <TextLink to={getListLink(links, group, row)} className={styles.tile}>
                {content}
              </TextLink>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function getRowName({ scope, member }: TodayRow): string {
  if (scope === 'none') return 'Unassigned';
  return member === null ? 'All clients' : member.is_you ? `${member.full_name} (you)` : member.full_name;
}

function ColleagueTable({ links, rows }: { links: Links; rows: readonly TodayRow[] }) {
  return (
    <SectionCard title="By colleague" source="A client with two owners is counted for both. Amounts exclude figures we don’t have yet.">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Owner</th>
            {ATTENTION_GROUPS.map((group) => (
              <th key={group} scope="col">
                {GROUPS[group].short}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.member?.user_id ?? row.scope}>
              <th scope="row">
                {getRowName(row)}
                <TextLink to={getAllLink(links, row)} className={styles.clients}>
                  {formatClientCount(row.clients)}
                </TextLink>
              </th>
              {ATTENTION_GROUPS.map((group) => (
                <CountCell key={group} links={links} row={row} group={group} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </SectionCard>
  );
}

function CountCell({ links, row, group }: { links: Links; row: TodayRow; group: AttentionGroup }) {
  const { clients, amount_pence: amount } = row.groups[group];
  const { short, label } = GROUPS[group];
  return (
    <td data-empty={clients === 0 ? '' : undefined}>
      <span className={styles.cellLabel} aria-hidden>
        {short}
      </span>
      {clients === 0 ? (
        (getUnknownText(row, group) ?? 0)
      ) : (
        <TextLink to={getListLink(links, group, row)} className={styles.cellLink}>
          {clients.toLocaleString('en-GB')}
          <HiddenText>
            {' '}
            {label}, {getRowName(row)}
          </HiddenText>
          {amount !== null && (
            <span className={styles.cellAmount}>
              <PoundsText amount={amount} />
            </span>
          )}
        </TextLink>
      )}
    </td>
  );
}
