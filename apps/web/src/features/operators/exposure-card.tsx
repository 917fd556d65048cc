/** How much of our money is outstanding, compared with the limit. */
import { formatPounds, pence } from '@portal/domain/money.ts';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Progress } from '../../ui/progress-bar.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import styles from './exposure-card.module.css';
import type { Queues } from './operator-outputs.ts';

/** From this percentage on, the text shows a warning. */
const NEARLY_FULL_PERCENT = 85;

export function ExposureCard({ data }: { data: Queues }) {
  const { exposure_pence: exposure, exposure_limit_pence: limit } = data;
  const percent = limit > 0 ? (exposure / limit) * 100 : 100;
  const isTight = percent >= NEARLY_FULL_PERCENT;
  const share = percent > 0 && percent < 1 ? 'less than 1%' : `${Math.round(percent)}%`;
  return (
    <SectionCard title="Exposure">
      <KeyFigure
        figure={formatPounds(exposure)}
        label={`Outstanding: ${share} of the ${formatPounds(limit)} limit`}
        details={
          exposure > limit
            ? 'Over the limit. We can’t buy more refunds until HMRC has repaid some.'
            : `${formatPounds(pence(limit - exposure))} available for new refunds.${isTight ? ' Close to the limit.' : ''}`
        }
        tone={isTight ? 'error' : undefined}
      />
      <div className={styles.bar}>
        <Progress percent={Math.min(100, percent)} label="Exposure against the limit" />
      </div>
    </SectionCard>
  );
}
