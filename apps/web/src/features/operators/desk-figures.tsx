/** The figures above the desk: exposure against its limit, and performance against the promise to pay within a day. */
import { deskApi } from '@portal/contract/desk.ts';
import type { EndpointOutput } from '@portal/contract/endpoint.ts';
import { formatPounds } from '@portal/domain/money.ts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { getPageLink } from '../../lib/page-link.ts';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './desk-figures.module.css';

const PROMISE_REFRESH_MS = 60_000;
/** The share of the limit from which the exposure is shown as a warning. */
const NEARLY_FULL = 0.85;

export function DeskFigures({ summary }: { summary: EndpointOutput<typeof deskApi.summary> | undefined }) {
  const { data: promise } = useQuery({ ...apiQuery(deskApi.promise, {}), refetchInterval: PROMISE_REFRESH_MS });
  const total = promise?.total;
  const share = summary && summary.exposure_limit_pence > 0 ? summary.exposure_pence / summary.exposure_limit_pence : 0;
  return (
    <dl className={styles.figures}>
      <Figure
        label="Paid within 24 hours"
        details={total ? <TextLink to={getPageLink('adminPromise')}>last {total.days} days</TextLink> : null}
      >
        {total ? formatShare(total.paid_in_time, total.paid + total.overdue) : '–'}
      </Figure>
      <Figure
        label="Median time to payout"
        details={total?.slowest_tenth_hours ? `slowest 10%: over ${total.slowest_tenth_hours} h` : null}
      >
        {total?.median_hours ? `${total.median_hours} h` : '–'}
      </Figure>
      <Figure label="Overdue and unpaid" isAlarming={(total?.overdue ?? 0) > 0} details={null}>
        {total ? total.overdue.toLocaleString('en-GB') : '–'}
      </Figure>
      <Figure
        label="Exposure"
        isAlarming={share >= NEARLY_FULL}
        details={
          summary ? (
            <TextLink to={getPageLink('adminExposure')}>
              {formatPercent(share)} of {formatPounds(summary.exposure_limit_pence)}
            </TextLink>
          ) : null
        }
      >
        {summary ? formatPounds(summary.exposure_pence) : '–'}
      </Figure>
    </dl>
  );
}

type FigureProps = { label: string; children: string; details: ReactNode; isAlarming?: boolean };

function Figure({ label, children, details, isAlarming = false }: FigureProps) {
  return (
    <div className={styles.figure}>
      <dt>{label}</dt>
      <dd className={isAlarming ? styles.bad : undefined}>
        {children}
        {details === null ? null : <span className={styles.details}>{details}</span>}
      </dd>
    </div>
  );
}

/** Formats a share to one decimal place. Rounds down, so that 100% is shown only when it is reached. */
export function formatShare(part: number, all: number): string {
  if (all === 0) return '–';
  return `${(Math.floor((part / all) * 1000) / 10).toLocaleString('en-GB')}%`;
}

function formatPercent(share: number): string {
  return share > 0 && share < 0.01 ? 'less than 1%' : `${Math.round(share * 100)}%`;
}
