/** One tax: the amounts owed, overdue and to be repaid, the next date, penalties and interest to date, and the age of the figures. */
import { formatPounds } from '@portal/domain/money.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { errorText } from '../../lib/error-text.ts';
import { TAX_NAMES } from '../../lib/tax-names.ts';
import { DateText, InstantText } from '../../ui/date-text.tsx';
import { FactList } from '../../ui/fact-list.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import type { PositionDetail, TaxFigures } from './client-page.ts';
import { SourceText } from './source-text.tsx';
import { isRefreshing, type useClientSync } from './use-client-sync.ts';

type Sync = ReturnType<typeof useClientSync>;
type TaxCardProps = {
  tax: TaxFigures['tax'];
  figures: TaxFigures | null;
  detail: PositionDetail | null;
  sync: NonNullable<Sync['sync']['data']>['taxes'][number] | undefined;
  refresh: Sync['readAgain'];
  /** The id of the element that explains why HMRC can't be used. Undefined while connected. */
  disabledReasonId: string | undefined;
};

/** HMRC's APIs cover these taxes. The others come from statements that the practice imports. */
export const canRefresh = (tax: TaxFigures['tax']): boolean => tax === 'vat' || tax === 'sa';

export function TaxCard({ tax, figures, detail, sync, refresh, disabledReasonId }: TaxCardProps) {
  const reads = isRefreshing(sync?.state);
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
            disabled={reads || isPressed || disabledReasonId !== undefined}
            aria-describedby={disabledReasonId}
            onClick={() => refresh.mutate(tax)}
          >
            {reads || isPressed ? 'Reading …' : 'Read again'}
            <HiddenText> {TAX_NAMES[tax]} at HMRC</HiddenText>
          </Button>
        )
      }
      {...(figures === null ? {} : { source: <SourceText {...figures} /> })}
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        {figures === null ? <NoFigures tax={tax} /> : <Figures figures={figures} detail={detail} />}
        <Box role="status">{reads && <Notice tone="info" title="Being read at HMRC" />}</Box>
        {sync?.state === 'failed' && sync.reason !== null && (
          <Notice tone={sync.retry_at === null ? 'warning' : 'info'} title={sync.reason.sentence}>
            {sync.reason.next}{' '}
            {sync.read_at === null ? (
              'Nothing has been read before.'
            ) : (
              <>
                The figures are those of <InstantText at={sync.read_at} />.
              </>
            )}
          </Notice>
        )}
        {error !== null && (
          <Notice tone="error" title="It was not read" role="alert">
            {errorText(error)}
          </Notice>
        )}
      </Box>
    </SectionCard>
  );
}

function NoFigures({ tax }: { tax: TaxFigures['tax'] }) {
  return (
    <Typography sx={{ color: 'text.secondary' }}>
      {canRefresh(tax)
        ? 'Nothing has been read yet. Once HMRC authorises you and the client is read, its figures appear here.'
        : 'HMRC offers no reading of this tax. Figures appear when a statement is imported; dates when the year end is known.'}
    </Typography>
  );
}

function Figures({ figures, detail }: { figures: TaxFigures; detail: PositionDetail | null }) {
  if (detail?.standing === 'insolvent') {
    return <Typography>HMRC treats this client as insolvent and shows nothing of it. Ask the insolvency practitioner.</Typography>;
  }
  // Dates don't imply amounts: showing £0.00 would say that nothing is owed.
  const hasAmounts = detail === null || detail.standing === 'read';
  return (
    <>
      {hasAmounts ? (
        <KeyFigure {...getHeadline(figures)} tone={figures.overdue_pence > 0 ? 'error' : undefined} />
      ) : (
        <Typography sx={{ fontWeight: 500 }}>Amounts are not known yet; the dates follow from the rules.</Typography>
      )}
      <FactList facts={getFacts(figures, detail, hasAmounts)} />
    </>
  );
}

/** If nothing is owed and HMRC owes a refund, the refund is the headline. */
export function getHeadline({ owed_pence: owed, refund_pence: refund }: Pick<TaxFigures, 'owed_pence' | 'refund_pence'>) {
  if (owed === 0 && refund > 0) return { figure: formatPounds(refund), label: 'coming back from HMRC, nothing owed' };
  return { figure: formatPounds(owed), label: 'owed to HMRC' };
}

function getFacts(figures: TaxFigures, detail: PositionDetail | null, hasAmounts: boolean) {
  const { overdue_pence: overdue, overdue_since: since, refund_pence: refund, overdue_returns: lateReturns } = figures;
  const facts = [];
  if (hasAmounts) {
    facts.push({
      label: 'Overdue',
      value:
        overdue === 0 ? (
          'Nothing'
        ) : (
          <>
            {formatPounds(overdue)}
            {since !== null && (
              <>
                , since <DateText date={since} />
              </>
            )}
          </>
        ),
    });
    facts.push({
      label: 'Coming back',
      value: refund === 0 ? 'Nothing' : `${formatPounds(refund)}, HMRC owes it${detail?.refund_held === true ? ' and holds it' : ''}`,
    });
  }
  if (lateReturns > 0) facts.push({ label: 'Late returns', value: lateReturns.toLocaleString('en-GB') });
  facts.push({ label: 'Next due', value: <NextDue figures={figures} /> });
  const passed = passedPaymentDays(detail);
  if (passed.length > 0) {
    facts.push({
      label: 'Payment date passed',
      value: (
        <>
          {passed.map((period) => (
            <Box key={period.key}>
              {period.payment_due_on !== null && <DateText date={period.payment_due_on} />}: amount not known until the return to{' '}
              <DateText date={period.end} /> is filed
            </Box>
          ))}
        </>
      ),
    });
  }
  if (figures.penalty_points !== null) {
    const threshold = figures.points_threshold === null ? '' : ` of ${figures.points_threshold}`;
    facts.push({ label: 'Penalty points', value: `${figures.penalty_points}${threshold}` });
  }
  if (hasAmounts && (figures.penalty_pence > 0 || figures.interest_pence > 0)) {
    facts.push({
      label: 'Penalties and interest to date',
      value: (
        <>
          {formatPounds(figures.penalty_pence)} and {formatPounds(figures.interest_pence)}
          <Typography variant="body2" component="span" sx={{ display: 'block', color: 'text.secondary' }}>
            {figures.is_estimate ? estimateText(detail?.late.estimate_reason) : 'Ours, by the published rules; not HMRC’s figure.'}
          </Typography>
        </>
      ),
    });
  }
  return facts;
}

/** Corporation tax is payable before its return is due, so a period can be unpaid while its amount is unknown. */
function passedPaymentDays(detail: PositionDetail | null) {
  if (detail?.tax !== 'ct') return [];
  return detail.periods.filter(
    ({ return_state: state, charged_pence: charged, payment_due_on: on }) =>
      state !== 'filed' && charged === null && on !== null && on < detail.computed_on,
  );
}

function estimateText(notKnown: string | null | undefined): string {
  return `Our estimate, not HMRC’s figure.${notKnown ? ` Not known: ${notKnown}.` : ''}`;
}

function NextDue({ figures }: { figures: TaxFigures }) {
  if (figures.next_due_on === null) return 'Nothing known';
  const amount =
    figures.next_due_what === 'payment' && figures.next_due_pence !== null ? ` of ${formatPounds(figures.next_due_pence)}` : '';
  return (
    <>
      <DateText date={figures.next_due_on} />
      {figures.next_due_what !== null && `: ${figures.next_due_what}${amount}`}
    </>
  );
}
