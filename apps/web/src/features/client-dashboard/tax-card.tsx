/** One tax: the amounts owed, overdue and to be repaid, the next date, accrued penalties and interest, and the age of the figures. */
import type { ReactNode } from 'react';
import { formatPounds, pence, type Pence } from '@portal/domain/money.ts';
import { getErrorText } from '../../lib/error-text.ts';
import { periodText } from '../../lib/period-text.ts';
import { TAX_NAMES } from '@portal/domain/uk-tax/tax.ts';
import { Button } from '../../ui/button.tsx';
import { DateText, InstantText } from '../../components/formats/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import type { PositionDetail, TaxFigures } from './client-page.ts';
import { listDeadlineFacts, listOwedByType } from './card-deadlines.tsx';
import { SourceText } from './source-text.tsx';
import styles from './tax-card.module.css';
import { isRefreshing, type useClientSync } from './use-client-sync.ts';

type ClientSync = ReturnType<typeof useClientSync>;
type TaxCardProps = {
  tax: TaxFigures['tax'];
  /** The page with the rows behind the figures. Undefined if they are on this page. */
  rowsLink: string | undefined;
  figures: TaxFigures | null;
  detail: PositionDetail | null;
  sync: NonNullable<ClientSync['sync']['data']>['taxes'][number] | undefined;
  refresh: ClientSync['readAgain'];
  /** The id of the element that explains why HMRC can't be used. Undefined while connected. */
  disabledReasonId: string | undefined;
};

/** HMRC's APIs cover only these taxes. Figures for the rest come from statements that the practice imports. */
export const canRefresh = (tax: TaxFigures['tax']): boolean => tax === 'vat' || tax === 'sa';

export function TaxCard({ tax, rowsLink, figures, detail, sync, refresh, disabledReasonId }: TaxCardProps) {
  const isReading = isRefreshing(sync?.state);
  const isPressed = refresh.isPending && refresh.variables === tax;
  const error = refresh.variables === tax ? refresh.error : null;
  return (
    <SectionCard
      title={TAX_NAMES[tax]}
      aside={
        canRefresh(tax) && (
          <Button
            size="small"
            variant="outlined"
            disabled={isReading || isPressed || disabledReasonId !== undefined}
            aria-describedby={disabledReasonId}
            onClick={() => refresh.mutate(tax)}
          >
            {isReading || isPressed ? 'Refreshing…' : 'Refresh'} <HiddenText>{TAX_NAMES[tax]} from HMRC</HiddenText>
          </Button>
        )
      }
      {...(figures === null || (figures.source === 'rule' && !hasDates(figures, detail)) ? {} : { source: <SourceText {...figures} /> })}
    >
      <Stack>
        {figures === null ? <NoFigures tax={tax} /> : <Figures figures={figures} detail={detail} rowsLink={rowsLink} />}
        <div role="status">{isReading && <Notice tone="info" title="Refreshing from HMRC" />}</div>
        {sync?.state === 'failed' && sync.reason !== null && (
          <Notice tone={sync.retry_at === null ? 'warning' : 'info'} title={sync.reason.sentence}>
            {sync.reason.next}{' '}
            {sync.read_at === null ? (
              'There are no earlier figures.'
            ) : (
              <>
                These are the figures from <InstantText at={sync.read_at} />.
              </>
            )}
          </Notice>
        )}
        {error !== null && (
          <Notice tone="error" title="We couldn’t start the refresh" role="alert">
            {getErrorText(error)}
          </Notice>
        )}
      </Stack>
    </SectionCard>
  );
}

function NoFigures({ tax }: { tax: TaxFigures['tax'] }) {
  return (
    <Text tone="quiet">
      {canRefresh(tax)
        ? 'No figures yet. They appear here once the client has authorised you and you refresh from HMRC.'
        : 'HMRC doesn’t share this tax with software. Import a statement to see amounts. Dates appear once we know the year end.'}
    </Text>
  );
}

const hasDates = (figures: TaxFigures, detail: PositionDetail | null): boolean =>
  figures.next_due_on !== null || (detail !== null && detail.items.length > 0);

type FiguresProps = { figures: TaxFigures; detail: PositionDetail | null; rowsLink: string | undefined };

function Figures({ figures, detail, rowsLink }: FiguresProps) {
  if (detail?.standing === 'insolvent') {
    return <Text>HMRC’s records show this client as insolvent, so it doesn’t share figures. Contact the insolvency practitioner.</Text>;
  }
  // Known dates don't mean known amounts: showing £0.00 would mean that nothing is owed.
  const { owed_pence: owedAmount, refund_pence: refund, overdue_pence: overdueAmount } = figures;
  const headline = owedAmount === null || refund === null ? undefined : getHeadline({ owed_pence: owedAmount, refund_pence: refund });
  return (
    <>
      {headline ? (
        <KeyFigure
          {...headline}
          figure={<OptionalLink to={rowsLink}>{headline.figure}</OptionalLink>}
          tone={overdueAmount !== null && overdueAmount > 0 ? 'error' : undefined}
        />
      ) : (
        <Text weight="medium">
          No figures yet, so amounts aren’t known.{hasDates(figures, detail) && ' The dates are statutory deadlines.'}
        </Text>
      )}
      {figures.figures_state === 'stale' && (
        <Text size="small" tone="quiet">
          {figures.refresh_failed
            ? 'The last refresh failed. These are earlier figures.'
            : `These figures are out of date. ${canRefresh(figures.tax) ? 'Refresh them.' : 'Import a new statement.'}`}
        </Text>
      )}
      <FactList facts={listFacts(figures, detail, rowsLink)} />
    </>
  );
}

