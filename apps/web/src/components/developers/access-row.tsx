import type { Instant } from '@portal/domain/clock.ts';
import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { HiddenText } from '../../ui/hidden-text.tsx';
import { Row } from '../../ui/layout.tsx';
import { StateChip } from '../../ui/state-chip.tsx';
import { Text } from '../../ui/text.tsx';
import { InstantText } from '../formats/date-text.tsx';
import styles from './developers.module.css';

type AccessRowProps = {
  name: string;
  /** The visible part of a key. */
  code?: string;
  /** Set if it can no longer be used. */
  endedLabel: string | undefined;
  /** Who it acts for, and until when. */
  details: ReactNode;
  lastUsedAt: Instant | null;
  /** What it may do. */
  scopes: readonly string[];
  /** The button that ends it. */
  endLabel: string;
  onEnd: () => void;
};

/** An API key or a connected app in its list. */
export function AccessRow({ name, code, endedLabel, details, lastUsedAt, scopes, endLabel, onEnd }: AccessRowProps) {
  return (
    <Row as="li" justify="between" className={styles.item}>
      <div className={styles.text}>
        <Row gap={8}>
          <Text as="span" weight="medium">
            {name}
          </Text>
          {code !== undefined && <code className={styles.code}>{code}</code>}
          {endedLabel !== undefined && <StateChip label={endedLabel} icon="close" tone="secondary" />}
        </Row>
        <Text as="div" size="small" tone="quiet">
          {details} ·{' '}
          {lastUsedAt === null ? (
            'Never used'
          ) : (
            <>
              Last used <InstantText at={lastUsedAt} />
            </>
          )}
        </Text>
        <Text as="div" size="small" tone="quiet">
          {scopes.join(' · ')}
        </Text>
      </div>
      {endedLabel === undefined && (
        <Button variant="text" size="small" tone="error" onClick={onEnd}>
          {endLabel}
          <HiddenText> {name}</HiddenText>
        </Button>
      )}
    </Row>
  );
}
