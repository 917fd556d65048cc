import type { NineBoxesOutput } from '@portal/contract/vat-returns.ts';
import { clientText } from '../../lib/client-texts/client-texts.ts';
import { Text } from '../../ui/text.tsx';
import styles from './plain-boxes.module.css';
import { listPlainBoxes } from './plain-boxes.ts';

/** The nine boxes, each on a single line on phones. */
export function PlainBoxes({ boxes }: { boxes: NineBoxesOutput }) {
  const { main, nil } = listPlainBoxes(boxes);
  return (
    <div>
      <dl className={styles.boxes}>
        {main.map(({ box, text, amount, isTotal }) => (
          <div key={box} className={isTotal ? styles.total : styles.box}>
            <dt>
              {text} <span className={styles.number}>{clientText('box.number', { box })}</span>
            </dt>
            <dd className={styles.amount}>{amount}</dd>
          </div>
        ))}
      </dl>
      {nil.length > 0 && (
        <Text size="small" tone="quiet">
          {clientText('box.nil', {
            boxes: nil.map(({ box, text }) => clientText('box.nil.one', { box, text })).join('; '),
          })}
        </Text>
      )}
    </div>
  );
}