/** If nothing is owed and HMRC owes a refund, the refund is the headline. */
export function getHeadline({ owed_pence: owedAmount, refund_pence: refund }: { owed_pence: Pence; refund_pence: Pence }) {
  if (owedAmount === 0 && refund > 0) return { figure: formatPounds(refund), label: 'Refund due from HMRC, nothing owed' };
  return { figure: formatPounds(owedAmount), label: 'Owed to HMRC' };
}

/** A figure that links to the rows behind it. */
function OptionalLink({ to, children }: { to: string | undefined; children: ReactNode }) {
  return to === undefined ? (
    children
  ) : (
    <TextLink to={to} inheritsColour>
      {children}
    </TextLink>
  );
}

function listFacts(figures: TaxFigures, detail: PositionDetail | null, rowsLink: string | undefined) {
  const { overdue_pence: overdueAmount, overdue_since: since, refund_pence: refund } = figures;
  const facts = [];
  if (overdueAmount !== null && refund !== null) {
    if (detail !== null)
      facts.push(
        ...listOwedByType(detail).map(({ label, value }) => ({ label, value: <OptionalLink to={rowsLink}>{value}</OptionalLink> })),
      );
    facts.push({
      label: 'Overdue',
      value:
        overdueAmount === 0 ? (
          'Nothing'
        ) : (
          <>
            <OptionalLink to={rowsLink}>{formatPounds(overdueAmount)}</OptionalLink>
            {since !== null && (
              <>
                , since <DateText date={since} />
              </>
            )}
          </>
        ),
    });
    facts.push({
      label: 'Refund due',
      value:
        refund === 0 ? (
          'None'
        ) : (
          <>
            <OptionalLink to={rowsLink}>{formatPounds(refund)}</OptionalLink>
            {detail?.refund_held === true && ', withheld by HMRC'}
          </>
        ),
    });
  }
  if (detail !== null) facts.push(...listDeadlineFacts(detail));
  const passedText = describePassedPaymentDays(detail);
  if (passedText.length > 0) {
    facts.push({
      label: 'Payment date passed',
      value: (
        <>
          {passedText.map((period) => (
            <div key={period.key}>
              {period.payment_due_on !== null && <DateText date={period.payment_due_on} />}: amount not known until the return to{' '}
              <DateText date={period.end} /> is filed
            </div>
          ))}
        </>
      ),
    });
  }
  if (figures.penalty_points !== null) {
    facts.push({ label: 'Penalty points', value: <PenaltyPoints figures={figures} detail={detail} rowsLink={rowsLink} /> });
  }
  facts.push(...listCostFacts(figures, detail, rowsLink));
  return facts;
}

type PointsProps = {
  figures: Pick<TaxFigures, 'penalty_points' | 'points_threshold'>;
  detail: { readonly late: Pick<PositionDetail['late'], 'points_source' | 'point_periods'> } | null;
  rowsLink: string | undefined;
};

/** The points expand to show the late returns that caused them. */
export function PenaltyPoints({ figures: { penalty_points: points, points_threshold: threshold }, detail, rowsLink }: PointsProps) {
  const pointsText = `${points ?? 0}${threshold === null ? '' : ` of ${threshold}`}`;
  const periods = detail?.late.point_periods ?? [];
  if (points === 0 || points === null) return pointsText;
  if (periods.length === 0) return <OptionalLink to={rowsLink}>{pointsText}</OptionalLink>;
  return (
    <details>
      <summary className={styles.points}>
        {pointsText}
        <HiddenText> penalty points: show the late returns</HiddenText>
      </summary>
      {periods.map(({ start, end }) => (
        <div key={start}>Late return for {periodText(start, end, 'short')}</div>
      ))}
      {periods.length < points && <div>HMRC doesn’t show the periods for the other points.</div>}
      <Text as="span" size="small" tone="quiet" className={styles.note}>
        {detail?.late.points_source === 'hmrc'
          ? 'HMRC’s points'
          : 'Our count from the returns we know about. HMRC’s own count takes precedence.'}
      </Text>
    </details>
  );
}

/** Penalties and interest that HMRC hasn't charged yet: calculated here, and shown separately from tax and from each other. */
function listCostFacts(
  { penalty_pence: penalty, interest_pence: interest, is_estimate: isEstimate }: TaxFigures,
  detail: PositionDetail | null,
  rowsLink: string | undefined,
) {
  const costs = [
    { label: 'Penalties not charged yet', amount: penalty ?? 0 },
    { label: 'Interest not charged yet', amount: interest ?? 0 },
  ];
  return costs
    .filter(({ amount }) => amount > 0)
    .map(({ label, amount }) => ({
      label,
      value: (
        <>
          <OptionalLink to={rowsLink}>{formatPounds(pence(amount))}</OptionalLink>
          <Text as="span" size="small" tone="quiet" className={styles.note}>
            {isEstimate ? describeEstimate(detail?.late.estimate_reason) : 'Our calculation. HMRC’s figure may differ.'}
          </Text>
        </>
      ),
    }));
}

/** Corporation tax must be paid before its return is due, so a period can be unpaid while its amount is still unknown. */
function describePassedPaymentDays(detail: PositionDetail | null) {
  if (detail?.tax !== 'ct') return [];
  return detail.periods.filter(
    ({ return_state: state, charged_pence: chargedAmount, payment_due_on: on }) =>
      state !== 'filed' && chargedAmount === null && on !== null && on < detail.computed_on,
  );
}

function describeEstimate(unknownPart: string | null | undefined): string {
  return `Our estimate. HMRC’s figure may differ.${unknownPart ? ` Not known: ${unknownPart}.` : ''}`;
}
