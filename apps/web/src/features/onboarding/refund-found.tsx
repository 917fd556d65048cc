import { formatPounds } from '@portal/domain/money.ts';
import { formatDate } from '@portal/domain/plain-date.ts';
import { focusResult } from '../../lib/focus-result.ts';
import { periodText } from '../../lib/period-text.ts';
import { Button } from '../../ui/button.tsx';
import { PeriodText } from '../../components/formats/date-text.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import type { RefundFinding } from './use-refund-finding.ts';
import styles from './refund-found.module.css';

/** The result of the first read from HMRC: "We found £13,008.90", or the next return if there is no refund. */
export function RefundFound({ finding, isResult = false }: { finding: RefundFinding; isResult?: boolean }) {
  return (
    <div className={styles.finding} role="status">
      <RefundFindingView finding={finding} isResult={isResult} />
    </div>
  );
}

function RefundFindingView({ finding, isResult }: { finding: RefundFinding; isResult: boolean }) {
  switch (finding.status) {
    case 'unknown':
      return null;
    case 'reading':
      return <ProgressBar label="Reading your VAT account from HMRC" />;
    case 'failed':
      return (
        <Notice tone="warning" title="We couldn’t read your VAT account yet">
          <Stack gap={8} align="start">
            <Text>{finding.message}</Text>
            <Button variant="outlined" size="small" onClick={finding.retry}>
              Try again
            </Button>
          </Stack>
        </Notice>
      );
    case 'found':
      return (
        <Stack gap={4}>
          <Heading level={2} size="title" className={styles.figure} {...(isResult ? { tabIndex: -1, ref: focusResult } : {})}>
            We found {formatPounds(finding.pence)}
          </Heading>
          <Text>
            {finding.source === 'hmrc' ? 'HMRC owes you this refund for ' : 'Your books show this VAT refund for '}
            <PeriodText {...finding.period} />
            {finding.isPeriodOpen ? ', so far.' : finding.source === 'hmrc' ? '.' : ', ready for you to check and file.'}
          </Text>
        </Stack>
      );
    case 'none':
      return finding.next === undefined ? null : (
        <Text tone="quiet">
          Your next VAT return is for {periodText(finding.next.period.start, finding.next.period.end)}, due on{' '}
          {formatDate(finding.next.due)}.
        </Text>
      );
  }
}
