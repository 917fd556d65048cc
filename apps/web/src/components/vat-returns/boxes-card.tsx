/** The nine boxes with HMRC's names. Boxes that have transactions link to them; two boxes explain how they are calculated. */
import type { NineBoxesOutput, VatReturnOutput } from '@portal/contract/vat-returns.ts';
import { formatPounds, pence } from '@portal/domain/money.ts';
import clsx from 'clsx';
import { DIRECTION_LABELS, PROVISIONAL_DIRECTION_LABELS } from '../../lib/direction-text.ts';
import { BOX_NAMES, toOpenableBox, type BoxName, type OpenableBox } from '../../lib/box-names.ts';
import { Button } from '../../ui/button.tsx';
import { InstantText } from '../formats/date-text.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { KeyFigure } from '../../ui/key-figure.tsx';
import { Stack } from '../../ui/layout.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Text } from '../../ui/text.tsx';
import styles from './boxes-card.module.css';
import { ChangesNotice } from './changes-notice.tsx';

type BoxesCardProps = {
  data: VatReturnOutput;
  boxes: NineBoxesOutput;
  openTransactions: (box: OpenableBox) => void;
  /** Says who pays, if the return isn't the reader's own. */
  label?: string;
};

export function BoxesCard({ data, boxes, openTransactions, label }: BoxesCardProps) {
  return (
    <SectionCard title="The nine boxes" source={<FiguresSource data={data} />}>
      <Stack gap={16}>
        <ChangesNotice changes={data.changes} />
        <KeyFigure
          figure={formatPounds(boxes.box5_pence)}
          label={label ?? getDirectionLabel(data, boxes)}
          details="Box 5, the difference between boxes 3 and 4"
        />
      </Stack>
      <Stack as="ul" gap={0} aria-label="The nine boxes" className={styles.boxes}>
        {BOX_NAMES.map((box) => (
          <BoxRow
            key={box.number}
            box={box}
            boxes={boxes}
            changes={data.changes}
            openTransactions={data.rows > 0 || data.adjustments.length > 0 ? openTransactions : undefined}
          />
        ))}
      </Stack>
    </SectionCard>
  );
}

/** Boxes 6 to 9 are in whole pounds (VAT Notice 700/12), shown without pence as at HMRC. */
export function formatBoxAmount({ field, unit }: BoxName, boxes: NineBoxesOutput): string {
  const amount = boxes[field];
  return unit === 'pence' ? formatPounds(pence(amount)) : formatPounds(pence(amount * 100)).replace(/\.00$/, '');
}

type BoxRowProps = {
  box: BoxName;
  boxes: NineBoxesOutput;
  changes: VatReturnOutput['changes'];
  openTransactions: ((box: OpenableBox) => void) | undefined;
};

function BoxRow({ box, boxes, changes, openTransactions }: BoxRowProps) {
  const openableBox = toOpenableBox(box);
  const changedCount = changes?.boxes.find((changedBox) => changedBox.box === box.number)?.documents ?? 0;
  const isTotal = box.number === '3' || box.number === '5';
  return (
    <li className={clsx(styles.box, isTotal && styles.total)}>
      <span className={styles.number}>Box {box.number}</span>
      <span className={styles.name}>
        {box.name}
        {box.computed !== undefined && (
          <Text size="small" tone="quiet">
            {box.computed}
          </Text>
        )}
        {changes !== null && changedCount > 0 && (
          <Text size="small" tone="warning" className={styles.changed}>
            <Icon name="warning" size={16} />
            {changedCount.toLocaleString('en-GB')} {changedCount === 1 ? 'document' : 'documents'} changed since {changes.since}
          </Text>
        )}
      </span>
      <span className={styles.amount}>{formatBoxAmount(box, boxes)}</span>
      {openableBox !== null && openTransactions && (boxes[box.field] !== 0 || changedCount > 0) && (
        <Button variant="text" size="small" fit="flush" className={styles.transactions} onClick={() => openTransactions(openableBox)}>
          See transactions
          <HiddenText> in box {box.number}</HiddenText>
        </Button>
      )}
    </li>
  );
}

function FiguresSource({ data }: { data: VatReturnOutput }) {
  if (!data.source) return data.obligation.status === 'fulfilled' ? 'Figures from HMRC.' : '';
  const count = `${data.rows.toLocaleString('en-GB')} ${data.rows === 1 ? 'transaction' : 'transactions'}`;
  return (
    <>
      {count} in {data.source.file_name}, {data.source.program === null ? 'added' : 'as of'} <InstantText at={data.source.applied_at} />.
      Boxes 6 to 9 are rounded to whole pounds.
    </>
  );
}

/** Describes who pays box 5 or, once it is settled, who paid it. */
function getDirectionLabel({ obligation, settled, found }: VatReturnOutput, { direction }: NineBoxesOutput): string {
  if (settled && direction === 'repayment') return 'HMRC has repaid this';
  if (settled && direction === 'payment') return 'You’ve paid this';
  // For an old return, we don't know whether HMRC still owes the refund.
  if (obligation.state === 'filed_elsewhere' && direction === 'repayment' && found?.refund !== 'open') return 'Refund claimed';
  return (obligation.state === 'open_running' ? PROVISIONAL_DIRECTION_LABELS : DIRECTION_LABELS)[direction];
}
